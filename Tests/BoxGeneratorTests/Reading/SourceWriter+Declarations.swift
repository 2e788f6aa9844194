import TestSupport

/// The declarations of a source.
extension SourceWriter {
  // MARK: - Types

  /// A class, a struct, an actor, an enum or a protocol.
  mutating func type() -> String {
    switch random.below(12) {
    case 0: return enumeration()
    case 1: return protocolDeclaration()
    case 2: return converterType()
    default: break
    }
    let keyword = pick(["class", "class", "class", "struct", "struct", "actor"])
    let isEntity = oneIn(2)
    let head = typeHead(isEntity: isEntity) + keyword + gap() + typeName()
    let generics = maybe(6) { $0.genericParameters() }
    let clause = generics.isEmpty ? maybe(20) { $0.whereClause() } : maybe(3) { $0.whereClause() }
    return head + generics + inheritance(isEntity: isEntity) + clause + beforeBrace()
      + members(0...7) { $0.member() }
  }

  /// The annotations, attributes and modifiers of a type.
  private mutating func typeHead(isEntity: Bool, _ more: [String] = []) -> String {
    let annotations = maybe(isEntity ? 4 : 3) {
      ($0.oneIn(2)
        ? $0.pick([
          "// objectbox: entity", "/// objectbox:Entity", "/* objectbox: entity */",
          "// objectbox: entity, name = \"Old\"",
        ]) : $0.annotation()) + "\n"
    }
    let modifiers = list(0...2, "") {
      $0.pick(
        [
          "final", "public", "private", "fileprivate", "open", "internal", "package", "nonisolated",
          "distributed", "indirect",
        ] + more) + $0.gap()
    }
    return annotations + attributes() + maybe(12) { $0.annotation() + "\n" }
      + (oneIn(2) ? modifiers : "")
  }

  /// The members of a type, in braces.
  private mutating func members(
    _ count: ClosedRange<Int>, _ make: (inout SourceWriter) -> String
  ) -> String {
    nesting += 1
    let text = lines(nesting > 2 ? 0...2 : count, make) + maybe(12) { $0.annotation() }
    nesting -= 1
    return braced(text)
  }

  mutating func enumeration() -> String {
    typeHead(isEntity: false, ["indirect"]) + "enum" + gap() + typeName()
      + maybe(8) { $0.genericParameters() }
      + maybe(2) {
        $0.pick([
          ": Int", ": String", ": Int, Codable", ":UInt8", ": String, Entity", ": Swift.Int & P",
          ": (Int)", ": Int?",
        ])
      }
      + beforeBrace()
      + members(0...5) { $0.oneIn(4) ? $0.member() : $0.annotated { $0.enumCases() } }
  }

  private mutating func enumCases() -> String {
    maybe(8) { $0.attribute() + "\n" } + maybe(12) { _ in "indirect " } + "case "
      + list(1...3, pick([", ", ",\n    ", " , "])) {
        let name = $0.pick([
          "a", "b", "other", "`default`", "`two words`", "größe", "actor", "open", "class1",
          "unknown",
        ])
        return name + ($0.oneIn(3) ? $0.associatedValues() : $0.maybe(2) { $0.rawValue() })
      }
  }

  private mutating func associatedValues() -> String {
    "("
      + list(0...3) {
        $0.maybe(2) { $0.label() + ": " } + $0.typeReference(1) + $0.maybe(5) { " = " + $0.leaf() }
      } + ")"
  }

  private mutating func rawValue() -> String {
    " = "
      + (oneIn(2)
        ? pick([
          "1", "-5", "0x1F", "1_000", "\"text\"", "\"\\u{41}\\n\"", "#\"raw\"#", "1.5", "true",
          "\"\"", "\"\"\"\n  a\n  b\n  \"\"\"",
        ]) : oneIn(2) ? number() : string())
  }

  private mutating func protocolDeclaration() -> String {
    typeHead(isEntity: false) + "protocol " + typeName()
      + maybe(5) { $0.pick(["<Element>", "<A, B>"]) }
      + maybe(2) { $0.inheritance(isEntity: $0.oneIn(4)) } + maybe(8) { $0.whereClause() }
      + beforeBrace()
      + members(0...4) {
        $0.annotated {
          $0.pick([
            "var x: Int { get set }", "var y: String { get }", "func f()",
            "func g<T>(_ a: T) -> [T] where T: P", "init(a: Int)",
            "init?()", "associatedtype T: P = Int where T.A == Int", "associatedtype Element",
            "subscript(i: Int) -> Int { get }",
            "mutating func h() async throws", "static func == (a: Self, b: Self) -> Bool",
            "typealias T = Int",
            "var z: Int { mutating get async throws }", "@objc optional func o()",
            "static var s: Self { get }", "var e: Int { get } /* } */",
          ])
        }
      }
  }

