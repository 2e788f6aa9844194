/// Model files for tests of commands.
public enum SampleModels {
  /// A sound model in the layout that generators write: entities Ant and Bear with an id each.
  public static let sound = model()

  /// The model with another pair as `lastEntityId`, by default one that is too low: that is an
  /// error with exactly one fix.
  public static func model(lastEntityID: String = "2:2000", secondID: Int = 2) -> String {
    frame(
      entities: """
        [
            {
              "id": "1:1000",
              "lastPropertyId": "1:1001",
              "name": "Ant",
              "properties": [
                {
                  "id": "1:1001",
                  "name": "id",
                  "type": 6,
                  "flags": 1
                }
              ],
              "relations": []
            },
            {
              "id": "\(secondID):2000",
              "lastPropertyId": "1:2001",
              "name": "Bear",
              "properties": [
                {
                  "id": "1:2001",
                  "name": "id",
                  "type": 6,
                  "flags": 1
                }
              ],
              "relations": []
            }
          ]
        """, lastEntityID: lastEntityID)
  }

  /// A model of entities, in the layout that generators write, with all else empty.
  ///
  /// - Parameters:
  ///   - entities: The array of the entities, as JSON.
  ///   - lastEntityID: The pair of `lastEntityId`.
  /// - Returns: The text of the file.
  public static func frame(entities: String = "[]", lastEntityID: String = "0:0") -> String {
    """
    {
      "entities": \(entities),
      "lastEntityId": "\(lastEntityID)",
      "lastIndexId": "0:0",
      "lastRelationId": "0:0",
      "lastSequenceId": "0:0",
      "modelVersion": 5,
      "modelVersionParserMinimum": 5,
      "retiredEntityUids": [],
      "retiredIndexUids": [],
      "retiredPropertyUids": [],
      "retiredRelationUids": [],
      "version": 1
    }
    """
  }

  /// A model whose counter of entities is behind.
  public static let fixable = model(lastEntityID: "1:1000")

  /// A model with a conflict that git left in it.
  public static let conflicted = sound.replacingFirst(
    "  \"lastEntityId\": \"2:2000\",\n",
    """
    <<<<<<< HEAD
      "lastEntityId": "2:2000",
    =======
      "lastEntityId": "3:3000",
    >>>>>>> other

    """)
}

extension String {
  /// The text with one part replaced, without Foundation.
  public func replacingFirst(_ part: String, _ replacement: String) -> String {
    guard let start = indices.first(where: { self[$0...].hasPrefix(part) }) else { return self }
    return self[..<start] + replacement + self[index(start, offsetBy: part.count)...]
  }
}
