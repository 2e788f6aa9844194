import BoxConvert
import BoxJSON
import BoxModel
import TestSupport
import Testing

/// Objects out of foreign JSON.
struct MappingTests {
  private func mapping(_ json: JSONValue) throws -> EntityMapping {
    try #require(try Catalogue(["mappings": ["E": json]]).mapping(entity: "e"))
  }

  /// RFC 6901, section 5.
  @Test(arguments: [
    ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
    ("/e^f", "3"), ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"),
  ])
  func pointersAreThoseOfTheRFC(_ text: String, _ value: String) throws {
    let document: JSONValue = [
      "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6,
      " ": 7, "m~n": 8,
    ]
    let pointer = try #require(JSONPointer(text))
    #expect(pointer.value(in: document)?.text(indent: 0) == value)
    #expect(pointer.description == text)
    #expect(JSONPointer("")?.value(in: document) == document)
  }

  @Test(arguments: ["a", "/~", "/~2"])
  func invalidPointersAreRefused(_ text: String) { #expect(JSONPointer(text) == nil) }

  @Test(arguments: ["/foo/-", "/foo/01", "/foo/2", "/foo/0/x", "/bar", "/foo/+1"])
  func nothingIsThere(_ text: String) throws {
    let pointer = try #require(JSONPointer(text))
    #expect(pointer.value(in: ["foo": ["bar", "baz"]]) == nil)
  }

  @Test func valuesComeFromPathsAndNames() throws {
    let mapping = try mapping([
      "properties": [
        "common": "/name/common", "extra": ["from": "/more", "as": "json"],
        "tags": ["from": "/tags", "as": "join", "separator": "; "],
        "first": ["from": "/tags", "as": "first"], "codes": ["from": "/money", "as": "keys"],
      ],
      "relations": ["cast": ["from": "/cast", "to": "Person", "key": "name"]],
    ])
    let object = try mapping.map([
      "name": ["common": "X"], "more": ["a": [1]], "tags": ["p", "q"],
      "money": ["EUR": 1, "USD": 2],
      "cast": ["A", "B", "A"], "year": 2010, "first": "not this one",
    ])
    let values = Dictionary(uniqueKeysWithValues: object.values.map { ($0.property, $0.json) })
    #expect(
      values == [
        "common": "X", "extra": #"{"a":[1]}"#, "tags": "p; q", "first": "p",
        "codes": ["EUR", "USD"], "year": 2010, "name": ["common": "X"],
      ])
    #expect(object.values.filter { !$0.isMapped }.map(\.property) == ["name", "year"])
    #expect(object.links.count == 1)
    #expect(object.links.first?.keys == ["A", "B"])
    #expect(object.links.first?.target == "Person")
  }

  @Test func nestedObjectsAreFlattened() throws {
    let mapping = try mapping(["flatten": "_", "properties": ["lat": "/at/0"]])
    let object = try mapping.map(["a": ["b": ["c": 1], "d": .null], "at": [7, 8], "e": []])
    #expect(object.values.map(\.property) == ["lat", "a_b_c", "a_d", "at", "e"])
    #expect(object.values.map(\.json) == [7, 1, .null, [7, 8], []])
    #expect(object.values[1].pointer.description == "/a/b/c")
  }

  @Test func theRestIsText() throws {
    let mapping = try mapping(["rest": "other", "properties": ["a": "/a"]])
    let object = try mapping.map(["a": 1, "b": 2, "c": [true]])
    #expect(object.values.map(\.property) == ["a", "other"])
    #expect(object.values.last?.json == #"{"b":2,"c":[true]}"#)
  }

  @Test func valuesThatDoNotFitAreNamed() throws {
    let mapping = try mapping([
      "properties": ["t": ["from": "/t", "as": "join"]],
      "relations": ["r": ["from": "/r", "to": "T", "key": "k"]],
    ])
    let failures: [(JSONValue, String)] = [
      ([], "the object: expected an object"), (["t": 1], "/t: expected a list"),
      (["t": [1]], "/t: expected a list of texts"),
      (["r": [["x": 1]]], "/r: expected texts or numbers, the values of T.k"),
    ]
    for (document, message) in failures {
      let error = #expect(throws: MappingError.self) { try mapping.map(document) }
      #expect(error?.description == message)
    }
    #expect(try mapping.map(["t": .null, "r": .null]).links.first?.keys == [])
    #expect(try mapping.map([:]).links == [])
  }
}

