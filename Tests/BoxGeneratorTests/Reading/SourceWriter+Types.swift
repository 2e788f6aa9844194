import TestSupport

/// The types of a source.
extension SourceWriter {
  /// A type of any spelling.
  mutating func typeReference(_ depth: Int = 2) -> String {
    if depth <= 0 || oneIn(2) { return plainType() }
    let inner = depth - 1
    switch random.below(24) {
    case 0...2: return optionalType(inner)
    case 3, 4: return "[\(maybe(6) { _ in " " })\(typeReference(inner))]"
    case 5: return "[\(typeReference(inner))\(pick([": ", ":", " : "]))\(typeReference(inner))]"
    case 6, 7: return genericName() + genericArguments(inner)
    case 8: return "(\(typeReference(inner)))"
    case 9: return tuple(inner)
    case 10, 11: return functionType(inner)
    case 12:
      return pick(["some ", "any "]) + pick(["P", "Equatable", "Sequence<Int>", "~Copyable"])
    case 13: return "(any \(pick(["P", "P & Q"])))" + pick(["", "?", ".Type"])
    case 14: return typeName() + pick([".Type", ".Protocol", ".Type?"])
    case 15: return pick(["A & B", "Entity & Sendable", "A\n    & B", "P & AnyObject & Q<Int>"])
    case 16:
      return pick(["InlineArray<3, Int>", "[3 of Int]", "Vector<-1, Int>", "InlineArray<2, [Int]>"])
    case 17: return "@Sendable " + functionType(inner)
    case 18: return plainType()
    case 19: return "Array<\(typeReference(inner))>"
    case 20: return "Optional<\(typeReference(inner))>"
    case 21: return genericName() + "<" + plainType() + ">." + typeName()
    case 22: return "\(genericName())<\(genericName())<\(plainType())>>"
    default:
      return pick([
        "repeat each T", "Self", "_", "~Copyable", "Self.Element", "A.B.C", "()", "Void",
      ])
    }
  }

  private mutating func plainType() -> String {
    oneIn(3)
      ? pick([
        "Swift.Int", "Foundation.Date", "ObjectBox.Id", "BoxStore.ToOne<Author>", "Library.Book",
        "Swift . Int",
        "Library . Shelf", "`Type`", "Foundation.Data?", "Swift.Optional<Int>", "Swift.Array<Int>",
        "Any",
        "A.`B`", "ToMany<`Book`>", "Library.Shelf<Int>.Board", "本",
      ])
      : pick([
        "Int", "String", "Bool", "Date", "Data", "Double", "Id", "EntityId<Book>", "ToOne<Author>",
        "ToMany<Book>", "Genre", "UInt8", "Float", "Int32",
      ])
  }

  private mutating func optionalType(_ depth: Int) -> String {
    let type = typeReference(depth)
    let needsParentheses = type.contains("->") || type.contains(" ") || type.hasPrefix("~")
    return (needsParentheses ? "(\(type))" : type) + pick(["?", "?", "?", "!", "??"])
  }

  private mutating func genericName() -> String {
    pick(["Set", "Result", "Wrapper", "Dictionary", "ToMany", "Library.Box", "Swift.Set", "Array"])
  }

  mutating func genericArguments(_ depth: Int) -> String {
    let space = maybe(8) { _ in " " }
    return "<" + space + list(1...2, pick([", ", ",", ",\n    "])) { $0.typeReference(depth) }
      + space + ">"
  }

  private mutating func tuple(_ depth: Int) -> String {
    let separator = pick([", ", ", ", ",\n    ", ", // first\n    ", " , ", ", /* \" */ "])
    return "("
      + list(2...3, separator) { $0.maybe(2) { $0.name() + ": " } + $0.typeReference(depth) } + ")"
  }

  private mutating func functionType(_ depth: Int) -> String {
    let parameters = list(0...2) {
      $0.maybe(4) { "_ " + $0.name() + ": " } + $0.parameterType(depth)
        + $0.maybe(12) { _ in "..." }
    }
    let result = typeReference(depth)
    return "(\(parameters))" + effects() + pick([" -> ", "-> ", "\n    -> "]) + result
  }

  /// A type, which may have a word before it, as those of parameters do.
  mutating func parameterType(_ depth: Int) -> String {
    let type = typeReference(depth)
    if type.hasPrefix("repeat ") { return type }
    return pick([
      "", "", "", "", "", "", "inout ", "@escaping ", "borrowing ", "isolated ", "sending ",
      "__owned ",
    ]) + type
  }

  /// `async` and `throws` before an arrow or a body, or neither.
  mutating func effects() -> String {
    pick([
      "", "", "", "", "", " throws", " async", " async throws", " throws(Failure)",
      " async throws(any Error)", "\n  throws",
    ])
  }

  // MARK: - Generics

  /// The parameters of a generic declaration.
  mutating func genericParameters() -> String {
    "<"
      + list(1...2) {
        $0.pick([
          "T", "Element", "each U", "let n: Int", "V: P", "W: Entity & Sendable", "X: ~Copyable",
        ])
      } + ">"
  }

  mutating func whereClause() -> String {
    pick([" where ", "\nwhere ", "\n  where "])
      + list(1...2) {
        $0.pick([
          "T: Equatable", "T.Element == Int", "Element: Entity", "T == [Int: String]", "U: P & Q",
          "T.A.B == Set<Int>", "V: AnyObject", "T: ~Copyable", "(repeat each T) == (Int)",
        ])
      }
  }

  /// The types that a declaration inherits.
  mutating func inheritance(isEntity: Bool) -> String {
    var names: [String] = []
    if isEntity {
      names = [
        pick([
          "Entity", "Entity", "Entity", "Entity", "ObjectBox.Entity", "BoxStore.Entity", "`Entity`",
          "(Entity)",
          "Entity & Sendable", "@unchecked Sendable & Entity", "(P & (Entity))",
          "BoxStore . Entity",
          "@retroactive Entity", "nonisolated Entity", "@MainActor Entity",
          "@preconcurrency Entity",
        ])
      ]
    }
    for _ in 0..<random.below(3) {
      names.append(
        pick([
          "Codable", "@unchecked Sendable", "~Copyable", "Base<Int>", "P & Q", "Swift.Equatable",
          "NSObject",
          "Identifiable", "A.B.C", "Base<[String: Set<Int>]>", "EntityLike", "MyEntity",
          "Entity.Part",
        ]))
    }
    if names.isEmpty { return "" }
    return pick([": ", ": ", ": ", " : ", ":", ":\n  "])
      + random.shuffled(names).joined(separator: pick([", ", ",\n  ", ","]))
  }
}
