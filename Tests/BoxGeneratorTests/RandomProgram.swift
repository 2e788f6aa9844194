import TestSupport

/// A program of random operations on the objects of a schema, compared with dictionaries.
struct RandomProgram {
  let schema: RandomSchema

  func text(seed: UInt64, steps: Int) -> String {
    var text = RandomSchema.imports + Self.head
    for (e, entity) in schema.entities.enumerated() {
      let wasIn = entity.path
      text += """

        let box\(e): Box<\(wasIn)> = store.box()
        var expected\(e): [UInt64: [String]] = [:]
        var hosts\(e): [UInt64: [String: UInt64]] = [:]
        \(show(e, entity))
        \(fill(e, entity))
        \(step(e, entity))

        """
    }
    text += """

      var r = SplitMix(state: \(seed))
      for _ in 0..<\(steps) {
        switch r.below(\(schema.entities.count)) {
        \(schema.entities.indices.map { "case \($0): try step\($0)(&r)" }.joined(separator: "\n"))
        default: break
        }
      }
      \(schema.entities.indices.map {
        """
        let all\($0) = try box\($0).all().map(show\($0))
        precondition(all\($0) == expected\($0).sorted { $0.key < $1.key }.map(\\.value))
        """
      }.joined(separator: "\n"))
      \(checkBacklinks())
      print("agreed")

      """
    return text
  }

  static let head = """
    struct SplitMix {
      var state: UInt64
      mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
      }
      mutating func below(_ n: Int) -> Int { Int(next() % UInt64(n)) }
      mutating func text() -> String {
        let words = ["", "a", "Größe", "\\u{1F600}", "a longer text than fits", "\\0", "名"]
        return words[below(words.count)]
      }
      mutating func bytes() -> [UInt8] { list { UInt8(truncatingIfNeeded: $0.next()) } }
      mutating func list<T>(_ make: (inout SplitMix) -> T) -> [T] {
        var result: [T] = []
        for _ in 0..<below(4) { result.append(make(&self)) }
        return result
      }
    }
    func show<T>(_ value: T) -> String { "\\(value)" }
    func show(_ value: Date) -> String { "\\(Int((value.timeIntervalSince1970 * 1000).rounded()))" }
    func show(_ value: Data) -> String { "\\(Array(value))" }
    func id(_ value: some IdBase) -> UInt64 { value.value }
    let store = try Store(directoryPath: "memory:random")

    """

  private func show(_ e: Int, _ entity: RandomSchema.Entity) -> String {
    var parts = ["\"\\(id(o.\(entity.idName)))\""]
    for field in entity.fields {
      let name = "o.\(field.name)"
      switch field.form {
      case .toOne: parts.append("\"\\(\(name).targetId.map { id($0) } ?? 0)\"")
      case .value where !field.isOptional: parts.append("show(\(name))")
      case .number(false), .word(false), .money(false): parts.append("show(\(name))")
      default: parts.append("\(name).map { show($0) } ?? \"nil\"")
      }
    }
    return "func show\(e)(_ o: \(entity.path)) -> [String] {\n  var parts: [String] = []\n"
      + parts.map { "  parts.append(\($0))\n" }.joined() + "  return parts\n}"
  }

  /// A question about the value of a field that an object has, answered by a query and by the dictionary.
  private func question(_ e: Int, _ entity: RandomSchema.Entity) -> String {
    var cases = ""
    for (position, field) in entity.fields.enumerated() {
      guard case .value(let number) = field.form, RandomSchema.types[number].isComparable,
        !["`self`", "`Type`", "`init`"].contains(field.name)
      else { continue }
      cases += """
            case \(position):
              \(field.isOptional ? "guard" : "") let value = read.\(field.name)\(field.isOptional ? " else { return }" : "")
              let found = try box\(e).query { \(entity.path).\(field.name) == value }.build().findIds()
              let wanted = expected\(e).filter { $0.value[\(position + 1)] == show(value) }.keys
              precondition(found.map { id($0) }.sorted() == wanted.sorted())

        """
    }
    if cases.isEmpty { return "" }
    return "    switch r.below(\(entity.fields.count)) {\n\(cases)    default: break\n    }"
  }

  private func value(_ field: RandomSchema.Field) -> String {
    switch field.form {
    case .value(let number):
      let expression = RandomSchema.types[number].expression
      return field.isOptional ? "r.below(3) == 0 ? nil : \(expression)" : expression
    case .number(let isOptional):
      return (isOptional ? "r.below(3) == 0 ? nil : " : "") + "Number.allCases[r.below(4)]"
    case .word(let isOptional):
      return (isOptional ? "r.below(3) == 0 ? nil : " : "") + "Word.allCases[r.below(3)]"
    case .money(let isOptional):
      return (isOptional ? "r.below(3) == 0 ? nil : " : "") + "Money(cents: r.below(9999))"
    case .toOne: return "nil"
    }
  }

