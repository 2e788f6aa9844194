package import BoxModel
internal import BoxRecovery
internal import BoxReport
internal import BoxSources

/// A model of another file, which a model file that is missing may continue.
package struct OtherModel: Hashable, Sendable {
  /// The path of the file.
  package var path: String
  package var model: Model
  /// The place in history that has the file, as `HEAD has it`; nil for an existing file.
  package var place: String?
  /// Whether another target with existing sources has it.
  package var hasTarget: Bool
  /// The command line after which the target continues it.
  package var command: String

  /// Creates a model.
  package init(
    path: String, model: Model, place: String? = nil, hasTarget: Bool = false, command: String
  ) {
    self.path = path
    self.model = model
    self.place = place
    self.hasTarget = hasTarget
    self.command = command
  }
}

/// A model that the target had under another name: a new one would give new UIDs to all of its entities.
struct RenamedModel {
  private let request: GeneratorRequest
  private let names: [String]
  /// The generated files of other names with the UIDs in each.
  private let bindings: [(path: String, uids: Set<UID>, name: String?)]

  /// Looks at a run without a model file.
  ///
  /// - Returns: nil if there is a model file.
  init?(_ request: GeneratorRequest, _ names: [String]) {
    guard request.model == nil else { return nil }
    self.request = request
    self.names = names
    bindings = request.otherBindings.map { file in
      let models = CodeScan.evidence(in: [CodeScan.File(path: file.path, bytes: file.bytes)])
        .map(\.model)
      let uids = models.reduce(into: Set<UID>()) { $0.formUnion($1.uidsInUse) }
      return (file.path, uids, models.lazy.compactMap { $0.entities.first?.name }.first)
    }
  }

  /// The finding that stops the run; nil if a new model may begin.
  var finding: Finding? {
    if let (model, path) = generatedModel {
      return finding(about: model, "\"\(path)\" was generated from \"\(model.path)\"")
    }
    if let finding = lostModel { return finding }
    let best = request.otherModels.map { ($0, CommonEntities(names, in: $0.model.entityNames)) }
      .filter { $0.hasTarget ? $1.areHalfOfBoth : $1.areHalf }
      // A model without a target is more likely than one that has its own.
      .max { ($0.0.hasTarget ? 0 : 1, $0.1.count) < ($1.0.hasTarget ? 0 : 1, $1.1.count) }
    guard let (model, common) = best else { return nil }
    let example = common.example.map { ", such as \"\($0)\"," } ?? ""
    let extent = "\(common.count) of the \(counted(common.total, "entity", "entities"))\(example)"
    return finding(
      about: model, "\"\(model.path)\" has \(extent) of the sources")
  }

  /// The model that bindings among the sources are from.
  private var generatedModel: (OtherModel, bindings: String)? {
    for file in bindings {
      let best = request.otherModels.filter { !$0.hasTarget }
        .map { ($0, count: $0.model.uidsInUse.intersection(file.uids).count) }
        .max { $0.count < $1.count }
      if let best, best.count > 0 { return (best.0, file.path) }
    }
    return nil
  }

  /// The finding about bindings whose model is missing.
  private var lostModel: Finding? {
    let known = request.otherModels.reduce(into: Set<UID>()) {
      $0.formUnion($1.model.uidsInUse)
    }
    guard let file = bindings.first(where: { !$0.uids.isEmpty && $0.uids.isDisjoint(with: known) })
    else { return nil }
    let example = file.name.map { ", such as the UID of the entity \"\($0)\"" } ?? ""
    return finding(
      "\"\(file.path)\" has \(counted(file.uids.count, "UID"))\(example)",
      "Run \"boxjoint recover --output \(shellQuoted(request.modelPath))\", and delete "
        + "\"\(file.path)\"; to begin with new data, delete it and add --new-model")
  }

  private func finding(about model: OtherModel, _ reason: String) -> Finding {
    let place = model.place.map { " (\($0))" } ?? ""
    if model.hasTarget {
      return finding(
        reason + place,
        "If the targets share a database, add --model-json \(shellQuoted(model.path)); if this one has a "
          + "database of its own, add --new-model")
    }
    let stale = bindings.map { "\"\($0.path)\"" }
    return finding(
      reason + place,
      "If the target was renamed, run \"\(model.command)\", and generate again; if it has a database of "
        + "its own, add --new-model"
        + (stale.isEmpty ? "" : ", and delete \(stale.joined(separator: ", "))"))
  }

  private func finding(_ reason: String, _ advice: String) -> Finding {
    Finding(
      GeneratorRule.renamedModel, at: SourcePlace(path: request.modelPath, line: 1, column: 1),
      "The model file is missing, and \(reason)", advice: advice)
  }
}
