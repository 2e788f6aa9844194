/// The types of an external database, by their names in annotations.
enum ExternalType {
  private static let codes = [
    "int128": 100, "uuid": 102, "decimal128": 103, "uuidString": 104, "uuidV4": 105,
    "uuidV4String": 106, "flexMap": 107, "flexVector": 108, "json": 109, "bson": 110,
    "javaScript": 111, "jsonToNative": 112, "int128Vector": 116, "uuidVector": 118, "mongoId": 123,
    "mongoIdVector": 124, "mongoTimestamp": 125, "mongoBinary": 126, "mongoRegex": 127,
  ]

  /// The number in model files of a name, with a period before it or without, whatever its case, or of a
  /// number as text; nil for other texts.
  static func code(of text: String) -> Int? {
    let name = text.drop { $0 == "." }.lowercased()
    if let number = UInt16(name), number > 0 { return Int(number) }
    return codes.first { $0.key.lowercased() == name }?.value
  }
}
