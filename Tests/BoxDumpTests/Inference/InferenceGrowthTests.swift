import BoxDump
import BoxJSON
import BoxModel
import TestSupport
import Testing

/// The time of an inference grows with its input.
struct InferenceGrowthTests {
  private enum Input: CaseIterable {
    /// Members that differ in nothing but their case.
    case cases
    /// Members that differ in nothing but their periods.
    case periods
    /// One object with nested ones, each in a member of its own, in one line.
    case nestedObjects
    /// The same with lists of one object.
    case nestedLists

    func members(_ count: Int) -> [JSONValue.Member] {
      // Each bit of the number is a letter.
      func spelled(_ number: Int, _ other: (String) -> String) -> String {
        "abcdefghijklm".enumerated().map { bit, letter in
          number >> bit & 1 == 1 ? other(String(letter)) : String(letter)
        }
        .joined()
      }
      return (0..<count).map { number in
        switch self {
        case .cases: .init(spelled(number) { $0.uppercased() }, .int(number))
        case .periods: .init(spelled(number) { $0 + "." }, .int(number))
        case .nestedObjects: .init("part\(number)", ["value": .int(number)])
        case .nestedLists: .init("part\(number)", [["value": .int(number)]])
        }
      }
    }
  }

  @Test(.growth, arguments: Input.allCases)
  private func growthOfAnInference(_ input: Input) throws {
    let directory = try TemporaryDirectory()
    var options = InferenceOptions()
    options.entity = "Thing"
    options.nesting = .entities
    let power = try growth(of: 500) { size in
      try directory.write(JSONValue.object(input.members(size)).text(indent: 0), to: "in.json")
      return {
        let model = try ModelInference(options).run([directory.path(of: "in.json")])
        let properties = try model.document(uids: .sequential).model.entities[0].properties
        #expect(properties.count == (input == .nestedLists ? 1 : size + 1))
      }
    }
    #expect(power < 1.5)
  }

  /// A name that is taken gets the first number that is free.
  @Test func numbersOfNamesAreTheFirstThatAreFree() throws {
    let directory = try TemporaryDirectory()
    try directory.write(
      #"{"ab":1,"AB":2,"a.b":3,"A.b":4,"a_b_2":5,"A.B":6,"Ab":7,"aB_3":8,"aB":9}"#, to: "in.json")
    var options = InferenceOptions()
    options.entity = "Thing"
    let model = try ModelInference(options).run([directory.path(of: "in.json")])
    #expect(
      model.entities[0].members.map(\.name) == [
        "id", "ab", "AB_2", "a_b", "A_b_2", "a_b_2_2", "A_B_3", "Ab_3", "aB_3_2", "aB_4",
      ])
  }
}
