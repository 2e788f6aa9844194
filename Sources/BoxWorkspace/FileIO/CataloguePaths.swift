/// The paths that the generator gives to the catalogue of a model file and to its lock.
package enum CataloguePaths {
  /// The paths of the catalogue and the lock beside a model file.
  ///
  /// - Parameter model: The model file.
  /// - Returns: The paths; none unless the file has the name of a target, as `model-App.json`.
  package static func beside(_ model: String) -> [String] {
    let name = lastComponent(of: model)
    guard name.hasPrefix("model-"), name.hasSuffix(".json"), name.utf8.count > 11 else { return [] }
    let directory = model.dropLast(name.count)
    let stem = directory + "converters-" + name.dropFirst(6).dropLast(5)
    return [stem + ".yml", stem + ".lock"]
  }
}
