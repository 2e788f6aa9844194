import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxEngine

/// Work on an input of twice the size takes about twice the time, whatever the input is made of.
struct GrowthTests {
  private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      part.withUnsafeBufferPointer { ByteOrder.contains(bytes, $0) }
    }
  }

  /// Bytes that repeat a few others, with some that do not fit.
  private static func repeated(
    _ unit: [UInt8], _ count: Int, _ random: inout SplitMix64
  ) -> [UInt8] {
    var bytes = (0..<count).map { unit[$0 % unit.count] }
    for _ in 0..<random.below(4) where count > 0 {
      bytes[random.below(count)] = UInt8(random.below(3))
    }
    return bytes
  }

  @Test func partsOfRepeatedBytesAreFound() throws {
    var random = TestSeed.next()
    var found = [false: 0, true: 0]
    for _ in 0..<1000 {
      let unit = (0...random.below(4)).map { _ in UInt8(random.below(3)) }
      let bytes = Self.repeated(unit, random.below(2000), &random)
      let part = Self.repeated(unit, random.below(700), &random)
      let expected =
        bytes.count >= part.count
        && (0...(bytes.count - part.count)).contains { bytes[$0...].starts(with: part) }
      try #require(Self.contains(bytes, part) == expected, "\(bytes) \(part)")
      found[expected, default: 0] += 1
    }
    #expect(found.values.allSatisfy { $0 > 50 }, "\(found)")
  }

  /// A part that is found nearly everywhere, and nowhere to its end.
  @Test(
    .growth,
    arguments: [
      (UInt8(ascii: "a"), [UInt8(ascii: "a"), UInt8(ascii: "b")]), (UInt8(ascii: "b"), []),
    ])
  func growthOfTextsWithAPart(first: UInt8, end: [UInt8]) throws {
    for ignoringCase in [false, true] {
      let power = try growth(of: 5000) { size in
        let part = [first] + [UInt8](repeating: UInt8(ascii: "a"), count: size) + end
        let text = [UInt8](repeating: UInt8(ascii: "A"), count: 100 * size).map {
          ignoringCase ? $0 : $0 | 0x20
        }
        let folded = ignoringCase ? CaseFolding.fold(part) : part
        return { #expect(!Self.contains(ignoringCase ? CaseFolding.fold(text) : text, folded)) }
      }
      #expect(power < 1.75, "\(ignoringCase)")
    }
  }

  /// The catalog has all elements, and is not written for each index.
  @Test(.growth) func growthOfDeferredIndexes() throws {
    let power = try growth(of: 100) { size in
      var model = TestModel()
      model.entities = (0..<size).map { number in
        .init(
          name: "E\(number)", uid: UID(1000 * (number + 1)),
          fields: [.init(name: "value", type: .long, flags: .indexed)])
      }
      var options = StoreOptions()
      options.defersIndexes = true
      options.storesCheckpoints = true
      let store = try ObjectStore.open(
        .ownMemory(), model: model.document(), options: options)
      #expect(store.lacksIndexes)
      return { () throws in
        let built = try store.buildIndexes()
        #expect(!built.lacksIndexes)
      }
    }
    #expect(power < 1.75)
  }
}
