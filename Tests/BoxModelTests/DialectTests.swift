import BoxJSON
import TestSupport
import Testing

@testable import BoxModel

/// Elements that are added to a file look as the generator of the file would have written them.
struct DialectTests {
  /// A small file of one generator: the same two entities, in its order and layout.
  struct Sample: Sendable, CustomTestStringConvertible {
    var name: String
    var profile: String
    var text: String
    var testDescription: String { name }
  }

  private static func file(
    entity: String, flagged: String, plain: String, relation: String, relations: String = "",
    minimum: Int = 5, version: Int = 5, sequence: Bool = true, unset: String = "0:0"
  ) -> String {
    func indent(_ text: String, _ depth: Int) -> String {
      text.split(separator: "\n").map { String(repeating: "  ", count: depth) + $0 }
        .joined(separator: "\n")
    }
    func object(_ members: String, _ depth: Int) -> String {
      indent("{\n", depth) + "\n" + indent(members, depth + 1) + "\n" + indent("}", depth)
    }
    let second = entity.replacing("1:1001", "2:2001").replacing("2:1003", "1:2002")
      .replacing("Note", "Author")
    let list =
      object(
        entity + "\n\"properties\": [\n" + object(flagged, 1) + ",\n" + object(plain, 1) + "\n],\n"
          + "\"relations\": [\n" + object(relation, 1) + "\n]", 2) + ",\n"
      + object(
        second + "\n\"properties\": [\n"
          + object(
            flagged.replacing("1:1002", "1:2002").split(separator: "\n").filter {
              !$0.contains("indexId")
            }.joined(separator: "\n"), 1)
          + (relations.isEmpty ? "\n]" : "\n],\n" + relations), 2)
    let sequenceLine = sequence ? "\n  \"lastSequenceId\": \"\(unset)\"," : ""
    return """
      {
        "_note1": "KEEP THIS FILE! Check it into a version control system (VCS) like git.",
        "entities": [
      \(list)
        ],
        "lastEntityId": "2:2001",
        "lastIndexId": "1:1004",
        "lastRelationId": "1:1005",\(sequenceLine)
        "modelVersion": \(version),
        "modelVersionParserMinimum": \(minimum),
        "retiredEntityUids": [],
        "retiredIndexUids": [],
        "retiredPropertyUids": [],
        "retiredRelationUids": [],
        "version": 1
      }
      """
  }

  private static let entity = """
    "id": "1:1001",
    "lastPropertyId": "2:1003",
    "name": "Note",
    """
  private static let relation = """
    "id": "1:1005",
    "name": "authors",
    "targetId": "2:2001"
    """
  private static func lines(_ lines: String...) -> String { lines.joined(separator: ",\n") }
  private static let id = "\"id\": \"1:1002\""
  private static let textID = "\"id\": \"2:1003\""
  private static let index = "\"indexId\": \"1:1004\""

