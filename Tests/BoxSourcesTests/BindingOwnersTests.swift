import BoxSources
import Testing

/// The targets of model files, by the heads of bindings.
struct BindingOwnersTests {
  private func bindings(_ path: String, model: String, roots: [String] = [".."]) -> SwiftFile {
    let head = BindingHead(
      sources: "0", model: [], modelPath: model, roots: roots, excluded: [], prefix: "objectbox")
    return SwiftFile(path: path, bytes: Array(head.lines.joined(separator: "\n").utf8))
  }

  @Test func pathsAreThoseFromTheTop() {
    let owners = BindingOwners([
      bindings("Sources/App/generated/A.swift", model: "../../../model-App.json"),
      bindings("B.swift", model: "db/model.json", roots: ["Sources/B", "Shared/C.swift"]),
      bindings("/x/C.swift", model: "../model.json", roots: ["."]),
      SwiftFile(path: "D.swift", bytes: Array("// Fingerprint: \n// Inputs: \"".utf8)),
    ])
    #expect(
      owners.owners.map { [$0.bindings, $0.model] + $0.roots } == [
        ["Sources/App/generated/A.swift", "model-App.json", "Sources/App"],
        ["B.swift", "db/model.json", "Sources/B", "Shared/C.swift"],
        ["/x/C.swift", "/model.json", "/x"],
      ])
  }

  /// Bindings that were moved along name the new directory of the target.
  @Test func aTargetIsOneWithOtherSourcesThatAreThere() {
    let owners = BindingOwners([
      bindings("Sources/App/generated/A.swift", model: "../../../model-App.json")
    ])
    func hasTarget(_ roots: [String], isThere: Bool = true) -> Bool {
      owners.hasTarget("model-App.json", besides: roots) { _ in isThere }
    }
    #expect(hasTarget(["Sources/Core"]))
    #expect(hasTarget(["Sources/AppCore"]))
    #expect(hasTarget([]))
    #expect(!hasTarget(["Sources/Core"], isThere: false))
    for roots in [
      ["Sources/App"], ["Sources/App/Models"], ["Sources"], ["."], ["x", "Sources/App"],
    ] {
      #expect(!hasTarget(roots), "\(roots)")
    }
    #expect(!owners.hasTarget("model-Core.json", besides: []) { _ in true })
  }
}