  /// A type with functions named `convert`.
  private mutating func converterType() -> String {
    let kind = pick(["struct ", "enum ", "final class ", "actor "])
    return maybe(2) {
      $0.pick([
        "@MainActor ", "@DatabaseActor\n", "@Library.ShelfActor ", "@MainActor(unsafe) ",
        "@Frozen @MainActor ",
      ])
    } + kind
      + pick(["GenreConverter", "Library", "MoneyConverter", "`Type`"]) + beforeBrace()
      + members(1...4) { $0.oneIn(4) ? $0.member() : $0.converterFunction() }
  }

  private mutating func converterFunction() -> String {
    maybe(3) {
      $0.pick(["@MainActor ", "@DatabaseActor\n", "@inlinable ", "@Library.ShelfActor "])
    }
      + list(0...2, "") {
        $0.pick(["static ", "nonisolated ", "public ", "class ", "nonisolated(unsafe) "])
      }
      + "func convert" + maybe(10) { $0.genericParameters() }
      + pick([
        "(_ value: ", "(value: ", "(_ v: ", "(from value: ", "( _ value : ",
      ]) + parameterType(2)
      + maybe(4) { ", b: " + $0.typeReference(1) + $0.maybe(2) { " = " + $0.leaf() } } + ") -> "
      + typeReference(1) + beforeBrace() + braced(block(1))
  }

  mutating func extending() -> String {
    let name = pick([
      "Book", "Library.Book", "A.B.C", "`Type`", "Library . Shelf", "[Int]", "Array<Int>", "Int?",
      "Swift.Optional", "Author", "Genre", "GenreConverter", "Set<Set<Int>>.Index",
      "Library\n  .Book",
    ])
    return maybe(4) { $0.annotation() + "\n" } + maybe(5) { $0.attribute() + $0.gap() }
      + maybe(3) { $0.pick(["private ", "fileprivate ", "public ", "nonisolated "]) }
      + "extension" + gap() + name + maybe(2) { $0.inheritance(isEntity: $0.oneIn(2)) }
      + maybe(5) { $0.whereClause() } + beforeBrace()
      + members(0...4) {
        $0.oneIn(4) ? $0.converterFunction() : $0.oneIn(3) ? $0.initializer() : $0.member()
      }
  }

  // MARK: - Members

  mutating func member() -> String {
    switch random.below(24) {
    case 0...9: return annotated { $0.variable() }
    case 10...12: return annotated { $0.initializer() }
    case 13, 14: return annotated { $0.function() }
    case 15: return nesting > 2 ? "func f() {}" : type()
    case 16: return nesting > 2 ? "var a = 0" : enumeration()
    case 17: return typealiasing()
    case 18: return subscripting()
    case 19:
      return maybe(3) { $0.attribute() + " " }
        + pick(["deinit ", "isolated deinit ", "nonisolated deinit\n"]) + braced(block(1))
    case 20, 21: return conditional { $0.member() }
    case 22: return oneIn(3) ? freestanding() : operatorFunction()
    default: return oneIn(2) ? converterFunction() : annotated { $0.enumCases() }
    }
  }

  mutating func typealiasing() -> String {
    maybe(6) { $0.attribute() + " " } + maybe(4) { $0.pick(["public ", "private ", "package "]) }
      + "typealias " + typeName()
      + maybe(4) { $0.genericParameters() } + pick([" = ", " =\n  "]) + typeReference(3)
      + maybe(12) { $0.whereClause() }
  }

  mutating func function() -> String {
    if oneIn(6) { return operatorFunction() }
    return attributes()
      + modifiers([
        "static", "class", "mutating", "override", "final", "consuming", "nonisolated",
        "distributed", "dynamic",
      ])
      + "func" + gap() + name() + maybe(5) { $0.genericParameters() } + parameters()
      + (oneIn(12) ? " rethrows" : effects()) + maybe(2) { " -> " + $0.typeReference(2) }
      + maybe(8) { $0.whereClause() }
      + beforeBrace() + braced(block(2))
  }

  private mutating func operatorFunction() -> String {
    let name = pick([
      "<= ", "== ", "< ", "<", "+ ", "...", "<<= ", "/ ", "≠ ", "|||", "&& ", "<=> ", "--> ", ">> ",
      "* ", "=== ", "!= ",
    ])
    return pick(["static ", "static ", "", "public static "]) + "func " + name
      + maybe(5) { $0.genericParameters() }
      + pick([
        "(a: A, b: A) -> Bool ", "(lhs: Self, rhs: Self) -> Bool ", "(_ a: [Int], _ b: inout Int) ",
      ]) + braced(block(1))
  }