  /// The orders are those of the format's description, sections 4 to 6.
  static let samples: [Sample] = [
    Sample(
      name: "Swift from 4.4.1", profile: "Swift",
      text: file(
        entity: entity, flagged: lines(id, "\"name\": \"id\"", "\"type\": 6", "\"flags\": 1"),
        plain: lines(
          textID, "\"name\": \"text\"", index, "\"type\": 9", "\"flags\": 2056",
          "\"externalName\": \"t\"", "\"externalType\": 109"),
        relation: relation, relations: "\"relations\": []", minimum: 4)),
    Sample(
      name: "Swift 4.3", profile: "Swift up to 4.4.0",
      text: file(
        entity: entity, flagged: lines("\"flags\": 1", id, "\"name\": \"id\"", "\"type\": 6"),
        plain: lines(
          "\"flags\": 2056", textID, index, "\"name\": \"text\"", "\"type\": 9",
          "\"externalType\": 109", "\"externalName\": \"t\""),
        relation: relation, relations: "\"relations\": []", minimum: 4)),
    Sample(
      name: "Swift beta", profile: "Swift up to 4.4.0",
      text: file(
        entity: entity, flagged: lines(id, "\"name\": \"id\""),
        plain: lines(textID, index, "\"name\": \"text\""), relation: relation,
        relations: "\"relations\": []", minimum: 4, version: 4
      ).replacing("\": ", "\" : ").replacing(" : []", " : [\n\n  ]")
        .replacing("\"relations\" : [\n\n  ]", "\"relations\" : [\n\n      ]")),
    Sample(
      name: "Java", profile: "Java",
      text: file(
        entity: entity, flagged: lines(id, "\"name\": \"id\"", "\"type\": 6", "\"flags\": 1"),
        plain: lines(
          textID, "\"name\": \"text\"", index, "\"type\": 9", "\"externalName\": \"t\"",
          "\"externalType\": 109", "\"flags\": 2056"),
        relation: relation, relations: "\"relations\": []")),
    Sample(
      name: "Java 2018", profile: "Java before 2019",
      text: file(
        entity: entity, flagged: lines(id, "\"name\": \"id\""),
        plain: lines(textID, index, "\"name\": \"text\""), relation: relation,
        relations: "\"relations\": []", minimum: 4, version: 4
      ).replacing("  \"modelVersionParserMinimum\": 4,\n", "")),
    Sample(
      name: "Dart 4.3.0", profile: "Dart 4.3.0",
      text: file(
        entity: entity, flagged: lines(id, "\"name\": \"id\"", "\"type\": 6", "\"flags\": 1"),
        plain: lines(
          textID, "\"name\": \"text\"", "\"type\": 9", "\"externalType\": 109",
          "\"externalName\": \"t\"", "\"flags\": 2056", index),
        relation: relation, relations: "\"relations\": []")),
    Sample(
      name: "Go", profile: "Go, C and C++",
      text: file(
        entity: entity, flagged: lines(id, "\"name\": \"id\"", "\"type\": 6", "\"flags\": 1"),
        plain: lines(textID, "\"name\": \"text\"", index, "\"type\": 9", "\"flags\": 2056"),
        relation: relation, sequence: false, unset: "")),
  ]

  @Test(.promise(119), arguments: samples)
  func isRecognised(sample: Sample) throws {
    let document = try ModelDocument(parsing: Array(sample.text.utf8))
    #expect(document.dialect().generator == sample.profile)
    #expect(document.isComplete)
  }

  /// In every layout, the first entity is taken out and put back, and so is its second property.
  @Test(arguments: samples, ["LF", "CRLF", "tabs", "newline at the end", "one line"])
  func puttingBackRestoresTheOriginal(sample: Sample, layout: String) throws {
    let text =
      switch layout {
      case "CRLF": sample.text.replacing("\n", "\r\n")
      case "tabs": sample.text.replacing("  ", "\t")
      case "newline at the end": sample.text + "\n"
      case "one line":
        sample.text.replacing("\n", "").replacing("  ", "").replacing("\": ", "\":")
      default: sample.text
      }
    let document = try ModelDocument(parsing: Array(text.utf8))
    var without = document.model
    let taken = without.entities[0].properties.remove(at: 1)
    let between = try ModelDocument(parsing: document.rendered(without))
    #expect(between.model == without)
    let back = String(decoding: between.rendered(document.model), as: UTF8.self)
    // The order of what only the taken property had is not in the file any more; its lines are.
    let order = { (text: String) in
      text.split(whereSeparator: \.isNewline).map { $0.filter { $0 != "," } }
    }
    if layout != "one line" {
      #expect(order(back).sorted() == order(text).sorted())
    }
    #expect(try ModelDocument(parsing: Array(back.utf8)).model == document.model)

    // One more like it goes where it belongs, with everything in the order of the file.
    var more = document.model
    var copy = taken
    copy.pair = IDPair(id: 3, uid: 1_999)
    copy.indexID = IDPair(id: 2, uid: 1_998)
    more.entities[0].properties.append(copy)
    let rendered = String(decoding: document.rendered(more), as: UTF8.self)
    let original = document.json.text(of: document.nodes.entities[0].properties[1])
    let expected = original.replacing("2:1003", "3:1999").replacing("1:1004", "2:1998")
    #expect(rendered.contains(original + ","))
    #expect(rendered.contains(expected), "\(rendered)")
  }
}

extension String {
  fileprivate func replacing(_ old: String, _ new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