  /// A function that gives all fields of an object random values, or makes a struct of them.
  private func fill(_ e: Int, _ entity: RandomSchema.Entity) -> String {
    var lines: [String] = []
    if entity.isStruct {
      lines = ["@MainActor func make\(e)(_ id: UInt64, _ r: inout SplitMix) -> \(entity.path) {"]
      var arguments = ["\(entity.idName): \(idExpression(entity))"]
      for field in entity.fields {
        if case .toOne = field.form { continue }
        arguments.append("\(label(field.name)): \(value(field))")
      }
      lines.append("  let o = \(entity.path)(\(arguments.joined(separator: ", ")))")
      lines += targets(entity) + ["  return o", "}"]
    } else {
      lines = ["@MainActor func fill\(e)(_ o: \(entity.path), _ r: inout SplitMix) {"]
      for field in entity.fields {
        if case .toOne = field.form { continue }
        lines.append("  o.\(field.name) = \(value(field))")
      }
      lines += targets(entity) + ["}"]
    }
    return lines.joined(separator: "\n")
  }

  private func label(_ name: String) -> String { name.filter { $0 != "`" } }

  private func idExpression(_ entity: RandomSchema.Entity) -> String {
    ["id", "EntityId(id)", "id", "Int64(bitPattern: id)"][entity.idKind]
  }

  private func targets(_ entity: RandomSchema.Entity) -> [String] {
    entity.fields.compactMap { field in
      guard case .toOne(let target) = field.form else { return nil }
      return
        "  o.\(field.name).targetId = expected\(target).keys.sorted().dropLast(r.below(4)).last"
        + ".map { EntityId($0) }"
    }
  }

  private func step(_ e: Int, _ entity: RandomSchema.Entity) -> String {
    let put =
      entity.isStruct
      ? """
          let o = try box\(e).put(struct: make\(e)(old ?? 0, &r))
      """
      : """
          let o = try old.flatMap { try box\(e).get(EntityId<\(entity.path)>($0)) } ?? \(entity.path)()
          fill\(e)(o, &r)
          try box\(e).put(o)
      """
    let links = entity.fields.compactMap { field -> String? in
      guard case .toOne = field.form else { return nil }
      return
        "    hosts\(e)[number, default: [:]][\"\(field.stored)\"] = o.\(field.name).targetId.map { id($0) } ?? 0"
    }
    return """
      @MainActor func step\(e)(_ r: inout SplitMix) throws {
        let known = expected\(e).keys.sorted()
        let old = known.isEmpty || r.below(2) == 0 ? nil : known[r.below(known.count)]
        switch r.below(4) {
        case 0, 1:
      \(put)
          let number = id(o.\(entity.idName))
          precondition(old == nil || old == number)
          expected\(e)[number] = show\(e)(o)
      \(links.joined(separator: "\n"))
        case 2:
          guard let old else { return }
          _ = try box\(e).remove(EntityId<\(entity.path)>(old))
          expected\(e)[old] = nil
          hosts\(e)[old] = nil
        default:
          guard let old else { return }
          let read = try box\(e).get(EntityId<\(entity.path)>(old))!
          precondition(show\(e)(read) == expected\(e)[old], "\\(show\(e)(read)) \\(expected\(e)[old]!)")
      \(question(e, entity))
        }
      }
      """
  }

  private func checkBacklinks() -> String {
    var lines: [String] = []
    for (e, entity) in schema.entities.enumerated() {
      for collection in entity.collections {
        let name = collection.name
        if let back = collection.backlink {
          lines.append(
            """
            for o in try box\(e).all() {
              let found = o.\(name).map { id($0.\(schema.entities[collection.target].idName)) }.sorted()
              let wanted = hosts\(collection.target).filter { $0.value["\(back)"] == id(o.\(entity.idName)) }
              precondition(found == wanted.keys.sorted())
            }
            """)
        } else {
          lines.append(
            """
            for o in try box\(e).all() {
              let targets = try box\(collection.target).all().prefix(3)
              o.\(name).replace(Array(targets))
              try o.\(name).applyToDb()
              let again = try box\(e).get(EntityId<\(entity.path)>(id(o.\(entity.idName))))!
              let idsOf = again.\(name).map { id($0.\(schema.entities[collection.target].idName)) }
              precondition(idsOf.sorted() == targets.map { id($0.\(schema.entities[collection.target].idName)) }.sorted())
            }
            """)
        }
      }
    }
    return lines.joined(separator: "\n")
  }
}
