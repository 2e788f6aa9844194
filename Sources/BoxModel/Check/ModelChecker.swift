import BoxJSON
public import BoxReport

extension ModelDocument {
  /// All issues of the model file, in the order of the text.
  ///
  /// - Complexity: O(*n* log *n*) in the number of elements.
  public func check() -> [ModelIssue] { check(limit: .max).listed }

  /// The issues of the model file, limited to the number that a report lists.
  ///
  /// - Parameter limit: The number of issues of a rule and a severity that are listed; the others
  ///   are counted.
  /// - Returns: The issues, in the order of the text.
  /// - Complexity: O(*n* log *n*) in the number of elements; memory beside the text and the model is
  ///   O(*limit*).
  package func check(limit: Int) -> ModelIssues {
    var checker = ModelChecker(self, limit: limit)
    checker.issues.append(contentsOf: form)
    checker.checkIDs()
    checker.checkUIDs()
    checker.checkNames()
    checker.checkTargets()
    checker.checkFlags()
    checker.issues.sort()
    return checker.issues
  }

  /// An issue of this file as a finding that printers take.
  ///
  /// - Parameters:
  ///   - issue: An issue that a check of this file found.
  ///   - path: The file as the user named it.
  /// - Returns: The finding, with the line that the issue is in, cut if it is long.
  public func finding(_ issue: ModelIssue, path: String) -> Finding {
    let start = json.position(at: issue.range.lowerBound)
    let end = json.position(at: issue.range.upperBound)
    return Finding(
      rule: issue.rule, severity: issue.severity, message: issue.message, advice: issue.advice,
      path: path,
      region: SourceRegion(
        line: start.line, column: start.column, endLine: end.line, endColumn: end.column),
      sourceLine: json.sourceLine(at: issue.range.lowerBound), fix: issue.fix?.summary)
  }
}

/// Collects the issues of one model; each extension of it looks at one side of the model.
struct ModelChecker {
  let document: ModelDocument
  let model: Model
  let lookup: ModelLookup
  var issues: ModelIssues

  init(_ document: ModelDocument, limit: Int = .max) {
    issues = ModelIssues(limit: limit)
    self.document = document
    model = document.model
    lookup = document.lookup
  }

  mutating func report(
    _ rule: Rule, severity: Severity? = nil, at range: Range<Int>, _ message: String,
    advice: String? = nil, fix: ModelEdit? = nil
  ) {
    issues.append(
      ModelIssue(rule, severity: severity, at: range, message, advice: advice, fix: fix))
  }

  /// Whether the file is in the version of the format in which types and targets are written.
  var isCurrentVersion: Bool {
    model.modelVersion ?? 0 >= ModelDocument.supportedVersion
  }

  /// The bytes of the value of a field of an element; the start of the element where it is missing.
  func range(_ place: ElementPlace, _ field: ElementField) -> Range<Int> {
    range(place, key: field.key)
  }

  /// The bytes of the value of a key of an element; the start of the element where the key is missing.
  func range(_ place: ElementPlace, key: String) -> Range<Int> {
    range(document.node(place), key)
  }

  /// The bytes of the id pair of an element.
  func pairRange(_ place: ElementPlace) -> Range<Int> {
    range(place, place.kind == .index ? .indexID : .id)
  }

  func rootRange(_ key: String) -> Range<Int> { range(document.json.root, key) }

  private func range(_ node: JSONNode, _ key: String) -> Range<Int> {
    if let value = document.json.value(forKey: key, in: node) {
      return document.json.range(of: value)
    }
    let start = document.json.range(of: node).lowerBound
    return start..<start + 1
  }

  /// The bytes of the members of a list of UIDs.
  func listRanges(_ key: String) -> [Range<Int>] {
    guard let list = document.json.value(forKey: key, in: document.json.root),
      document.json.kind(of: list) == .array
    else { return [] }
    return document.json.elements(of: list).map { document.json.range(of: $0) }
  }
}
