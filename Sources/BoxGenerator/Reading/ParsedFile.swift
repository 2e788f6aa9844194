internal import BoxReport
internal import BoxSources

/// The declarations of one file, or the reason why it was not read.
struct ParsedFile: Sendable {
  private(set) var declarations = Declarations()
  private(set) var findings: [Finding] = []

  /// Parses a file; one with bindings has no declarations.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - known: Its declarations, if they were read before.
  ///   - prefix: The word before the colon of an annotation.
  /// - Complexity: O(*n*) in the size of the file.
  init(_ file: SwiftFile, _ known: SourceDeclarations? = nil, prefix: String) {
    guard file.isUTF8 else {
      if file.mayHoldEntity(prefix: prefix) {
        report(
          GeneratorRule.notUTF8, file, 1, "The file is not UTF-8",
          "Save it as UTF-8, or exclude it")
      }
      return
    }
    if !Generation.isGenerated(file.bytes) { read(file, known, prefix) }
  }

  private mutating func read(_ file: SwiftFile, _ known: SourceDeclarations?, _ prefix: String) {
    if let line = Self.conflictLine(in: file) {
      report(
        GeneratorRule.conflictMarkers, file, line, "The file has conflict markers",
        "Resolve the conflict, and generate again")
      return
    }
    let read = known ?? SourceDeclarations(of: file.bytes, prefix: prefix)
    let places = PlaceTable(path: file.path, bytes: file.bytes)
    // Declarations hidden by a mistake would count as removed, and their UIDs would be retired.
    if let mistake = read.mistake {
      findings.append(
        Finding(
          GeneratorRule.notParsed, at: places.place(at: mistake.offset),
          "The file cannot be read as Swift from here on: \(mistake.message)",
          advice: "Correct it, as the compiler tells, and generate again"))
      return
    }
    var collector = DeclarationCollector(read.source, places, prefix: prefix)
    collector.collect(read.declarations)
    declarations = collector.found
  }

  /// The first line of a conflict: one that begins it, with one that ends it further down.
  private static func conflictLine(in file: SwiftFile) -> Int? {
    // Lines are looked at only where there may be a conflict.
    guard file.contains("<<<<<<< "), file.contains(">>>>>>> ") else { return nil }
    var first: Int?
    for (number, line) in file.bytes.split(separator: 10, omittingEmptySubsequences: false)
      .enumerated()
    {
      if line.starts(with: "<<<<<<< ".utf8) { first = first ?? number + 1 }
      if line.starts(with: ">>>>>>> ".utf8), let first { return first }
    }
    return nil
  }

  private mutating func report(
    _ rule: Rule, _ file: SwiftFile, _ line: Int, _ message: String, _ advice: String
  ) {
    findings.append(
      Finding(
        rule, at: SourcePlace(path: file.path, line: line, column: 1), message, advice: advice))
  }
}
