internal import BoxReport
internal import BoxSources
internal import SwiftParser
internal import SwiftSyntax

/// The declarations of one file, or the reason why it was not read.
struct ParsedFile: Sendable {
  private(set) var declarations = Declarations()
  private(set) var findings: [Finding] = []

  /// Parses a file; one with bindings has no declarations.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  init(_ file: SwiftFile, prefix: String) {
    guard file.isUTF8 else {
      if file.mayHoldEntity(prefix: prefix) {
        report(
          GeneratorRule.notUTF8, file, 1, "The file is not UTF-8",
          "Save it as UTF-8, or exclude it")
      }
      return
    }
    if !Generation.isGenerated(file.bytes) { read(file, prefix) }
  }

  /// The number of brackets at once up to which the parser goes on; nil for its own choice.
  ///
  /// In a build without optimisation, as a plugin is, it would take no more than 20, as it counts on a stack of 512 KB.
  /// Threads of Linux have 8 MB.
  private static var nestingLimit: Int? {
    #if canImport(Darwin)
      nil
    #else
      SourceNesting.limit + 56
    #endif
  }

  private mutating func read(_ file: SwiftFile, _ prefix: String) {
    if let line = Self.conflictLine(in: file) {
      report(
        GeneratorRule.conflictMarkers, file, line, "The file has conflict markers",
        "Resolve the conflict, and generate again")
      return
    }
    if SourceNesting.isTooDeep(file, prefix: prefix) {
      report(
        GeneratorRule.notParsed, file, 1,
        "The file has more than \(SourceNesting.limit) brackets or conditions inside of each other",
        "Take the code apart, or move it to a file without entities")
      return
    }
    let source = FileSource(file, prefix: prefix)
    let tree = file.bytes.withUnsafeBufferPointer {
      Parser.parse(source: $0, maximumNestingLevel: Self.nestingLimit)
    }
    // Declarations hidden by a mistake would count as removed, and their UIDs would be retired.
    if tree.hasError {
      findings.append(
        Finding(
          GeneratorRule.notParsed, at: source.place(ofErrorIn: tree),
          "The file is not correct Swift from here on",
          advice: "Correct it, as a compiler tells, and generate again"))
      return
    }
    let visitor = DeclarationVisitor(source)
    visitor.walk(tree)
    declarations = visitor.found
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