  private mutating func parameters() -> String {
    let separator = pick([", ", ", ", ",\n    "])
    return "(" + list(0...3, separator) { $0.parameter() } + ")"
  }

  private mutating func parameter() -> String {
    maybe(12) { $0.pick(["@Wrapped ", "@autoclosure ", "@Wrapper(key: \")\") "]) }
      + pick(["", "", "", "_ ", "with ", "for ", "in ", "class "]) + name()
      + pick([": ", ": ", " : ", ":", ":\n      "])
      + parameterType(2)
      + maybe(14) { _ in "..." }
      + maybe(3) { $0.pick([" = ", " = ", " =\n      "]) + $0.initialValueOfParameter() }
  }

  private mutating func initialValueOfParameter() -> String {
    switch random.below(6) {
    case 0: closure(1)
    case 1: closure(0) + "()"
    case 2: expression(2)
    default: leaf()
    }
  }

  mutating func initializer() -> String {
    attributes()
      + modifiers([
        "convenience", "required", "public", "private", "fileprivate", "override", "nonisolated",
      ]) + "init"
      + pick(["", "", "", "", "", "?", "!"]) + maybe(8) { $0.genericParameters() }
      + maybe(12) { _ in " " } + parameters() + effects() + maybe(12) { $0.whereClause() }
      + beforeBrace() + braced(block(2))
  }

  private mutating func subscripting() -> String {
    maybe(4) { $0.attribute() + " " } + pick(["", "", "static ", "public "]) + "subscript"
      + maybe(5) { $0.genericParameters() } + parameters() + " -> " + typeReference(1)
      + maybe(10) { $0.whereClause() } + beforeBrace() + (oneIn(2) ? braced(block(1)) : accessors())
  }

  /// Modifiers in any order.
  private mutating func modifiers(_ names: [String]) -> String {
    if oneIn(2) { return "" }
    return list(1...2, "") { $0.pick(names) + $0.gap() }
  }

  // MARK: - Variables

  mutating func variable() -> String {
    let keyword = pick(["var", "var", "var", "var", "let"])
    let names = [
      "private", "fileprivate", "public", "internal", "package", "open", "private(set)",
      "fileprivate(set)", "internal(set)", "static",
      "class", "lazy", "weak", "unowned", "unowned(safe)", "unowned(unsafe)", "nonisolated",
      "nonisolated(unsafe)", "final", "override",
      "dynamic", "public private(set)", "private ( set )", "package(set)",
    ]
    return attributes() + modifiers(names) + keyword + gap()
      + bindings(isConstant: keyword == "let")
  }

  private mutating func bindings(isConstant: Bool) -> String {
    switch random.below(16) {
    case 0:
      return list(1...2, pick([", ", ",\n    "])) { $0.name() + $0.maybe(3) { _ in " = 1" } } + ", "
        + name() + pick([": Int", ": [Int]", ": String = \"\"", " = 2"])
    case 1:
      return list(2...3) {
        $0.name() + $0.maybe(2) { ": " + $0.typeReference(1) } + $0.maybe(2) { " = " + $0.leaf() }
      }
    case 2:
      return pick([
        "(a, b) = (1, 2)", "(a, _): (Int, Int) = f()", "(a, (b, c)) = x", "( a , b ) = (1, 2)",
        "_ = 1", "(a, b): (Int, Int)",
      ])
    case 3, 4:
      return binding() + annotationOfType()
        + (isConstant ? "" : beforeBrace() + braced(oneIn(2) ? expression(1) : block(2)))
    case 5: return binding() + annotationOfType() + (isConstant ? "" : beforeBrace() + accessors())
    case 6: return binding() + annotationOfType() + (isConstant ? "" : beforeBrace() + observers())
    case 7:
      return binding() + maybe(2) { $0.annotationOfType() } + " = " + simpleValue()
        + (isConstant ? "" : pick([" ", " ", "\n", "\n  // why\n  "]) + observers())
    case 8, 9: return binding() + equals() + initialValue()
    case 10...12: return binding() + annotationOfType()
    default: return binding() + annotationOfType() + equals() + initialValue()
    }
  }

  private mutating func binding() -> String { maybe(30) { $0.annotation() + "\n" } + name() }

  private mutating func annotationOfType() -> String {
    pick([": ", ": ", ": ", " : ", ":", ":\n    ", ": /* { */ "]) + typeReference(3)
  }

  private mutating func equals() -> String {
    pick([" = ", " = ", " = ", " =\n    ", "\n    = ", " = /* } */ ", " = // {\n    "])
  }

