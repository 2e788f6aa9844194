import BoxEngine
import BoxMigration
import BoxModel
import BoxStorage
import BoxStore
import BoxStoreMigration
import Dispatch
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Stores that are opened with a history of models.
struct StoreHistoryTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path(of: "store") }

  init() throws { directory = try TemporaryDirectory() }

  /// Writes notes with the first version of the model.
  private func writeOldNotes(_ count: Int = 3) throws {
    let store = try Store(model: NoteModels.first, directory: path)
    try store.box(for: OldNote.self).put((1...count).map { OldNote("note \($0)", Int32($0)) })
    store.close()
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "nothing was thrown"
    } catch {
      return "\(error)"
    }
  }

  // MARK: - Constants

  /// The notes of the first version have the stars of the first version with stars, whatever comes after it.
  @Test(arguments: [false, true]) func constantsComeWithTheirVersions(opensInBetween: Bool) throws {
    try writeOldNotes()
    func stars(_ history: ModelHistory) throws -> [Int] {
      let store = try Store.open(directory: path, history: history)
      defer { store.close() }
      let box = store.box(for: Note.self)
      return try [5, 6, 0].map { number in
        let condition = try QueryCondition<Note>(parsing: "stars == \(number)")
        return try box.query { condition }.build().count()
      }
    }
    let (first, light) = (try NoteModels.first, try NoteModels.starred(.int))
    if opensInBetween {
      let store = try Store.open(
        directory: path, history: try ModelHistory(["1": first, "2": light]))
      store.close()
    }
    let whole = try ModelHistory([
      "1": first, "2": light, "3": try NoteModels.starred(.long, 6),
    ])
    #expect(try stars(whole) == [3, 0, 0])
    #expect(try stars(whole) == [3, 0, 0])
  }

  /// Notes without stars are without them once they are optional, whatever kind the step is of.
  @Test(arguments: [false, true], [false, true])
  func anOptionalPropertyIsNilAfterEveryStep(_ opensInBetween: Bool, _ isHeavy: Bool) throws {
    try writeOldNotes()
    let (first, second) = (try NoteModels.first, try NoteModels.starred(.int))
    if opensInBetween {
      try Store.open(directory: path, history: try ModelHistory(["1": first, "2": second])).close()
    }
    let third = try NoteModels.starred(isHeavy ? .long : .int, nil)
    let store = try Store.open(
      directory: path, history: try ModelHistory(["1": first, "2": second, "3": third]))
    defer { store.close() }
    for (text, count) in [("stars == null", 3), ("stars == 5", 0), ("stars != null", 0)] {
      func found<N: EntityInspectable & __EntityRelatable>(_ box: Box<N>) throws -> Int
      where N == N.EntityBindingType.EntityType {
        let condition = try QueryCondition<N>(parsing: text)
        return try box.query { condition }.build().count()
      }
      let found =
        try isHeavy ? found(store.box(for: Note.self)) : found(store.box(for: OldNote.self))
      #expect(found == count, "\(text)")
    }
  }

  // MARK: - Stores of versions that the history does not have

  /// A note with stars, written by a version that no history here has.
  private func writeStars() throws {
    let store = try ObjectStore.open(
      .directory(path), model: try NoteModels.starredDocument(.int))
    defer { store.close() }
    try store.write { transaction in
      var note = DynamicObject(try store.entity(named: "Note"))
      note["stars"] = .integer(9)
      try transaction.put(note)
    }
  }

  @Test func aNewerStoreIsNotTakenBack() throws {
    try writeOldNotes()
    try writeStars()
    for history in [
      try ModelHistory(["1": NoteModels.first]),
      try ModelHistory(["1": NoteModels.first, "2": NoteModels.second]),
      try ModelHistory(["1": NoteModels.first, "3": NoteModels.third]),
    ] {
      let text = message { _ = try Store.open(directory: path, history: history) }
      #expect(text.contains("newer than the model"), "\(text)")
      #expect(text.contains("Note.stars") || text.contains("Tag"), "\(text)")
      let pending = message { _ = try Store.pendingMigrations(directory: path, history: history) }
      #expect(pending == text)
    }
    let store = try ObjectStore.open(.directory(path), model: try NoteModels.starredDocument(.int))
    defer { store.close() }
    #expect(try store.read { try $0.get(store.entity(named: "Note"), 4)?["stars"] } == .integer(9))
  }

  @Test func aForgottenVersionBeginsWhereItIsKnown() throws {
    try writeOldNotes()
    try writeStars()
    let history = try ModelHistory([
      "1": NoteModels.first, "2": NoteModels.second, "4": try NoteModels.starred(.long),
    ])
    #expect(
      try Store.pendingMigrations(directory: path, history: history).map(\.description)
        == ["the store -> 4 (heavy)"])
    let store = try Store.open(directory: path, history: history)
    defer { store.close() }
    let condition = try QueryCondition<Note>(parsing: "stars == 9")
    #expect(try store.box(for: Note.self).query { condition }.build().count() == 1)
    #expect(try store.box(for: Note.self).count() == 4)
  }

  // MARK: - Opening

  @Test(.promise(258, 272, 273, 405)) func aStoreIsMigratedStepByStepAndOpened() async throws {
    try writeOldNotes()
    let history = try NoteModels.history
    let pending = try Store.pendingMigrations(directory: path, history: history)
    #expect(pending.map(\.description) == ["1 -> 2 (light)", "2 -> 3 (heavy)"])
    let seen = Mutex<[MigrationProgress]>([])
    let store = try await Store.open(directory: path, history: history) { progress in
      seen.withLock { $0.append(progress) }
    }
    #expect(try store.box(for: Note.self).all().map(\.rank) == [1, 2, 3])
    #expect(try store.box(for: Tag.self).isEmpty())
    let progress = seen.withLock { $0 }
    #expect(progress.first.map { $0.step == 1 && $0.steps == 2 && $0.from == "1" } == true)
    #expect(progress.last.map { $0.step == 2 && $0.done == 3 && $0.fraction == 1 } == true)
    #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.fraction <= $1.fraction })
    store.close()
    #expect(try Store.pendingMigrations(directory: path, history: history).isEmpty)
  }

  @Test(.promise(263)) func aFunctionMapsTheObjectsOfAStep() throws {
    try writeOldNotes()
    let mapping = ModelMapping(
      from: "2", to: "3",
      [
        .transform("Note") { source, output in
          if source["rank"] == 2 { return }
          var note = try output.object()
          note["text"] = "mapped"
          try output.put(note)
        }
      ])
    let store = try Store.open(
      directory: path, history: NoteModels.history, mappings: [mapping])
    #expect(try store.box(for: Note.self).all().map(\.id) == [1, 3])
    #expect(try store.box(for: Note.self).all().map(\.text) == ["mapped", "mapped"])
  }

  @Test(.promise(398)) func aNewStoreAndOneInMemoryNeedNoMigration() async throws {
    let history = try NoteModels.history
    #expect(try Store.pendingMigrations(directory: path, history: history).isEmpty)
    #expect(try !Store.isOpen(directory: path) && !directory.exists("store"))
    let memory = "memory:history"
    #expect(try Store.pendingMigrations(directory: memory, history: history).isEmpty)
    for place in [path, memory] {
      let store = try await Store.open(directory: place, history: history)
      try store.box(for: Note.self).put(Note("new", 1 << 40))
      #expect(try store.box(for: Note.self).all().map(\.rank) == [1 << 40])
    }
  }

  @Test(.promise(271, 398, 401, 405)) func aPolicyForbidsSteps() throws {
    try writeOldNotes()
    let history = try NoteModels.history
    for (policy, words) in [
      (ModelMismatch.fail, "the store has another model: "),
      (.migrate(.lightOnly), "the store needs 2 steps, and one is allowed: "),
      (.migrate(.singleStep), "the store needs 2 steps, and one is allowed: "),
    ] {
      let found = message {
        _ = try Store.open(directory: path, history: history, onMismatch: policy)
      }
      #expect(found == "\(words)1 -> 2 (light); 2 -> 3 (heavy)")
    }
    let pending = try Store.pendingMigrations(directory: path, history: history)
    #expect(throws: MigrationError.severalSteps(pending)) {
      try Store.open(directory: path, history: history, onMismatch: .migrate(.singleStep))
    }
    let light = try ModelHistory(["1": NoteModels.first, "2": NoteModels.second])
    try Store.open(directory: path, history: light, onMismatch: .migrate(.lightOnly)).close()
    let store = try Store(model: NoteModels.second, directory: path)
    #expect(try store.box(for: OldNote.self).count() == 3)
  }

  /// Foundation asks for it, and says else that the operation could not be completed.
  @Test func theLocalizedDescriptionIsTheMessage() {
    let errors: [any Error] = [
      MigrationError.storeChanged, ModelHistoryError.unknownVersion("2"),
    ]
    for error in errors {
      #expect((error as? any LocalizedError)?.errorDescription == "\(error)")
    }
  }

  @Test(.promise(259)) func aStoreIsRecreatedOnlyWithoutAMigrationToTheModel() throws {
    try writeOldNotes()
    let tree = try ModelHistory(
      ["1": NoteModels.first, "2": NoteModels.second, "3": NoteModels.third],
      chain: ["2": "3"], current: "3")
    let store = try Store.open(directory: path, history: tree, onMismatch: .recreate)
    #expect(try store.box(for: Note.self).isEmpty())
  }

  @Test(.promise(272, 406)) func aCancelledMigrationLeavesTheStore() async throws {
    try writeOldNotes()
    let history = try NoteModels.history
    let path = path
    let (isThere, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let opening = Task {
      try await Store.open(directory: path, history: history) { progress in
        if progress.step < 2 || progress.done > 0 { return }
        isThere.signal()
        goOn.wait()
      }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        isThere.wait()
        continuation.resume()
      }
    }
    opening.cancel()
    for _ in 0..<10 { goOn.signal() }
    await #expect(throws: CancellationError.self) { try await opening.value }
    let pending = try Store.pendingMigrations(directory: path, history: history)
    #expect(pending.map(\.description) == ["2 -> 3 (heavy)"])
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await Store.open(directory: path, history: history)
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    let store = try await Store.open(directory: path, history: history)
    #expect(try store.box(for: Note.self).count() == 3)
  }

  // MARK: - Bad input

  @Test func aHistoryWithoutAPathIsAnError() throws {
    try writeOldNotes()
    let history = try ModelHistory(
      ["1": NoteModels.first, "2": NoteModels.second, "3": NoteModels.third],
      chain: ["2": "3"], current: "3")
    let words = "there is no chain from version 1 to 3"
    #expect(message { _ = try Store.open(directory: path, history: history) } == words)
    #expect(
      message { _ = try Store.pendingMigrations(directory: path, history: history) } == words)
    let store = try Store(model: NoteModels.first, directory: path)
    #expect(try store.box(for: OldNote.self).count() == 3)
  }

  @Test(.promise(266)) func aHistoryIsCheckedAsAWhole() throws {
    let (first, second) = try (NoteModels.first, NoteModels.second)
    #expect(throws: ModelHistoryError.emptyHistory) { try ModelHistory([:]) }
    #expect(throws: ModelHistoryError.versionTwice("1")) {
      try ModelHistory(["1": first, "1": second])
    }
    #expect(throws: ModelHistoryError.unknownVersion("9")) {
      try ModelHistory(["1": first], locks: ["9": ModelLock(of: first)])
    }
    #expect(
      message { _ = try ModelHistory(["1": first, "2": StoreModel(json: "{")]) }
        .hasPrefix("version 2: the model of the store cannot be read: "))
  }

  @Test func aStoreThatIsOpenIsAnError() async throws {
    let store = try Store(model: NoteModels.first, directory: path)
    let found = message { _ = try Store.open(directory: path, history: NoteModels.history) }
    #expect(found.contains("is open in this process"))
    #expect(
      message { _ = try Store.open(directory: "a\0b", history: NoteModels.history) }
        .contains("NUL character"))
    #expect(!store.isClosed)
  }

  // MARK: - Locks

  @Test(.promise(351, 352, 405)) func aLockIsPrintedAndCheckedAgainstItsVersion() throws {
    let (first, second, third) = try (NoteModels.first, NoteModels.second, NoteModels.third)
    let lock = try ModelLock(of: second)
    _ = try ModelHistory(["1": first, "2": second], locks: ["2": lock, "1": ModelLock(of: first)])
    do {
      _ = try ModelHistory(["1": first, "2": third], locks: ["2": lock])
      Issue.record("the edited version was accepted")
    } catch let error as ModelLockError {
      #expect(
        error.description
          == "version 2 is locked, and the entity Note (uid 100) was edited; "
          + "undo the change and make it in a new version")
      #expect(error.found == (try ModelLock(of: third)))
      #expect(error.debugDescription.hasSuffix(error.found.debugDescription))
    }
    // The text is a lock that a program can have.
    #expect(
      lock.debugDescription
        == """
        ModelLock([
          .init(uid: 100, name: "Note",
            fingerprint: "\(lock.entries[0].fingerprint)"),
          .init(uid: 200, name: "Tag",
            fingerprint: "\(lock.entries[1].fingerprint)"),
        ])
        """)
    #expect(
      lock
        == ModelLock(
          lock.entries.map { .init(uid: $0.uid, name: $0.name, fingerprint: $0.fingerprint) }))
    #expect(ModelLock([]).debugDescription == "ModelLock([])")
  }

  // MARK: - Subsets

  @Test(.promise(251)) func storesSideBySideHaveAPartOfTheModelEach() throws {
    let model = try NoteModels.second
    let notes = try Store(model: model.subset(OldNote.self), directory: directory.path(of: "a"))
    let tags = try Store(model: model.subset(entities: ["Tag"]), directory: directory.path(of: "b"))
    try notes.box(for: OldNote.self).put(OldNote("x"))
    try tags.box(for: Tag.self).put([Tag("y"), Tag("z")])
    #expect(try notes.box(for: OldNote.self).count() == 1)
    #expect(try tags.box(for: Tag.self).count() == 2)
    notes.close()
    // Each has a history of its own parts, and can become a store of the whole model.
    let history = try ModelHistory([
      "1": model.subset(OldNote.self), "2": NoteModels.third.subset(Note.self),
      "3": NoteModels.third,
    ])
    let place = directory.path(of: "a")
    #expect(
      try Store.pendingMigrations(directory: place, history: history).map(\.kind)
        == [.heavy, .light])
    let whole = try Store.open(directory: place, history: history)
    #expect(try whole.box(for: Note.self).count() == 1)
    #expect(try whole.box(for: Tag.self).isEmpty())
  }

  @Test(.promise(251)) func aSubsetThatCutsARelationIsAnError() throws {
    let model = try NoteModels.related
    #expect(
      message { _ = try model.subset(OldNote.self) }
        == "the model has no such subset: Note.topTagId refers to Tag, which is not in it; add Tag; "
        + "Note.tags refers to Tag, which is not in it; add Tag")
    #expect(
      message { _ = try model.subset(entities: ["Notes", "Tag"]) }
        == "the model has no such subset: it has no entity Notes; did you mean Note?")
    // The other end, and both ends, are parts.
    let path = path
    _ = try Store(model: model.subset(Tag.self), directory: path)
    _ = try model.subset(OldNote.self, Tag.self)
  }
}
