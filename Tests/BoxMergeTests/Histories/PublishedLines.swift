import BoxMerge
import BoxModel

/// The branches of a team that are published, and what their databases know.
struct PublishedLines: Sendable {
  /// The arrangement of the repositories of a team.
  enum Arrangement: String, CaseIterable, Sendable {
    /// Nothing counts as published, and nobody holds the law of ids against it.
    case unknown
    /// Without a remote: what is committed on main is published.
    case alone
    /// With a remote that people push to.
    case remote
    /// As with a remote; topics are made in a fork, whose own main is old.
    case fork
    /// As with a remote; releases are branches of their own.
    case releases
  }

  /// A published branch.
  struct Line: Sendable {
    var name: String
    var tip: Int
    var ledger = Ledger()
  }

  /// The ids that were ever published.
  struct Ledger: Sendable {
    private var ids: [PublishedPlace: UInt32] = [:]
    private var holders: [Counter: [UInt32: UID]] = [:]
    private var live: Set<PublishedPlace> = []

    /// A break of the law of published ids.
    struct Break: Sendable {
      var place: PublishedPlace
      var law: String
      var message: String
    }

    /// Enters a version that is published, and says what breaks the law: an element has the id that it was
    /// published with, and no id is given twice.
    mutating func publish(_ model: Model) -> [Break] {
      var breaks: [Break] = []
      var now: Set<PublishedPlace> = []
      model.forEachElement { place, pair in
        let key = ElementKey(place.kind, pair.uid)
        let counter = model.counter(of: place)
        let entry = PublishedPlace(key, in: counter)
        now.insert(entry)
        if let id = ids[entry], id != pair.id {
          let law = live.contains(entry) ? "a published id stays" : "a revived id is the old one"
          breaks.append(
            Break(place: entry, law: law, message: "\(model.label(place)): \(id) to \(pair.id)"))
        }
        if let uid = holders[counter]?[pair.id], uid != pair.uid, ids[entry] != pair.id {
          breaks.append(
            Break(
              place: entry, law: "no published id is given twice",
              message: "\(model.label(place)): \(pair.id) was that of \(uid)"))
        }
        ids[entry] = pair.id
        holders[counter, default: [:]][pair.id] = pair.uid
      }
      live = now
      return breaks
    }
  }

  var arrangement: Arrangement
  /// The main branch of the team, then the releases.
  var lines: [Line] = []
  /// The main branch of the fork, which nobody updates.
  var forkTip = 0

  /// The refs that count in a clone, as git names them there.
  func references(onMain isOnMain: Bool, main: Int) -> [(name: String, commit: Int)] {
    switch arrangement {
    case .unknown: []
    case .alone: [("refs/heads/main", main)]
    case .fork where !isOnMain:
      [("refs/remotes/origin/main", forkTip), ("refs/remotes/upstream/main", lines[0].tip)]
    default: lines.map { ($0.name, $0.tip) }
    }
  }

  /// The models that count as published in a clone.
  ///
  /// - Parameters:
  ///   - repository: The commits.
  ///   - main: The tip of the local main branch.
  ///   - head: The commit of the branch that is checked out; nil if HEAD is no branch.
  ///   - isOnMain: Whether that is the main branch.
  ///   - tip: The commit that has to contain what counts; nil where everything counts.
  ///   - hasHistory: Whether the earlier versions are read.
  /// - Returns: The models.
  func published(
    _ repository: HistoryRepository, main: Int, head: Int?, isOnMain: Bool,
    containedIn tip: Int?, hasHistory: Bool
  ) -> Published {
    let references = references(onMain: isOnMain, main: main).filter { reference in
      tip.map { repository.isAncestor(reference.commit, of: $0) } ?? true
    }
    var result = Published(
      models: references.map { name, commit in
        var model = PublishedModel(name: name, model: repository.tree(commit).model.model)
        if hasHistory { model.history = repository.history(of: commit) }
        return model
      })
    if isOnMain, arrangement != .alone, arrangement != .unknown, let head,
      !references.contains(where: { $0.commit == head })
    {
      result.head = PublishedModel(name: "main", model: repository.tree(head).model.model)
    }
    let versions = references.map { repository.tree($0.commit).model.model }
    var ancestors: [VersionPair: [Model]] = [:]
    for pair in result.contradictions(of: versions) {
      ancestors[pair] =
        repository.mergeBases(references[pair.first].commit, references[pair.second].commit)
        .map { repository.tree($0).model.model }
    }
    result.settleContradictions(of: versions, ancestors: ancestors)
    return result
  }
}

extension HistoryRepository {
  /// The earlier versions of a branch: those of the line of first parents, then the others.
  fileprivate func history(of tip: Int) -> PublishedHistory {
    var history = PublishedHistory()
    var line: Set<Int> = []
    var next: Int? = tip
    while let commit = next {
      line.insert(commit)
      history.add(tree(commit).model.model)
      next = commits[commit].parents.first
    }
    for commit in commits[tip].ancestors.subtracting(line).sorted(by: >) {
      history.add(tree(commit).model.model)
    }
    return history
  }
}
