/// A model with an enum and a date, and a catalogue for them.
public enum CatalogueSample {
  /// The catalogue, as YAML.
  public static let catalogue = """
    properties:
      User.role:
        type: enum
        values:
          reader: 0
          author: 1
          admin: 2
        default: reader
      User.joined: date

    """

  /// The model of users.
  public static let model = #"""
    {
      "entities": [
        {
          "id": "1:1000", "lastPropertyId": "3:1003", "name": "User",
          "properties": [
            { "id": "1:1001", "name": "id", "type": 6, "flags": 1 },
            { "id": "2:1002", "name": "role", "type": 2 },
            { "id": "3:1003", "name": "joined", "type": 10 }
          ],
          "relations": []
        }
      ],
      "lastEntityId": "1:1000", "lastIndexId": "0:0", "lastRelationId": "0:0",
      "lastSequenceId": "0:0", "modelVersion": 5, "modelVersionParserMinimum": 5,
      "retiredEntityUids": [], "retiredIndexUids": [], "retiredPropertyUids": [],
      "retiredRelationUids": [], "version": 1
    }
    """#

  /// A directory with the model and the catalogue.
  ///
  /// - Throws: ``TestFailure`` if it cannot be made.
  public static func directory() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try directory.write(model, to: "model.json")
    try directory.write(catalogue, to: "converters.yml")
    return directory
  }
}
