import BoxMigration
import BoxStore
import BoxStoreMigration
import TestSupport
import Testing

/// Damaged stores of earlier versions, which are repaired before they are migrated.
struct DamagedHistoryTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path(of: "store") }

  init() throws {
    directory = try TemporaryDirectory()
    let store = try Store(model: NoteModels.first, directory: path)
    try store.box(for: OldNote.self).put((1...200).map { OldNote("note \($0)", Int32($0)) })
    store.close()
  }

  /// Changes the page, or the byte alone, that has a text.
  private func damage(_ text: String, isPage: Bool) throws -> [UInt8] {
    var bytes = try directory.bytes(of: "store/data.mdb")
    let place = try #require(bytes.indices.last { bytes[$0...].starts(with: Array(text.utf8)) })
    if isPage {
      let page = place / 4096 * 4096
      bytes.replaceSubrange(page..<page + 4096, with: repeatElement(0, count: 4096))
    } else {
      bytes[place] ^= 1
    }
    try directory.write(bytes, to: "store/data.mdb")
    return bytes
  }

  @Test(arguments: [true, false]) func theRestIsMigrated(isPage: Bool) throws {
    let bytes = try damage("note 77", isPage: isPage)
    let history = try NoteModels.history
    // LMDB may end a process that reads a damaged page.
    if !isPage {
      #expect(throws: (any Error).self) { try Store.open(directory: path, history: history) }
      #expect(throws: (any Error).self) {
        try Store.open(directory: path, history: history, ifDamaged: .fail)
      }
    }
    #expect(try directory.bytes(of: "store/data.mdb") == bytes)
    let opening = try Store.open(directory: path, history: history, ifDamaged: .salvage)
    let loss = try #require(opening.loss)
    let notes = try #require(loss.entities.first { $0.name == "Note" })
    let lost = try #require(notes.lost)
    #expect(lost > 0 && notes.kept + lost == 200)
    if !isPage { #expect(lost == 1) }
    let found = try opening.store.box(for: Note.self).all()
    #expect(found.count == notes.kept)
    #expect(!found.contains { $0.text == "note 77" })
    #expect(try TemporaryDirectory.bytes(ofFile: loss.file) == bytes)
    opening.store.close()
    let again = try Store.open(
      directory: path, history: history, ifDamaged: .salvage, checks: .everything)
    #expect(again.loss == nil)
    #expect(try again.store.box(for: Note.self).all().count == notes.kept)
  }

  @Test func setAsideBeginsWithTheCurrentVersion() throws {
    let bytes = try damage("note 77", isPage: true)
    let opening = try Store.open(
      directory: path, history: try NoteModels.history, ifDamaged: .setAside)
    #expect(try opening.store.box(for: Note.self).all().isEmpty)
    let loss = try #require(opening.loss)
    #expect(try TemporaryDirectory.bytes(ofFile: loss.file) == bytes)
  }

  @Test func anAsyncOpeningSalvagesToo() async throws {
    _ = try damage("note 77", isPage: true)
    let history = try NoteModels.history
    let opening = try await Store.open(directory: path, history: history, ifDamaged: .salvage)
    let kept = try #require(opening.loss?.entities.first { $0.name == "Note" }).kept
    #expect(try opening.store.box(for: Note.self).all().count == kept)
  }

  /// A version that the history does not have is not damage.
  @Test func anUnknownVersionIsThrown() throws {
    let other = try ModelHistory(["7": try NoteModels.third])
    let before = try directory.bytes(of: "store/data.mdb")
    #expect(throws: (any Error).self) {
      try Store.open(
        directory: path, history: other, onMismatch: .fail, ifDamaged: .salvage,
        checks: .everything)
    }
    #expect(try directory.bytes(of: "store/data.mdb") == before)
    #expect(!directory.exists("store/damaged"))
  }
}
