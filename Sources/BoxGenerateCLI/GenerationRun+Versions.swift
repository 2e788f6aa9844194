#if Generator
  internal import BoxGenerator
  internal import BoxSources
  internal import BoxSystem
  internal import BoxWorkspace

  extension GenerationRun {
    /// Keeps a version: its model file, the list of the versions, and the Swift file that has them all.
    ///
    /// - Throws: ``CommandFailure`` of the kind `usage` for a name that no version can have, `impossible` if the version
    ///   is kept with another model, `badInput` if the list cannot be read, `inputOutput` if a file cannot.
    func keep(
      _ version: KeptVersions.Version, in result: inout GenerationResult
    ) throws(CommandFailure) {
      let listPath = PathArithmetic.join(layout.versions, "versions.json")
      func path(_ name: String) -> String {
        PathArithmetic.join(layout.versions, "\(name).json")
      }
      let list = try content(listPath)
      var versions = KeptVersions()
      do {
        if let list {
          versions = try KeptVersions(list) { name in try SourceFile.read(path(name)).bytes }
        }
      } catch let failure as KeptVersions.Failure {
        throw CommandFailure(.badInput, failure.message, path: listPath)
      } catch let failure as CommandFailure {
        throw failure
      } catch {
        throw CommandFailure(.inputOutput, "\(error)", path: listPath)
      }
      do throws(KeptVersions.Failure) {
        try versions.keep(version)
      } catch {
        throw CommandFailure(
          error.isName ? .usage : .impossible, error.message, path: listPath)
      }
      let file = path(version.name)
      result.take(file, try content(file), version.model)
      result.take(listPath, list, versions.list)
      let output = layout.versionsOutput
      result.take(output, try content(output), versions.code(of: layout.target, visibility))
    }
  }
#endif
