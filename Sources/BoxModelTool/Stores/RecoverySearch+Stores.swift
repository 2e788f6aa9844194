internal import BoxDump
internal import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxRecovery
internal import BoxSystem

/// The models of stores and dumps.
extension RecoverySearch {
  /// Reads the model of a store, and what it hides.
  mutating func readStore(_ directory: String) throws(CommandFailure) {
    guard sources.contains(.store) else { return }
    do {
      let store = try StoredModel.open(directory, StoreAccess(), place.observer)
      defer { store.close() }
      let name = SourceReference.store(directory).argument
      let bytes = try onStore(directory) { try store.read { try $0.modelText() } }
      var origin = CandidateOrigin(kind: .store, place: name)
      if !store.declarations.isEmpty { origin.rules = store.declarations.text }
      models.add(bytes, origin)
      let found = store.hiddenElements().map { HiddenFact($0.key, label: $0.label) }
      let entities = (try? ModelDocument(parsing: bytes))?.model.entities.map(\.pair.uid) ?? []
      if !found.isEmpty {
        hidden.append(
          HiddenElements(source: name, entityUIDs: Set(entities), facts: found))
      }
      searched.append((.store, name, 1))
    } catch let failure as CommandFailure {
      var failure = failure
      if failure.kind == .badInput { failure.message += "; " + Self.foreignDatabase }
      throw failure
    } catch {
      throw CommandFailure(.inputOutput, "\(error)", path: directory)
    }
  }

  /// Reads the model in the header of a dump.
  mutating func readDump(_ path: String) throws(CommandFailure) {
    guard sources.contains(.dump) else { return }
    let header: DumpHeader?
    do {
      header = try DumpInput(path: path).header
    } catch {
      throw CommandFailure(error)
    }
    guard let header else {
      throw CommandFailure(
        .badInput, "this is not a model file, a dump, or code of a generator", path: path)
    }
    try addModel(ofDump: path, header)
  }

  /// Reads the model of a directory that is named, if it is a dump.
  mutating func readDumpDirectory(_ path: String) {
    guard sources.contains(.dump),
      (try? entryExists(at: joinPath(path, DumpManifest.fileName))) == true,
      let header = (try? DumpInput(path: path))?.header
    else { return }
    try? addModel(ofDump: path, header)
  }

  private mutating func addModel(
    ofDump path: String, _ header: DumpHeader
  ) throws(CommandFailure) {
    // The dump has the model on one line, with its keys in their order.
    guard let document = try? JSONDocument(parsing: header.model) else {
      throw CommandFailure(.badInput, "the model of the dump is not JSON", path: path)
    }
    var origin = CandidateOrigin(kind: .dump, place: "the dump \(path)")
    origin.rules = header.rules.flatMap {
      (try? DeclarationsDocument(parsing: $0))?.declarations.text
    }
    models.add(Array(document.exactValue(of: document.root).text().utf8), origin)
    searched.append((.dump, path, 1))
  }
}
