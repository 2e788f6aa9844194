extension ModelDocument {
  /// The text of a model file without entities, in the form of the generator for Swift.
  package static let newFile = Array(
    """
    {
      "_note1": "Keep this file in version control: it has the ids of your entities and properties.",
      "_note2": "Databases find their data by these ids. Do not change them.",
      "entities": [],
      "lastEntityId": "0:0",
      "lastIndexId": "0:0",
      "lastRelationId": "0:0",
      "lastSequenceId": "0:0",
      "modelVersion": 5,
      "modelVersionParserMinimum": 4,
      "retiredEntityUids": [],
      "retiredIndexUids": [],
      "retiredPropertyUids": [],
      "retiredRelationUids": [],
      "version": 1
    }

    """.utf8)
}
