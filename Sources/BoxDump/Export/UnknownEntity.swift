package import BoxEngine
internal import BoxModel

extension ObjectStore {
  /// The error for the name of an entity that the store does not have, with the nearest.
  package func unknownEntity(_ name: String) -> DumpError {
    let names = entities.map(\.name)
    let advice =
      NamePath.nearest(to: name, among: names).map { "did you mean \($0)?" }
      ?? "it has \(names.map(NamePath.quoted).joined(separator: ", "))"
    return DumpError("the store has no entity \(name); \(advice)", kind: .usage)
  }
}
