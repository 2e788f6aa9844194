/// The files of a section in a directory.
struct SectionFiles {
  /// The name of the section.
  var name = ""
  /// The name of the last file without its ending.
  var stem = ""
  var files = SchemaFiles(names: [])
  /// The sources and targets of a relation in the file that is open.
  var open = (sources: 0, targets: 0)
  /// The objects or sources, and the targets, in the files that are complete.
  private var filed = (rows: 0, targets: 0)

  init(name: String = "") { self.name = name }

  /// Adds a file that is complete.
  mutating func file(_ content: DumpManifest.Content) {
    switch content {
    case .entity(let total): filed.rows += total.objects
    case .relation(let total):
      filed.rows += total.sources
      filed.targets += total.targets
    }
  }

  /// The objects or entries in the file that is open, of all that the section has.
  func rest(of content: DumpManifest.Content) -> DumpManifest.Content {
    switch content {
    case .entity(var total):
      total.objects -= filed.rows
      return .entity(total)
    case .relation(var total):
      total.sources -= filed.rows
      total.targets -= filed.targets
      return .relation(total)
    }
  }
}
