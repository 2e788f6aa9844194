import Testing

@testable import BoxDump

/// The memory that readers of inputs read and write.
struct PaddedBytesTests {
  @Test func zerosFollowTheText() {
    PaddedBytes.withPadding([0x01, 0x02, 0x03]) { text in
      #expect((0..<4).map { text[$0] } == [1, 2, 3, 0])
      #expect(text[3 + 63] == 0)
      #expect(text.word(at: 0) == 0x03_0201)
      #expect(text.word(at: 3 + 64 - 8) == 0)
    }
  }

  @Test func bytesAreFoundInTheirRangeAlone() {
    PaddedBytes.withPadding(Array("a,b,c".utf8)) { text in
      #expect(text.firstIndex(of: UInt8(ascii: ","), in: 2..<5) == 3)
      #expect(text.firstIndex(of: UInt8(ascii: ","), in: 2..<3) == nil)
      #expect(text.has(Array("b,".utf8), at: 2))
      #expect(!text.has(Array("b,".utf8), at: 1))
      #expect(text.has([], at: 5))
    }
  }

  @Test(arguments: [-1, 3 + 64 - 1])
  func noPartIsReadOutsideOfTheZeros(index: Int) async {
    await #expect(processExitsWith: .failure) { [index = index as Int] in
      PaddedBytes.withPadding([1, 2, 3]) { text in _ = text.has([0, 0], at: index) }
    }
  }

  @Test func grownMemoryKeepsItsElements() {
    var memory = FixedMemory([1, 2])
    memory[1] = 5
    memory.grow(to: 4, with: 9)
    #expect((0..<memory.count).map { memory[$0] } == [1, 5, 9, 9])
  }

  @Test(arguments: [-1, 2])
  func noElementIsWrittenOutsideOfItsMemory(index: Int) async {
    await #expect(processExitsWith: .failure) { [index = index as Int] in
      let memory = FixedMemory([1, 2])
      memory[index] = 3
    }
  }

  @Test func bytesBesideTheTextAreAddedWhereThereIsRoom() async {
    var side = SideBytes()
    side.append(UInt8(7))
    side.align()
    side.append([UInt16](repeating: 0x0201, count: 300))
    #expect(side.count == 616)
    #expect(unsafe Array(side[0..<1]) == [7] && Array(side[612..<616]) == [1, 2, 1, 2])
    side.removeAll(from: 1)
    #expect(side.count == 1)
    await #expect(processExitsWith: .failure) {
      var side = SideBytes()
      for _ in 0...256 { side.append(UInt8(0)) }
    }
  }
}
