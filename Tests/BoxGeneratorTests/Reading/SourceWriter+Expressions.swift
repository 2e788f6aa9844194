import TestSupport

/// The expressions of a source.
extension SourceWriter {
  /// An expression with everything that may follow an equals sign.
  mutating func initialValue() -> String {
    switch random.below(24) {
    case 0: return closure(1) + "()"
    case 1: return closure(2) + "(\(expression(1)))"
    case 2: return "if \(oneIn(2) ? "a" : "let a") \(braced(leaf())) else \(braced(leaf()))"
    case 3: return "switch a {\n  case .b: \(leaf())\n  default: \(expression(1))\n}"
    case 4...12: return leaf()
    default: return expression(3)
    }
  }

  mutating func expression(_ depth: Int) -> String {
    if depth <= 0 || oneIn(3) { return leaf() }
    let inner = depth - 1
    switch random.below(30) {
    case 0...2: return expression(inner) + binaryOperator() + expression(inner)
    case 3:
      return operand(inner) + pick([" ? ", "\n    ? "]) + expression(inner)
        + pick([" : ", "\n    : "]) + expression(inner)
    case 4...6: return call(inner)
    case 7: return chain(inner)
    case 8: return trailingClosures(inner)
    case 9: return closure(inner)
    case 10, 11: return "[" + elements(inner) { $0.expression(inner) } + "]"
    case 12:
      return "["
        + elements(inner) {
          $0.expression(inner) + $0.pick([": ", " : ", ":\n"]) + $0.expression(inner)
        } + "]"
    case 13:
      return "(" + list(1...3) { $0.maybe(3) { $0.label() + ": " } + $0.expression(inner) } + ")"
    case 14:
      return operand(inner) + pick([" as ", " as? ", " as! ", " is ", "\n    as "]) + typeName()
        + maybe(3) { $0.genericArguments(1) }
    case 15:
      return pick(["try ", "try? ", "await ", "try! ", "try await ", "consume "]) + call(inner)
    case 16: return pick(["!", "~", "-", "+", "√"]) + operand(inner)
    case 17: return operand(inner) + pick(["...", "!", "?.a", "!.b", "[0]", "?[1, 2]", "++"])
    case 18: return pick(["...", "..<"]) + operand(0)
    case 19: return operand(inner) + pick(["...", "..<", " ... ", " ..< "]) + operand(0)
    case 20: return postfixCondition(inner)
    case 21, 22: return interpolated(inner)
    case 23: return operand(inner) + pick(["[", "?["]) + list(1...2) { $0.expression(inner) } + "]"
    case 24: return "a = " + expression(inner)
    case 25: return "[\(typeReferenceInExpression())]()"
    case 26:
      return pick(["Foo", "Set", "Library.Box"]) + genericArguments(2)
        + pick(["()", "(1)", ".init(3)", ".self", ".none"])
    default: return "Int32(\(number()))"
    }
  }

  /// A type as an expression has it.
  private mutating func typeReferenceInExpression() -> String {
    pick([
      "Int", "Foo<A, B>", "String?", "[Int]", "String: Int", "Swift.Int", "A.B?", "Set<Set<Int>>",
      "(Int) -> Int",
    ])
  }

  /// An expression that may stand beside an operator.
  private mutating func operand(_ depth: Int) -> String {
    switch random.below(6) {
    case 0: "(\(expression(depth)))"
    case 1: call(depth)
    case 2: pick(["a.b", "a!", "Foo.bar", "self.x", "f(x)", "x[0]", "$0", "$0.id"])
    default: pick(["a", "b", "x", "count", "self", "`class`", "1", "2.5", "名前"])
    }
  }

  private mutating func binaryOperator() -> String {
    let sign = pick([
      "+", "-", "*", "/", "??", "==", "<", ">", "&&", "||", "&+", "<<", ">>", "|", "===", "<=>",
      "≠", "%", ".+",
    ])
    return switch random.below(8) {
    case 0: "\n    \(sign) "
    case 1: " \(sign)\n    "
    case 2: " /* ( */ \(sign) "
    case 3: "\n    // }\n    \(sign) "
    default: " \(sign) "
    }
  }

