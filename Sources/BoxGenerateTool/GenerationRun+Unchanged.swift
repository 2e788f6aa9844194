internal import BoxGenerator
internal import BoxReport
internal import BoxSources

extension GenerationRun {
  /// The result of a run that has nothing to do.
  ///
  /// - Parameters:
  ///   - inputs: The files.
  ///   - head: Makes the head of the bindings of a model file.
  /// - Returns: The result; nil if everything has to be generated.
  /// - Complexity: O(*n*) in the size of the files.
  func unchanged(_ inputs: Inputs, _ head: ([UInt8]) -> BindingHead) -> GenerationResult? {
    guard let model = inputs.model, let bindings = inputs.bindings,
      let old = BindingHead(parsing: bindings), let seal = old.seal
    else { return nil }
    var expected = head(model)
    expected.seal = seal
    guard old == expected,
      self.seal(
        seal.removed(from: bindings), inputs.catalogue, inputs.lock, inputs.rules, seal.entities)
        == seal,
      inputs.tree.files.allSatisfy(isSound)
    else { return nil }
    var result = GenerationResult(findings: [], paths: inputs.tree.files.map(\.path))
    result.entities = seal.entities
    return result
  }

  /// The bindings with the seal of a run.
  func sealed(_ bindings: [UInt8], _ result: GenerationResult, _ inputs: Inputs) -> [UInt8] {
    func after(_ path: String, _ old: [UInt8]?) -> [UInt8]? {
      result.changes.first { $0.path == path }?.new ?? old
    }
    return seal(
      bindings, after(layout.catalogue, inputs.catalogue), after(layout.lock, inputs.lock),
      after(layout.rules, inputs.rules), result.entities
    ).added(to: bindings)
  }

  private func seal(
    _ bindings: [UInt8], _ catalogue: [UInt8]?, _ lock: [UInt8]?, _ rules: [UInt8]?, _ entities: Int
  ) -> BindingSeal {
    BindingSeal(
      bindings, [catalogue, lock] + (rules.map { [$0] } ?? []),
      settings: [ToolInfo.currentVersion, Self.form, module, visibility.rawValue],
      entities: entities)
  }

  /// The version of the generated code, to be raised whenever the generator writes something else for the same
  /// sources: the next run then writes the bindings again.
  private static let form = "5"

  /// Whether the generator has no finding about the bytes of a file, which the fingerprint does not cover.
  private func isSound(_ file: SwiftFile) -> Bool {
    !file.mayHoldEntity(prefix: annotationPrefix)
      || file.isUTF8 && !file.contains("<<<<<<<") && !file.isOfObjectBox
  }
}
