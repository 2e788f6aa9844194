import TestSupport
import Testing

@testable import BoxWorkspace

/// The licences at the end of a program.
struct LicenceNoticesTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func appended(to bytes: [UInt8]) throws -> [UInt8]? {
    try directory.write(bytes, to: "program")
    return try LicenceNotices.appended(to: directory.path(of: "program"))
  }

  private func tail(_ count: Int) -> [UInt8] {
    let digits = String(count)
    return Array((String(repeating: "0", count: 10 - digits.count) + digits).utf8)
      + Array(LicenceNotices.mark.utf8)
  }

  @Test func appendedTextIsRead() throws {
    var random = TestSeed.next()
    for _ in 0..<200 {
      func bytes(_ limit: Int) -> [UInt8] {
        (0..<random.below(limit)).map { _ in UInt8(random.below(256)) }
      }
      let (program, texts) = (bytes(5000), bytes(3000))
      #expect(try appended(to: program + texts + tail(texts.count)) == texts)
    }
  }

  @Test func aProgramWithoutLicencesHasNone() throws {
    let texts = Array("Apache License".utf8)
    #expect(try appended(to: []) == nil)
    #expect(try appended(to: Array("\u{7f}ELF".utf8)) == nil)
    #expect(try appended(to: texts + tail(texts.count).dropLast()) == nil)
    #expect(try appended(to: texts + Array(LicenceNotices.mark.utf8)) == nil)
  }

  @Test(arguments: ["9999999999", "0000000015", "-000000001", "+000000001", "00000000 1"])
  func anImpossibleNumberIsRefused(_ number: String) throws {
    let file = Array("Apache License".utf8) + Array((number + LicenceNotices.mark).utf8)
    #expect(try appended(to: file) == nil)
  }

  @Test func anUnpackagedProgramSaysSo() {
    let text = String(decoding: LicenceNotices.ofThisProgram(), as: UTF8.self)
    #expect(text.contains("scripts/package"))
  }
}
