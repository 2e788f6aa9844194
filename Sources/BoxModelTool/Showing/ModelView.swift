package import BoxJSON
package import BoxMigration
package import BoxModel
internal import BoxReport

/// A model that is to be shown, with the name that people know it by.
package struct ModelView: Sendable {
  /// The version, as people name it.
  package let path: String
  /// The model.
  package let model: Model
  /// The failure where only a part of the file could be read; nil if all of it was.
  package let partialReading: CommandFailure?
  /// The rules about removals beside it, or of the store; nil without any.
  package let declarations: Declarations?

  /// Reads a version.
  ///
  /// - Parameters:
  ///   - argument: A file, a revision, `REF:PATH`, a store, or standard input.
  ///   - rules: The file of rules.
  ///   - place: The place of the version.
  /// - Throws: ``CommandFailure`` of the kind `badInput` if it is not a model, `inputOutput` if it
  ///   cannot be read, `usage` if a revision is named and the repository has several models.
  /// - Complexity: O(*n*) in the size of the file.
  package init(
    _ argument: String, rules: RulesChoice = RulesChoice(), in place: Workspace
  ) async throws(CommandFailure) {
    let version = try await NamedVersion(argument, in: place)
    let source = try await NamedVersion.read([version], in: place)[0]
    let document = try ModelDocument(of: source)
    path = source.path
    model = document.model
    partialReading = document.partialReading(path: source.path)
    declarations = try await rules.declarations(
      of: document.model, in: source, version.reference(of: source), place)
  }

  /// The model as text for people, with the rules about removals.
  package func text(_ layout: ModelTextLayout) -> String {
    let text = model.text(layout)
    guard let declarations, !declarations.isEmpty else { return text }
    return text + "\nrules about removals\n"
      + declarations.table().lines().map { $0 + "\n" }.joined()
  }

  /// The model for programs, with the rules about removals.
  package var json: JSONValue {
    let json = model.json(path: path)
    guard let declarations, !declarations.isEmpty, case .object(let members) = json else {
      return json
    }
    return .object(members + [.init("rules", declarations.json())])
  }

  /// The model as Markdown, with the rules about removals.
  package var markdown: String {
    let text = model.markdown()
    guard let declarations, !declarations.isEmpty else { return text }
    return text + "\n### Rules about removals\n\n"
      + declarations.relations.map { "- \($0.label.escapedForMarkdown): \($0.words)\n" }.joined()
  }

  /// The text of a file that git compares, and shows on a terminal.
  ///
  /// A file that is not a model, or that cannot be read completely, is its own text, with control
  /// characters and invalid UTF-8 written out.
  ///
  /// - Parameter path: The file; git names files of its own choice, which may look like `REF:PATH`
  ///   or be called `-`.
  /// - Returns: The text.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if the file cannot be read.
  package static func comparedText(of path: String) throws(CommandFailure) -> String {
    let source = try SourceFile.read(path == "-" ? "./-" : path)
    guard let document = try? ModelDocument(parsing: source.bytes), document.isComplete else {
      return source.bytes.shownAsText
    }
    return document.model.text(.stable)
  }
}

extension SchemaDiagram {
  /// Draws one version of a model, or the change between two.
  ///
  /// - Parameters:
  ///   - arguments: The version, or the old and the new one: files, revisions, `REF:PATH`, stores,
  ///     or standard input.
  ///   - place: The place of the versions.
  /// - Throws: ``CommandFailure`` of the kind `badInput` if one is not a model that can be read
  ///   completely, `inputOutput` if one cannot be read, `usage` if a revision is named and the
  ///   repository has several models.
  package init(reading arguments: [String], in place: Workspace) async throws(CommandFailure) {
    var versions: [NamedVersion] = []
    for argument in arguments { versions.append(try await NamedVersion(argument, in: place)) }
    var models: [Model] = []
    for source in try await NamedVersion.read(versions, in: place) {
      models.append(try PlanSource.side(source).model)
    }
    self =
      models.count == 2
      ? SchemaDiagram(from: models[0], to: models[1]) : SchemaDiagram(models[0])
  }
}

extension [UInt8] {
  /// The bytes as lines of text, with control characters and invalid UTF-8 written out.
  fileprivate var shownAsText: String {
    var result = ""
    for line in split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.startIndex > 0 { result += "\n" }
      result += line.shownInLine
    }
    return result
  }
}

extension ArraySlice<UInt8> {
  fileprivate var shownInLine: String {
    if let text = String(validating: self, as: UTF8.self) {
      return text.split(separator: "\t", omittingEmptySubsequences: false)
        .map(\.escapedForDisplay).joined(separator: "\t")
    }
    return map { byte in
      (0x20..<0x7F).contains(byte)
        ? String(Unicode.Scalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
