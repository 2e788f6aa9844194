import BoxMigration
import BoxModel
import TestSupport
import Testing

/// Chains, histories and locks of versions.
struct VersionTests {
  @Test(.promise(275, 396)) func aListAndATreeOfTheSameLinksAreEqual() {
    let list: MigrationChain = ["a", "b", "c"]
    let tree: MigrationChain = ["a": "b", "b": "c"]
    #expect(list == tree)
    #expect(list.roots == ["a"])
    #expect(list.leaves == ["c"])
    #expect(list.version(after: "a") == "b")
    #expect(list.version(after: "c") == nil)
    #expect(list.problems.isEmpty)
  }

  @Test(.promise(274, 277, 396)) func anEmptyChainIsOneHop() throws {
    let empty = MigrationChain([])
    #expect(empty.isEmpty)
    #expect(empty.problems.isEmpty)
    #expect(try empty.path(from: "1", to: "9") == ["1", "9"])
    let one: MigrationChain = "V1"
    #expect(one.isEmpty)
    #expect(one.contains("V1"))
    #expect(one.roots == ["V1"])
    #expect(one.leaves == ["V1"])
  }

  @Test(.promise(396)) func onlyAVersionThatIsFollowedHasANextOne() {
    let chain: MigrationChain = ["A": "B", "X": "X"]
    #expect(chain.version(after: "A") == "B")
    for version in ["B", "X", "unknown"] { #expect(chain.version(after: version) == nil) }
    // Trees that do not meet: the history says which of the leaves is the current version.
    let two: MigrationChain = ["A": "B", "X": "Y"]
    #expect(two.problems.isEmpty && two.roots == ["A", "X"] && two.leaves == ["B", "Y"])
    let empty: [MigrationChain] = [[], [:]]
    #expect(empty.allSatisfy { $0.isEmpty && $0.roots.isEmpty && $0.leaves.isEmpty })
    #expect(empty[0] == empty[1] && empty[0] != "V1")
  }

  @Test(.promise(276)) func pathsLeadFromAnyVersion() throws {
    let chain: MigrationChain = ["V1": "V3", "V2": "V4", "V3": "V4"]
    #expect(chain.problems.isEmpty)
    #expect(try chain.path(from: "V1", to: "V4") == ["V1", "V3", "V4"])
    #expect(try chain.path(from: "V2", to: "V4") == ["V2", "V4"])
    #expect(throws: ModelHistoryError.noPath(from: "V2", to: "V3")) {
      try chain.path(from: "V2", to: "V3")
    }
    #expect(throws: ModelHistoryError.noPath(from: "V9", to: "V4")) {
      try chain.path(from: "V9", to: "V4")
    }
  }

  @Test(.promise(278, 396)) func versionsThatStandTwiceAndLoopsAreNamed() {
    #expect(MigrationChain(["A", "A"]).problems.contains(.versionTwice("A")))
    #expect(MigrationChain(["A", "B", "A"]).problems.contains(.versionTwice("A")))
    let loop: MigrationChain = ["A": "B", "B": "C", "C": "A"]
    #expect(loop.problems == [.loop(["A", "B", "C", "A"])])
    let own: MigrationChain = ["A": "A"]
    #expect(own.problems == [.loop(["A", "A"])])
    // Two ways into one loop, and a loop beside it.
    let several = MigrationChain(links: [
      ("X", "A"), ("A", "B"), ("B", "A"), ("Y", "B"), ("C", "D"), ("D", "C"), ("E", "F"),
    ])
    #expect(several.problems == [.loop(["A", "B", "A"]), .loop(["C", "D", "C"])])
    #expect(throws: ModelHistoryError.loop(["X", "A", "B", "A"])) {
      try several.path(from: "X", to: "E")
    }
    #expect(MigrationChain(links: [("A", "B"), ("A", "C")]).problems == [.versionTwice("A")])
  }

  /// Of a random tree every version leads to the leaf, without one twice on the way.
  @Test(.promise(266, 276)) func everyPathOfATreeEndsAtItsLeaf() throws {
    var random = TestSeed.next()
    for _ in 0..<300 {
      let count = 2 + random.below(12)
      // Each version leads to a later one, so the last is the only leaf.
      let links = (0..<count - 1).map { from in
        (from: "v\(from)", to: "v\(from + 1 + random.below(count - from - 1))")
      }
      let chain = MigrationChain(links: links)
      #expect(chain.problems.isEmpty)
      for version in chain.versions {
        let path = try chain.path(from: version, to: "v\(count - 1)")
        #expect(path.first == version)
        #expect(path.last == "v\(count - 1)")
        #expect(Set(path).count == path.count)
        for (from, to) in zip(path, path.dropFirst()) {
          #expect(chain.version(after: from) == to)
        }
      }
    }
  }

  private func version(_ name: String, _ change: (inout Model) -> Void = { _ in })
    -> ModelHistory.Version
  {
    var model = PlanModels.base()
    change(&model)
    return ModelHistory.Version(name, model)
  }

  @Test(.promise(279)) func theLeafmostVersionIsTheCurrentOne() throws {
    let versions = [
      version("1"), version("2") { $0.entities[2].name = "Label" },
      version("3") { PlanModels.remove("flagged", of: 1, in: &$0) },
    ]
    let history = try ModelHistory(versions)
    #expect(history.current.name == "3")
    let plans = try history.plans(from: "1")
    #expect(plans.map { $0.steps.map(\.changeClass) } == [[.safe], [.dataHidden, .safe]])
    let direct = try ModelHistory(versions, chain: [], current: "2")
    #expect(try direct.plans(from: "3").count == 1)
    let tree = try ModelHistory(versions, chain: ["1": "3", "2": "3"])
    #expect(tree.current.name == "3")
  }

  @Test func everythingThatIsWrongWithAHistoryIsNamed() {
    #expect(throws: ModelHistoryError.emptyHistory) { try ModelHistory([]) }
    #expect(throws: ModelHistoryError.versionTwice("1")) {
      try ModelHistory([version("1"), version("1")])
    }
    #expect(throws: ModelHistoryError.unknownVersion("9")) {
      try ModelHistory([version("1"), version("2")], chain: ["1": "2", "9": "2"])
    }
    #expect(throws: ModelHistoryError.unknownVersion("7")) {
      try ModelHistory([version("1")], current: "7")
    }
    #expect(throws: ModelHistoryError.ambiguousLeaf(["2", "3"])) {
      try ModelHistory(
        [version("1"), version("2"), version("3"), version("0")], chain: ["1": "2", "0": "3"])
    }
    #expect(throws: ModelHistoryError.ambiguousLeaf(["1", "2"])) {
      try ModelHistory([version("1"), version("2")], chain: [])
    }
    let error = #expect(throws: ModelHistoryError.self) {
      try ModelHistory([version("1"), version("2")], chain: ["1": "2", "2": "1", "8": "1"])
    }
    #expect(error?.description.contains("form a cycle") == true)
    #expect(error?.description.contains("no model of version 8") == true)
  }

  /// Names and numbers may change under a lock, and nothing that a database depends on.
  @Test func aLockHoldsWhatDatabasesDependOn() throws {
    let lock = ModelLock(of: PlanModels.base())
    func differences(_ change: (inout Model) -> Void) -> [String] {
      var model = PlanModels.base()
      change(&model)
      return lock.differences(in: model).map(\.description)
    }
    #expect(differences { _ in } == [])
    #expect(differences { $0.entities[2].name = "Label" } == [])
    #expect(differences { $0.entities[1].properties.reverse() } == [])
    #expect(differences { $0.entities[1].pair.id = 9 } == [])
    #expect(
      differences { $0.entities[1].properties[1].type = .int }
        == ["the entity Note (uid 2000) was edited"])
    #expect(differences { $0.entities[1].relations = [] }.count == 1)
    #expect(differences { $0.entities.removeLast() } == ["the entity Tag (uid 3000) was removed"])
    #expect(
      differences { Mutation.add("Log", to: &$0) } == ["the entity Log (uid 5000) was added"])
    let file = LockFile([.init(source: "v1:model.json", lock: lock)])
    #expect(try LockFile(parsing: Array(file.text.utf8)) == file)
  }
}
