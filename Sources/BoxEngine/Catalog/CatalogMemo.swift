internal import Synchronization

/// The catalog that an opening read last, for openings of many stores that have the same one.
///
/// Reading it took half of the time in which a store of a test is opened.
package final class CatalogMemo: Sendable {
  private let last = Mutex<(bytes: [UInt8], catalog: Catalog)?>(nil)

  /// Creates a memo without a catalog.
  package init() {}

  /// The catalog with some bytes.
  ///
  /// - Throws: As ``Catalog/init(decoding:)``.
  func catalog(decoding bytes: [UInt8]) throws(StoreError) -> Catalog {
    if let known = last.withLock({ $0?.bytes == bytes ? $0?.catalog : nil }) { return known }
    let catalog = try Catalog(decoding: bytes)
    last.withLock { $0 = (bytes, catalog) }
    return catalog
  }
}

extension CatalogMemo: Hashable {
  package static func == (a: CatalogMemo, b: CatalogMemo) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
