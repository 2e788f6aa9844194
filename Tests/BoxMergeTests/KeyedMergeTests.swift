import BoxJSON
import BoxMerge
import TestSupport
import Testing

/// Merges of JSON files by key.
struct KeyedMergeTests {
  private static let layout = KeyedLayout(
    identities: [["list"]: ["id", "file"], ["resets"]: ["file", "from", "to"]], kindKey: "type")

  // MARK: - Examples

  @Test func bothSidesAddTheSame() throws {
    let added = #"{"a": {"x": 1}, "b": {"y": 2}}"#
    let merge = try Self.merge(
      base: #"{"a": {"x": 1}}"#, ours: added, theirs: #"{"b": {"y": 2}, "a": {"x": 1}, "c": 3}"#)
    #expect(merge.conflicts.isEmpty)
    #expect(
      try KeyedTree(merge.ours) == KeyedTree(Array(#"{"a": {"x": 1}, "b": {"y": 2}, "c": 3}"#.utf8))
    )
  }

  @Test func theLayoutOfOursStays() throws {
    let merge = try Self.merge(
      base: "{\n\t\"a\" : 1,\n\t\"list\": []\n}\n", ours: "{\n\t\"a\" : 5,\n\t\"list\": []\n}\n",
      theirs: "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 1.50\n  },\n  \"list\": []\n}")
    #expect(
      String(decoding: merge.ours, as: UTF8.self)
        == "{\n\t\"a\" : 5,\n  \"b\": {\n    \"c\": 1.50\n  },\n\t\"list\": []\n}\n")
  }

  @Test func differentValuesOfOneKeyConflict() throws {
    let merge = try Self.merge(
      base: "{}", ours: #"{"a/b": {"x~": 1, "y": 1}}"#, theirs: #"{"a/b": {"x~": 2, "z": 1}}"#)
    #expect(merge.conflicts == ["/a~1b/x~0"])
    #expect(
      try KeyedTree(merge.ours) == KeyedTree(Array(#"{"a/b": {"x~": 1, "y": 1, "z": 1}}"#.utf8)))
    #expect(
      try KeyedTree(merge.theirs) == KeyedTree(Array(#"{"a/b": {"x~": 2, "y": 1, "z": 1}}"#.utf8)))
    #expect(try KeyedTree(merge.base) == KeyedTree(Array(#"{"a/b": {"y": 1, "z": 1}}"#.utf8)))
  }

  @Test func aRemovedMemberThatTheOtherSideChangedConflicts() throws {
    let merge = try Self.merge(
      base: #"{"a": {"x": 1}, "b": 2}"#, ours: #"{"b": 2}"#, theirs: #"{"a": {"x": 1, "y": 2}}"#)
    #expect(merge.conflicts == ["/a"])
    #expect(merge.ours == Array("{}".utf8))
  }

  @Test func objectsOfDifferentKindsAreTakenWhole() throws {
    let merge = try Self.merge(
      base: "{}", ours: #"{"p": {"type": "enum", "values": {"a": 1}}}"#,
      theirs: #"{"p": {"type": "date", "unit": "s"}}"#)
    #expect(merge.conflicts == ["/p"])
    #expect(
      try KeyedTree(merge.theirs) == KeyedTree(Array(#"{"p": {"type": "date", "unit": "s"}}"#.utf8))
    )
  }

  @Test func elementsAreIdentifiedByTheTable() throws {
    let merge = try Self.merge(
      base: #"{"list": [{"id": "1", "why": "a"}], "rest": [1]}"#,
      ours: #"{"list": [{"id": "1", "why": "a"}, {"id": "2", "why": "b"}], "rest": [1, 2]}"#,
      theirs:
        #"{"list": [{"id": "1", "file": "m", "why": "c"}, {"id": "1", "why": "d"}], "rest": [1]}"#
    )
    #expect(merge.conflicts.isEmpty)
    let expected =
      #"{"list": [{"id": "1", "file": "m", "why": "c"}, {"id": "1", "why": "d"}, "#
      + #"{"id": "2", "why": "b"}], "rest": [1, 2]}"#
    #expect(try KeyedTree(merge.ours) == KeyedTree(Array(expected.utf8)))
  }

  @Test func arraysWithoutIdentitiesAreTakenWhole() throws {
    let merge = try Self.merge(
      base: #"{"of": [1, 2]}"#, ours: #"{"of": [1, 2, 3]}"#, theirs: #"{"of": [0, 1, 2]}"#)
    #expect(merge.conflicts == ["/of"])
  }

  private static func merge(
    base: String?, ours: String, theirs: String
  ) throws -> KeyedMerge {
    func document(_ text: String) throws -> JSONDocument {
      try JSONDocument(parsing: Array(text.utf8))
    }
    return KeyedMerge(
      base: try base.map(document), ours: try document(ours), theirs: try document(theirs),
      layout: layout)
  }

  // MARK: - Laws

  /// The laws of a merge, and equality with a merge of dictionaries.
  @Test func lawsHold() throws {
    let seed = TestSeed.value()
    for number in 0..<TestSeed.count("BOXJOINT_SOAK_KEYED_MERGES", default: 4000) {
      var generator = KeyedFileGenerator(rng: SplitMix64(seed: seed &+ UInt64(number)))
      let base = generator.file()
      let (ours, theirs) = (generator.edited(base), generator.edited(base))
      let hasBase = !generator.rng.oneIn(8)
      try check(hasBase ? base : nil, ours, theirs, "seed \(seed &+ UInt64(number))")
    }
  }

  private func check(_ base: KeyedTree?, _ ours: KeyedTree, _ theirs: KeyedTree, _ comment: Comment)
    throws
  {
    let (b, x, y) = (try base?.document(), try ours.document(), try theirs.document())
    let merge = KeyedMerge(base: b, ours: x, theirs: y, layout: Self.layout)
    let mirrored = KeyedMerge(base: b, ours: y, theirs: x, layout: Self.layout)
    #expect(merge.conflicts == mirrored.conflicts, comment)
    #expect(merge.ours == mirrored.theirs, comment)
    #expect(merge.theirs == mirrored.ours, comment)
    for (side, answer) in [(merge.ours, KeyedTree.Answer.ours), (merge.theirs, .theirs)] {
      // Parsing refuses a key that is there twice.
      let tree = try KeyedTree(side)
      var expected = KeyedTreeMerge(answer: answer)
      #expect(expected.merge(base, ours, theirs) == tree, comment)
      #expect(expected.conflicts == merge.conflicts.count, comment)
      // Merged again with a side, the result stays.
      if merge.conflicts.isEmpty {
        let result = try JSONDocument(parsing: side)
        for other in [x, y] {
          let again = KeyedMerge(base: other, ours: result, theirs: other, layout: Self.layout)
          #expect(again.ours == side && again.conflicts.isEmpty, comment)
        }
      }
    }
    guard let b else { return }
    for other in [x, y] {
      for (ours, theirs) in [(other, b), (b, other), (other, other)] {
        let merge = KeyedMerge(base: b, ours: ours, theirs: theirs, layout: Self.layout)
        #expect(merge.ours == other.bytes && merge.conflicts.isEmpty, comment)
      }
    }
  }
}

/// The content of a file without its layout: members by key, and elements by identity.
private indirect enum KeyedTree: Hashable {
  case value(JSONValue)
  case members([String: KeyedTree])

  enum Answer { case ours, theirs }

  init(_ bytes: [UInt8]) throws {
    let document = try JSONDocument(parsing: bytes)
    self.init(document.exactValue(of: document.root), isList: false)
  }

  private init(_ value: JSONValue, isList: Bool) {
    switch value {
    case .object(let members):
      self = .members(
        Dictionary(
          uniqueKeysWithValues: members.map {
            ($0.key, KeyedTree($0.value, isList: $0.key == "list"))
          }))
    case .array(let elements) where isList:
      self = .members(
        Dictionary(
          uniqueKeysWithValues: elements.map {
            (
              "\($0["id"]?.text() ?? "-")/\($0["file"]?.text() ?? "-")",
              KeyedTree($0, isList: false)
            )
          }))
    default: self = .value(value)
    }
  }

  /// A file with this content, whose lists are found by the key that leads to them.
  func document() throws -> JSONDocument {
    try JSONDocument(parsing: Array((json(isList: false).text() + "\n").utf8))
  }

  private func json(isList: Bool) -> JSONValue {
    switch self {
    case .value(let value): value
    case .members(let members):
      isList
        ? .array(members.sorted { $0.key < $1.key }.map { $0.value.json(isList: false) })
        : .object(
          members.sorted { $0.key < $1.key }
            .map { JSONValue.Member($0.key, $0.value.json(isList: $0.key == "list")) })
    }
  }
}

/// The merge of contents, in a few lines.
private struct KeyedTreeMerge {
  var answer: KeyedTree.Answer
  var conflicts = 0

  mutating func merge(_ base: KeyedTree?, _ ours: KeyedTree?, _ theirs: KeyedTree?) -> KeyedTree? {
    if ours == theirs || theirs == base { return ours }
    if ours == base { return theirs }
    if case .members(let x)? = ours, case .members(let y)? = theirs, x["type"] == y["type"] {
      var before: [String: KeyedTree] = [:]
      if case .members(let members)? = base { before = members }
      var result: [String: KeyedTree] = [:]
      for key in Set(x.keys).union(y.keys).union(before.keys) {
        result[key] = merge(before[key], x[key], y[key])
      }
      return .members(result)
    }
    conflicts += 1
    return answer == .ours ? ours : theirs
  }
}

/// Makes files out of random numbers, with few keys, so that both sides often choose the same.
private struct KeyedFileGenerator {
  var rng: SplitMix64

  mutating func file() -> KeyedTree {
    .members([
      "schemaVersion": .value(1), "properties": members(depth: 3), "list": list(),
    ])
  }

  mutating func edited(_ tree: KeyedTree) -> KeyedTree {
    guard case .members(var members) = tree else { return tree }
    for _ in 0..<rng.below(5) {
      if rng.oneIn(2) {
        members["properties"] = changed(members["properties"], depth: 3)
      } else {
        members["list"] = changedList(members["list"])
      }
    }
    return .members(members)
  }

  private mutating func key() -> String { rng.pick(["a", "b", "c/d", "e~", "é", "f g"]) }

  private mutating func members(depth: Int) -> KeyedTree {
    var result: [String: KeyedTree] = [:]
    for _ in 0..<rng.below(4) { result[key()] = value(depth: depth - 1) }
    if rng.oneIn(3) { result["type"] = .value(rng.pick(["enum", "date"])) }
    return .members(result)
  }

  private mutating func value(depth: Int) -> KeyedTree {
    if depth > 0, !rng.oneIn(4) { return members(depth: depth) }
    return rng.oneIn(4) ? .value([1, .int(rng.below(2))]) : .value(.int(rng.below(3)))
  }

  private mutating func changed(_ tree: KeyedTree?, depth: Int) -> KeyedTree {
    guard case .members(var members)? = tree else { return value(depth: depth) }
    let key = members.keys.sorted().first.flatMap { rng.oneIn(2) ? $0 : nil } ?? key()
    switch rng.below(4) {
    case 0: members[key] = nil
    case 1: members[key] = value(depth: depth - 1)
    default: members[key] = changed(members[key], depth: depth - 1)
    }
    return .members(members)
  }

  private mutating func list() -> KeyedTree {
    var result = KeyedTree.members([:])
    for _ in 0..<rng.below(3) { result = changedList(result) }
    return result
  }

  private mutating func changedList(_ tree: KeyedTree?) -> KeyedTree {
    guard case .members(var members)? = tree else { return .members([:]) }
    let (id, file) = (rng.pick(["1", "2", "3"]), rng.pick(["m", "n"]))
    let hasFile = rng.oneIn(2)
    let key = "\(JSONValue.string(id).text())/\(hasFile ? JSONValue.string(file).text() : "-")"
    var element: [String: KeyedTree] = ["id": .value(.string(id))]
    if hasFile { element["file"] = .value(.string(file)) }
    if rng.oneIn(2) { element["why"] = .value(.int(rng.below(3))) }
    if rng.oneIn(2) { element["who"] = .value(.int(rng.below(3))) }
    members[key] = rng.oneIn(4) ? nil : .members(element)
    return .members(members)
  }
}
