/// Models of any size, as a generator would have written them.
public enum LargeModel {
  /// The text of a model with so many entities, each with so many properties.
  ///
  /// The first property of each entity is its id; every tenth has an index, every twenty-fifth is a
  /// to-one relation to the entity before. 2,000 entities with 50 properties are about 14 MB.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  public static func bytes(entities: Int = 2_000, properties: Int = 50) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(entities * (properties * 150 + 400))
    var uids = SplitMix64(seed: 1)
    func uid() -> UInt64 { uids.next() >> 1 | 1 << 62 }
    var lastIndex = "0:0"
    var indexCount = 0
    var lastEntity = "0:0"
    func line(_ depth: Int, _ content: String) {
      for _ in 0..<depth { text.append(contentsOf: [0x20, 0x20]) }
      text.append(contentsOf: content.utf8)
      text.append(0x0A)
    }
    line(0, "{")
    line(1, #""_note1": "KEEP THIS FILE! Check it into a version control system (VCS) like git.","#)
    line(1, entities == 0 ? #""entities": [],"# : #""entities": ["#)
    for e in 1...max(entities, 1) where entities > 0 {
      var lines: [(Int, String)] = []
      var lastProperty = "0:0"
      for p in 1...max(properties, 1) where properties > 0 {
        lastProperty = "\(p):\(uid())"
        lines.append((4, "{"))
        lines.append((5, "\"id\": \"\(lastProperty)\","))
        lines.append((5, "\"name\": \"property\(p)OfEntity\(e)\","))
        if p % 10 == 0 {
          indexCount += 1
          lastIndex = "\(indexCount):\(uid())"
          lines.append((5, "\"indexId\": \"\(lastIndex)\","))
        }
        if p == 1 {
          lines += [(5, "\"type\": 6,"), (5, "\"flags\": 1")]
        } else if p % 10 == 0, p % 25 == 0, e > 1 {
          lines += [
            (5, "\"type\": 11,"), (5, "\"flags\": 520,"),
            (5, "\"relationTarget\": \"Entity\(e - 1)\""),
          ]
        } else if p % 10 == 0 {
          lines += [(5, "\"type\": 9,"), (5, "\"flags\": 2056")]
        } else {
          lines.append((5, "\"type\": \([1, 5, 6, 8, 9, 10][p % 6])"))
        }
        lines.append((4, p == properties ? "}" : "},"))
      }
      lastEntity = "\(e):\(uid())"
      line(2, "{")
      line(3, "\"id\": \"\(lastEntity)\",")
      line(3, "\"lastPropertyId\": \"\(lastProperty)\",")
      line(3, "\"name\": \"Entity\(e)\",")
      line(3, properties == 0 ? "\"properties\": []," : "\"properties\": [")
      for (depth, content) in lines { line(depth, content) }
      if properties > 0 { line(3, "],") }
      line(3, "\"relations\": []")
      line(2, e == entities ? "}" : "},")
    }
    if entities > 0 { line(1, "],") }
    line(1, "\"lastEntityId\": \"\(lastEntity)\",")
    line(1, "\"lastIndexId\": \"\(lastIndex)\",")
    line(1, #""lastRelationId": "0:0","#)
    line(1, #""lastSequenceId": "0:0","#)
    line(1, #""modelVersion": 5,"#)
    line(1, #""modelVersionParserMinimum": 5,"#)
    for kind in ["Entity", "Index", "Property", "Relation"] {
      line(1, "\"retired\(kind)Uids\": [],")
    }
    line(1, #""version": 1"#)
    text.append(UInt8(ascii: "}"))
    return text
  }
}
