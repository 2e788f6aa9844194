import BoxMerge
import BoxModel
import BoxModelTool
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The merge driver under real git.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct GitMergeTests {
  static let styles = ["merge", "diff3", "zdiff3"]
  let file = "model.json"

  // MARK: - Merges without a conflict

  @Test(arguments: styles)
  func mergeKeepsWhatBothSidesAdded(style: String) async throws {
    let repository = try await diverged()
    try await repository.git("config", "merge.conflictStyle", style)
    let merge = try await repository.tryGit(["merge", "--no-edit", "feature"])
    #expect(merge.status == 0, "\(merge.messages)")
    #expect(merge.messages.contains("BOX410"))
    try expectBothSides(try repository.text(of: file))
    #expect(try await repository.git("status", "--porcelain") == "")
  }

  @Test(.promise(118), arguments: styles)
  func rebaseKeepsTheIdsOfThePublishedBranch(style: String) async throws {
    let repository = try await diverged()
    try await repository.git("config", "merge.conflictStyle", style)
    try await repository.git("switch", "--quiet", "feature")
    let rebase = try await repository.tryGit(["rebase", "main"])
    #expect(rebase.status == 0, "\(rebase.messages)")
    try expectBothSides(try repository.text(of: file))
  }

  /// The branch main is published, so it keeps its ids although its UIDs are the higher ones.
  @Test func mergingMainIntoABranchRenumbersTheBranch() async throws {
    let repository = try await diverged(mainUID: 5000, featureUID: 3000)
    try await repository.git("switch", "--quiet", "feature")
    #expect(try await repository.tryGit(["merge", "--no-edit", "main"]).status == 0)
    let pairs = try ModelFacts(try repository.text(of: file)).pairs
    #expect(pairs["Ant"] == "2:5000")
    #expect(pairs["Bear"] == "3:3000")
  }

  @Test func cherryPickTakesTheCommit() async throws {
    let repository = try await diverged()
    #expect(try await repository.tryGit(["cherry-pick", "feature"]).status == 0)
    try expectBothSides(try repository.text(of: file))
  }

  @Test func revertRemovesAndRetires() async throws {
    let repository = try await installed()
    try await repository.commit([file: SmallModel.base.text])
    let added = try await repository.commit([file: SmallModel.with("Ant", uid: 2000).text])
    var later = SmallModel.with("Ant", uid: 2000)
    later.entities.append(.init(id: 3, uid: 4000, name: "Cat"))
    try await repository.commit([file: later.text])
    let revert = try await repository.tryGit(["revert", "--no-edit", added])
    #expect(revert.status == 0, "\(revert.messages)")
    let facts = try ModelFacts(try repository.text(of: file))
    #expect(facts.pairs["Ant"] == nil)
    #expect(facts.pairs["Cat"] == "3:4000")
    #expect(facts.document.model[retired: .entity] == [2000])
    #expect(facts.errors == [])
  }

  @Test func stashPopMergesWithTheBranch() async throws {
    let repository = try await installed()
    try await repository.commit([file: SmallModel.base.text])
    try repository.write(SmallModel.grown("Bear", uid: 3000).text, to: file)
    try await repository.git("stash", "--quiet")
    try await repository.commit([file: SmallModel.grown("Ant", uid: 2000).text])
    let pop = try await repository.tryGit(["stash", "pop"])
    #expect(pop.status == 0, "\(pop.messages)")
    try expectBothSides(try repository.text(of: file))
  }

  @Test func crissCrossMerges() async throws {
    let repository = try await diverged()
    // Each branch merges the other's first commit, so that the next merge has two bases.
    try await repository.git("branch", "old-main")
    try await repository.git("merge", "--quiet", "--no-edit", "feature")
    try await repository.git("switch", "--quiet", "feature")
    try await repository.git("merge", "--quiet", "--no-edit", "old-main")
    var onFeature = try ModelFacts(try repository.text(of: file)).pairs
    #expect(onFeature["Ant"] == "2:2000")
    #expect(onFeature["Bear"] == "3:3000")
    let feature = try repository.text(of: file)
    try await repository.commit([
      file: feature.replacing(#""name": "text""#, with: #""name": "body""#)
    ])
    try await repository.git("switch", "--quiet", "main")
    let main = try repository.text(of: file)
    try await repository.commit([file: main.replacing(#""name": "Ant""#, with: #""name": "Emmet""#)]
    )
    let bases = try await repository.git("merge-base", "--all", "main", "feature")
    #expect(bases.split(separator: "\n").count == 2)
    let merge = try await repository.tryGit(["merge", "--no-edit", "feature"])
    let text = try repository.text(of: file)
    if merge.status == 0 {
      onFeature = try ModelFacts(text).pairs
      #expect(onFeature["Emmet"] == "2:2000")
      #expect(onFeature["Note.body"] == "2:1002")
    } else {
      // The base of the merge is one of two, so that a conflict may be left: it is marked.
      #expect(text.contains("<<<<<<<"))
    }
    try expectNoUIDIsLost(text, [2000, 2001, 2010, 2020, 3000, 3001, 3010, 3020])
  }

  @Test func addAddWithCommonUIDsIsMergedWithoutABase() async throws {
    let repository = try await installed()
    try await repository.commit(["other": "1"])
    try await repository.git("switch", "--quiet", "-c", "feature")
    try await repository.commit([file: SmallModel.grown("Bear", uid: 3000).text])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([file: SmallModel.grown("Ant", uid: 2000).text])
    let merge = try await repository.tryGit(["merge", "--no-edit", "feature"])
    #expect(merge.status == 0, "\(merge.messages)")
    try expectBothSides(try repository.text(of: file))
  }

  @Test func addAddWithoutACommonUIDStaysAConflict() async throws {
    let repository = try await installed()
    try await repository.commit(["other": "1"])
    try await repository.git("switch", "--quiet", "-c", "feature")
    try await repository.commit([file: regenerated.text])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([file: SmallModel.base.text])
    let merge = try await repository.tryGit(["merge", "--no-edit", "feature"])
    #expect(merge.status == 1)
    #expect(merge.messages.contains("boxjoint resolve --rematch model.json"))
    try expectNoUIDIsLost(try repository.text(of: file), [1000, 1002, 9000, 9002])
  }

  @Test func aRenameOnOneSideIsFollowed() async throws {
    let repository = try await diverged()
    try await repository.git("mv", file, "objectbox-model.json")
    try await repository.commit()
    let merge = try await repository.tryGit(["merge", "--no-edit", "feature"])
    #expect(merge.status == 0, "\(merge.messages)")
    try expectBothSides(try repository.text(of: "objectbox-model.json"))
    #expect(!repository.surroundings.exists(repository.path + "/" + file))
  }

  @Test func aReadOnlyFileIsMergedAsGitDoes() async throws {
    let repository = try await diverged()
    chmod(repository.path + "/" + file, 0o444)
    let merge = try await repository.tryGit(["merge", "--no-edit", "feature"])
    #expect(merge.status == 0, "\(merge.messages)")
    try expectBothSides(try repository.text(of: file))
  }

  @Test func aSymbolicLinkStaysOne() async throws {
    let repository = try await installed()
    try repository.write(SmallModel.base.text, to: "data/objectbox-model.json")
    symlink("data/objectbox-model.json", repository.path + "/model.json")
    try await repository.commit()
    try await branchOff(
      repository, "data/objectbox-model.json", SmallModel.grown("Ant", uid: 2000),
      SmallModel.grown("Bear", uid: 3000))
    #expect(try await repository.tryGit(["merge", "--no-edit", "feature"]).status == 0)
    try expectBothSides(try repository.text(of: "model.json"))
    #expect(try await repository.git("ls-files", "-s", "model.json").hasPrefix("120000"))
  }

  @Test func anOctopusMergeNeverDamagesTheFile() async throws {
    let repository = try await diverged()
    try await repository.git("switch", "--quiet", "-c", "third", "feature~1")
    try await repository.commit([file: SmallModel.grown("Cat", uid: 4000).text])
    try await repository.git("switch", "--quiet", "main")
    let merge = try await repository.tryGit(["merge", "--no-edit", "feature", "third"])
    // Git gives up on an octopus with a conflict, and calls no merge driver.
    #expect(merge.status != 0)
    let head = try await repository.git("show", "HEAD:" + file)
    #expect(head == SmallModel.grown("Ant", uid: 2000).text)
  }

  // MARK: - Conflicts

  @Test(.promise(6), arguments: styles)
  func conflictsStandBetweenMarkersAndResolveTakesASide(style: String) async throws {
    let repository = try await renamedTwice(style: style)
    let text = try repository.text(of: file)
    #expect(text.contains("<<<<<<< "))
    #expect(text.contains(">>>>>>> "))
    #expect(text.contains("||||||| ") == (style != "merge"))
    // Everything else is merged.
    #expect(text.contains(#""2:2000""#))
    #expect(text.contains(#""3:3000""#))
    for (take, name) in [(.ours, "Memo"), (.theirs, "Letter")] as [(MergeSide, String)] {
      try repository.write(text, to: file)
      try await repository.git("checkout", "--merge", "--", file)
      let resolve = try await resolve(repository) { $0.options.favor = take }
      #expect(resolve.outcome == .success, "\(resolve.text)")
      #expect(resolve.text.contains("check finds no error"))
      #expect(resolve.text.contains("staged"))
      let facts = try ModelFacts(try repository.text(of: file))
      #expect(facts.pairs[name] == "1:1000")
      #expect(facts.pairs["Ant"] == "2:2000")
      #expect(facts.pairs["Bear"] == "3:3000")
      #expect(facts.errors == [])
      #expect(!repository.surroundings.exists(repository.path + "/model.json.orig"))
      #expect(try await repository.git("ls-files", "--unmerged") == "")
      try await repository.git("checkout", "--merge", "--", file)
    }
  }

  @Test func favorResolvesInTheDriver() async throws {
    let repository = try await renamedTwice(merges: false)
    let merge = try await repository.tryGit(
      ["merge", "--no-edit", "feature"], environment: ["BOXJOINT_MERGE_FAVOR": "theirs"])
    #expect(merge.status == 0, "\(merge.messages)")
    #expect(try ModelFacts(try repository.text(of: file)).pairs["Letter"] == "1:1000")
  }

  @Test func zeroTurnsTheDriverOff() async throws {
    let repository = try await diverged()
    let merge = try await repository.tryGit(
      ["merge", "--no-edit", "feature"], environment: ["BOXJOINT_MERGE": "0"])
    #expect(merge.status == 1)
    #expect(!merge.messages.contains("boxjoint"))
    #expect(try repository.text(of: file).contains("<<<<<<<"))
  }

  @Test func aRegeneratedSideIsAConflict() async throws {
    let repository = try await installed()
    try await repository.commit([file: SmallModel.base.text])
    try await branchOff(repository, file, SmallModel.grown("Ant", uid: 2000), regenerated)
    let merge = try await repository.tryGit(["merge", "--no-edit", "feature"])
    #expect(merge.status == 1)
    #expect(merge.messages.contains("boxjoint resolve --rematch model.json"))
    try expectNoUIDIsLost(try repository.text(of: file), [1000, 2000, 9000, 9002])
  }

  @Test func aDamagedSideIsMergedAsTextAndIsNeverClean() async throws {
    let repository = try await installed()
    try await repository.commit([file: SmallModel.base.text])
    let damaged = SmallModel.base.text.replacing(#""version": 1"#, with: #""version": "#)
    try await repository.git("switch", "--quiet", "-c", "feature")
    try await repository.commit([file: damaged])
    try await repository.git("switch", "--quiet", "main")
    try await repository.commit([
      file: SmallModel.base.text.replacing(#""Note""#, with: #""Memo""#)
    ])
    let merge = try await repository.tryGit(["merge", "--no-edit", "feature"])
    #expect(merge.status == 1)
    #expect(merge.messages.contains("merged as text, since theirs:"))
    #expect(try repository.text(of: file).contains("Memo"))
  }

  @Test func aMissingPublishedRefMakesContestedIdsConflicts() async throws {
    let origin = try await installed()
    try await origin.commit([file: SmallModel.base.text])
    try await origin.git("branch", "release")
    try await origin.commit(["later": "1"])
    let clone = try await TemporaryRepository(
      cloning: origin, options: ["--depth", "1", "--branch", "main", "--single-branch"])
    try await install(clone)
    try clone.write("published: [origin/release]\n", to: ".boxjoint.yml")
    try await clone.commit()
    try await branchOff(
      clone, file, SmallModel.grown("Ant", uid: 2000), SmallModel.grown("Bear", uid: 3000))
    let merge = try await clone.tryGit(["merge", "--no-edit", "feature"])
    #expect(merge.status == 1)
    #expect(merge.messages.contains("BOX505"), "\(merge.messages)")
    #expect(merge.messages.contains("git fetch origin release:refs/remotes/origin/release"))
    try expectNoUIDIsLost(try clone.text(of: file), [2000, 2010, 2020, 3000, 3010, 3020])
    try await clone.git("fetch", "--quiet", "origin", "release:refs/remotes/origin/release")
    let resolve = try await resolve(clone)
    #expect(resolve.outcome == .success, "\(resolve.text)")
    try expectBothSides(try clone.text(of: file))
  }

  // MARK: - Files that are not models

  @Test(arguments: styles)
  func aFileThatIsNotAModelIsMergedAsByGit(style: String) async throws {
    for (ours, theirs) in [("one", "uno"), ("one", "2")] {
      var results: [(String, Int32)] = []
      for installs in [false, true] {
        let repository = try await TemporaryRepository()
        if installs {
          try repository.write("default.json merge=boxjoint diff=boxjoint\n", to: ".gitattributes")
          try await install(repository)
        }
        try await repository.git("config", "merge.conflictStyle", style)
        let base = #"{"a": 1,"# + "\n\"b\": 2,\n\"c\": 3,\n\"d\": 4,\n\"e\": 5}\n"
        try await repository.commit(["default.json": base])
        try await repository.git("switch", "--quiet", "-c", "feature")
        try await repository.commit([
          "default.json": theirs == "2"
            ? base.replacing("5}", with: "6}") : base.replacing(": 1", with: ": \(theirs)")
        ])
        try await repository.git("switch", "--quiet", "main")
        try await repository.commit(["default.json": base.replacing(": 1", with: ": \(ours)")])
        let merge = try await repository.tryGit(["merge", "--no-edit", "feature"])
        #expect(!merge.messages.contains("boxjoint"))
        results.append((try repository.text(of: "default.json").withoutLabels, merge.status))
      }
      #expect(results[0] == results[1])
      #expect(results[0].1 == (theirs == "2" ? 0 : 1))
    }
  }

  // MARK: - Preparations

  private let regenerated = SmallModel([
    SmallModel.Entity(
      id: 1, uid: 9000, name: "Note", properties: [.init(id: 2, uid: 9002, name: "text")])
  ])

  /// Resolves the conflicted models of a repository as `boxjoint resolve` does.
  private func resolve(
    _ repository: TemporaryRepository, _ change: (inout ResolveRequest) -> Void = { _ in }
  ) async throws -> ResolveReport {
    var request = ResolveRequest([])
    change(&request)
    return try await request.run(in: repository.workspace)
  }

  private func expectBothSides(_ text: String) throws {
    let facts = try ModelFacts(text)
    #expect(facts.errors == [])
    let pairs = facts.pairs
    #expect(pairs["Note"] == "1:1000")
    #expect(pairs["Note.text"] == "2:1002")
    #expect(pairs["Ant"] == "2:2000")
    #expect(pairs["Bear"] == "3:3000")
    #expect(pairs["Note.ofAnt"] == "3:2010")
    #expect(pairs["Note.ofBear"] == "4:3010")
    #expect(pairs["index of Note.ofAnt"] == "1:2020")
    #expect(pairs["index of Note.ofBear"] == "2:3020")
    #expect(facts.document.model.entities.count == 3)
  }

  private func expectNoUIDIsLost(_ text: String, _ uids: [Int]) throws {
    for uid in uids {
      #expect(text.contains(":\(uid)\"") || text.contains(" \(uid)"), "\(uid)")
    }
  }

  /// A repository in which both branches gave the same ids to different elements.
  private func diverged(mainUID: Int = 2000, featureUID: Int = 3000) async throws
    -> TemporaryRepository
  {
    let repository = try await installed()
    try await repository.commit([file: SmallModel.base.text])
    try await branchOff(
      repository, file, SmallModel.grown("Ant", uid: mainUID),
      SmallModel.grown("Bear", uid: featureUID))
    return repository
  }

  /// A merge that leaves one conflict: both branches renamed an entity, and added others.
  private func renamedTwice(
    style: String = "merge", merges: Bool = true
  ) async throws -> TemporaryRepository {
    let repository = try await installed()
    try await repository.git("config", "merge.conflictStyle", style)
    try await repository.commit([file: SmallModel.base.text])
    var ours = SmallModel.with("Ant", uid: 2000)
    ours.entities[0].name = "Memo"
    var theirs = SmallModel.with("Bear", uid: 3000)
    theirs.entities[0].name = "Letter"
    try await branchOff(repository, file, ours, theirs)
    if merges {
      let merge = try await repository.tryGit(["merge", "--no-edit", "feature"])
      #expect(merge.status == 1)
      #expect(merge.messages.contains("BOX501"))
      #expect(merge.messages.contains("boxjoint resolve"))
    }
    return repository
  }
}

extension String {
  /// The text without what stands behind conflict markers: before 2.44, git does not tell a driver
  /// the names of the sides.
  fileprivate var withoutLabels: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let isMarker = ["<<<<<<< ", "||||||| ", ">>>>>>> "].contains { line.hasPrefix($0) }
      return isMarker ? String(line.prefix(7)) : String(line)
    }.joined(separator: "\n")
  }
}

/// A repository into which the built program is installed.
func installed() async throws -> TemporaryRepository {
  let repository = try await TemporaryRepository()
  try await install(repository)
  return repository
}

/// Installs the built program as `boxjoint git install` does.
func install(_ repository: TemporaryRepository) async throws {
  let place = repository.workspace
  let settings = try await EffectiveConfiguration.load(
    EffectiveConfiguration.Options(), in: place)
  _ = try await GitIntegration(git: place.git).install(
    .local, program: Tool.path ?? "", patterns: settings.filePatterns, mergeTool: false)
}

extension TemporaryRepository {
  /// The repository as a place for requests.
  fileprivate var workspace: Workspace {
    Workspace(git: GitClient(in: path, environment: environment), directory: path)
  }
}
