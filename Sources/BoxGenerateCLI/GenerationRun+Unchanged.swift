#if Generator
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
    /// - Complexity: O(*n*) in the size of the files, without swift-syntax.
    func unchanged(_ inputs: Inputs, _ head: ([UInt8]) -> BindingHead) -> GenerationResult? {
      guard let model = inputs.model, let bindings = inputs.bindings,
        let old = BindingHead(parsing: bindings), let seal = old.seal
      else { return nil }
      var expected = head(model)
      expected.seal = seal
      guard old == expected,
        self.seal(seal.removed(from: bindings), inputs.catalogue, inputs.lock, seal.entities)
          == seal,
        inputs.tree.files.allSatisfy(isSound)
      else { return nil }
      var result = GenerationResult(findings: [], paths: inputs.tree.files.map(\.path))
      result.entities = seal.entities
      return result
    }

    /// Whether the next run has findings if the sources stay as they are.
    ///
    /// It then has to generate again, to print them. A warning about a change, such as that of a type, is
    /// printed once: the files of the run have the change.
    ///
    /// - Complexity: That of a second generation if this one has findings and changed what they are about.
    func hasFindings(after generation: Generation, of request: GeneratorRequest) -> Bool {
      if generation.findings.isEmpty { return false }
      var next = request
      next.model = generation.model ?? request.model
      next.bindings = generation.bindings.map { Array($0.utf8) } ?? request.bindings
      next.catalogue = generation.catalogue.map { Array($0.utf8) } ?? request.catalogue
      next.lock = generation.lock.map { Array($0.utf8) } ?? request.lock
      if next.model == request.model && next.lock == request.lock { return true }
      return !Generation(next).findings.isEmpty
    }

    /// The bindings with the seal of a run.
    func sealed(_ bindings: [UInt8], _ result: GenerationResult, _ inputs: Inputs) -> [UInt8] {
      func after(_ path: String, _ old: [UInt8]?) -> [UInt8]? {
        result.changes.first { $0.path == path }?.new ?? old
      }
      return seal(
        bindings, after(layout.catalogue, inputs.catalogue), after(layout.lock, inputs.lock),
        result.entities
      ).added(to: bindings)
    }

    private func seal(
      _ bindings: [UInt8], _ catalogue: [UInt8]?, _ lock: [UInt8]?, _ entities: Int
    ) -> BindingSeal {
      BindingSeal(
        bindings, [catalogue, lock],
        settings: [ToolInfo.currentVersion, module, visibility.rawValue], entities: entities)
    }

    /// Whether the generator has no finding about the bytes of a file, which the fingerprint does not cover.
    private func isSound(_ file: SwiftFile) -> Bool {
      !file.mayHoldEntity(prefix: annotationPrefix)
        || String(validating: file.bytes, as: UTF8.self) != nil && !file.contains("<<<<<<<")
    }
  }
#endif
