import TestSupport

/// An entity that the tests make up, with structs in it, and the same entity written flat.
struct RandomEmbedding {
  enum Form {
    case value(Int)
    case number, word, money
    /// A struct, by its number.
    case embedded(Int)
  }

  struct Member {
    var name: String
    var form: Form
    var isOptional: Bool
    var isIndexed = false
    /// The text of the annotation `embedded`; nil without one.
    var prefix: String?
    /// The initial value of a class or a struct.
    var initial: String?
  }

  /// A property of the entity.
  struct Leaf {
    var member: Member
    /// The members that lead to it, itself the last.
    var path: [Member]
    /// Its name in the model file.
    var name: String
    var isNullable: Bool { path.contains(where: \.isOptional) }
  }

  /// The members of the structs; each has only structs of higher numbers.
  private(set) var structs: [[Member]] = []
  /// The members of the entity.
  private(set) var members: [Member] = []

  /// Makes an entity with structs in each other.
  ///
  /// - Parameters:
  ///   - random: Makes the numbers.
  ///   - depth: The most structs in each other.
  init(_ random: inout SplitMix64, depth: Int) {
    structs = Array(repeating: [], count: depth * 2)
    for number in structs.indices.reversed() {
      let level = number / 2
      let inner = level + 1 < depth ? (level + 1) * 2..<min(structs.count, (level + 2) * 2) : 0..<0
      structs[number] = members(1 + random.below(4), inner, &random)
    }
    members = members(1 + random.below(4), 0..<min(2, structs.count), &random)
    if !structs.isEmpty { members.append(embedding(of: 0, "top", &random)) }
  }

  private func members(
    _ count: Int, _ inner: Range<Int>, _ random: inout SplitMix64
  ) -> [Member] {
    (0..<count).map { position in
      let name = random.pick(["street", "größe", "`class`", "in_", "m"]) + "\(position)"
      let fixed = name.hasPrefix("`") ? "`class`" : name
      if !inner.isEmpty, random.oneIn(2) {
        return embedding(of: random.pick(inner), "e\(position)", &random)
      }
      var member = Member(
        name: position > 0 && fixed == "`class`" ? "c\(position)" : fixed,
        form: .value(random.below(RandomSchema.types.count)), isOptional: random.oneIn(3))
      switch random.below(8) {
      case 0: member.form = .number
      case 1: member.form = .word
      case 2: member.form = .money
      default:
        guard case .value(let number) = member.form else { break }
        let type = RandomSchema.types[number]
        member.isIndexed = type.canBeIndexed && random.oneIn(3)
        if type.swift == "Int", !member.isOptional, random.oneIn(2) { member.initial = "42" }
        if type.swift == "String", !member.isOptional, random.oneIn(2) { member.initial = "\"x\"" }
      }
      return member
    }
  }

  private func embedding(
    of number: Int, _ name: String, _ random: inout SplitMix64
  ) -> Member {
    // Nil of a struct with only optional members would be lost.
    let isOptional = random.oneIn(3) && hasValue(number)
    return Member(
      name: name, form: .embedded(number), isOptional: isOptional,
      prefix: random.oneIn(3) ? "\(name)p" : nil)
  }

  private func hasValue(_ number: Int) -> Bool {
    structs[number].contains { member in
      if member.isOptional { return false }
      if case .embedded(let inner) = member.form { return hasValue(inner) }
      return true
    }
  }

  /// The properties of the entity, in the order of the model file.
  var leaves: [Leaf] {
    func leaves(_ members: [Member], _ path: [Member], _ prefix: String) -> [Leaf] {
      members.flatMap { member -> [Leaf] in
        let name = member.name.filter { $0 != "`" }
        guard case .embedded(let number) = member.form else {
          return [Leaf(member: member, path: path + [member], name: prefix + name)]
        }
        return leaves(
          structs[number], path + [member], prefix + (member.prefix ?? name + "_"))
      }
    }
    return leaves(members, [], "")
  }

  // MARK: - Sources

  private func type(_ form: Form) -> String {
    switch form {
    case .value(let number): RandomSchema.types[number].swift
    case .number: "Number"
    case .word: "Word"
    case .money: "Money"
    case .embedded(let number): "S\(number)"
    }
  }

