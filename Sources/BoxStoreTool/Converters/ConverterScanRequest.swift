internal import BoxConvert
internal import BoxEngine
internal import BoxModel

/// A count of the converted values in a store, as a user asks for it.
package struct ConverterScanRequest: Sendable {
  /// The directory of the store.
  package var store: String
  /// The catalogue.
  package var catalogue: CatalogueChoice
  /// The maximum number of different values that are shown for each property.
  package var examples = 5
  /// The way to open the store.
  package var access = StoreAccess()

  /// Creates a request; by default with the catalogue in force.
  package init(_ store: String, catalogue: CatalogueChoice = CatalogueChoice()) {
    self.store = store
    self.catalogue = catalogue
  }

  /// Counts the values that converters know.
  ///
  /// A property of the catalogue that the store lacks is a notice.
  ///
  /// - Throws: ``CommandFailure`` of the kind `impossible` if the store cannot be opened now or a
  ///   converter does not fit its property, `badInput` for a path without a valid store,
  ///   `inputOutput` if something cannot be read, `badConfiguration` if the catalogue is not valid.
  /// - Complexity: O(*n*) in the number of objects with converted properties.
  package func run(in place: Workspace) throws -> ScanReport {
    try requireStoreInWorkTree(store)
    let file = try catalogue.load(in: place)
    let opened = try StoredModel.open(store, access, place.observer)
    defer { opened.close() }
    let scans = try onStore(store) {
      defer { place.observer.finish() }
      do throws(StoreError) {
        return try opened.scan(file.catalogue, examples: examples) { entity, done, total in
          place.observer.update("scanning \(entity)", done, of: total, unit: "objects")
        }
      } catch {
        guard case .incompatibleConverter(let error) = error else { throw error }
        throw CommandFailure(
          .impossible, error.description, path: file.path, position: error.position)
      }
    }
    let scanned = Set(scans.map { foldedName("\($0.entity).\($0.property)") })
    for binding in file.catalogue.bindings where !scanned.contains(foldedName(binding.name)) {
      let note = CommandFailure(
        .impossible, "note: the store has no \(binding.name)", path: file.path,
        position: binding.position)
      place.observer.receive(Notice(.note, note.line))
    }
    return ScanReport(path: store, scans: scans)
  }
}
