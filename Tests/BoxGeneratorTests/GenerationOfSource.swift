import BoxGenerator
import BoxModel
import BoxSources

/// Runs the generator on one file of sources, which draws the next UIDs instead of random ones.
func generate(_ source: String, model: [UInt8]? = nil) async -> Generation {
  var request = GeneratorRequest(
    files: [SwiftFile(path: "A.swift", bytes: Array(source.utf8))], target: "App",
    modelPath: "model-App.json", model: model, bindingsPath: "EntityInfo.generated.swift",
    bindings: nil)
  request.uids = .sequential
  return await Generation(request)
}