  private mutating func elements(_ depth: Int, _ make: (inout SourceWriter) -> String) -> String {
    switch random.below(5) {
    case 0: "\n" + indented(list(1...4, ",\n", make)) + pick([",\n", "\n", ", // ]\n"])
    case 1: list(1...3, ",", make) + ","
    default: list(1...3, ", ", make)
    }
  }

  mutating func arguments(_ depth: Int) -> String {
    let separator = pick([", ", ", ", ",\n    ", ", /* ) */ "])
    return "("
      + list(0...3, separator) {
        $0.oneIn(12) ? "&x" : $0.maybe(2) { $0.label() + ": " } + $0.expression(depth)
      } + ")"
  }

  mutating func call(_ depth: Int) -> String {
    pick([
      "f", "print", "Date", "Data", "Genre.init", "ToOne<Author>", "a.b.c", "self.make",
      "Foundation.Date", ".init",
      ".some", "a.default", "x.init", "ToMany<Book>", "String", "Library.Shelf", "a?.b", "min",
      "type", "a.struct",
    ]) + arguments(depth)
  }

  /// Members behind each other, on a line or each on its own.
  private mutating func chain(_ depth: Int) -> String {
    let start = pick(["Foo", "a", "Foo.make()", ".shared", "[1, 2]", "\"a\"", "Genre"])
    let separator = pick(["", "", "\n    ", "\n    // why\n    "])
    return start
      + list(1...3, "") {
        $0.pick(["", "", "", "?", "!"]) + separator + "."
          + $0.pick([
            "other", "max", "default", "self", "b(1)", "init(2)", "map { $0 }", "c[0]", "`class`",
            "0",
          ])
      }
  }

  private mutating func trailingClosures(_ depth: Int) -> String {
    var text = pick(["run", "a.map", "Task", "withLock", "Task.detached", "Foo<Int>", "Lazy"])
    if oneIn(2) { text += arguments(0) }
    text += " " + closure(depth)
    if oneIn(3) {
      text += list(1...2, "") { $0.pick([" ", "\n  "]) + $0.name() + ": " + $0.closure(0) }
    }
    return text + pick(["", "", "", ".value", "\n    .value", "()", "!"])
  }

  mutating func closure(_ depth: Int) -> String {
    let head = pick([
      "", "", "", "", "a in", "_ in", "(a: Int, b) -> Bool in", "[weak self] in",
      "[weak self, x = y + 1] a, b in",
      "@MainActor in", "(_ a: [Int]) async throws -> Set<Int> in", "[unowned(safe) a] _ in",
      "a, b in", "() in",
    ])
    let body = oneIn(2) ? expression(depth) : block(depth)
    if head.isEmpty { return body.isEmpty ? "{}" : braced(body) }
    return "{ \(head)\n" + indented(body) + "\n}"
  }

  private mutating func postfixCondition(_ depth: Int) -> String {
    "a\n#if \(condition())\n  .b\(arguments(0))\n"
      + maybe(2) { "#else\n  .c" + $0.arguments(0) + "\n" } + "#endif\n"
      + maybe(3) { _ in "  .d()" }
  }

  // MARK: - Literals

  /// An expression without others inside of it.
  mutating func leaf() -> String {
    switch random.below(12) {
    case 0...2: number()
    case 3, 4: string()
    case 5:
      pick([
        ".other", "Foo.bar", "Int.max", ".none", "Genre . other", "Library.Genre.other",
        "Foo.bar(_:with:)", ".struct", "Genre\n    .other", "`Type`.a", "Foo<Int>.x",
      ])
    case 6:
      pick(["true", "false", "nil", "self", "Self.x", "[]", "[:]", "()", "x", "$0", "super.x"])
    case 7:
      pick([
        "Date()", "Data()", "String()", "Int()", "[Int]()", "[String: Int]()", "Int32(5)",
        "Set<Int>()", "ToMany()", "[Foo<A, B>]()", "Int?(nil)", "Optional<Int>.none",
        "Double( -1.5 )", "UInt8(0x1F)", "Float(1)", "[[Int]]()", "Foundation.Data()",
      ])
    case 8:
      pick([
        "[1, 2, 3]", "[\"a\", \"b\"]", "[-1, +2]", "[1.5]", "[[1], [2]]", "[true]", "[ 1 , 2 , ]",
        "[1, \"a\"]", "[/* none */]", "[Genre.a, .b]", "[nil]",
      ])
    case 9:
      pick([
        "\\.title", "\\Book.title", "\\Book.author?.name[0]", "\\.self", "\\[Int].count",
        "\\Foo<A, B>.x!", "#selector(tap(_:with:))", "#selector(getter: Foo.bar)",
        "#keyPath(Book.title)", "#file", "#line", "#function",
        "#colorLiteral(red: 1, green: 0, blue: 0, alpha: 1)", "#imageLiteral(resourceName: \"a\")",
        "#Predicate<Book> { $0.x == 1 }",
      ])
    case 10: regex()
    default:
      pick([
        "a", "count", "title", "`class`", "Foo", "名前", "Foo.self", "[Int].self", "type(of: x)",
        "(any P).self", "a.b.c", "x as Int", "Genre.other.rawValue",
      ])
    }
  }

