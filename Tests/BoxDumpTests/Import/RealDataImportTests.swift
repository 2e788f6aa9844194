import BoxConvert
import BoxDump
import BoxEngine
import BoxJSON
import BoxModel
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The JSON of `../shared/data` beside the package; it is not part of it.
private enum RealFiles {
  static let directory =
    "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/../shared/data"

  static var areAvailable: Bool { access("\(directory)/countries.json", R_OK) == 0 }
}

/// The three real data sets go in by a model and a catalogue, out, and in again.
@Suite(.enabled(if: RealFiles.areAvailable, "../shared/data is not there"))
struct RealDataImportTests {
  @Test func films() throws {
    let model = try Self.model(
      """
      {"id":"1:10","lastPropertyId":"10:110","name":"Film","properties":[
      {"id":"1:101","name":"id","type":6,"flags":1},{"id":"2:102","name":"title","type":9},
      {"id":"3:103","name":"year","type":5,"flags":8,"indexId":"1:901"},
      {"id":"4:104","name":"genres","type":30},{"id":"5:105","name":"href","type":9},
      {"id":"6:106","name":"extract","type":9},{"id":"7:107","name":"thumbnail","type":9},
      {"id":"8:108","name":"thumbnail_width","type":5},
      {"id":"9:109","name":"thumbnail_height","type":5}],
      "relations":[{"id":"1:801","name":"cast","targetId":"2:20"}]},
      {"id":"2:20","lastPropertyId":"2:202","name":"Person","properties":[
      {"id":"1:201","name":"id","type":6,"flags":1},
      {"id":"2:202","name":"name","type":9,"flags":2080,"indexId":"2:902"}]}
      """, entities: "2:20", indexes: "2:902", relations: "1:801")
    let catalogue = try Catalogue([
      "properties": ["Film.thumbnail": "url"],
      "mappings": [
        "Film": ["relations": ["cast": ["from": "/cast", "to": "Person", "key": "name"]]]
      ],
    ])
    let totals = try roundTrip("movies-2010s", "Film", model, catalogue)
    // Counted by another program.
    #expect(totals.entities.map(\.objects) == [2512, 8470])
    #expect(totals.relations.map(\.targets) == [19_849])
  }

  @Test func countries() throws {
    let model = try Self.model(
      """
      {"id":"1:10","lastPropertyId":"9:109","name":"Country","properties":[
      {"id":"1:101","name":"id","type":6,"flags":1},{"id":"2:102","name":"name","type":9},
      {"id":"3:103","name":"cca3","type":9,"flags":2080,"indexId":"1:901"},
      {"id":"4:104","name":"latitude","type":8},{"id":"5:105","name":"area","type":8},
      {"id":"6:106","name":"altSpellings","type":30},
      {"id":"7:107","name":"translations","type":9},{"id":"8:108","name":"languages","type":30},
      {"id":"9:109","name":"unMember","type":1}],
      "relations":[{"id":"1:801","name":"borders","targetId":"1:10"}]}
      """, entities: "1:10", indexes: "1:901", relations: "1:801")
    let catalogue = try Catalogue([
      "mappings": [
        "Country": [
          "properties": [
            "name": "/name/common", "latitude": "/latlng/0",
            "translations": ["from": "/translations", "as": "json"],
            "languages": ["from": "/languages", "as": "values"],
          ],
          "relations": ["borders": ["from": "/borders", "to": "Country", "key": "cca3"]],
        ]
      ]
    ])
    let totals = try roundTrip("countries", "Country", model, catalogue) {
      // Borders lead to countries that come later.
      $0.mode = .upsert
      $0.match = "Country.cca3"
    }
    #expect(totals.entities.map(\.objects) == [250])
  }

  @Test func regions() throws {
    let model = try Self.model(
      """
      {"id":"1:10","lastPropertyId":"3:103","name":"Region","properties":[
      {"id":"1:101","name":"id","type":6,"flags":1},
      {"id":"2:102","name":"code","type":9,"flags":2080,"indexId":"1:901"},
      {"id":"3:103","name":"name","type":9}]}
      """, entities: "1:10", indexes: "1:901", relations: "0:0")
    let count = try Self.elementCount("admin2")
    let totals = try roundTrip("admin2", "Region", model, .empty)
    #expect(totals.entities.map(\.objects) == [count])
  }

  /// Imports a data set, exports it and imports that; what the dump has.
  private func roundTrip(
    _ name: String, _ entity: String, _ model: ModelDocument, _ catalogue: Catalogue,
    _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> DumpTotals {
    let fixture = try ImportFixture()
    let store = try fixture.open("a", model)
    try fixture.load("\(RealFiles.directory)/\(name).json", into: store) {
      $0.entity = entity
      $0.catalogue = catalogue
      $0.unknown = .ignore
      change(&$0)
    }
    try fixture.export(store, to: "first")
    let copy = try fixture.open("b", model)
    try fixture.load(fixture.path("first"), into: copy)
    try fixture.export(copy, to: "second")
    #expect(try fixture.directory.bytes(of: "first") == fixture.directory.bytes(of: "second"))
    #expect(try copy.verify().isEmpty)
    return try fixture.totals(store)
  }

  private static func elementCount(_ name: String) throws -> Int {
    let path = "\(RealFiles.directory)/\(name).json"
    let document = try JSONDocument(parsing: TemporaryDirectory().bytes(of: path))
    return document.elements(of: document.root).count
  }

  private static func model(
    _ entities: String, entities last: String, indexes: String, relations: String
  ) throws -> ModelDocument {
    try ModelDocument(
      parsing: Array(
        """
        {"entities":[\(entities)],"lastEntityId":"\(last)","lastIndexId":"\(indexes)",
        "lastRelationId":"\(relations)","modelVersion":5,"modelVersionParserMinimum":5,"version":1}
        """.utf8))
  }
}
