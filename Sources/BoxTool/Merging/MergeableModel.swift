internal import BoxJSON
internal import BoxMerge
package import BoxModel
internal import BoxReport

extension ModelDocument {
  /// Reads a side of a merge, of which every element must be readable.
  ///
  /// - Parameters:
  ///   - file: The side.
  ///   - isArgument: Whether its path is an argument by which a command reads it.
  /// - Throws: ``CommandFailure`` of the kind `badInput` and the place if the file is not a model,
  ///   or could not be read completely.
  /// - Complexity: O(*n*) in the size of the file.
  package init(mergeable file: SourceFile, isArgument: Bool = true) throws(CommandFailure) {
    do throws(ModelError) {
      self = try ModelDocument(parsing: file.bytes)
    } catch {
      throw CommandFailure(error, path: file.path, file.bytes, isArgument: isArgument)
    }
    if let failure = incompleteness(path: file.path, isArgument: isArgument) { throw failure }
  }

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

/// The base of a merge: a model, or the reason why there is none.
struct MergeBase {
  var document: ModelDocument?
  /// The reason why the file is not used, in one sentence without a trailing period.
  var note: String?

  /// No base.
  static let none = MergeBase(document: nil, note: nil)

  /// Reads a base; an empty file means that there is none, as git has it where both sides added
  /// the file.
  ///
  /// A base that is not a model, such as one with the markers of an inner merge of a criss-cross
  /// history, is not used: the sides are then merged without a base.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  init(_ file: SourceFile) {
    if file.bytes.isEmpty {
      self = .none
      return
    }
    do throws(ModelError) {
      let document = try ModelDocument(parsing: file.bytes)
      guard let failure = document.incompleteness(path: file.path, isArgument: false) else {
        self.init(document: document, note: nil)
        return
      }
      self.init(leftOut: file, failure.position, failure.message)
    } catch {
      self.init(leftOut: file, error.position, error.message)
    }
  }

  private init(leftOut file: SourceFile, _ position: JSONPosition?, _ reason: String) {
    let place = position.map { "\($0.line):\($0.column): " } ?? ""
    self.init(
      document: nil,
      note: "the base is not used, since it is not a whole model: \(file.path):\(place)\(reason)")
  }

  private init(document: ModelDocument?, note: String?) {
    self.document = document
    self.note = note
  }
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

/// Whether a text is a model, or was meant to be one: damaged, cut off, or with conflict markers.
///
/// - Complexity: O(*n*) in the size of the text.
func isMeantAsModel(_ bytes: [UInt8]) -> Bool {
  do throws(ModelError) {
    _ = try ModelDocument(parsing: bytes)
    return true
  } catch {
    return error.isAboutModel(bytes)
  }
}
