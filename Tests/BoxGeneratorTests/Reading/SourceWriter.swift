import TestSupport

/// Writes random Swift sources that are correct for a parser, with everything that a declaration can have.
///
/// A compiler would refuse most of them, for names that nothing declares and modifiers that do not fit.
/// Each part of the grammar has a function that returns its text; texts are indented afterwards, all lines of
/// them alike, which keeps strings of several lines as they are.
struct SourceWriter {
  var random: SplitMix64
  /// The number of types around.
  var nesting = 0

  init(random: SplitMix64) { self.random = random }

  /// The source of a seed.
  static func source(seed: UInt64) -> [UInt8] {
    var writer = SourceWriter(random: SplitMix64(seed: seed))
    return writer.file()
  }

  /// A whole file.
  mutating func file() -> [UInt8] {
    var text = ""
    let hasMark = oneIn(20)
    if oneIn(20), !hasMark { text += "#!/usr/bin/env swift\n" }
    if oneIn(3) { text += comment() + "\n" }
    text += lines(0...3) { $0.importing() }
    text += lines(1...6) { $0.fileItem() }
    if oneIn(6) { text += comment() }
    if oneIn(4) { while text.last?.isNewline == true { text.removeLast() } }
    var bytes = Array(text.utf8)
    if oneIn(8) { bytes = bytes.flatMap { $0 == 10 ? [13, 10] : [$0] } }
    if hasMark { bytes = [0xEF, 0xBB, 0xBF] + bytes }
    return bytes
  }

  private mutating func fileItem() -> String {
    switch random.below(20) {
    case 0...8: type()
    case 9, 10: extending()
    case 11: enumeration()
    case 12: typealiasing()
    case 13: operating()
    case 14: annotated { $0.function() }
    case 15: freestanding()
    case 16: conditional { $0.fileItem() }
    case 17: annotated { $0.variable() }
    case 18: statement(2)
    default: oneIn(2) ? macro() : precedenceGroup()
    }
  }

  private mutating func importing() -> String {
    if oneIn(12) { return conditional { $0.importing() } }
    return pick([
      "import BoxStore", "import Foundation", "@testable import App",
      "import struct Foundation.Date",
      "internal import class BoxStore.Store", "import func Darwin.exit", "public import A.B.C",
      "@_exported import ObjectBox", "import enum M.`class`",
      "@_spi(Tests) @testable import Library",
      "import typealias M.T", "import protocol M.P", "import let M.x", "import var M.y",
    ])
  }

  // MARK: - Chances

  mutating func oneIn(_ cases: Int) -> Bool { random.oneIn(cases) }

  mutating func pick(_ texts: [String]) -> String { random.pick(texts) }

  /// A text in one of so many cases, and else none.
  mutating func maybe(_ cases: Int, _ make: (inout SourceWriter) -> String) -> String {
    oneIn(cases) ? make(&self) : ""
  }

  mutating func list(
    _ count: ClosedRange<Int>, _ separator: String = ", ", _ make: (inout SourceWriter) -> String
  ) -> String {
    var parts: [String] = []
    for _ in 0..<(count.lowerBound + random.below(count.count)) { parts.append(make(&self)) }
    return parts.joined(separator: separator)
  }

  /// Items on lines of their own, or behind each other with semicolons.
  mutating func lines(
    _ count: ClosedRange<Int>, _ make: (inout SourceWriter) -> String
  ) -> String {
    var text = ""
    for _ in 0..<(count.lowerBound + random.below(count.count)) {
      text += make(&self)
      switch random.below(16) {
      case 0: text += oneIn(2) && !endsLine(text) ? "; " : "\n"
      case 1: text += endsLine(text) ? "\n" : ";\n"
      case 2: text += "\n" + comment() + "\n"
      case 3: text += "\n\n"
      case 4: text += endsLine(text) ? "\n" : " " + comment() + "\n"
      default: text += "\n"
      }
    }
    return text.hasSuffix("; ") ? text + "\n" : text
  }

  /// Whether nothing may be behind the last line: it has a comment to its end, a directive, or an operator.
  private func endsLine(_ text: String) -> Bool {
    let line = text.split(separator: "\n").last ?? ""
    return line.contains("//") || line.contains(" operator ")
      || line.drop { $0 == " " || $0 == "\t" }.hasPrefix("#")
  }

  // MARK: - Layout

