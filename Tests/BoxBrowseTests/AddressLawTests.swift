import BoxEngine
import BoxModel
import BoxStoreTool
import TestSupport
import Testing

@testable import BoxBrowse

/// The laws of addresses: what is written is read again, whatever a name has, and nothing else is read.
struct AddressLawTests {
  /// Parts of names that a browser, a server or the addresses themselves could take for something else.
  private static let parts = [
    "", ".", "..", "-", "~", "/", "\\", "%", "%2e", "%2F", "+", " ", "?", "#", "&", "=", ";", ":",
    "a",
    "Film", "csv", ".csv", "é", "日", "\u{1F600}", "\u{0}", "\n", "\u{202E}", "\"", "'", "<", "1",
    "md",
  ]

  private static func name(_ random: inout SplitMix64) -> String {
    (0..<random.below(4)).map { _ in random.pick(parts) }.joined()
  }

  private static func address(_ random: inout SplitMix64) -> BrowseAddress {
    let store = name(&random)
    switch random.below(12) {
    case 0: return .stores
    case 1: return .asset(random.pick(BrowseAsset.allCases))
    case 2: return .page(store: store, .overview)
    case 3: return .page(store: store, .check)
    case 4: return .page(store: store, .state)
    case 9: return .page(store: store, .diagram)
    case 10: return .page(store: store, .complete)
    case 11:
      let exports = ChangeFormat.allCases.map { BrowseAddress.StorePage.changeExport($0) }
      return .page(
        store: store,
        random.pick([.model, .modelFile, .history, .change, .changeDiagram] + exports))
    case 5: return .page(store: store, .table(entity: name(&random)))
    case 6:
      let formats = QueryFormat.allCases.filter { $0 != .text }
      return .page(store: store, .export(entity: name(&random), random.pick(formats)))
    case 7: return .page(store: store, .object(entity: name(&random), id: random.next()))
    default:
      return .page(
        store: store, .value(entity: name(&random), id: random.next(), property: name(&random)))
    }
  }

  /// The path as browsers send it: without the segments that they take away.
  private static func normalized(_ path: String) -> String {
    let dots: Set<String> = [".", "..", "%2e", ".%2e", "%2e.", "%2e%2e"]
    return path.split(separator: "/", omittingEmptySubsequences: false)
      .filter { !dots.contains($0.lowercased()) }.joined(separator: "/")
  }

  @Test func anAddressIsReadAsItWasWritten() {
    var random = TestSeed.next()
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_ADDRESSES", default: 4000) {
      let address = Self.address(&random)
      let path = address.path
      #expect(BrowseAddress(path: path) == address, "\(path)")
      #expect(Self.normalized(path) == path)
      #expect(path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"?#\"<>\\".utf8.contains($0) })
    }
  }

  /// Other paths have no page, or one whose own path is another spelling.
  @Test func noPathIsReadAsAnotherPage() {
    var random = TestSeed.next()
    let parts =
      Self.parts + ["/", "/", "%41", "%ff", "-/check", "-/state", "browse.css", "0", "01"]
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_ADDRESSES", default: 4000) {
      let path = "/" + (0..<random.below(7)).map { _ in random.pick(parts) }.joined()
      guard let address = BrowseAddress(path: path) else { continue }
      #expect(BrowseAddress(path: address.path) == address, "\(path)")
    }
  }

  private static func parameters(_ random: inout SplitMix64) -> TableParameters {
    var parameters = TableParameters()
    func text() -> String? {
      let text = name(&random)
      return text.isEmpty ? nil : text
    }
    parameters.condition = text()
    parameters.order = text()
    if random.oneIn(2) {
      parameters.select = (0...random.below(3)).map { _ in NamePath.quoted(name(&random)) }
    }
    if random.oneIn(2) { parameters.limit = 1 + random.below(1000) }
    (parameters.isRaw, parameters.counts) = (random.oneIn(2), random.oneIn(2))
    (parameters.explains, parameters.isLive) = (random.oneIn(2), random.oneIn(2))
    parameters.zone = random.pick([nil, "UTC", "local", "+05:45", "-00:30", "+23:59"])
    parameters.isPatient = random.oneIn(2)
    parameters.place = random.pick([
      .first, .last, .after("c"), .before("d"), .id(random.next()),
    ])
    if random.oneIn(4) {
      (parameters.nearest, parameters.object) = (NamePath.quoted(name(&random)), random.next())
      (parameters.order, parameters.place) = (nil, .first)
    }
    if random.oneIn(2) {
      parameters.origin = RelationOrigin(name(&random), random.next(), name(&random))
    }
    return parameters
  }

  @Test func theParametersAreReadAsTheyWereWritten() throws {
    var random = TestSeed.next()
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_ADDRESSES", default: 4000) {
      let parameters = Self.parameters(&random)
      let text = parameters.text
      #expect(try TableParameters(text.dropFirst()) == parameters, "\(text)")
      #expect(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"#\"<>".utf8.contains($0) })
    }
  }

  @Test func noQueryEndsTheProgram() {
    var random = TestSeed.next()
    let parts =
      Self.parts + [
        "where=", "order-by=", "select=", "limit=", "after=", "before=", "id=", "from=", "raw=1",
        "&&", "nearest=v&of=1", "zone=", "live=1", "explain=1",
      ]
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_ADDRESSES", default: 4000) {
      let query = (0..<random.below(8)).map { _ in random.pick(parts) }.joined()
      guard let parameters = try? TableParameters(query) else { continue }
      #expect((try? TableParameters(parameters.text.dropFirst())) == parameters, "\(query)")
    }
  }

  // MARK: - Places of pages

  @Test func aPlaceIsReadAsItWasWritten() throws {
    var random = TestSeed.next()
    let orders = [[], [QueryOrder("a")], [QueryOrder("a", descending: true), QueryOrder("b")]]
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_ADDRESSES", default: 500) {
      let rest = (0..<random.pick([0, 1, 9, 1000, 1100])).map { _ in UInt8(random.below(256)) }
      let head = [UInt8(random.below(3))] + (0..<16).map { _ in UInt8(random.below(256)) }
      let place = try #require(ListKey(bytes: head + rest))
      #expect(place.bytes == head + rest)
      let order = random.pick(orders)
      let cursor = TableCursor(place)
      let text = cursor.text(order)
      #expect(try TableCursor(text, order) == cursor)
      #expect(text.utf8.count < 1500)
      for other in orders where other != order {
        #expect(throws: BrowseProblem.self) { try TableCursor(text, other) }
      }
      let damaged = HostileText.damaged(Array(text.utf8), &random)
      let read = try? TableCursor(String(decoding: damaged, as: UTF8.self), order)
      if let read { #expect(try TableCursor(read.text(order), order) == read) }
    }
  }

  @Test func bytesAreReadFromTheirLetters() {
    var random = TestSeed.next()
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8(random.below(256)) }
      #expect(Base64URL.bytes(Base64URL.text(bytes)) == bytes)
    }
    #expect(Base64URL.text([0xFB, 0xEF]) == "--8")
    for wrong in ["A", "AB", "A=", "A+==", "é", "AAAAA"] { #expect(Base64URL.bytes(wrong) == nil) }
  }
}
