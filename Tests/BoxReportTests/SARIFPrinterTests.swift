import BoxJSON
import BoxReport
import Testing

struct SARIFPrinterTests {
  @Test func printsALog() {
    var report = Samples.report(
      Samples.bear, Samples.version, checked: ["app/model.json", "b.json"])
    report.tool.informationURI = "https://example.org/"
    report.tool.ruleHelpURIPrefix = "https://example.org/rules#"
    // The fingerprints are FNV-1a of "BOX104", FF, "app/model.json", FF, FF and of "BOX111", FF,
    // "app/model.json", FF, the line without its indentation, FF, calculated apart from this code.
    let expected = #"""
      {
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [
          {
            "tool": {
              "driver": {
                "name": "boxjoint",
                "version": "1.2.3",
                "informationUri": "https://example.org/",
                "rules": [
                  {
                    "id": "BOX104",
                    "name": "old-version",
                    "shortDescription": {
                      "text": "The file is of a current version."
                    },
                    "helpUri": "https://example.org/rules#box104",
                    "defaultConfiguration": {
                      "level": "note"
                    }
                  },
                  {
                    "id": "BOX111",
                    "name": "duplicate-entity-id",
                    "shortDescription": {
                      "text": "Each entity has an id of its own."
                    },
                    "helpUri": "https://example.org/rules#box111",
                    "defaultConfiguration": {
                      "level": "error"
                    }
                  }
                ]
              }
            },
            "invocations": [
              {
                "executionSuccessful": true
              }
            ],
            "originalUriBaseIds": {
              "%SRCROOT%": {
                "description": {
                  "text": "The directory in which the tool was run"
                }
              }
            },
            "columnKind": "unicodeCodePoints",
            "artifacts": [
              {
                "location": {
                  "uri": "app/model.json",
                  "uriBaseId": "%SRCROOT%"
                }
              },
              {
                "location": {
                  "uri": "b.json",
                  "uriBaseId": "%SRCROOT%"
                }
              }
            ],
            "results": [
              {
                "ruleId": "BOX104",
                "ruleIndex": 0,
                "level": "note",
                "message": {
                  "text": "the file is of version 4"
                },
                "locations": [
                  {
                    "physicalLocation": {
                      "artifactLocation": {
                        "uri": "app/model.json",
                        "uriBaseId": "%SRCROOT%",
                        "index": 0
                      }
                    }
                  }
                ],
                "partialFingerprints": {
                  "boxjointFinding/v1": "10f3f4f4a7609f03:1"
                }
              },
              {
                "ruleId": "BOX111",
                "ruleIndex": 1,
                "level": "error",
                "message": {
                  "text": "entity Bear has the id 1, which entity Ant has\nhelp: give Bear the next free id\nfix: change the id to 2 (boxjoint check --fix app/model.json)"
                },
                "locations": [
                  {
                    "physicalLocation": {
                      "artifactLocation": {
                        "uri": "app/model.json",
                        "uriBaseId": "%SRCROOT%",
                        "index": 0
                      },
                      "region": {
                        "startLine": 6,
                        "startColumn": 13,
                        "endLine": 6,
                        "endColumn": 20
                      }
                    }
                  }
                ],
                "partialFingerprints": {
                  "boxjointFinding/v1": "c6ef98cb8bccdec2:1"
                }
              }
            ]
          }
        ]
      }

      """#
    #expect(report.render(.sarif) == expected)
  }

  @Test func countsFindingsThatOnlyTheirPlaceTellsApart() throws {
    var second = Samples.bear
    second.region = SourceRegion(line: 90, column: 13, endLine: 90, endColumn: 20)
    let log = try Log(Samples.report(Samples.bear, second, Samples.key))
    let prints = try log.results.map {
      try log.string("partialFingerprints", "boxjointFinding/v1", in: $0)
    }
    let parts = prints.map { $0.split(separator: ":") }
    #expect(parts.map(\.count) == [2, 2, 2])
    #expect(parts[0][0] == parts[2][0])
    #expect(parts.map { $0[1] } == ["1", "1", "2"])
    #expect(parts.allSatisfy { $0[0].utf8.count == 16 })
  }

  /// Sections 3.27.5-6, 3.27.10, 3.4.3-5 and 3.30 of the standard.
  @Test func indexesLevelsAndAddressesAreConsistent() throws {
    var unlocated = Samples.hostile
    unlocated.path = "/srv/a b.json"
    unlocated.region = nil
    let report = Samples.report(
      Samples.hostile, Samples.key, Samples.bear, Samples.version, unlocated,
      checked: ["z.json", "../up.json"])
    let log = try Log(report)
    let rules = try log.node("tool", "driver", "rules", in: log.run)
    let ids = try log.document.elements(of: rules).map { try log.string("id", in: $0) }
    #expect(Set(ids).count == ids.count)
    let artifacts = try log.document.elements(of: log.node("artifacts", in: log.run)).map {
      try log.string("location", "uri", in: $0)
    }
    #expect(log.results.count == report.findings.count)
    for result in log.results {
      let ruleIndex = try log.integer("ruleIndex", in: result)
      #expect(try ids[ruleIndex] == log.string("ruleId", in: result))
      #expect(try ["note", "warning", "error"].contains(log.string("level", in: result)))
      #expect(try !log.string("message", "text", in: result).isEmpty)
      let locations = try log.document.elements(of: log.node("locations", in: result))
      let place = try log.node(
        "physicalLocation", "artifactLocation", in: #require(locations.first))
      let uri = try log.string("uri", in: place)
      #expect(try artifacts[log.integer("index", in: place)] == uri)
      #expect(uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
      #expect(uri.hasPrefix("file:///") || !uri.contains(":"))
    }
  }

  @Test func messagesHaveNoLinks() throws {
    var finding = Samples.version
    finding.message = "[click](https://example.org)"
    let log = try Log(Samples.report(finding))
    let result = try #require(log.results.first)
    #expect(try log.string("message", "text", in: result) == "[click] (https://example.org)")
  }
}

/// A printed log, read back.
private struct Log {
  let document: JSONDocument
  let run: JSONNode
  let results: [JSONNode]

  init(_ report: Report) throws {
    document = try JSONDocument(parsing: Array(report.render(.sarif).utf8))
    let runs = try #require(document.value(forKey: "runs", in: document.root))
    run = try #require(document.elements(of: runs).first)
    results = document.elements(of: try #require(document.value(forKey: "results", in: run)))
  }

  func node(_ keys: String..., in node: JSONNode) throws -> JSONNode {
    try keys.reduce(node) { try #require(document.value(forKey: $1, in: $0)) }
  }

  func string(_ keys: String..., in node: JSONNode) throws -> String {
    let value = try keys.reduce(node) { try #require(document.value(forKey: $1, in: $0)) }
    return try #require(JSONValueDecoder().string(value, in: document))
  }

  func integer(_ key: String, in node: JSONNode) throws -> Int {
    let value = try #require(document.value(forKey: key, in: node))
    return try #require(JSONValueDecoder().integer(value, in: document))
  }
}
