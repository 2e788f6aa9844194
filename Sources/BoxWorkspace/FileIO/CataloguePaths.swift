internal import BoxModel

/// The paths that the generator gives to the files beside a model file.
package enum CataloguePaths {
  /// The paths of the catalogue, its lock and the rules beside a model file.
  ///
  /// - Parameter model: The model file.
  /// - Returns: The paths; none unless the file has the name of a target, as `model-App.json`.
  package static func beside(_ model: String) -> [String] {
    let name = lastComponent(of: model)
    guard name.hasPrefix("model-"), name.hasSuffix(".json"), name.utf8.count > 11 else { return [] }
    let directory = model.dropLast(name.count)
    let stem = directory + "converters-" + name.dropFirst(6).dropLast(5)
    return [stem + ".yml", stem + ".lock", Declarations.path(beside: model)]
  }

  /// The path of the model file beside a lock; nil unless that has the name of a target, as `converters-App.lock`.
  package static func model(ofLock path: String) -> String? {
    let name = lastComponent(of: path)
    guard name.hasPrefix("converters-"), name.hasSuffix(".lock"), name.utf8.count > 16 else {
      return nil
    }
    return path.dropLast(name.count) + "model-" + name.dropFirst(11).dropLast(5) + ".json"
  }
}
