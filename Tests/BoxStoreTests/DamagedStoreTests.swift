import BoxStore
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Stores that are opened although their data file may be damaged.
struct DamagedStoreTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path(of: "store") }

  init() throws { directory = try TemporaryDirectory() }

  private func fill(_ count: Int = 300) throws {
    let store = try SampleStore.open(directory)
    try store.box(for: Book.self).put((1...count).map { Book("book \($0)") })
    store.close()
  }

  private func tryOpening(_ policy: DamagePolicy, _ checks: DamageChecks = .pages) throws
    -> Store.Opening
  {
    try Store.open(
      directory: path, model: try SampleStore.model, ifDamaged: policy, checks: checks)
  }

  /// Makes the page with an object that has a text one of nothing.
  private func damagePage(with text: String) throws -> [UInt8] {
    var bytes = try directory.bytes(of: "store/data.mdb")
    // Records are written before the entries of an index.
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: Array(text.utf8)) })
    let page = place / 4096 * 4096
    bytes.replaceSubrange(page..<page + 4096, with: repeatElement(0, count: 4096))
    try directory.write(bytes, to: "store/data.mdb")
    return bytes
  }

  private func titles(_ store: Store) throws -> [String] {
    try store.box(for: Book.self).all().map(\.title)
  }

  @Test(arguments: [DamagePolicy.fail, .setAside, .salvage])
  func aStoreWithoutDamageIsOpened(_ policy: DamagePolicy) throws {
    for checks in [DamageChecks.pages, .everything] {
      let opening = try tryOpening(policy, checks)
      #expect(opening.loss == nil)
      opening.store.close()
    }
    try fill(3)
    for checks in [DamageChecks.pages, .everything] {
      let opening = try tryOpening(policy, checks)
      #expect(opening.loss == nil)
      #expect(try titles(opening.store) == ["book 1", "book 2", "book 3"])
      opening.store.close()
    }
    #expect(directory.names(in: "store").sorted() == ["data.mdb", "lock.mdb", "store.lock"])
    let memory = try Store.open(
      directory: "memory:\(path)", model: try SampleStore.model, ifDamaged: policy)
    #expect(memory.loss == nil)
  }

  @Test func whatCanBeReadIsSalvaged() throws {
    try fill()
    let bytes = try damagePage(with: "book 120")
    let opening = try tryOpening(.salvage)
    let loss = try #require(opening.loss)
    #expect(loss.isReadable && !loss.isEmpty)
    #expect(loss.damage.hasPrefix("pages are damaged: page "))
    let books = try #require(loss.entities.first { $0.name == "Book" })
    let lost = try #require(books.lost)
    #expect(lost > 0 && books.kept > 0 && books.kept + lost == 300)
    let kept = try titles(opening.store)
    #expect(kept.count == books.kept)
    #expect(Set(kept).isSubset(of: (1...300).map { "book \($0)" }))
    #expect(try TemporaryDirectory.bytes(ofFile: loss.file) == bytes)
    #expect("\(loss)".contains("Book: \(lost) lost, \(books.kept) kept"))
    #expect("\(opening.store)".isEmpty == false)
    // The id of the last one goes on.
    let next = Book("next")
    try opening.store.box(for: Book.self).put(next)
    #expect(next.id.value == 301)
    opening.store.close()
    let again = try tryOpening(.salvage, .everything)
    #expect(again.loss == nil)
    #expect(try titles(again.store).count == books.kept + 1)
  }

  @Test func setAsideIsEmptyAndFailChecksNothing() throws {
    try fill()
    let bytes = try damagePage(with: "book 120")
    // As without the parameter, the page is not looked at.
    try tryOpening(.fail).store.close()
    #expect(!directory.exists("store/damaged"))
    let opening = try tryOpening(.setAside)
    let loss = try #require(opening.loss)
    #expect(loss.entities.first { $0.name == "Book" }?.lost == 300)
    #expect(try titles(opening.store) == [])
    #expect(try TemporaryDirectory.bytes(ofFile: loss.file) == bytes)
  }

  @Test(arguments: [DamagePolicy.setAside, .salvage])
  func aFileThatIsNotAStoreIsSetAside(_ policy: DamagePolicy) throws {
    try directory.write("another program wrote this", to: "store/data.mdb")
    #expect(thrownCase { _ = try tryOpening(.fail) } == "fileCorrupt")
    let opening = try tryOpening(policy)
    let loss = try #require(opening.loss)
    #expect(!loss.isReadable && !loss.isEmpty && loss.entities.isEmpty)
    #expect("\(loss)".contains("nothing could be read"))
    #expect(try directory.text(of: loss.file) == "another program wrote this")
    #expect(try titles(opening.store) == [])
  }

  // MARK: - What is not damage

  private func expectUnmoved(_ error: String, _ body: () throws -> Void) throws {
    let before = try directory.bytes(of: "store/data.mdb")
    #expect(thrownCase(body) == error)
    #expect(try directory.bytes(of: "store/data.mdb") == before)
    #expect(!directory.exists("store/damaged"))
  }

  @Test(arguments: [DamagePolicy.setAside, .salvage], [DamageChecks.pages, .everything])
  func errorsThatAreNotDamageAreThrown(_ policy: DamagePolicy, _ checks: DamageChecks) throws {
    try fill(3)
    // A model that does not fit.
    let other = StoreModel(json: try OtherModel.text)
    try expectUnmoved("schema") {
      _ = try Store.open(directory: path, model: other, ifDamaged: policy, checks: checks)
    }
    // The store is open in this process.
    let store = try SampleStore.open(directory)
    try expectUnmoved("illegalState") { _ = try tryOpening(policy, checks) }
    store.close()
    // A path that is none.
    #expect(
      thrownCase {
        _ = try Store.open(
          directory: "a\0b", model: SampleStore.model, ifDamaged: policy, checks: checks)
      } == "illegalArgument")
    #expect(
      thrownCase {
        _ = try Store.open(
          directory: path + "/data.mdb", model: SampleStore.model, ifDamaged: policy,
          checks: checks)
      } == "fileCorrupt")
    // A link: its target may be open under its own name.
    try directory.write("text", to: "elsewhere")
    try #require(unlink(path + "/data.mdb") == 0)
    try #require(symlink(directory.path(of: "elsewhere"), path + "/data.mdb") == 0)
    try expectUnmoved("general") { _ = try tryOpening(policy, checks) }
  }

  @Test func aDamagedStoreThatIsOpenElsewhereIsNotMoved() throws {
    try fill()
    _ = try damagePage(with: "book 120")
    let lock = open(path + "/store.lock", O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    #expect(flock(lock, LOCK_SH) == 0)
    try expectUnmoved("illegalState") { _ = try tryOpening(.salvage) }
  }
}

/// A model in which a property of books has another type.
private enum OtherModel {
  static var text: String {
    get throws {
      let text = try StoreSample.text
      let name = try #require(text.firstRange(of: "\"name\": \"price\""))
      let type = try #require(text[name.upperBound...].firstRange(of: "\"type\": 8"))
      return text.replacingCharacters(in: type)
    }
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>) -> String {
    "\(self[..<range.lowerBound])\"type\": 9\(self[range.upperBound...])"
  }
}