  mutating func number() -> String {
    pick([
      "0", "1", "42", "1_000_000", "0xFF_aB", "0b1010_01", "0o17", "007", "1.5", "0.0", "1e10",
      "1_0.5e-3", "0x1p4",
      "0x1.8p-3", "-3", "+4", "-2.5", "-1", "-0x10", "1E+2", "0xA.8P1", "9_",
    ])
  }

  private mutating func regex() -> String {
    pick([
      "/ab\"c{2}/", "/[\"{(]+/", "/a\\/b/", "#/a/b\"{/#", "##/a/#b/##", "/(?<name>\\w+)\\}/",
      "#/\n  a # a \"comment\n  {2}\n/#",
      "/'/", "/\\(/", "/\\{/", "/[\\/*]/", "/a|\\/\\/b/",
    ])
  }

  mutating func string() -> String {
    switch random.below(12) {
    case 0...3:
      return pick([
        "\"\"", "\"a\"", "\"a title\"", "\"Größe 🎉\"", "\"{\"", "\"} // no\"", "\"(\"",
        "\"class A: Entity {\"", "\"#if\"", "\"'\"", "\"`\"", "\"/* \"",
      ])
    case 4, 5:
      return pick([
        "\"\\n\\t\\0\"", "\"\\u{41}\\u{1F600}\"", "\"\\\"\"", "\"\\\\\"", "\"\\'\"",
        "\"\\\\\\\"{\"", "\"\\r\\n\"", "\"\\u{2028}\"",
      ])
    case 6:
      return pick([
        "#\"a\"b\\n\"#", "##\"a\"#b\"##", "#\"\\#n\\#u{41}\"#", "#\"\\(\"#", "#\"\\#(a + \"b\")\"#",
        "#\"\"#", "###\"\"###", "#\"\\\"#",
      ])
    case 7, 8: return multiline()
    default: return interpolated(1)
    }
  }

  private mutating func multiline() -> String {
    let marks = pick(["", "", "", "#", "##"])
    let content = list(0...3, "") {
      $0.pick([
        "a\n", "\n", "  b \"quoted\" {\n", "c \"\"\\\(marks)\" d\n", "e \\\(marks)\n",
        "f \\\(marks)(a + \"}\")\n",
        "class A: Entity {\n", "// objectbox: entity\n", "\\\(marks)u{41}\\\(marks)t\n", "#if A\n",
        "/* \n",
        "g \\\(marks)(\n  [1, 2].map { $0 }\n) h\n", "\ti\n",
      ])
    }
    // A line that goes on has to be followed by one with text.
    let end = content.hasSuffix("\\\(marks)\n") ? "end\n" : ""
    return "\(marks)\"\"\"\n\(content)\(end)\"\"\"\(marks)"
  }

  private mutating func interpolated(_ depth: Int) -> String {
    let parts = list(1...3, "") {
      $0.pick(["a", " ", "{", ")", "\\n", "(", "\\\"", "ß"])
        + $0.pick([
          "\\(a)", "\\(\"b\")", "\\(f(\"x \\(y)\"))", "\\([1, 2].map { \"\\($0)\" })",
          "\\(a, format: \"}\")",
          "\\(x ? \"(\" : \")\")", "\\(a[\"k\"] ?? \"\")", "\\(#\"raw\"#)", "\\(/* \" */ a)",
          "\\((1, (2)))",
          "\\(Foo<Int>())", "\\(a { $0 + 1 })", "\\(-1)", "\\(/a\"/)",
        ])
    }
    return "\"\(parts)\(pick(["", "", " end", "}", "\\\\"]))\""
  }
}
