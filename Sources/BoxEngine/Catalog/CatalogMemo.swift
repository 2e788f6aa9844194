internal import BoxModel
internal import Synchronization

/// The findings of the opening before, for openings of many stores that are copies of one, with one model.
///
/// Reading the catalog took half of the time in which a store of a test is opened; checking the model and comparing it
/// with the catalog took nearly half of the rest.
package final class CatalogMemo: Sendable {
  private let last = Mutex<KnownCatalog?>(nil)
  /// The bytes of the model that was checked last.
  private let sound = Mutex<[UInt8]?>(nil)

  /// Creates a memo of nothing.
  package init() {}

  /// The catalog with some bytes.
  ///
  /// - Throws: As ``Catalog/init(decoding:)``.
  func catalog(decoding bytes: [UInt8]) throws(StoreError) -> KnownCatalog {
    if let known = last.withLock({ $0?.bytes == bytes ? $0 : nil }) { return known }
    let known = try KnownCatalog(decoding: bytes)
    last.withLock { $0 = known }
    return known
  }

  /// Whether a model was checked, and has no errors.
  func isSound(_ document: ModelDocument) -> Bool { sound.withLock { $0 == document.bytes } }

  /// Notes that a model has no errors.
  func noteSound(_ document: ModelDocument) { sound.withLock { $0 = document.bytes } }
}

extension CatalogMemo: Hashable {
  package static func == (a: CatalogMemo, b: CatalogMemo) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A catalog as it is stored, and the model that it has taken over.
final class KnownCatalog: Sendable {
  fileprivate let bytes: [UInt8]
  let catalog: Catalog
  /// The bytes of a model that changes nothing in the catalog.
  private let settled = Mutex<[UInt8]?>(nil)

  /// Reads a catalog.
  ///
  /// - Throws: As ``Catalog/init(decoding:)``.
  init(decoding bytes: [UInt8]) throws(StoreError) {
    self.bytes = bytes
    catalog = try Catalog(decoding: bytes)
  }

  /// Whether a model was found to change nothing in the catalog, and to need nothing.
  func isSettled(with document: ModelDocument) -> Bool { settled.withLock { $0 == document.bytes } }

  /// Notes that a model changes nothing in the catalog, and needs nothing.
  func settle(with document: ModelDocument) { settled.withLock { $0 = document.bytes } }
}
