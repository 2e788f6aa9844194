import BoxModel
import BoxReport
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Every rule that a user can meet is explained.
struct RuleEntriesTests {
  private static let package =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  private func text(of path: String) throws -> String {
    let file = try #require(fopen("\(Self.package)/\(path)", "r"), "\(path)")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func headings() throws -> [Substring] {
    try text(of: "docs/rules.md").split(separator: "\n").filter { $0.hasPrefix("### ") }
  }

  @Test func everyRuleOfModelsHasAnEntry() throws {
    let headings = try headings()
    for rule in ModelRule.all {
      #expect(headings.contains("### \(rule.id) \(rule.name)"), "\(rule.id) \(rule.name)")
    }
    #expect(Set(ModelRule.all.map(\.id)).count == ModelRule.all.count)
    #expect(Set(ModelRule.all.map(\.name)).count == ModelRule.all.count)
  }

  @Test func everyRuleOfMergesHasAnEntry() throws {
    let headings = try headings()
    let source = try text(of: "Sources/BoxMerge/Report/MergeRule.swift")
    let ids = source.split(separator: "\"").filter { $0.count == 6 && $0.hasPrefix("BOX") }
    #expect(ids.count > 20)
    for id in ids { #expect(headings.contains { $0.hasPrefix("### \(id) ") }, "\(id)") }
  }

  @Test(arguments: [
    ("BoxEngine/Catalog/OpeningRule", 16), ("BoxEngine/Maintenance/StoreRule", 11),
    ("BoxConvert/Check/ConverterRule", 22), ("BoxModelTool/Configuration/ReviewRule", 4),
    ("BoxGenerator/GeneratorRule", 28),
  ])
  func everyRuleOfStoresAndConvertersHasAnEntry(_ file: String, _ count: Int) throws {
    let headings = try headings()
    let source = try text(of: "Sources/\(file).swift")
    let words = source.split(separator: "\"")
    let rules = words.indices.filter { words[$0].count == 6 && words[$0].hasPrefix("BOX") }
    #expect(rules.count == count)
    // The id, what stands between, and the name.
    for rule in rules {
      #expect(headings.contains("### \(words[rule]) \(words[rule + 2])"), "\(words[rule])")
    }
  }
}
