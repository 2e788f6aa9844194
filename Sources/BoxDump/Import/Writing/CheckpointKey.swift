internal import BoxEngine
internal import BoxModel

/// The keys of the checkpoints that an import keeps in the store.
enum CheckpointKey {
  static func before(_ entity: EntitySchema, _ id: UInt64) -> [UInt8] {
    [UInt8(ascii: "b")] + bytes(entity.uid) + bytes(id)
  }

  static func mapping(_ entity: EntitySchema, _ id: UInt64) -> [UInt8] {
    [UInt8(ascii: "m")] + bytes(entity.uid) + bytes(id)
  }

  /// Under this is a note if the input gave the entries of an object.
  static func linked(_ relation: RelationSchema, _ source: UInt64) -> [UInt8] {
    [UInt8(ascii: "l")] + bytes(relation.uid) + bytes(source)
  }

  static func pending(_ number: Int) -> [UInt8] {
    [UInt8(ascii: "p")] + bytes(UInt64(number))
  }

  /// Under this is the number of the first note of a relation that counts of an object.
  static func firstPending(_ entity: EntitySchema, _ id: UInt64) -> [UInt8] {
    [UInt8(ascii: "f")] + bytes(entity.uid) + bytes(id)
  }

  /// Under this is an element that waits for a unique value.
  static func waiting(_ number: Int) -> [UInt8] {
    [UInt8(ascii: "w")] + bytes(UInt64(number))
  }

  /// Under this is the number of the element that is about to become an object.
  static func waiting(_ entity: EntitySchema, _ id: UInt64) -> [UInt8] {
    [UInt8(ascii: "e")] + bytes(entity.uid) + bytes(id)
  }

  /// Under this is an object that has lost a unique value, or was put again after that.
  static func displaced(_ number: Int) -> [UInt8] {
    [UInt8(ascii: "x")] + bytes(UInt64(number))
  }

  /// Under this are the bytes of an object before an element that waited replaced it.
  static func replaced(_ entity: EntitySchema, _ id: UInt64) -> [UInt8] {
    [UInt8(ascii: "r")] + bytes(entity.uid) + bytes(id)
  }

  /// Under this is the set of the objects of a block of ids that were written.
  static func written(_ entity: UID, block: UInt64) -> [UInt8] {
    [UInt8(ascii: "i")] + bytes(entity) + bytes(block)
  }

  /// Under this are the relative paths of the files of an import that has several.
  static let files = [UInt8(ascii: "n")]

  /// Under this is the identity of a file that was imported, of several.
  static func file(_ number: Int) -> [UInt8] {
    [UInt8(ascii: "d")] + bytes(UInt64(number))
  }

  /// The bytes of a number, the highest first, so that keys sort as numbers.
  static func bytes(_ integer: UInt64) -> [UInt8] {
    unsafe withUnsafeBytes(of: integer.bigEndian) { unsafe [UInt8]($0) }
  }

  static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
