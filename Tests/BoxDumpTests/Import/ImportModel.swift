import BoxModel

/// A model with a property of every type, relations, and a unique property.
enum ImportModel {
  /// Types of the model format, signed and unsigned where there are both.
  private static let types: [(name: String, type: Int, flags: Int)] = [
    ("bool", 1, 0), ("byte", 2, 0), ("ubyte", 2, 8192), ("short", 3, 0), ("ushort", 3, 8192),
    ("char", 4, 0), ("int", 5, 0), ("uint", 5, 8192), ("long", 6, 0), ("ulong", 6, 8192),
    ("float", 7, 0), ("double", 8, 0), ("string", 9, 0), ("date", 10, 0), ("nano", 12, 0),
    ("flex", 13, 0), ("bools", 22, 0), ("bytes", 23, 0), ("shorts", 24, 0), ("ushorts", 24, 8192),
    ("chars", 25, 0), ("ints", 26, 0), ("uints", 26, 8192), ("longs", 27, 0),
    ("ulongs", 27, 8192), ("floats", 28, 0), ("doubles", 29, 0), ("strings", 30, 0),
    ("dates", 31, 0), ("nanos", 32, 0),
  ]

  static func document() throws -> ModelDocument { try ModelDocument(parsing: Array(text.utf8)) }

  static var text: String {
    var properties = [property(1, "id", 6, 1, uid: 1_000)]
    for (number, type) in types.enumerated() {
      properties.append(
        property(number + 2, type.name, type.type, type.flags, uid: 1_001 + number))
    }
    let last = types.count + 2
    properties.append(
      """
      {"id":"\(last):1900","name":"owner","type":11,"flags":520,"indexId":"1:5001",\
      "relationTarget":"Person"}
      """)
    let everything = """
      {"id":"1:100","lastPropertyId":"\(last):1900","name":"Everything",
      "properties":[\(properties.joined(separator: ",\n"))],
      "relations":[{"id":"1:6001","name":"people","targetId":"2:200"}]}
      """
    let person = """
      {"id":"2:200","lastPropertyId":"5:2004","name":"Person","properties":[
      \(property(1, "id", 6, 1, uid: 2_000)),
      {"id":"2:2001","name":"email","type":9,"flags":2080,"indexId":"2:5002"},
      \(property(3, "name", 9, 0, uid: 2_002)),
      {"id":"4:2003","name":"age","type":5,"flags":8,"indexId":"3:5003"},
      {"id":"5:2004","name":"friend","type":11,"flags":520,"indexId":"4:5004",\
      "relationTarget":"Person"}],
      "relations":[{"id":"2:6002","name":"friends","targetId":"2:200"}]}
      """
    return """
      {"entities":[\(everything),\(person)],"lastEntityId":"2:200","lastIndexId":"4:5004",
      "lastRelationId":"2:6002","modelVersion":5,"modelVersionParserMinimum":5,"version":1,
      "retiredEntityUids":[],"retiredPropertyUids":[],"retiredIndexUids":[],
      "retiredRelationUids":[]}
      """
  }

  private static func property(
    _ id: Int, _ name: String, _ type: Int, _ flags: Int, uid: Int
  ) -> String {
    let flags = flags == 0 ? "" : ",\"flags\":\(flags)"
    return "{\"id\":\"\(id):\(uid)\",\"name\":\"\(name)\",\"type\":\(type)\(flags)}"
  }
}
