import BoxJSON
import TestSupport
import Testing

@testable import BoxModelTool

struct YAMLReaderTests {
  @Test func structureAndPlacesAreRead() throws {
    let text = "# c\na: [x, 'null']\nb:\n  c: ~\n  \u{FC}: \"q\\n\"\n"
    let root = try #require(try YAMLReader.read(Array(text.utf8)))
    guard case .mapping(let members) = root.content, members.count == 2,
      case .sequence(let list) = members[0].value.content,
      case .mapping(let inner) = members[1].value.content
    else {
      Issue.record("another structure: \(root)")
      return
    }
    #expect(members.map(\.key) == ["a", "b"])
    #expect(members[0].keyPosition == JSONPosition(line: 2, column: 1))
    #expect(list[0].content == .scalar("x", isPlain: true))
    #expect(list[1].position == JSONPosition(line: 2, column: 8))
    #expect(!list[1].isNull)
    #expect(inner[0].value.isNull)
    #expect(inner[1].value.content == .scalar("q\n", isPlain: false))
    #expect(inner[1].value.position == JSONPosition(line: 5, column: 6))
  }

  /// Two keys that only look alike are two keys.
  @Test func lookalikeKeysAreTwo() throws {
    var random = TestSeed.next()
    for _ in 0..<200 {
      let pair = Lookalikes.pair(&random, folds: true)
      let root = try YAMLReader.read(Array("\"\(pair.first)\": 1\n\"\(pair.second)\": 2\n".utf8))
      guard case .mapping(let members)? = root?.content else {
        Issue.record("no mapping")
        return
      }
      #expect(members.map { ExactText($0.key) } == [ExactText(pair.first), ExactText(pair.second)])
    }
  }

  @Test(arguments: ["", "\n", "# only a comment\n", "---\n...\n"])
  func nothingIsNothing(text: String) throws {
    let root = try YAMLReader.read(Array(text.utf8))
    #expect(root?.isNull ?? true)
  }

  @Test(arguments: [
    ("a: &x 1\n", "anchors", 1, 4), ("a: 1\nb: *x\n", "aliases", 2, 4),
    ("a: !!str 1\n", "tags", 1, 4), ("a: !x [1]\n", "tags", 1, 4),
    ("a: 1\nb: 2\na: 3\n", "twice", 3, 1), ("a: 1\n---\nb: 2\n", "second document", 2, 1),
    ("? [x]\n: 1\n", "must be a text", 1, 3), ("a: [1\n", "", 2, 1), ("a: 'x\n", "", 2, 1),
    ("a:\n\t- b\n", "", 2, 1), ("%YAML 9.9\n---\na: 1\n", "", 1, 1),
  ])
  func whatIsNotTakenHasAPlace(text: String, words: String, line: Int, column: Int) {
    let error = #expect(throws: YAMLError.self) { try YAMLReader.read(Array(text.utf8)) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.position == JSONPosition(line: line, column: column))
  }

  @Test func badEncodingHasAPlace() {
    let bytes = Array("a: 1\n\u{FC}: ".utf8) + [0xFF, 0x0A]
    let error = #expect(throws: YAMLError.self) { try YAMLReader.read(bytes) }
    #expect(error?.position == JSONPosition(line: 2, column: 4))
  }

  @Test func sizeAndDepthAreLimited() {
    let large = [UInt8](repeating: 0x23, count: YAMLReader.maximumSize + 1)
    #expect(throws: YAMLError.self) { try YAMLReader.read(large) }
    let deep = Array((String(repeating: "[", count: 100_000)).utf8)
    #expect(throws: YAMLError.self) { try YAMLReader.read(deep) }
    let allowed = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
    #expect(throws: Never.self) { try YAMLReader.read(Array(allowed.utf8)) }
    #expect(throws: YAMLError.self) { try YAMLReader.read(Array("[\(allowed)]".utf8)) }
  }

  /// Whatever the bytes are, there is a tree or an error, and never a crash.
  @Test func damagedTextsEndInErrors() {
    var state = TestSeed.next()
    let base = Array(
      "published:\n  - main\n  - 'v*'\ncheck: {ignore: [BOX101, \"x\\u00e9\"]}\n".utf8)
    for _ in 0..<20_000 {
      var bytes = base
      for _ in 0..<Int.random(in: 1...4, using: &state) {
        let index = Int.random(in: bytes.indices, using: &state)
        switch UInt8.random(in: 0...2, using: &state) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &state)
        case 1: bytes.remove(at: index)
        default:
          bytes.insert(
            "&*!{}[]:,-'\"\n\t|>%@`?# \0".utf8.randomElement(using: &state) ?? 0, at: index)
        }
      }
      _ = try? ConfigurationFile.parse(bytes, path: "x")
    }
  }
}
