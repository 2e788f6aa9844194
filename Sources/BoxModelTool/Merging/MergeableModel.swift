internal import BoxJSON
internal import BoxMerge
package import BoxModel
internal import BoxReport

/// A version of a merged file, parsed once.
struct MergeVersion: Sendable {
  let file: SourceFile
  let parsed: Result<ModelDocument, ModelError>

  /// Parses a file.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  init(_ file: SourceFile) {
    self.file = file
    parsed = Result { () throws(ModelError) in try ModelDocument(parsing: file.bytes) }
  }

  /// Whether it is a model, or was meant to be one: damaged, cut off, or with conflict markers.
  var isMeantAsModel: Bool {
    switch parsed {
    case .success: true
    case .failure(let error): error.isAboutModel(file.bytes)
    }
  }

  /// The model of a side of a merge, of which every element must be readable.
  ///
  /// - Parameter isArgument: Whether its path is an argument by which a command reads it.
  /// - Returns: The model.
  /// - Throws: ``CommandFailure`` of the kind `badInput` and the place if the file is not a model,
  ///   or could not be read completely.
  func side(isArgument: Bool = true) throws(CommandFailure) -> ModelDocument {
    let document: ModelDocument
    do throws(ModelError) {
      document = try parsed.get()
    } catch {
      throw CommandFailure(error, path: file.path, file.bytes, isArgument: isArgument)
    }
    if let failure = document.incompleteness(path: file.path, isArgument: isArgument) {
      throw failure
    }
    return document
  }

  /// The model of the base of a merge, or the reason why it is missing.
  ///
  /// Git passes an empty file if both sides added the file. A base that is not a model, such as one with the
  /// markers of an inner merge of a criss-cross history, is not used: the sides are then merged without a
  /// base.
  ///
  /// - Returns: The model, and the reason in one sentence without a trailing period; neither of an empty file.
  func base() -> (document: ModelDocument?, note: String?) {
    if file.bytes.isEmpty { return (nil, nil) }
    let (position, reason): (JSONPosition?, String)
    switch parsed {
    case .success(let document):
      guard let failure = document.incompleteness(path: file.path, isArgument: false) else {
        return (document, nil)
      }
      (position, reason) = (failure.position, failure.message)
    case .failure(let error): (position, reason) = (error.position, error.message)
    }
    let place = position.map { "\($0.line):\($0.column): " } ?? ""
    return (
      nil, "the base is not used, since it is not a whole model: \(file.path):\(place)\(reason)"
    )
  }
}

extension ModelDocument {
  /// The reason why the model could not be read completely, as the check words it; nil if it could.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - rule: The rule of the findings that count; nil for any.
  ///   - isArgument: Whether the path is an argument by which a command reads the file.
  /// - Returns: The failure.
  func incompleteness(
    path: String, rule: Rule? = nil, isArgument: Bool = true
  ) -> CommandFailure? {
    let issue = formIssues.first { $0.severity == .error && (rule == nil || $0.rule == rule) }
    guard let issue else { return nil }
    let advice = isArgument ? "; see `boxjoint check \(shellOperand(path))`" : ""
    return CommandFailure(
      .badInput, "\(issue.message) (\(issue.rule.id)\(advice))", path: path,
      position: json.position(at: issue.range.lowerBound))
  }

  /// The number of errors that the check finds.
  ///
  /// - Complexity: As ``ModelDocument/check()``.
  var errorCount: Int { check(limit: 1).count(of: .error) }
}

extension MergeInput {
  /// A note that versions begin with a byte order mark, and whether the result does; nil if none does.
  ///
  /// - Parameters:
  ///   - result: The bytes of the result.
  ///   - path: The file of the result; nil if it is not known.
  /// - Returns: One sentence without a trailing period.
  func byteOrderMarkNote(about result: [UInt8], _ path: String?) -> String? {
    let versions = [("ours", ours), ("base", base), ("theirs", theirs)]
    let marked = versions.filter { $0.1?.hasByteOrderMark == true }.map(\.0)
    if marked.isEmpty { return nil }
    let isKept = result.starts(with: JSONDocument.byteOrderMark)
    let verb = marked.count == 1 ? "begins" : "begin"
    let advice = path.map { "; `boxjoint check --fix \(shellOperand($0))` removes it" } ?? ""
    return "\(marked.joined(separator: " and ")) \(verb) with a byte order mark, which is "
      + (isKept ? "kept\(advice)" : "left out")
  }
}
