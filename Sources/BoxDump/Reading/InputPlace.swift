import BoxJSON

/// A place in an input between two elements, at which reading can continue.
struct InputPlace: Hashable, Sendable {
  /// The number of the file in a directory; 0 for a single file.
  var file = 0
  /// The offset in the file, uncompressed.
  var offset = 0
  var line = 1
  /// The check of everything in the file before the offset.
  var checksum: UInt32 = 0
  /// The section of a document that contains the place: `entities` or `relations`, and the name.
  var section = ""
  var name = ""
  /// The number of elements read of each entity and relation.
  var counts: [ExactText: Int] = [:]
  /// The number of targets read of each relation.
  var targets: [ExactText: Int] = [:]
}
