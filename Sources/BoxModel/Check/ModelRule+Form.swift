public import BoxReport

/// Rules about the form of the file.
extension ModelRule {
  /// The file holds conflict markers of a merge that was not finished.
  public static let conflictMarkers = Rule(
    "BOX101", "conflict-markers", "A model file holds no conflict markers",
    reason: """
      The generator for Swift treats such a file as missing and silently starts over with new ids and UIDs; those for \
      Java, Dart, Go and Python stop.
      """,
    example: "`<<<<<<< ours`",
    remedy: "Run `boxjoint resolve FILE`, or restore one side and merge again.",
    fix: "leaves the file alone.")
  /// The file is not JSON.
  public static let notJSON = Rule(
    "BOX102", "not-json", "A model file is JSON as of RFC 8259",
    reason:
      "No reader accepts the file; the generator for Swift starts over as if it did not exist.",
    example: #"`{ "entities": [ {`"#,
    remedy: """
      Restore the file from version control. Numbers above 2^53 that another tool rounded cannot be recovered. A file \
      in UTF-16 is to be saved as UTF-8.
      """,
    fix: "leaves the file alone.")
  /// The file is JSON, but not a model.
  public static let notAModel = Rule(
    "BOX103", "not-a-model", "A model file is an object with an array of entities",
    reason: """
      Another file has the name of a model, or the model was overwritten. These are not models: a dump of objects, a \
      `package.json`, an array, and a file of early versions of Go with capital keys.
      """,
    example: "`[]`",
    remedy: "Pass the name of the model file, or restore it.",
    fix: "leaves the file alone.")
  /// The file needs a newer program.
  public static let versionTooNew = Rule(
    "BOX104", "version-too-new", "The version that the file asks for is one that is known",
    reason:
      "Generators refuse a file that asks for a newer parser; its content may have another meaning.",
    example: #"`"modelVersionParserMinimum": 6,`"#,
    remedy: "Use a newer version of boxjoint.",
    fix: "leaves the file alone.")
  /// The file is in the format of an early generator.
  public static let versionOld = Rule(
    "BOX105", "version-old", "The file is in the current version of the format", .note,
    reason: "Files of version 4 and before lack types and flags, so that less can be checked.",
    example: #"`"modelVersion": 4,`"#,
    remedy: "Build once with a current generator, which upgrades the file.",
    fix: "leaves it alone.")
  /// A string holds a tab that is not escaped.
  public static let rawTab = Rule(
    "BOX106", "raw-tab", "Control characters in strings are escaped", .warning,
    reason: """
      The generator for Swift writes an unusual name with a raw tab, which is not valid JSON: Java, Dart and Go refuse \
      the file.
      """,
    example: #"`"name": "a<tab>b",`"#,
    remedy: "Write it as `\\t`.",
    fix: "writes `\\t`.")
  /// A key is missing that every reader needs.
  public static let missingKey = Rule(
    "BOX107", "missing-key", "Every element has the keys that its kind needs",
    reason: "Generators stop with an error about the format, or treat the file as a new one.",
    example: #"`{ "name": "title", "type": 9 }`"#,
    remedy: "Restore the key, or remove what is left of the element and retire its UID.",
    fix: "leaves it alone.")
  /// A value has a type that no reader accepts.
  public static let wrongType = Rule(
    "BOX108", "wrong-type", "Every value has the JSON type that its key asks for",
    reason:
      "As for a missing key. `null` in place of a retired list is fine: early generators for Go wrote it.",
    example: #"`"type": "9",`"#,
    remedy: "Restore the value from version control.",
    fix: "leaves it alone.")
  /// An id pair is not `id:uid`.
  public static let malformedPair = Rule(
    "BOX109", "malformed-id", "An id is written \"id:uid\", two decimal numbers without padding",
    reason: """
      Every generator stops at an id that is not a pair. A last id may be `"0:0"` or, as Go and C write it, an empty \
      text. A relation may have an empty target.
      """,
    example: #"`"id": "7",`"#,
    remedy: "Restore the value from version control.",
    fix: "leaves it alone.")

  static var formSections: [RuleSection] {
    [
      RuleSection(
        "The form of the file",
        rules: [
          conflictMarkers, notJSON, notAModel, versionTooNew, versionOld, rawTab, missingKey,
          wrongType,
          malformedPair,
        ])
    ]
  }
}