  /// A value after which braces do not belong to it.
  private mutating func simpleValue() -> String {
    pick([
      "1", "\"\"", "nil", "[]", "[1, 2]", "x", "f()", "Foo.bar", ".other", "a + b", "-1",
      "\"a\\(b)\"", "Date()", "[Int]()", "true", "f { $0 }", "Foo<Int>()",
    ])
  }

  private mutating func accessors() -> String {
    braced(
      pick([
        "get { 1 }", "get { _x } set { _x = newValue }", "get\n{ 1 }\nset(new) { _x = new }",
        "get async throws { 1 }", "_read { yield _x }\n_modify { yield &_x }",
        "mutating get { 1 }", "@inlinable get { \"}\" }\nnonmutating set {}",
        "set { }\nget { { 1 }() }",
        "@storageRestrictions(initializes: _x) init(v) { _x = v }\nget { 1 }",
        "get throws(E) { try f() }", "// get\nget { /* } */ 1 }", "unsafeAddress { p }",
        "willSet { }\nget { 1 }", "@MainActor\nget { 1 }",
      ]))
  }

  private mutating func observers() -> String {
    braced(
      pick([
        "didSet {}", "willSet {}", "didSet { print(\"{\") }",
        "willSet(new) { a = new }\ndidSet(old) { }", "didSet\n{ f() }", "@MainActor didSet { f() }",
        "didSet { if a { b() } }", "// get {}\ndidSet { }", "willSet { /* } */ } didSet { }",
        "didSet { class A { var a = 1 } }",
      ]))
  }

  // MARK: - Attributes

  /// Attributes, each on its line or behind each other.
  mutating func attributes() -> String {
    if !oneIn(4) { return "" }
    if oneIn(12) { return "#if \(condition())\n\(attribute())\n#endif\n" }
    return list(1...2, "") {
      $0.attribute()
        + ($0.oneIn(8) ? " " + $0.annotation() + "\n" : $0.pick([" ", "\n", "\n", " // @\n"]))
    }
  }

  mutating func attribute() -> String {
    pick([
      "@objc", "@objc(foo:bar:)", "@available(*, deprecated, message: \"use { y\")",
      "@available(macOS 12.0, iOS 15, *)", "@MainActor",
      "@Published", "@Wrapper(key: \"a)\", default: [1, 2])", "@Foo.Bar", "@Foo<Int>",
      "@Foo<[String: Int]>(1)", "@discardableResult", "@inlinable",
      "@_spi(Private)", "@Attribute(.unique)", "@Model", "@_documentation(visibility: internal)",
      "@Sendable", "@Entity", "@Relation(inverse: \\Book.author)",
      "@Macro({ $0 })", "@usableFromInline", "@preconcurrency", "@DatabaseActor",
      "@_specialize(where T == Int)", "@`class`", "@objcMembers",
      "@Foo()", "@Foo(\n  a: 1, // )\n  b: 2\n)", "@NSManaged", "@A.B.C(x)",
      "@backDeployed(before: macOS 12.0)", "@available(swift 5.1)", "@inline(__always)", "@frozen",
      "@Foo(class: A.self)",
    ])
  }

  // MARK: - Others

  mutating func freestanding() -> String {
    pick([
      "#Preview { Text(\"a {\") }", "#Preview(\"name\", traits: .a) {\n  class A {}\n  return x\n}",
      "#warning(\"later\")", "#warning(\"a } b\")", "#makeBook(1, name: \"x\")",
      "#sourceLocation(file: \"a.swift\", line: 10)", "#sourceLocation()", "#stringify<Int>(1 + 2)",
      "@Foo #bar()", "public #declare(\"x\")", "#bar(1)",
    ])
  }

  mutating func macro() -> String {
    pick([
      "@freestanding(expression) ", "@attached(member, names: named(init), arbitrary)\n",
      "@attached(extension, conformances: Entity) public ",
    ]) + "macro "
      + pick(["make", "stringify<T>", "`class`"])
      + pick(["()", "(_ a: T) -> (T, String)", "(a: Int = 1)"])
      + pick([" = #externalMacro(module: \"M\", type: \"T\")", "", " = #a(1)"])
  }

  mutating func operating() -> String {
    pick([
      "infix operator <=>: Comparing", "prefix operator √", "postfix operator ++",
      "infix operator ≠", "infix operator --> : A", "prefix operator !!", "infix operator .+",
    ])
  }

  mutating func precedenceGroup() -> String {
    "precedencegroup Comparing "
      + pick([
        "{}", "{\n  associativity: left\n  higherThan: A, B\n  lowerThan: C\n  assignment: true\n}",
        "{ associativity: right }",
      ])
  }
}
