/// A model, and people to import.
public enum ImportSample {
  /// A model of people, of whom each has an email of their own.
  public static let model = """
    {"entities":[{"id":"1:1001","lastPropertyId":"4:2004","name":"Person","properties":[
    {"id":"1:2001","name":"id","type":6,"flags":1},
    {"id":"2:2002","name":"email","type":9,"flags":2080,"indexId":"1:3001"},
    {"id":"3:2003","name":"age","type":5},{"id":"4:2004","name":"name","type":9}],
    "relations":[]}],"lastEntityId":"1:1001","lastIndexId":"1:3001","lastRelationId":"0:0",
    "modelVersion":5,"modelVersionParserMinimum":5,"version":1}
    """

  /// The model with another name for a property, and one more.
  public static let newer =
    model.replacing(#""name":"age","type":5}"#, with: #""name":"years","type":5}"#)
    .replacing(
      #""name":"name","type":9}"#,
      with: #""name":"name","type":9},{"id":"5:2005","name":"town","type":9}"#
    ).replacing(#""4:2004","name":"Person""#, with: #""5:2005","name":"Person""#)

  /// A directory with both models, people of whom the second and the third cannot be imported, and
  /// one of whom all can.
  ///
  /// - Throws: ``TestFailure`` if it cannot be made.
  public static func directory() throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try directory.write(model, to: "model.json")
    try directory.write(newer, to: "newer.json")
    try directory.write(
      """
      {"id":1,"email":"ann","age":30}
      {"id":2,"email":"bob","age":1.5}
      {"id":3,"email":"ann"}
      """, to: "people.ndjson")
    try directory.write("{\"id\":1,\"email\":\"ann\",\"age\":30}\n", to: "ann.ndjson")
    return directory
  }

  /// The words of a command line that imports people, without the input.
  public static let arguments = [
    "import", "--store", "data", "--model", "model.json", "--entity", "Person",
  ]
}
