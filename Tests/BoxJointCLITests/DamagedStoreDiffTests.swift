import TestSupport
import Testing

/// `export` and `dump diff` answer one question: what is in a store.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built"))
struct DamagedStoreDiffTests {
  private static let model = """
    {"entities":[{"id":"1:1001","lastPropertyId":"1:2001","name":"Person","properties":[
    {"id":"1:2001","name":"id","type":6,"flags":1}],
    "relations":[{"id":"1:4001","name":"friends","targetId":"1:1001"}]}],
    "lastEntityId":"1:1001","lastIndexId":"0:0","lastRelationId":"1:4001",
    "modelVersion":5,"modelVersionParserMinimum":5,"version":1}
    """

  /// Each id in the file that becomes another one is damage to both, or to neither.
  @Test func aChangedEntryIsNoDifference() async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.model, to: "model.json")
    try folder.write(
      """
      {"Person":{"id":11}}
      {"Person":{"id":12}}
      {"Person":{"id":13}}
      {"Person.friends":{"source":11,"targets":[12]}}

      """, to: "people.ndjson")
    let made = try await runTool(
      ["import", "--store", "data", "--model", "model.json", "people.ndjson"], in: folder.path)
    #expect(made.status == 0, "\(made.messages)")
    let whole = try folder.bytes(of: "data/data.mdb")
    var refused = 0
    for offset in whole.indices where whole[offset] == 12 && offset % 8 == 0 {
      var damaged = whole
      damaged[offset] = 13
      try folder.write(damaged, to: "damaged/data.mdb")
      let export = try await runTool(["export", "--store", "damaged"], in: folder.path)
      let diff = try await runTool(
        ["dump", "diff", "store:data", "store:damaged"], in: folder.path)
      if export.status == 65 {
        refused += 1
        #expect(diff.status == 65, "\(offset): \(diff.text)\(diff.messages)")
      }
    }
    #expect(refused > 0)
  }
}
