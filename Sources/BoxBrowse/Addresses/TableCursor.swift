internal import BoxEngine
internal import BoxHash

/// The place at the edge of a page, as a part of an address.
///
/// It has the values by which the rows are ordered, so that a page follows the one before whatever is written
/// meanwhile. Long values are left out, and looked up in the object again.
enum TableCursor: Hashable {
  case place(ListKey)
  /// The place of an object whose values are too long.
  case object(UInt64)

  /// The largest size of the values of a place in bytes.
  private static let maximumSize = 1024

  /// The place of an object in an order.
  init(_ place: ListKey) {
    self = place.bytes.count > Self.maximumSize ? .object(place.id) : .place(place)
  }

  /// The place with a mark of its order, as base64url.
  func text(_ order: [QueryOrder]) -> String {
    let place: [UInt8] =
      switch self {
      case .place(let place): [0] + place.bytes
      case .object(let id): [1] + ListKey(id: id).bytes
      }
    return Base64URL.text(Self.mark(order) + place)
  }

  /// Reads ``text(_:)``.
  ///
  /// - Throws: ``BrowseProblem`` for another text, and for a place in another order.
  init(_ text: String, _ order: [QueryOrder]) throws(BrowseProblem) {
    guard let bytes = Base64URL.bytes(text), bytes.count > 5, bytes.count <= Self.maximumSize + 5,
      let place = ListKey(bytes: bytes.dropFirst(5)), bytes[4] < 2
    else {
      throw BrowseProblem(400, "the place of the page cannot be read; begin at the first page")
    }
    guard bytes.prefix(4).elementsEqual(Self.mark(order)) else {
      throw BrowseProblem(
        400, "the place of the page is one of another order; begin at the first page")
    }
    self = bytes[4] == 0 ? .place(place) : .object(place.id)
  }

  /// Four bytes that tell orders apart.
  private static func mark(_ order: [QueryOrder]) -> [UInt8] {
    var print = Fingerprint()
    for term in order { print.combine(term.description) }
    return (0..<4).map { UInt8(truncatingIfNeeded: print.value >> UInt64(8 * $0)) }
  }
}
