internal import BoxModel
internal import BoxReport

/// A check of the changes in a merge queue, which a site has merged as text.
///
/// Each of them passed alone. Together they may have given one id twice, or lost what one of them did: the
/// site merges them one after the other, without a driver.
struct QueueCheck: Sendable {
  /// The commit that the queue begins after.
  var base: String
  /// The commit with all changes.
  var head: String
  /// The settings that override all others.
  var configuration: EffectiveConfiguration.Options
  /// The program that git starts as its merge driver.
  var program: String

  /// Checks the models of the queue.
  ///
  /// - Returns: The findings, by file.
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if a commit is missing or git fails,
  ///   `badConfiguration` if the settings of the base are wrong.
  /// - Complexity: O(*n*) in the number of files, and two merges by git for each queued merge.
  func run(in place: Workspace) async throws(CommandFailure) -> [Finding] {
    let git = place.git
    for commit in [base, head] where try await git.resolve(commit) == nil {
      throw try await git.missingRevision(commit)
    }
    guard try await git.isAncestor(base, of: head) else {
      throw CommandFailure(
        .inputOutput,
        "\(head.prefix(12)) does not contain \(base.prefix(12)), its base in the queue")
    }
    let steps = try await QueueStep.all(from: base, to: head, git)
    let files = try await BaseFiles(
      of: BranchTip(name: String(base.prefix(12)), commit: base), options: configuration, in: place)
    var findings: [Finding] = []
    for path in try await paths(files, git) {
      findings += try await newErrors(path, git)
      findings += try await contestedIDs(path, steps, git)
    }
    for step in steps { findings += try await differences(step, files, place) }
    return findings
  }

  /// The paths of model files at the end of the queue, by the settings of the base.
  private func paths(
    _ files: BaseFiles, _ git: GitClient
  ) async throws(CommandFailure) -> [String] {
    let setting = configuration.values[.files] ?? files.configuration.settings[.files]?.texts
    let patterns = (setting ?? SettingKey.files.default.texts).compactMap { FilePattern($0) }
    return patterns.matching(try await git.treeEntries(of: head).map(\.path))
  }

  /// The errors of a model at the end of the queue that its base does not have.
  private func newErrors(
    _ path: String, _ git: GitClient
  ) async throws(CommandFailure) -> [Finding] {
    let versions = try await git.blobs(["\(base):\(path)", "\(head):\(path)"])
    guard let bytes = versions[1] else { return [] }
    let version = MergeVersion(SourceFile(path: path, bytes: bytes))
    if !version.isMeantAsModel { return [] }
    let document: ModelDocument
    do throws(ModelError) {
      document = try version.parsed.get()
    } catch {
      return [error.finding(path: path, bytes: bytes)]
    }
    let before = versions[0].flatMap { try? ModelDocument(parsing: $0) }
    let known = Set((before?.check() ?? []).map(\.rule.id))
    return document.check().filter { $0.severity == .error && !known.contains($0.rule.id) }
      .prefix(Self.limit).map { document.finding($0, path: path) }
  }

  /// More findings of one kind help nobody.
  private static let limit = 50

  /// The ids of a model that two steps of the queue gave to different elements.
  private func contestedIDs(
    _ path: String, _ steps: [QueueStep], _ git: GitClient
  ) async throws(CommandFailure) -> [Finding] {
    var findings: [Finding] = []
    var assigners: [AssignedID: (step: QueueStep, uid: UID, label: String)] = [:]
    for step in steps {
      let models = try await git.blobs(["\(step.parents[0]):\(path)", "\(step.commit):\(path)"])
        .map { $0.flatMap { try? ModelDocument(parsing: $0).model } }
      guard let after = models[1] else { continue }
      let known = Set(models[0]?.assignedIDs.map(\.uid) ?? [])
      for given in after.assignedIDs where !known.contains(given.uid) {
        guard let earlier = assigners[given.id] else {
          assigners[given.id] = (step, given.uid, given.label)
          continue
        }
        if earlier.uid == given.uid || earlier.step == step { continue }
        findings.append(
          Finding(
            rule: ReviewRule.queuedID,
            message:
              "\(step.label) gives id \(given.id.id) to \(given.label), and \(earlier.step.label) "
              + "to \(earlier.label)",
            advice: "take one of them out of the queue, and merge the other into it first",
            path: path))
      }
    }
    return Array(findings.prefix(Self.limit))
  }

  /// The model files of which a merge of the queue is not the merge by UID.
  private func differences(
    _ step: QueueStep, _ files: BaseFiles, _ place: Workspace
  ) async throws(CommandFailure) -> [Finding] {
    guard step.parents.count == 2 else { return [] }
    var merge = BranchMerge(
      ours: BranchTip(name: step.parents[0], commit: step.parents[0]),
      theirs: BranchTip(name: step.parents[1], commit: step.parents[1]),
      base: BranchTip(name: base, commit: base), configuration: configuration, program: program)
    merge.files = files
    let result = try await merge.run(in: place)
    var findings: [Finding] = []
    for model in result.models {
      var problem: String?
      if model.isOpen {
        problem = "its merge of \(model.path) leaves conflicts open"
      } else if let tree = result.tree {
        let contents = try await place.git.blobs([
          "\(tree):\(model.path)", "\(step.commit):\(model.path)",
        ])
        let models = contents.map { $0.flatMap { try? ModelDocument(parsing: $0).model } }
        if models[0] != models[1] { problem = "another model came of it than a merge by UID makes" }
      }
      guard let problem else { continue }
      findings.append(
        Finding(
          rule: ReviewRule.queuedMerge,
          message: "\(step.label) was merged as text: \(problem)",
          advice: "take it out of the queue, and merge the base into it with the driver",
          path: model.path))
    }
    return findings
  }
}

/// A commit of a queue, on the line of first parents.
private struct QueueStep: Hashable, Sendable {
  var commit: String
  var parents: [String]
  var subject: String

  /// The hash and the subject, for people.
  var label: String { "\(commit.prefix(12)) (\(subject))" }

  /// The steps between two commits, the first one first.
  static func all(
    from base: String, to head: String, _ git: GitClient
  ) async throws(CommandFailure) -> [QueueStep] {
    let output = try await git.require(
      [
        "log", "-z", "--first-parent", "--reverse", "--format=%H%x01%P%x01%s", "\(base)..\(head)",
        "--",
      ])
    return output.standardOutput.split(separator: 0).compactMap { record in
      let fields = record.split(separator: 1, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      guard fields.count == 3 else { return nil }
      let parents = fields[1].split(separator: " ").map(String.init)
      return parents.isEmpty
        ? nil : QueueStep(commit: fields[0], parents: parents, subject: fields[2])
    }
  }
}

/// An id and the counter that gave it.
private struct AssignedID: Hashable {
  var counter: Counter
  var id: UInt32
}

extension Model {
  /// The ids of all elements, with their UIDs and names.
  fileprivate var assignedIDs: [(id: AssignedID, uid: UID, label: String)] {
    var result: [(id: AssignedID, uid: UID, label: String)] = []
    forEachElement { place, pair in
      result.append((AssignedID(counter: counter(of: place), id: pair.id), pair.uid, label(place)))
    }
    return result
  }
}
