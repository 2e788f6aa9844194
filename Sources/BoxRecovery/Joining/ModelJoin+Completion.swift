package import BoxModel

extension ModelJoin {
  /// Fills in the constants of a generator, and reports the retired elements whose UIDs no source has.
  ///
  /// Only a model that was made without a file needs this.
  ///
  /// - Parameter language: The language of the newest code.
  package mutating func complete(as language: CodeLanguage?) {
    setConstants(of: language)
    // Other generators keep the order of the code.
    if language == .swift || language == .java { sortByID() }
    if language != .dart { noteUnknownRetirements() }
  }

  /// Retires the last pairs that came from whole code and are not in use: their elements were removed.
  ///
  /// The element of a last pair that a part of code has may be in the other part.
  mutating func retireLastPairs(of sources: [Evidence]) {
    var known: [Counter: Set<IDPair>] = [:]
    var live = model.elementKeys
    for source in current(sources) {
      live.formUnion(source.model.elementKeys)
      guard source.isComplete else { continue }
      for (counter, pair) in source.model.lastPairs { known[counter, default: []].insert(pair) }
    }
    // In the order of the model, so that the list of retired UIDs does not depend on chance.
    let counters =
      [Counter.entity, .index, .relation]
      + model.entities.map { .property(entity: $0.pair.uid) }
    let lastPairs = model.lastPairs
    for counter in counters {
      guard let pair = lastPairs[counter], !pair.isUnset, pair != baseLastPairs[counter],
        known[counter]?.contains(pair) ?? false, !live.contains(ElementKey(counter.kind, pair.uid))
      else { continue }
      retire(counter.kind, pair.uid)
    }
  }

  private mutating func setConstants(of language: CodeLanguage?) {
    let isGo = language == .go || language == .c
    model.lastEntityID = model.lastEntityID ?? .unset
    model.lastIndexID = model.lastIndexID ?? .unset
    model.lastRelationID = model.lastRelationID ?? .unset
    model.lastSequenceID = isGo ? nil : model.lastSequenceID ?? .unset
    model.modelVersion = model.modelVersion ?? ModelDocument.supportedVersion
    model.modelVersionParserMinimum =
      model.modelVersionParserMinimum ?? (language == .swift ? 4 : ModelDocument.supportedVersion)
    model.version = model.version ?? 1
    guard isGo else { return }
    // The generator for Go and C leaves an empty list out.
    for e in model.entities.indices where model.entities[e].relations?.isEmpty ?? false {
      model.entities[e].relations = nil
    }
  }

  private mutating func sortByID() {
    model.entities.sort { $0.pair.id < $1.pair.id }
    for e in model.entities.indices {
      model.entities[e].properties.sort { $0.pair.id < $1.pair.id }
      model.entities[e].relations?.sort { $0.pair.id < $1.pair.id }
    }
  }

  /// Ids that were given and that no element has: their UIDs are retired, and unknown.
  private mutating func noteUnknownRetirements() {
    let properties = model.entities.flatMap(\.properties)
    let relations = model.entities.flatMap { $0.relations ?? [] }
    noteUnknown(.entity, model.lastEntityID, model.entities.map(\.pair.id))
    noteUnknown(.index, model.lastIndexID, properties.compactMap(\.indexID?.id))
    noteUnknown(.relation, model.lastRelationID, relations.map(\.pair.id))
    for entity in model.entities {
      noteUnknown(
        .property(entity: entity.pair.uid), entity.lastPropertyID,
        entity.properties.map(\.pair.id), owner: " of \(entity.name)")
    }
  }

  private mutating func noteUnknown(
    _ counter: Counter, _ last: IDPair?, _ ids: [UInt32], owner: String = ""
  ) {
    guard let last, last.id > 1 else { return }
    let used = Set(ids).union(removedIDs[counter] ?? [])
    // A last id may be any number; the last one itself has a UID.
    let missing = (1..<last.id).lazy.filter { !used.contains($0) }.prefix(11).map { $0 }
    if missing.isEmpty { return }
    let list =
      missing.prefix(10).map(String.init).joined(separator: ", ")
      + (missing.count > 10 ? ", …" : "")
    let word = missing.count == 1 ? counter.kind.description : counter.kind.plural
    notes.append("\(word) \(list)\(owner): removed earlier, and the retired UIDs are unknown")
  }

  /// The model as a new file, in the style of a generator.
  ///
  /// - Parameter language: The language of the newest code.
  /// - Returns: The file.
  /// - Throws: `ModelError` if the model cannot be written, which no valid model causes.
  /// - Complexity: O(*n*) in the number of elements.
  package func newFile(as language: CodeLanguage?) throws(ModelError) -> ModelDocument {
    let frame = try ModelDocument(parsing: Array(Self.frame(of: language).utf8))
    var whole = model
    whole.otherMembers = frame.model.otherMembers
    return try ModelDocument(parsing: frame.rendered(whole))
  }

  /// An empty file of a generator.
  ///
  /// Its style follows from its keys: see `Dialect`.
  private static func frame(of language: CodeLanguage?) -> String {
    let isGo = language == .go || language == .c
    let unset = isGo ? "" : "0:0"
    return """
      {
        "_note1": "KEEP THIS FILE! Check it into a version control system (VCS) like git.",
        "_note2": "ObjectBox manages crucial IDs for your object model. See docs for details.",
        "_note3": "If you have VCS merge conflicts, you must resolve them according to ObjectBox docs.",
        "entities": [],
        "lastEntityId": "\(unset)",
        "lastIndexId": "\(unset)",
        "lastRelationId": "\(unset)",\(isGo ? "" : "\n  \"lastSequenceId\": \"0:0\",")
        "modelVersion": 5,
        "modelVersionParserMinimum": \(language == .swift ? 4 : 5),
        "retiredEntityUids": [],
        "retiredIndexUids": [],
        "retiredPropertyUids": [],
        "retiredRelationUids": [],
        "version": 1
      }
      """
  }
}
