package import BoxModel

extension ModelJoin {
  /// Fills in the constants of a generator, and reports the retired elements whose UIDs no source has.
  ///
  /// Only a model that was made without a file needs this.
  ///
  /// - Parameter language: The language of the newest code.
  package mutating func complete(as language: CodeLanguage?) {
    retireLastPairs()
    setConstants(of: language)
    // Other generators keep the order of the code.
    if language == .swift || language == .java { sortByID() }
    if language != .dart { noteUnknownRetirements() }
  }

  /// A last pair whose UID is not in use belongs to an element that was removed.
  private mutating func retireLastPairs() {
    var live: [ElementKind: Set<UID>] = [:]
    model.forEachElement { place, pair in live[place.kind, default: []].insert(pair.uid) }
    let pairs =
      [
        (ElementKind.entity, model.lastEntityID), (.index, model.lastIndexID),
        (.relation, model.lastRelationID),
      ] + model.entities.map { (.property, $0.lastPropertyID) }
    for case (let kind, let pair?) in pairs where !pair.isUnset {
      if live[kind]?.contains(pair.uid) ?? false { continue }
      if !(model[retired: kind] ?? []).contains(pair.uid) {
        model[retired: kind] = (model[retired: kind] ?? []) + [pair.uid]
      }
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
    func missing(_ ids: [UInt32], upTo last: UInt32) -> [UInt32] {
      // A last id may be any number: as many ids are listed as there are elements, at most a hundred.
      let used = Set(ids)
      return (1..<max(last, 1)).lazy.filter { !used.contains($0) }.prefix(100).map { $0 }
    }
    func sentence(_ kind: ElementKind, _ ids: [UInt32], _ owner: String) -> String? {
      guard !ids.isEmpty else { return nil }
      let list =
        ids.prefix(10).map(String.init).joined(separator: ", ") + (ids.count > 10 ? ", …" : "")
      let word = ids.count == 1 ? kind.description : kind.plural
      return "\(word) \(list)\(owner): removed earlier, and the retired UIDs are unknown"
    }
    let properties = model.entities.flatMap(\.properties)
    let relations = model.entities.flatMap { $0.relations ?? [] }
    notes += [
      sentence(
        .entity, missing(model.entities.map(\.pair.id), upTo: model.lastEntityID?.id ?? 0), ""),
      sentence(
        .index, missing(properties.compactMap(\.indexID?.id), upTo: model.lastIndexID?.id ?? 0), ""),
      sentence(
        .relation, missing(relations.map(\.pair.id), upTo: model.lastRelationID?.id ?? 0), ""),
    ].compactMap(\.self)
    for entity in model.entities {
      let ids = missing(entity.properties.map(\.pair.id), upTo: entity.lastPropertyID?.id ?? 0)
      notes += [sentence(.property, ids, " of \(entity.name)")].compactMap(\.self)
    }
  }

  /// The model as a new file, in the style of a generator.
  ///
  /// - Parameter language: The language of the newest code.
  /// - Returns: The file.
  /// - Throws: `ModelError` if the model cannot be written, which no valid model causes.
  /// - Complexity: O(*n*) in the number of elements.
  package func newFile(as language: CodeLanguage?) throws(ModelError) -> ModelDocument {
    let frame = try ModelDocument(parsing: Array(Self.frame(of: language).utf8))
    return try ModelDocument(parsing: frame.rendered(model))
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

extension Model {
  /// The pair of an element.
  func pair(of place: ElementPlace) -> IDPair? {
    switch place {
    case .entity(let e): entities[e].pair
    case .property(let e, let p): entities[e].properties[p].pair
    case .index(let e, let p): entities[e].properties[p].indexID
    case .relation(let e, let r): entities[e].relations?[r].pair
    }
  }
}