/// The three real data sets, with nothing but a catalogue.
@Suite(.enabled(if: RealData.isAvailable, "../shared/data is not there"))
struct RealDataMappingTests {
  @Test func films() throws {
    let catalogue = try Catalogue([
      "properties": ["Film.thumbnail": "url"],
      "mappings": [
        "Film": [
          "properties": [
            "thumbnailWidth": "/thumbnail_width", "thumbnailHeight": "/thumbnail_height",
          ],
          "relations": ["cast": ["from": "/cast", "to": "Person", "key": "name"]],
        ]
      ],
    ])
    let mapping = try #require(catalogue.mapping(entity: "Film"))
    let films = try RealData.elements("movies-2010s")
    var people: Set<JSONValue> = []
    var links = 0
    for film in films {
      let object = try mapping.map(film)
      for link in object.links {
        links += link.keys.count
        people.formUnion(link.keys)
      }
      #expect(!object.values.contains { $0.property == "cast" })
      for value in object.values {
        guard let binding = catalogue.binding(entity: "Film", property: value.property) else {
          continue
        }
        let converter = try #require(
          try catalogue.converter(
            entity: binding.entity, property: binding.property, type: .string, flags: []))
        #expect(throws: Never.self) { try converter.stored(value.json) }
      }
    }
    // Counted by another program.
    #expect(films.count == 2512)
    #expect(people.count == 8470)
    #expect(links == 19_849)
  }

  @Test func countries() throws {
    let catalogue = try Catalogue([
      "mappings": [
        "Country": [
          "properties": [
            "name": "/name/common", "officialName": "/name/official",
            "nativeNames": ["from": "/name/native", "as": "json"],
            "latitude": "/latlng/0", "longitude": "/latlng/1",
            "capital": ["from": "/capital", "as": "first"],
            "translations": ["from": "/translations", "as": "json"],
            "currencies": ["from": "/currencies", "as": "keys"],
            "languages": ["from": "/languages", "as": "values"],
            "idd": ["from": "/idd", "as": "json"], "demonyms": ["from": "/demonyms", "as": "json"],
          ],
          "relations": ["borders": ["from": "/borders", "to": "Country", "key": "cca3"]],
        ]
      ]
    ])
    let mapping = try #require(catalogue.mapping(entity: "Country"))
    let countries = try RealData.elements("countries")
    #expect(countries.count == 250)
    var codes: Set<JSONValue> = []
    var borders: [JSONValue] = []
    for country in countries {
      let object = try mapping.map(country)
      let values = Dictionary(uniqueKeysWithValues: object.values.map { ($0.property, $0.json) })
      #expect(values["name"]?.kind == .string)
      #expect(values["latitude"]?.kind == .number)
      // What a mapping makes of a nested object is flat.
      for name in ["translations", "idd", "nativeNames"] {
        guard case .string(let text)? = values[name] else {
          Issue.record("\(name) is not a text")
          continue
        }
        #expect(throws: Never.self) { try JSONDocument(parsing: Array(text.utf8)) }
      }
      if let code = values["cca3"] { codes.insert(code) }
      borders += object.links.flatMap(\.keys)
    }
    #expect(codes.count == 250)
    // Every neighbour is a country of the file.
    #expect(borders.allSatisfy(codes.contains))
  }

  @Test func regionsNeedNoMapping() throws {
    let regions = try RealData.elements("admin2")
    #expect(regions.count == 47_549)
    #expect(regions.allSatisfy { $0["code"]?.kind == .string && $0["name"]?.kind == .string })
  }

  /// Each rule finds its member without a search of the whole object, also in a nested one.
  @Test(.growth) func growthOfAnObjectThatIsMapped() throws {
    let power = try growth(of: 500) { size in
      let members = (0..<size).map { JSONValue.Member("key\($0)", .int($0)) }
      let rules = (0..<size).flatMap { number -> [JSONValue.Member] in
        [
          .init("p\(number)", .string("/key\(number)")),
          .init("q\(number)", .string("/inner/key\(number)")),
        ]
      }
      let catalogue = try Catalogue(["mappings": ["Thing": ["properties": .object(rules)]]])
      let mapping = try #require(catalogue.mapping(entity: "Thing"))
      let document = JSONValue.object(members + [.init("inner", .object(members))])
      return {
        let mapped = try mapping.map(document)
        let json = mapped.values.filter(\.isMapped).map(\.json)
        #expect(json == (0..<size).flatMap { [.int($0), .int($0)] })
      }
    }
    #expect(power < 1.6)
  }

  /// In an object of any size the first of equal keys counts, and what is no member is not found.
  @Test(arguments: [2, 31, 32, 33, 100])
  func membersOfObjectsOfAnySizeAreFound(count: Int) throws {
    let members = (0..<count).map { JSONValue.Member("k\($0)", .int($0)) }
    let document = JSONValue.object(members + [.init("k1", "late"), .init("list", .array(["x"]))])
    let catalogue = try Catalogue([
      "mappings": [
        "Thing": [
          "properties": [
            "a": "/k1", "b": "/list/0", "c": "/list/00", "d": "/k1/k1", "e": "/missing", "f": "/K1",
          ]
        ]
      ]
    ])
    let mapping = try #require(catalogue.mapping(entity: "Thing"))
    let mapped = try mapping.map(document).values.filter(\.isMapped)
    #expect(mapped.map(\.property) == ["a", "b"])
    #expect(mapped.map(\.json) == [1, "x"])
  }
}
