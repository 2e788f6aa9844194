import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

@Suite struct ConditionTests {
  @Test func evaluatesLikeTheNaiveModel() throws {
    var random = TestSeed.next()
    let store = try ObjectStore.open(.ownMemory(), model: ConditionModel.document())
    let entity = try store.entity(named: "Thing")
    var objects: [DynamicObject] = []
    for id in 1...40 {
      var object = DynamicObject(entity)
      for (index, property) in entity.properties.enumerated() where index != entity.idPosition {
        object.values[index] = ConditionModel.value(property, &random)
      }
      _ = id
      object.id = try store.write { try $0.put(object) }
      objects.append(object)
    }
    var counts = [false: 0, true: 0]
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_CONDITIONS", default: 3000) {
      let condition = ConditionModel.condition(entity, &random)
      let query = try store.prepare(StoreQuery(entity, condition))
      try store.read { transaction in
        let matcher = try QueryMatcher(query, in: transaction)
        for object in objects {
          let expected = NaiveCondition(object: object).holds(condition)
          counts[expected, default: 0] += 1
          let found = try transaction.get(entity, object.id) { matcher.matches(object.id, $0) }
          try #require(found == expected, "\(condition) on \(object.values)")
        }
      }
    }
    // A generator that only makes conditions which hold for nothing proves nothing.
    #expect(counts[true, default: 0] > 10_000)
    #expect(counts[false, default: 0] > 10_000)
  }

  @Test func printsWhatItReads() throws {
    var random = TestSeed.next()
    let store = try ObjectStore.open(.ownMemory(), model: ConditionModel.document())
    let entity = try store.entity(named: "Thing")
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_CONDITIONS", default: 3000) {
      let condition = ConditionModel.condition(entity, &random)
      let text = condition.description
      let parsed = try ConditionParser.parse(text)
      // By text, as NaN differs from itself.
      try #require("\(parsed.condition)" == text && parsed.positions.count == condition.names.count)
      if !text.contains("NaN") { try #require(parsed.condition == condition, "\(text)") }
    }
  }

  @Test(arguments: [
    ("age > 30", "age > 30"),
    ("Person.age>30 and name STARTSWITH 'A'", #"Person.age > 30 && name startsWith "A""#),
    ("a == 1 || b == 2 && c == 3", "a == 1 || b == 2 && c == 3"),
    ("(a == 1 || b == 2) && c == 3", "(a == 1 || b == 2) && c == 3"),
    ("not a = 1", "!(a == 1)"), ("a <> 1", "a != 1"), ("a is not null", "a != nil"),
    ("a is nil", "a == nil"), ("!(a.b == nil)", "!(a.b == nil)"), ("a.b != nil", "a.b != nil"),
    ("a not in [1, 2]", "a != nil && !(a in (1, 2))"),
    ("r.a not contains \"x\" || b == 1", "r.a != nil && !(r.a contains \"x\") || b == 1"),
    ("a not between 1 and 2", "a != nil && !(a between 1 and 2)"),
    ("a between 1 and 2 and b < 3", "a between 1 and 2 && b < 3"),
    ("born >= 2000-01-01", "born >= 2000-01-01T00:00:00Z"),
    ("born >= 2000-01-01T02:00:00.5+02:00", "born >= 2000-01-01T00:00:00.500Z"),
    (#"name == "\u{e9}\n" ignoringCase"#, #"name == "é\n" ignoringCase"#),
    ("`my name`.`in` == -1_000", "`my name`.`in` == -1000"),
    ("@a.$b == `@oi1` && _c in (@d)", "@a.$b == @oi1 && _c in (@d)"),
    ("a == 18446744073709551615", "a == 18446744073709551615"),
    ("a == -9223372036854775808", "a == -9223372036854775808"),
    ("a < 99999999999999999999", "a < 99999999999999999999"),
    ("a > -18446744073709551616", "a > -18446744073709551616.0"),
    ("any(tags) startswith 'a'", #"any(tags) startsWith "a""#),
    ("any(tags) contains 'a' ignoringCase", #"any(tags) contains "a" ignoringCase"#),
    ("a.b.c = 1", "a.b.c == 1"), ("genre == novel", "genre == novel"),
    ("b == X'00FF'", "b == x'00ff'"),
    ("ANY( tags ) <> 'a' ignoringcase", #"any(tags) != "a" ignoringCase"#),
    ("any(Order.customer, total > 3 or id = 1)", "any(Order.customer, total > 3 || id == 1)"),
    ("any(cast, name == 'Ann') and any == 1", #"any(cast, name == "Ann") && any == 1"#),
    ("nearest(v, [1, 2.5], 10)", "nearest(v, [1.0, 2.5], 10)"),
    ("nearest(v, [1e300, -infinity, nan], 1)", "nearest(v, [Infinity, -Infinity, NaN], 1)"),
    ("a between 'a' and 'b' ignoringCase", #"a between "a" and "b" ignoringCase"#),
    ("a < 1.5e3 || a == -infinity || a == NaN", "a < 1500.0 || a == -Infinity || a == NaN"),
  ])
  func reads(_ text: String, _ expected: String) throws {
    #expect(try ConditionParser.parse(text).condition.description == expected)
    #expect(try ConditionParser.parse(expected).condition.description == expected)
  }

  @Test(arguments: [
    ("", 1, "expected the name of a property and found the end"),
    ("age", 4, "expected a comparison such as"),
    ("age >", 6, "expected a value and found the end"),
    ("age > 30 &&", 12, "expected the name of a property"),
    ("age > 30 name == \"A\"", 10, "expected \"&&\", \"||\" or the end"),
    ("name == \"Ann", 9, "no closing"),
    ("age < nil", 7, "nil is neither less nor greater"),
    ("age in (1, nil)", 12, "nil is not allowed here"),
    ("age between 1 or 2", 15, "\"and\" between"),
    ("age > \(String(repeating: "9", count: 400))", 7, "the number is too large"),
    ("born > 2023-02-29", 8, "is not a date"),
    ("age > 1x", 7, "is not a number"),
    ("(age > 1", 9, "expected \")\""),
    ("a. == 1", 4, "the name of a property after the period"),
    ("any(a", 6, "expected \")\", or \",\" and a condition"),
    ("any(a) between 1 and 2", 8, "a comparison of an element"),
    ("any(a.b.c, x == 1)", 5, "Entity.relation to follow one backwards"),
    ("any(a, x == 1", 14, "expected \")\""),
    ("nearest(a, [x], 1)", 12, "a vector has numbers"),
    ("nearest(a, [1], -1)", 17, "the number of objects"),
    ("a == x'0'", 6, "two hexadecimal digits"),
    ("a == x'0g'", 6, "two hexadecimal digits"),
    ("age # 1", 5, "has no meaning here"),
    ("name == \"\\q\"", 10, "a backslash stands before"),
    ("and == 1", 1, "expected the name of a property"),
  ])
  func refuses(_ text: String, _ column: Int, _ message: String) throws {
    let error = try #require(throws: ConditionError.self) { try ConditionParser.parse(text) }
    #expect(error.position == JSONPosition(line: 1, column: column))
    #expect(error.message.contains(message), "\(error)")
  }

  @Test func refusesDeepNesting() throws {
    let text = String(repeating: "(", count: 100_000) + "a == 1"
    let error = try #require(throws: ConditionError.self) { try ConditionParser.parse(text) }
    #expect(error.position == JSONPosition(line: 1, column: 65))
  }

  @Test(arguments: [
    ("nme == \"A\"", 1, "Thing has no property nme; did you mean name?"),
    ("zzzzzz == \"A\"", 1, "Thing has no property zzzzzz; it has id, flag"),
    ("name == Ann", 9, "write a string in quotes: \"Ann\""),
    ("count in (1, two)", 1, "cannot be compared with two; write an integer, as in count > 30"),
    ("letter == a", 11, "write a string in quotes: \"a\""),
    ("any(count) > 1", 5, "no elements; write count > 1"),
    ("any(blob) == 255", 5, "cannot be compared with 255; write bytes, as in blob == x'00ff'"),
    ("any(name) == 1", 5, "write a string in quotes, as in name == \"1\""),
    ("any(Thing.name) == 'a' ignoringCase", 5, "write Thing.name == \"a\" ignoringCase"),
    (
      "any(tags) == 1", 5, "cannot be compared with 1; write a string in quotes, as in any(tags) =="
    ),
    ("shorts startsWith 1", 1, "any(shorts) == and one"),
    ("any(tags) endsWith 1", 5, "cannot be compared with 1"),
    ("any(floats) contains 1", 5, "is for lists of strings"),
    ("any(Thing.name, count > 1)", 5, "Thing has no relation name; it has none"),
    ("any(Thinf.name, count > 1)", 5, "there is no entity Thinf; did you mean Thing?"),
    ("nearest(doubles, [1], 1)", 9, "nearest is for vectors of floats"),
    ("nearest(floats, [], 1)", 9, "needs at least one element"),
    ("id > 0 && Name == \"A\"", 11, "did you mean name?"),
    ("Other.name == \"A\"", 1, "Thing has no relation Other; it has none"),
    ("name == 5", 1, "has the type string and cannot be compared with 5; write a string in quotes"),
    ("count > \"5\"", 1, "Thing.count has the type int and cannot be compared with \"5\"; write"),
    ("flag == 1", 1, "write true or false"),
    ("price == true", 1, "write a number"),
    ("born > \"yesterday\"", 1, "write a date"),
    ("letter == \"ab\"", 1, "one UTF-16 unit"),
    ("blob == 1", 1, "write bytes, as in blob == x'00ff'"),
    ("tags == \"a\"", 1, "write tags contains"),
    ("count contains 1", 1, "there is no contains; write =="),
    ("count == 1 ignoringCase", 1, "ignoringCase is for strings"),
    ("count > NaN", 1, "write an integer"),
  ])
  func refusesToBind(_ text: String, _ column: Int, _ message: String) throws {
    let store = try ObjectStore.open(.ownMemory(), model: ConditionModel.document())
    let entity = try store.entity(named: "Thing")
    let parsed = try ConditionParser.parse(text)
    let error = try #require(throws: ConditionError.self) { try store.prepare(entity, parsed) }
    #expect(error.position == JSONPosition(line: 1, column: column))
    #expect(error.message.contains(message), "\(error)")
  }

  /// A condition that a message advises is accepted when it is typed.
  @Test func advisedConditionsAreAccepted() throws {
    let store = try ObjectStore.open(.ownMemory(), model: ConditionModel.document())
    let entity = try store.entity(named: "Thing")
    let values = [
      "1", "-1.5", "true", "\"ab\"", "'it\\'s'", "x'ff'", "2024-02-29", "NaN", "word", "w",
    ]
    var advised = 0
    for property in entity.properties {
      for name in [property.name, "Thing.\(property.name)"] {
        for subject in [name, "any(\(name))"] {
          for comparison in ["==", "<", "contains", "startsWith"] {
            for value in values {
              let text = "\(subject) \(comparison) \(value)"
              guard let advice = try Self.advice(store, entity, text) else { continue }
              advised += 1
              #expect(throws: Never.self, "\(text): \(advice)") {
                try store.prepare(entity, ConditionParser.parse(advice))
              }
            }
          }
        }
      }
    }
    #expect(advised > 1000)
  }

  /// The condition that the refusal of another one advises; nil if there is none.
  private static func advice(
    _ store: ObjectStore, _ entity: EntitySchema, _ text: String
  ) throws -> String? {
    do throws(ConditionError) {
      _ = try store.prepare(entity, try ConditionParser.parse(text))
      return nil
    } catch {
      let message = error.message
      if let quotes = message.firstRange(of: "a string in quotes: ") {
        let words = text.split(separator: " ").dropLast()
        return words.joined(separator: " ") + " \(message[quotes.upperBound...])"
      }
      for start in ["no elements; write ", ", as in "] {
        guard let range = message.firstRange(of: start) else { continue }
        let rest = message[range.upperBound...]
        return String(rest[..<(rest.firstRange(of: ", or ")?.lowerBound ?? rest.endIndex)])
      }
      return nil
    }
  }

  /// The full case folding of Unicode, from CaseFolding.txt.
  @Test(arguments: [
    ("A", "a"), ("É", "é"), ("ß", "ss"), ("ẞ", "ss"), ("Σ", "σ"), ("ς", "σ"), ("ſ", "s"),
    ("\u{212A}", "k"), ("µ", "μ"), ("İ", "i\u{307}"), ("ı", "ı"), ("ŉ", "ʼn"), ("ﬀ", "ff"),
    ("𐐀", "𐐨"), ("Ǆ", "ǆ"), ("ǅ", "ǆ"),
  ])
  func foldsCase(_ text: String, _ expected: String) {
    #expect(CaseFolding.fold(text) == Array(expected.utf8))
  }
}
