import BoxModel
import TestSupport
import Testing

/// Consent by a code while another process changes the store: between the dry run and the command, while the command
/// waits for the lock, and at any moment of its run.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct ConsentInterleavingTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let model = TestModel(
    .init(name: "P", uid: 1000, fields: [.init("age", 1010, .int)]))

  /// A change by another process.
  private enum Other {
    case set(id: Int, age: Int)
    case remove(id: Int)
    case put(age: Int)

    /// The words of the command.
    var words: [String] {
      switch self {
      case .set(let id, let age): ["set", "P", "\(id)", "age=\(age)"]
      case .remove(let id): ["remove", "P", "\(id)"]
      case .put(let age): ["put", "P", "{\"age\":\(age)}"]
      }
    }

    /// Changes the ages of the objects by their ids; returns false if the object does not exist.
    func apply(to ages: inout [Int: Int], newID: Int) -> Bool {
      switch self {
      case .set(let id, let age):
        if ages[id] == nil { return false }
        ages[id] = age
      case .remove(let id): return ages.removeValue(forKey: id) != nil
      case .put(let age): ages[newID] = age
      }
      return true
    }
  }

  /// The moment of the other change.
  private enum Moment: CaseIterable {
    /// After the dry run, and before the command.
    case between
    /// While the command waits for a transaction that is open in another process.
    case underLock
    /// Beside the command.
    case beside
  }

  private var data: String { directory.path(of: "data") }

  private func tool(_ words: [String]) async throws -> ProcessRun {
    try await runTool(words, in: directory.path, environment: ["BOXJOINT_CONFIRM": nil])
  }

  /// The other change in a shell that holds its transaction open for a moment.
  private func holdingTheLock(_ other: Other) async throws -> ProcessRun {
    let path = try #require(Tool.path)
    let words = other.words.map { "'\($0)'" }.joined(separator: " ")
    let script =
      #"{ printf 'begin\n%s\n' "$2"; sleep 0.1; echo commit; } | "$0" shell "$1""#
    return try await ProcessRun.of("sh", ["-c", script, path, data, words], in: directory.path)
  }

  /// The ages of the objects by their ids.
  private func ages() async throws -> [Int: Int] {
    let run = try await tool(["query", data, "P", "--format", "ndjson"])
    var ages: [Int: Int] = [:]
    for line in run.text.split(separator: "\n") {
      let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
      if numbers.count == 2 { ages[numbers[0]] = numbers[1] }
    }
    return ages
  }

  /// The state after both commands in one of the two orders; nil for an order in which one of them would have ended
  /// otherwise.
  private func state(
    _ before: [Int: Int], _ other: Other, removing printed: Set<Int>, above limit: Int,
    otherFirst: Bool, done: Bool, otherDone: Bool
  ) -> [Int: Int]? {
    var ages = before
    let newID = before.count + 1
    if otherFirst, other.apply(to: &ages, newID: newID) != otherDone { return nil }
    // What the command would remove, with the values that were printed.
    let matching = ages.filter { $0.value > limit }
    let fits = matching == before.filter { printed.contains($0.key) }
    if fits != done { return nil }
    if done { for id in printed { ages[id] = nil } }
    if !otherFirst, other.apply(to: &ages, newID: newID) != otherDone { return nil }
    return ages
  }

  /// A code removes exactly what was printed, or nothing: the result is that of one process after the other.
  @Test func aCodeRemovesWhatWasPrintedOrNothing() async throws {
    var random = TestSeed.next()
    try directory.write(Self.model.text, to: "model.json")
    var (done, refused) = (0, 0)
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_INTERLEAVINGS", default: 24) {
      directory.removeEverything("data")
      let count = random.below(5) + 2
      let lines = (0..<count).map { _ in "{\"age\":\(random.below(4))}\n" }.joined()
      try directory.write(lines, to: "in.ndjson")
      let filled = try await tool([
        "import", "--store", data, "--model", directory.path(of: "model.json"), "--entity", "P",
        directory.path(of: "in.ndjson"),
      ])
      try #require(filled.status == 0, "\(filled.messages)")
      let before = try await ages()
      try #require(before.count == count)
      let limit = random.below(3)
      let printed = Set(before.filter { $0.value > limit }.keys)
      let command = ["store", "remove", data, "P", "--where", "age > \(limit)"]
      let dry = try await tool(command + ["--dry-run"])
      guard let line = dry.text.split(separator: "\n").first(where: { $0.contains("--confirm") }),
        let code = line.split(separator: " ").last.map(String.init)
      else {
        #expect(printed.isEmpty, "\(number): \(dry.text)\(dry.messages)")
        continue
      }
      let (id, age) = (random.below(count) + 1, random.below(4))
      let others: [Other] = [.set(id: id, age: age), .remove(id: id), .put(age: age)]
      let other = others[random.below(others.count)]
      let confirmed = command + ["--confirm", code]
      let (first, second): (ProcessRun, ProcessRun)
      switch Moment.allCases[random.below(Moment.allCases.count)] {
      case .between:
        second = try await tool(["store"] + [other.words[0], data] + other.words.dropFirst())
        first = try await tool(confirmed)
      case .underLock:
        async let held = holdingTheLock(other)
        try await Task.sleep(for: .milliseconds(random.below(60)))
        first = try await tool(confirmed)
        second = try await held
      case .beside:
        async let beside = tool(["store"] + [other.words[0], data] + other.words.dropFirst())
        try await Task.sleep(for: .milliseconds(random.below(20)))
        first = try await tool(confirmed)
        second = try await beside
      }
      #expect([0, 2].contains(first.status), "\(number): \(first.messages)")
      let (isDone, isOtherDone) = (first.status == 0, second.status == 0)
      let after = try await ages()
      let possible = [true, false].compactMap {
        state(
          before, other, removing: printed, above: limit, otherFirst: $0, done: isDone,
          otherDone: isOtherDone)
      }
      #expect(
        possible.contains(after),
        "\(number): \(other) beside removing \(printed) of \(before): \(first) \(second) \(after)")
      if isDone { done += 1 } else { refused += 1 }
    }
    #expect(done > 0)
    #expect(refused > 0)
  }
}
