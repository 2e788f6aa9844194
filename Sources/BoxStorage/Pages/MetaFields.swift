/// The fields of one of the two pages that a file starts with.
struct MetaFields {
  /// The number that the page has in its header.
  var number: UInt64
  var flags: PageFlags
  var magic: UInt32
  var version: UInt32
  /// The address at which the map must lie; 0 for any.
  var address: UInt64
  /// The size of the map in bytes; the size of the environment takes precedence.
  var mapSize: UInt64
  var freelist: DatabaseRecord
  var main: DatabaseRecord
  var lastPage: UInt64
  var transaction: UInt64

  /// The offset of the number of the transaction in its page.
  static let transactionOffset = 144

  /// Reads the fields; the bytes must hold ``PageFormat/metaSize`` of them.
  init(_ bytes: PageBytes) {
    number = bytes.uint64(at: 0)
    flags = PageFlags(rawValue: bytes.uint16(at: 10))
    magic = bytes.uint32(at: 16)
    version = bytes.uint32(at: 20)
    address = bytes.uint64(at: 24)
    mapSize = bytes.uint64(at: 32)
    freelist = DatabaseRecord(bytes, at: 40)
    main = DatabaseRecord(bytes, at: 88)
    lastPage = bytes.uint64(at: 136)
    transaction = bytes.uint64(at: Self.transactionOffset)
  }

  var pageSize: UInt32 { freelist.pad }
}
