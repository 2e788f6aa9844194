internal import BoxGenerator
internal import BoxModel
internal import BoxSources
internal import BoxSystem
internal import BoxWorkspace

extension GenerationRun {
  /// The changes of the files of kept versions: the model file of a new one with its rules about removals, the list,
  /// and the Swift file that has them all, which follows the list in every run.
  ///
  /// - Parameters:
  ///   - version: The version to keep; nil for none.
  ///   - rules: Its file of rules; nil without any.
  /// - Returns: The changes; none for a target without kept versions.
  /// - Throws: ``CommandFailure`` of the kind `usage` for a name that no version can have, `impossible` if the version
  ///   is kept with another model, `badInput` if the list or a model cannot be read, `inputOutput` if a file cannot.
  func versionChanges(
    keeping version: KeptVersions.Version? = nil, rules: [UInt8]? = nil
  ) throws(CommandFailure) -> [GenerationResult.Change] {
    let listPath = PathArithmetic.join(layout.versions, "versions.json")
    func path(_ name: String) -> String {
      PathArithmetic.join(layout.versions, "\(name).json")
    }
    let list = try content(listPath)
    if list == nil, version == nil { return [] }
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
    var changes = GenerationResult(findings: [], paths: [])
    if let version {
      do throws(KeptVersions.Failure) {
        try versions.keep(version)
      } catch {
        if error.isName { throw CommandFailure(.usage, error.message) }
        throw CommandFailure(.impossible, error.message, path: listPath)
      }
      let file = path(version.name)
      let kept = try content(file)
      changes.recordChange(file, kept, version.model)
      // Plans compare the version with these rules; one that is kept already stays as it was.
      if kept == nil, let rules {
        let path = Declarations.path(beside: file)
        changes.recordChange(path, try content(path), rules)
      }
      changes.recordChange(listPath, list, versions.list)
    }
    let output = layout.versionsOutput
    changes.recordChange(output, try content(output), versions.code(of: layout.target, visibility))
    return changes.changes
  }
}
