import TestSupport

/// The statements of a source.
extension SourceWriter {
  /// The text between the braces of a function.
  mutating func block(_ depth: Int) -> String {
    if depth <= 0 {
      return maybe(2) { $0.pick(["return", "f()", "_ = x", "x += 1", "return x\n"]) }
    }
    return lines(0...3) { $0.statement(depth - 1) }
  }

  mutating func statement(_ depth: Int) -> String {
    if depth <= 0 { return simpleStatement() }
    switch random.below(26) {
    case 0: return "if \(conditions()) " + braced(block(depth)) + alternative(depth)
    case 1: return "guard \(conditions()) else " + braced("return")
    case 2:
      return pick([
        "for x in y ", "for (a, b) in c where a > 1 ", "for await x in y ",
        "for case .a(let b)? in c ", "for try await x in y ", "for x in 0..<10 ",
      ]) + braced(block(depth))
    case 3: return pick(["while ", "outer: while "]) + conditions() + " " + braced(block(depth))
    case 4:
      return "repeat " + braced(block(depth)) + pick([" while ", "\nwhile "])
        + pick(["x", "a < b", "!done"])
    case 5:
      return "do " + braced(block(depth))
        + maybe(2) {
          $0.pick([" catch ", " catch let e as E where e.a ", "\ncatch E.a, .b "])
            + $0.braced($0.block(depth))
        }
    case 6: return "do throws(E) " + braced(block(depth)) + " catch " + braced("")
    case 7: return "defer " + braced(block(depth))
    case 8, 9: return switching(depth)
    case 10: return conditional { $0.statement(depth - 1) }
    case 11, 12: return localType()
    case 13, 14: return annotated { $0.function() }
    case 15: return annotated { $0.variable() }
    case 16: return trailing(expression(2))
    case 17:
      return pick(["return ", "throw ", "_ = ", "x = ", "let y = ", "x += ", "var z: Int = "])
        + initialValue()
    default: return simpleStatement()
    }
  }

  private mutating func simpleStatement() -> String {
    pick([
      "f(x)", "return", "break", "continue", "fallthrough", "x = 1", "x += 1", "print(\"{\")",
      "self.x = x", "_ = a / b / c",
      "let r = (a / b) / c", "try f()", "await g()", "open(file)", "actor.run()", "macro(1)",
      "a.class", "x.init()",
      "let (a, b) = (1, 2)", "super.init()", "#warning(\"later {\")", "break outer",
      "a = b < c && d > e", "f(a < b, c > d)",
      "let x = a as? B", "x ? y : z", "lazy = 1", "final += 2", "a.extension(b)",
      "let f = A.protocol", "type(of: x)",
      "let v = f < g", "_ = (a < b, c > (d))", "let q = x.y<Int>()", "let c: Character = \"\\\"\"",
      "yield &x", "package.use()",
      "assert(a.enum == .struct)", "discard(self)", "var w: Int { 1 }", "let k = \\Book.class",
      "f(class: A.self, struct: 1)",
      "let n = -x", "a[0] = { $0 }(1)", "indirect.f()", "extension1()", "async()", "prefix(1)",
      "x!", "let u = `class`",
    ])
  }

  /// An expression that is a statement, which may not begin as something that ends the one before it.
  private func trailing(_ expression: String) -> String {
    let isSafe = expression.first.map { $0.isLetter } ?? false
    return (isSafe ? "" : "_ = ") + expression
  }

  private mutating func conditions() -> String {
    list(1...2, pick([", ", ",\n    "])) {
      $0.pick([
        "a", "let x", "let x = y", "case .a(let b) = c", "a > b", "a < b",
        "#available(macOS 12, *)", "let x = f({ $0 })",
        "!isEmpty", "(a.map { $0 }) != nil", "case let (a, b)? = c", "x is Int",
        "var y = z as? [String: Int]",
        "a / b > 1", "#unavailable(iOS 15)", "s == \"{\"", "f({ $0 }).y",
        "try a()", "case 1...2 = x", "x == .class", "a[{ 1 }()] > 0", "case is A = b",
        "let `class`",
      ])
    }
  }

  private mutating func alternative(_ depth: Int) -> String {
    switch random.below(4) {
    case 0: pick([" else ", "\nelse "]) + braced(block(depth))
    case 1: " else if " + conditions() + " " + braced(block(depth)) + " else " + braced("")
    default: ""
    }
  }

  private mutating func switching(_ depth: Int) -> String {
    let subject = pick(["x", "(a, b)", "self", "f(x)", "x.y"])
    var text = list(0...3, "") {
      $0.pick([
        "case .a", "case .a(let x) where x > 1", "case 1...2, 3", "case let .b(x, _)",
        "case is Int", "case \"{\"",
        "case .class, .struct", "case (1, _),\n  (_, 2)", "case let x as A.B", "@unknown default",
        "case nil", "case .a(b: (let x))",
        "case /a{2}/", "case `self`", "case .some(.none?)", "case -1",
      ]) + ":" + $0.pick([" ", "\n  "]) + $0.simpleStatement() + "\n"
    }
    if oneIn(5) { text += "#if \(condition())\ncase .z: break\n#endif\n" }
    if oneIn(2) { text += "default:\n" + indented(statement(depth - 1)) + "\n" }
    return "switch \(subject) {\n" + text + "}"
  }

  /// A type in a function.
  private mutating func localType() -> String {
    if nesting > 2 { return simpleStatement() }
    return annotated { $0.oneIn(3) ? $0.enumeration() : $0.type() }
  }
}
