internal import BoxModel
internal import BoxReport
internal import BoxSources
internal import BoxSystem

/// Finds new model files that were begun again under another name: they have the entities of a model of an
/// earlier commit, with other UIDs.
struct RenamedModels {
  /// A model file with its path from the top of the repository.
  struct Entry {
    var path: String
    var model: Model
  }

  /// A model that was begun again.
  struct Found {
    var new: String
    var old: String
    var names: CommonEntities
    /// Whether the file of the earlier model is still there.
    var stillExists: Bool
    /// Whether both files are in one directory.
    var isBeside: Bool { parentDirectory(of: new) == parentDirectory(of: old) }
  }

  /// The paths of the commit, of models or not.
  let paths: Set<String>
  /// The models of the commit.
  let earlier: [Entry]
  /// The models of the work tree.
  let present: [Entry]
  /// A client for the repository.
  let git: GitClient
  /// The top directory of the work tree.
  let top: String

  /// The models that were begun again; each earlier one is found once.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if git cannot be run.
  /// - Complexity: O(*n*) in the number of entities for each new model; if one is found, in the size of the
  ///   Swift files too.
  func found() async throws(CommandFailure) -> [(found: Found, targets: ModelTargets)] {
    let uids = earlier.reduce(into: Set<UID>()) { $0.formUnion($1.model.uidsInUse) }
    let there = Set(present.map(\.path))
    var result: [(Found, ModelTargets)] = []
    var targets: ModelTargets?
    for new in present where !paths.contains(new.path) {
      guard !new.model.entities.isEmpty, uids.isDisjoint(with: new.model.uidsInUse) else {
        continue
      }
      let candidates = earlier.map { old in
        Found(
          new: new.path, old: old.path,
          names: CommonEntities(new.model.entityNames, in: old.model.entityNames),
          stillExists: there.contains(old.path))
      }.filter { $0.stillExists ? $0.isBeside && $0.names.areHalfOfBoth : $0.names.areHalf }
        .sorted {
          ($0.stillExists ? 1 : 0, -$0.names.count) < ($1.stillExists ? 1 : 0, -$1.names.count)
        }
      for candidate in candidates where !result.contains(where: { $0.0.old == candidate.old }) {
        let known: ModelTargets
        if let targets { known = targets } else { known = try await git.modelTargets(in: nil) }
        targets = known
        if candidate.stillExists, known.hasTarget(candidate.old, besides: candidate.new) {
          continue
        }
        result.append((candidate, known))
        break
      }
    }
    return result
  }

  /// The finding about a model that was begun again.
  ///
  /// - Parameters:
  ///   - found: The model.
  ///   - targets: The targets of the work tree.
  ///   - revision: The commit of the earlier model, as git takes it.
  ///   - name: The commit, as part of a sentence.
  /// - Returns: The finding.
  func finding(
    _ found: Found, _ targets: ModelTargets, in revision: String, _ name: String
  ) -> Finding {
    let names = found.names
    let example = names.example.map { ", such as \($0)," } ?? ""
    let command = commands(found, targets, in: revision).joined(separator: " && ")
    let isOwn =
      found.stillExists
      ? "; for a database of its own, add \(ModelRule.begunAgain.id) to the setting 'check.ignore'"
      : ""
    return Finding(
      rule: ModelRule.begunAgain,
      message: "the model was begun again under another name: \(names.count) of its "
        + "\(counted(names.total, "entity", "entities"))\(example) belong to \(found.old) in \(name), "
        + "with other UIDs",
      advice: "run \(quotedCommand(command)), which keeps the UIDs, and generate again" + isOwn,
      path: here(found.new))
  }

  /// The commands that put the earlier model into the place of the new one.
  private func commands(
    _ found: Found, _ targets: ModelTargets, in revision: String
  ) -> [String] {
    var lines: [String] = []
    let object = shellQuoted("\(revision):\(found.old)")
    lines.append(
      found.stillExists
        ? move(found.old, found.new)
        : "git cat-file blob \(object) > \(shellQuoted(here(found.new)))")
    for (old, new) in zip(CataloguePaths.beside(found.old), CataloguePaths.beside(found.new))
    where found.stillExists && targets.files.contains(old) {
      lines.append(move(old, new))
    }
    // The new bindings have the new UIDs, which the generator would miss.
    guard let bindings = targets.owners.owners(of: found.new).first else { return lines }
    let stale = targets.owners.owners.first { owner in
      owner.bindings != bindings.bindings && owner.model == found.old
        && targets.files.contains(owner.bindings)
        && owner.roots.contains { root in
          bindings.roots.contains { BindingOwners.overlap(root, $0) }
        }
    }
    lines.append(
      stale.map { move($0.bindings, bindings.bindings) }
        ?? "rm " + shellOperand(here(bindings.bindings)))
    return lines
  }

  private func move(_ old: String, _ new: String) -> String {
    "git mv -f " + shellOperands([here(old), here(new)])
  }

  private func here(_ path: String) -> String {
    RepositoryModels.path(of: path, in: top, from: workingDirectory())
  }
}
