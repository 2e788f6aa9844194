/// The names and numbers of the dump format, which `docs/dumps.md` describes.
public enum DumpFormat {
  /// The version that is written.
  public static let version = 1
  /// The version of a directory that has several files of an entity or a relation, which earlier readers take for
  /// damage; the newest that is read.
  static let partsVersion = 2

  /// The only key of the first and of the last line of the lines shape.
  ///
  /// No identifier of any language has an `@`, so it differs from every name of an entity.
  public static let envelopeKey = "@boxjoint"
  /// Bytes of a header or a manifest, which are parsed as a whole and take some 16 times as much memory.
  static let maximumHeader = 64 << 20
  /// The maximum number of bytes of an element that is checked or compared, so that a file without line feeds
  /// does not fill the memory.
  static let maximumElement = 256 << 20
}