  /// The text with all of its lines indented.
  mutating func indented(_ text: String) -> String {
    let blank = oneIn(12) ? "\t" : "  "
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : blank + $0 }.joined(separator: "\n")
  }

  /// A text in braces, on lines of its own unless it is short.
  mutating func braced(_ text: String) -> String {
    if text.isEmpty { return pick(["{}", "{ }", "{\n}", "{ /* none } */ }"]) }
    let isShort = !text.dropLast().contains("\n") && !text.contains("//") && !text.contains("#")
    if isShort, oneIn(2) { return "{ \(text.hasSuffix("\n") ? String(text.dropLast()) : text) }" }
    let end = maybe(12) { $0.comment() + "\n" }
    return "{\n" + indented(text + (text.hasSuffix("\n") ? "" : "\n") + end) + "}"
  }

  /// The white space before a brace.
  mutating func beforeBrace() -> String {
    pick([" ", " ", " ", " ", " ", "", "\n", " /* { */ ", "\n\n  ", " // {\n"])
  }

  /// The white space between two words.
  mutating func gap() -> String {
    switch random.below(24) {
    case 0: "\n"
    case 1: "  "
    case 2: " " + comment() + "\n"
    case 3: " /* a */ "
    case 4: "\t"
    default: " "
    }
  }

  // MARK: - Comments

  mutating func comment() -> String {
    let text = pick([
      "// A comment.", "/// A doc comment with a \"quote\" and a { brace", "/* a block } */",
      "/* a /* nested \" */ block ( */", "//", "/**/", "/***/", "/* one\n   two\n*/",
      "/** doc\n * class A: Entity { */", "// it's #if 1", "// MARK: - Größe 🎉",
      "//: [Next](@next)",
      "/// - Parameter a: `class` /* not open",
    ])
    if !oneIn(8) { return text }
    let annotation = annotation()
    return text + (text.hasPrefix("//") && annotation.contains("\n") ? "\n" : " ") + annotation
  }

  /// A comment with annotations.
  mutating func annotation() -> String {
    let content = list(1...2, ", ") {
      $0.pick([
        "index", "index = \"value\"", "unique", "id", "id = { \"assignable\": true }", "transient",
        "name = \"other\"", "uid", "uid = 1234567890", "date = \"nano\"", "backlink = \"author\"",
        "convert = { \"dbType\": \"Int\", \"converter\": \"GenreConverter\" }",
        "convert = { default: '.other' }",
        "convert = { dbType: [UInt8], converter = Sample.Inner }",
        "convert = { no", "hnswIndex: dimensions=3, distanceType=\"geo\"",
        "index = \u{201C}hash\u{201D}",
        "default = { \"a\": \"b } c\" }", "entity", "Entity", "sync = { sharedGlobalIds: true }",
        "(?)", "",
      ])
    }
    let head = pick(["objectbox: ", "objectbox: ", "objectbox:", "ObjectBox: ", "objectbox:  "])
    return switch random.below(12) {
    case 0: "/* \(head)\(content) */"
    case 1: "/** \(head)\(content)*/"
    case 2: "/// \(head)\(content)"
    case 3: "//\(head)\(content)"
    case 4: "/*\n  \(head)\(content)\n*/"
    case 5: "// see objectbox: \(content)"
    default: "// \(head)\(content)"
    }
  }

  /// A declaration with annotations above it, or none.
  mutating func annotated(_ make: (inout SourceWriter) -> String) -> String {
    let above = maybe(3) {
      $0.list(1...2, "\n") { $0.annotation() } + $0.pick(["\n", "\n\n", "\n  "])
    }
    let behind = maybe(8) { " " + $0.annotation() }
    return above + make(&self) + behind
  }

  // MARK: - Conditions

  /// Items between `#if` and `#endif`.
  mutating func conditional(_ make: (inout SourceWriter) -> String) -> String {
    var text = maybe(8) { $0.annotation() + "\n" }
    text += "#if \(condition())\n" + indented(lines(0...2, make))
    if oneIn(3) { text += "#elseif \(condition())\n" + indented(lines(0...2, make)) }
    if oneIn(3) {
      text += "#else" + maybe(6) { $0.pick([" // not", " /* } */"]) } + "\n" + lines(0...2, make)
    }
    return text + "#endif" + maybe(8) { $0.pick([" // DEBUG", " /* { */"]) }
  }

  mutating func condition() -> String {
    pick([
      "DEBUG", "os(macOS) || os(iOS)", "canImport(Foundation)", "swift(>=5.5)", "compiler(<6.0)",
      "!DEBUG && (A || B)", "targetEnvironment(simulator)", "arch(x86_64)", "hasFeature(Macros)",
      "true",
      "canImport(A, _version: 1.2)", "hasAttribute(frozen)", "$Macros", "A // {", "_runtime(_ObjC)",
    ])
  }

  // MARK: - Names

  /// A name in lower case.
  mutating func name() -> String {
    oneIn(6)
      ? pick([
        "`class`", "`two words`", "größe", "名前", "π", "🎉", "_hidden", "cafe\u{301}", "`plain`",
        "a1",
        "open", "actor", "get", "set", "async", "lazy", "some", "package", "macro", "final", "left",
        "then",
        "`3 little pigs`", "`func`", "optional", "willSet", "each", "of", "convenience",
      ])
      : pick([
        "id", "title", "author", "books", "count", "value", "isRead", "x", "y", "url", "rating",
      ])
  }

  /// The name of a type.
  mutating func typeName() -> String {
    oneIn(8)
      ? pick(["`Type`", "Ω", "Größe", "`Big Book`", "_Hidden", "`Protocol`", "T2", "本"])
      : pick(["Book", "Author", "Library", "Genre", "Shelf", "Note", "Item", "Person", "Money"])
  }

  /// A label of an argument, for which keywords do too.
  mutating func label() -> String {
    oneIn(4)
      ? pick(["in", "class", "for", "struct", "default", "extension", "where", "init"]) : name()
  }
}