  private func annotation(_ member: Member, isOptional: Bool) -> String {
    switch member.form {
    case .value: member.isIndexed ? "  // objectbox: index\n" : ""
    case .number:
      isOptional
        ? "  // objectbox: convert\n"
        : "  // objectbox: convert = { \"default\": \".none\" }\n"
    case .word:
      isOptional
        ? "  // objectbox: convert\n"
        : "  // objectbox: convert = { \"default\": \".empty\" }\n"
    case .money:
      "  // objectbox: convert = { \"dbType\": \"Int\", \"converter\": \"\(isOptional ? "Optional" : "")MoneyConverter\" }\n"
    case .embedded:
      "  // objectbox: embedded\(member.prefix.map { " = \"\($0)\"" } ?? "")\n"
    }
  }

  private func initial(_ member: Member) -> String {
    if let initial = member.initial { return initial }
    switch member.form {
    case .value(let number): return RandomSchema.initial(RandomSchema.types[number])
    case .number: return ".none"
    case .word: return ".empty"
    case .money: return "Money(cents: 0)"
    case .embedded(let number): return "S\(number)()"
    }
  }

  private func declaration(_ member: Member, name: String, isOptional: Bool) -> String {
    annotation(member, isOptional: isOptional)
      + "  var \(name): \(type(member.form))"
      + (isOptional ? "? = nil\n" : " = \(initial(member))\n")
  }

  /// The entity with its structs.
  func embedded() -> String {
    var text = RandomSchema.support
    for (number, members) in structs.enumerated() {
      text += "struct S\(number) {\n"
      for member in members {
        text += declaration(member, name: member.name, isOptional: member.isOptional)
      }
      text += "}\n"
    }
    text += "final class Item: Entity {\n  var id: Id = 0\n"
    for member in members {
      text += declaration(member, name: member.name, isOptional: member.isOptional)
    }
    return text + "}\n"
  }

  /// The entity with the properties that the structs give it.
  func flat() -> String {
    var text = RandomSchema.support + "final class Item: Entity {\n  var id: Id = 0\n"
    for leaf in leaves {
      text += declaration(leaf.member, name: Self.quoted(leaf.name), isOptional: leaf.isNullable)
    }
    return text + "}\n"
  }

  private static func quoted(_ name: String) -> String { name == "class" ? "`class`" : name }

  // MARK: - Programs

  private func value(_ member: Member) -> String {
    let expression =
      switch member.form {
      case .value(let number): RandomSchema.types[number].expression
      case .number: "Number.allCases[r.below(4)]"
      case .word: "Word.allCases[r.below(3)]"
      case .money: "Money(cents: r.below(9999))"
      case .embedded(let number): "make\(number)(&r)"
      }
    return member.isOptional ? "r.below(3) == 0 ? nil : \(expression)" : expression
  }

  /// The statements that fill the entity with structs.
  private func fillingEmbedded() -> String {
    var text = ""
    for (number, members) in structs.enumerated() {
      text += "func make\(number)(_ r: inout SplitMix) -> S\(number) {\n  var s = S\(number)()\n"
      for member in members { text += "  s.\(member.name) = \(value(member))\n" }
      text += "  return s\n}\n"
    }
    return text + "func fill(_ o: Item, _ r: inout SplitMix) {\n"
      + members.map { "  o.\($0.name) = \(value($0))\n" }.joined() + "}\n"
  }

  /// The statements that fill the flat entity with the same values.
  private func fillingFlat() -> String {
    func lines(_ members: [Member], _ prefix: String) -> String {
      members.map { member in
        let name = member.name.filter { $0 != "`" }
        guard case .embedded(let number) = member.form else {
          return "  o.\(Self.quoted(prefix + name)) = \(value(member))\n"
        }
        let inner = lines(structs[number], prefix + (member.prefix ?? name + "_"))
        return member.isOptional ? "  if r.below(3) != 0 {\n\(inner)  }\n" : inner
      }.joined()
    }
    return "func fill(_ o: Item, _ r: inout SplitMix) {\n\(lines(members, ""))}\n"
  }

  /// The program of the entity: it writes objects to one store, and reads them from another.
  ///
  /// - Parameters:
  ///   - isFlat: Whether the entity is written flat.
  ///   - seed: Makes the values.
  /// - Returns: The main file; its arguments are the two stores.
  func program(isFlat: Bool, seed: UInt64) -> String {
    let shown = leaves.map { leaf -> String in
      if isFlat { return "o.\(Self.quoted(leaf.name))" }
      // The value of an optional member ends the chain.
      let names = leaf.path.enumerated().map { position, member in
        member.name + (member.isOptional && position + 1 < leaf.path.count ? "?" : "")
      }
      return "o." + names.joined(separator: ".")
    }
    let queries = leaves.enumerated().compactMap { position, leaf -> String? in
      guard case .value(let number) = leaf.member.form,
        RandomSchema.types[number].isComparable
      else { return nil }
      let property =
        isFlat ? Self.quoted(leaf.name) : leaf.path.map(\.name).joined(separator: ".")
      let value = shown[position]
      return """
          if let value = (\(value)) as \(RandomSchema.types[number].swift)? {
            print(try box.query { Item.\(property) == value }.build().findIds().map { $0.value })
          }

        """
    }
    return RandomSchema.imports + RandomProgram.head.replacing("memory:random", with: "own")
      + (isFlat ? fillingFlat() : fillingEmbedded()) + """
        do {
          let box: Box<Item> = store.box()
          var r = SplitMix(state: \(seed))
          for _ in 0..<40 {
            let o = Item()
            fill(o, &r)
            try box.put(o)
          }
          store.close()
        }
        let other = try Store(directoryPath: CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "own")
        let box: Box<Item> = other.box()
        for o in try box.all() {
          print(o.id\(shown.map { ", \"\\(\($0) as Any)\"" }.joined()))
        }
        if let o = try box.all().last {
        \(queries.joined())}

        """
  }
}
