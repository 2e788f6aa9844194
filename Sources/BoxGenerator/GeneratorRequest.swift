package import BoxModel
package import BoxSources
internal import BoxSystem

/// The access level of generated declarations.
package enum Visibility: String, Hashable, Sendable, CaseIterable {
  case `internal`, `public`
}

/// The place where a file is that is missing.
package struct EarlierFile: Hashable, Sendable {
  /// The place, as part of a sentence such as `HEAD has it`.
  package var place: String
  /// The advice, as a sentence without a period.
  package var advice: String

  /// Creates a place.
  package init(place: String, advice: String) {
    self.place = place
    self.advice = advice
  }
}

/// A run over the sources of a target.
///
/// It is a pure value: the caller reads the files before, and writes the results after.
package struct GeneratorRequest: Sendable {
  /// The sources, generated files left out.
  package var files: [SwiftFile]
  /// The declarations of files that were read before, by path; the other files are read.
  package var declarations: [String: SourceDeclarations] = [:]
  /// The name of the module; the model of target `Library` is `StoreModel.library`.
  package var target: String
  /// The path of the model file, for findings.
  package var modelPath: String
  /// The text of the model file; nil for a target without one.
  package var model: [UInt8]?
  /// The place in history that has the model file, as part of a sentence such as `HEAD has it`, if a missing
  /// file is an error for that reason; nil if a new one may begin.
  package var earlierModel: String?
  /// Reads the earlier versions of the model file, if a run needs them; nil without earlier versions.
  package var past: (@Sendable () async -> PastModels)?
  /// The models of other files that a missing model file may continue; empty if a new one may begin.
  package var otherModels: [OtherModel] = []
  /// Generated files of other names among the sources, if the model file is missing.
  package var otherBindings: [SwiftFile] = []
  /// The paths of files of ObjectBox's generator among the sources, other than the generated file.
  package var leftBindings: [String] = []
  /// The path of the generated file, for findings.
  package var bindingsPath: String
  /// The text of the generated file before the run; nil if it did not exist.
  package var bindings: [UInt8]?
  /// The text of the catalogue before the run; nil if it did not exist.
  package var catalogue: [UInt8]?
  /// The path of the lock of the catalogue, for findings.
  package var lockPath = "converters.lock"
  /// The text of the lock before the run; nil if it did not exist.
  package var lock: [UInt8]?
  /// The lock that a missing one had before, if that is an error; nil if a new one may begin.
  package var earlierLock: EarlierFile?
  /// The text of the file of rules before the run; nil if it is missing.
  package var rules: [UInt8]?
  /// Whether the cases of an enum may give stored values another meaning.
  package var allowsRenumbering = false
  /// The access level of generated declarations.
  package var visibility = Visibility.internal
  /// The word before the colon of an annotation.
  package var annotationPrefix = "objectbox"
  /// The source of fresh UIDs.
  package var uids: any UIDSource = .random
  /// Whether more than half of the entities may be removed at once.
  package var allowsRemovals = false
  /// The number of parts into which the files are divided between processors; the result does not depend on it.
  package var parts = WorkerThread.usualParts
  /// Makes the lines of the generated file that say what it was generated from, out of the text of the model
  /// file; without it the file has none.
  package var head: (@Sendable (_ model: [UInt8]) -> [String])?

  /// Creates a run with the defaults of the command.
  package init(
    files: [SwiftFile], target: String, modelPath: String, model: [UInt8]?, bindingsPath: String,
    bindings: [UInt8]?
  ) {
    self.files = files
    self.target = target
    self.modelPath = modelPath
    self.model = model
    self.bindingsPath = bindingsPath
    self.bindings = bindings
  }
}
