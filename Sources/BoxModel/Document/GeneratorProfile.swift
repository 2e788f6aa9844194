import BoxJSON

/// The style in which one generation of a code generator writes model files: the order of keys, and
/// the spelling of unset values.
///
/// The orders were read from files that the generators wrote.
struct GeneratorProfile: Sendable {
  var name: String
  var top: [String]
  var entity: [String]
  var property: [String]
  var relation: [String]
  var unset = "0:0"
  var escaping: JSONEscaping
  /// Whether elements are sorted by id; otherwise new ones are appended.
  var sortsByID: Bool
  /// Whether an entity without relations has an empty list of them.
  var writesEmptyRelations = true

  /// Whether the generator for Swift writes such files.
  var isSwift: Bool { name.hasPrefix("Swift") }

  /// The name shared by all generations of one generator; Java and Dart share one, as their files
  /// are alike.
  var family: String {
    let language = name.prefix { $0 != " " }
    return language == "Java" ? "Dart" : String(language)
  }

  private static let notes = ["_note1", "_note2", "_note3"]
  private static let alphabeticTop =
    notes + [
      "entities", "lastEntityId", "lastIndexId", "lastRelationId", "lastSequenceId",
      "modelVersion", "modelVersionParserMinimum", "newUidPool", "retiredEntityUids",
      "retiredIndexUids", "retiredPropertyUids", "retiredRelationUids", "version",
    ]
  private static let pythonTop =
    notes + [
      "modelVersionParserMinimum", "entities", "lastEntityId", "lastIndexId", "lastRelationId",
      "modelVersion", "version", "lastSequenceId", "newUidPool", "retiredEntityUids",
      "retiredIndexUids", "retiredPropertyUids", "retiredRelationUids",
    ]
  private static let entityWithExternalName = [
    "id", "lastPropertyId", "name", "externalName", "flags", "properties", "relations",
  ]
  private static let relationWithExternalName = [
    "id", "name", "externalName", "externalType", "targetId",
  ]
  private static let relationExternalLast = [
    "id", "name", "targetId", "externalType", "externalName",
  ]

  static let swift = GeneratorProfile(
    name: "Swift", top: alphabeticTop, entity: entityWithExternalName,
    property: [
      "id", "name", "indexId", "type", "flags", "relationTarget", "externalName", "externalType",
    ],
    relation: relationWithExternalName, escaping: .standard, sortsByID: true)

  static let swift43 = GeneratorProfile(
    name: "Swift up to 4.4.0", top: alphabeticTop, entity: entityWithExternalName,
    property: [
      "flags", "id", "indexId", "name", "relationTarget", "type", "externalType", "externalName",
    ],
    relation: relationExternalLast, escaping: .standard, sortsByID: true)

  static let java = GeneratorProfile(
    name: "Java", top: alphabeticTop, entity: entityWithExternalName,
    property: [
      "id", "name", "indexId", "type", "externalName", "externalType", "flags", "relationTarget",
    ],
    relation: relationWithExternalName, escaping: .standardAndLineSeparators, sortsByID: true)

  static let java2018 = GeneratorProfile(
    name: "Java before 2019", top: alphabeticTop, entity: entityWithExternalName,
    property: ["id", "indexId", "name", "type", "flags", "relationTarget"],
    relation: relationWithExternalName, escaping: .standardAndLineSeparators, sortsByID: true)

  static let dart = GeneratorProfile(
    name: "Dart", top: alphabeticTop, entity: entityWithExternalName, property: java.property,
    relation: relationWithExternalName, escaping: .standard, sortsByID: false)

  static let dart43 = GeneratorProfile(
    name: "Dart 4.3.0", top: alphabeticTop,
    entity: ["id", "lastPropertyId", "name", "flags", "externalName", "properties", "relations"],
    property: [
      "id", "name", "type", "externalType", "externalName", "flags", "indexId", "relationTarget",
    ],
    relation: relationExternalLast, escaping: .standard, sortsByID: false)

  static let go = GeneratorProfile(
    name: "Go, C and C++",
    top: alphabeticTop,
    entity: entityWithExternalName,
    property: [
      "id", "name", "indexId", "type", "flags", "relationTarget", "externalName", "externalType",
      "hnswParams",
    ],
    relation: relationWithExternalName, unset: "", escaping: .html, sortsByID: false,
    writesEmptyRelations: false)

  static let python = GeneratorProfile(
    name: "Python", top: pythonTop,
    entity: ["id", "name", "lastPropertyId", "externalName", "properties", "flags", "relations"],
    property: [
      "id", "name", "type", "externalName", "externalType", "flags", "indexId", "relationTarget",
    ],
    relation: relationWithExternalName, escaping: .ascii, sortsByID: false,
    writesEmptyRelations: false)

  /// The profiles that a file of unknown origin is compared with; of equals the first is taken.
  static let all = [swift, java, dart, dart43, swift43, go, python, java2018]
}
