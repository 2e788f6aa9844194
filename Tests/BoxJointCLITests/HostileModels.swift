/// Model files without line ends, of any size.
struct HostileModels {
  func entity(_ id: Int, _ name: String, uid: Int, _ properties: [String]) -> String {
    #"{"id":"\#(id):\#(uid)","lastPropertyId":"90000:\#(uid + 9)","name":"\#(name)","properties":["#
      + properties.joined(separator: ",") + "]}"
  }

  func property(_ id: Int, _ uid: Int, _ name: String, type: Int, flags: Int) -> String {
    #"{"id":"\#(id):\#(uid)","name":"\#(name)","type":\#(type),"flags":\#(flags)}"#
  }

  /// A model without a line end.
  func model(_ entities: [String], retired: String = "") -> String {
    #"{"entities":["# + entities.joined(separator: ",")
      + #"],"lastEntityId":"900000:7","lastIndexId":"0:0","lastRelationId":"0:0","#
      + #""lastSequenceId":"0:0","modelVersion":5,"modelVersionParserMinimum":5,"#
      + #""retiredEntityUids":[],"retiredIndexUids":[],"retiredPropertyUids":[\#(retired)],"#
      + #""retiredRelationUids":[],"version":1}"#
  }

  func id(_ uid: Int) -> String { property(1, uid, "id", type: 6, flags: 1) }

  /// Entities with a fault in each property.
  func faulty(_ count: Int) -> String {
    model(
      (1...count).map { i in
        entity(
          i, "E\(i)", uid: i * 1000,
          [
            property(1, i * 1000 + 1, "id", type: 6, flags: 0),
            property(2, i * 1000 + 2, "x", type: 77, flags: 1 << 25),
          ])
      })
  }

  /// One entity with many properties whose numbers, UIDs and names start somewhere.
  func wide(_ count: Int, from start: Int, _ name: String, type: Int = 9) -> String {
    let properties = (1...count).map { i in
      property(start + i, 1_000_000 + start + i, "\(name)\(i)", type: type, flags: 0)
    }
    return model([entity(1, "E", uid: 500, [id(501)] + properties)])
  }

  /// One entity whose id has many keys that no generator writes.
  func unknownKeys(_ count: Int, _ value: (Int) -> Int) -> String {
    let keys = (1...count).map { #""x\#($0)":\#(value($0))"# }.joined(separator: ",")
    let property = #"{"id":"1:501","name":"id","type":6,"flags":1,\#(keys)}"#
    return model([entity(1, "E", uid: 500, [property])])
  }

  /// Entities of some names, and one that is always there.
  func entities(_ count: Int, uid: Int, base: Int = 77_000, _ name: (Int) -> String) -> String {
    model(
      [entity(900, "Base", uid: base, [id(base + 1)])]
        + (1...count).map { i in
          entity(1000 + i, name(i), uid: uid + i * 10, [id(uid + i * 10 + 1)])
        })
  }
}
