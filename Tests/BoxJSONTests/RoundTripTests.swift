import BoxJSON
import TestSupport
import Testing

/// Written values read back as the same values.
struct RoundTripTests {
  private let decoder = JSONValueDecoder()

  @Test(
    arguments: [0, 1, 2, 4], [JSONEscaping.standard, .standardAndLineSeparators, .html, .ascii])
  func generatedValuesReadBack(indent: Int, escaping: JSONEscaping) throws {
    var random = TestSeed.next()
    for _ in 0..<500 {
      let value = generated(&random, depth: 0)
      let text = value.text(indent: indent, escaping: escaping)
      let document = try JSONDocument(parsing: Array(text.utf8))
      let read = self.value(document.root, in: document)
      try #require(read == value)
      // Equal strings of Swift can differ in their scalars; their texts cannot.
      try #require(read.text(indent: indent, escaping: escaping).utf8.elementsEqual(text.utf8))
    }
  }

  private func value(_ node: JSONNode, in document: JSONDocument) -> JSONValue {
    switch document.kind(of: node) {
    case .null: .null
    case .bool: decoder.bool(node, in: document).map(JSONValue.bool) ?? .null
    case .string: decoder.string(node, in: document).map(JSONValue.string) ?? .null
    case .array: .array(document.elements(of: node).map { value($0, in: document) })
    case .object:
      .object(
        document.members(of: node).map { .init(document.key($0), value($1, in: document)) })
    case .number:
      if let integer = decoder.integer(node, in: document, as: Int.self) {
        .int(integer)
      } else if let integer = decoder.integer(node, in: document, as: UInt64.self) {
        .uint(integer)
      } else {
        decoder.double(node, in: document).map(JSONValue.double) ?? .null
      }
    }
  }

  private func generated(_ random: inout SplitMix64, depth: Int) -> JSONValue {
    switch random.below(depth > 4 ? 6 : 8) {
    case 0: .null
    case 1: .bool(random.oneIn(2))
    case 2: .int(Int(bitPattern: UInt(random.next())) >> random.below(64))
    case 3: .uint(UInt64(Int.max) + 1 + random.next() >> 1)
    case 4: .double(finiteDouble(&random))
    case 5: .string(string(&random))
    case 6: .array((0..<random.below(6)).map { _ in generated(&random, depth: depth + 1) })
    default:
      .object(
        (0..<random.below(20)).map {
          .init("\($0):" + string(&random), generated(&random, depth: depth + 1))
        })
    }
  }

  private func finiteDouble(_ random: inout SplitMix64) -> Double {
    let value = Double(bitPattern: random.next())
    return value.isFinite ? value : -0.0
  }

  private func string(_ random: inout SplitMix64) -> String {
    var scalars = String.UnicodeScalarView()
    for _ in 0..<random.below(12) {
      let limit = random.pick([0x20, 0x80, 0x800, 0x1_0000, 0x11_0000])
      if let scalar = Unicode.Scalar(UInt32(random.below(limit))) { scalars.append(scalar) }
    }
    return String(scalars)
  }
}
