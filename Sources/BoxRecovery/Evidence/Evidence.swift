package import BoxModel

/// A kind of source from which a model can be recovered.
package enum SourceKind: String, Hashable, Sendable, CaseIterable {
  /// The objects of a git repository.
  case git
  /// Model files on the disk.
  case file
  /// Copies that generators leave, such as `default.json.bak`.
  case backup
  /// BoxJoint stores.
  case store
  /// Dumps of BoxJoint stores.
  case dump
  /// Code of a generator.
  case code
}

/// Something that a kind of source does not hold, so that it is missing from a model made of it.
package enum EvidenceGap: String, Hashable, Sendable, CaseIterable {
  case retiredUIDs, relationNames, versions, offeredUIDs, externalNames, sequenceID,
    vectorParameters

  /// The lack in words.
  package var words: String {
    switch self {
    case .retiredUIDs: "the retired UIDs"
    case .relationNames: "the names of to-many relations"
    case .versions: "the version numbers"
    case .offeredUIDs: "newUidPool"
    case .externalNames: "external names and types"
    case .sequenceID: "lastSequenceId"
    case .vectorParameters: "the parameters of vector indexes"
    }
  }
}

/// The facts about the elements of one model that one source holds.
///
/// The facts are a model in which everything that the source lacks is nil, or empty and listed.
package struct Evidence: Hashable, Sendable {
  /// The source, as the user knows it: a path, or `commit:path`.
  package var source: String
  /// The generator that wrote the code; nil for another source.
  package var language: CodeLanguage?
  /// The facts.
  package var model: Model
  /// The relations whose names the source lacks; their name in ``model`` is empty.
  package var unnamedRelations: Set<UID> = []
  /// The place of each element: a file and a line, as `objectbox.g.dart:12`.
  package var places: [ElementKey: String] = [:]
  /// Whether the source holds a whole model, with its last ids, and not a part of one.
  package var isComplete = false
  /// Reasons why the facts cannot be used, each about one line.
  package var problems: [EvidenceProblem] = []
  /// Observations that do not prevent the use of the facts.
  package var remarks: [EvidenceProblem] = []
  /// The elements that the source hides, as a store does: they were removed from the model.
  package var hidden: [HiddenFact] = []

  /// Creates evidence.
  package init(source: String, language: CodeLanguage?, model: Model) {
    self.source = source
    self.language = language
    self.model = model
  }

  /// The place of an element, such as `lib/objectbox.g.dart:12`.
  package func place(of key: ElementKey) -> String { places[key] ?? source }

  /// The parts of a model that sources of this kind do not hold.
  package var gaps: [EvidenceGap] {
    switch language {
    case nil: []
    case .dart: [.offeredUIDs]
    case .swift, .java: [.retiredUIDs, .versions, .sequenceID, .offeredUIDs]
    case .go: [.retiredUIDs, .externalNames, .versions, .vectorParameters]
    case .c: [.retiredUIDs, .relationNames, .versions]
    }
  }
}

extension Evidence {
  /// Whether the evidence is looked at before another: what is whole before what is a part, and the newer
  /// before the older.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  func precedes(_ other: Evidence) -> Bool {
    if isComplete != other.isComplete { return isComplete }
    let (mine, theirs) = (model.age, other.model.age)
    if mine == theirs { return source < other.source }
    return theirs.lexicographicallyPrecedes(mine)
  }

  /// Whether neither of two sources is looked at before the other, but for their names.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  func isAsOld(as other: Evidence) -> Bool {
    isComplete == other.isComplete && model.age == other.model.age
  }

  /// Whether the evidence has one of the entities.
  func shares(_ entities: Set<UID>) -> Bool {
    model.entities.contains { entities.contains($0.pair.uid) }
  }
}

extension Model {
  /// Numbers that are higher for a later version of a model, compared one after the other.
  ///
  /// An element that is added raises a counter, and one that is removed lowers none. While no entity is
  /// added, there are only fewer of them; while they are the same, their counters only rise; and with the
  /// same counters there are only fewer elements.
  fileprivate var age: [Int] {
    let ids = highestIDs
    let counters = [Counter.entity, .index, .relation].map { Int(ids[$0] ?? 0) }
    var elements = 0
    forEachElement { _, _ in elements += 1 }
    return counters + [-entities.count, ids.values.reduce(0) { $0 + Int($1) }, -elements]
  }
}

/// A statement about a place of a source.
package struct EvidenceProblem: Hashable, Sendable {
  /// The place, such as `lib/objectbox.g.dart:12`.
  package var place: String
  /// A sentence without a trailing period.
  package var message: String
}

/// An element that was removed from a model, and that a store still has.
package struct HiddenFact: Hashable, Sendable {
  /// The kind and the identity.
  package var key: ElementKey
  /// The name, as `Note.title`.
  package var label: String

  /// Creates the fact.
  package init(_ key: ElementKey, label: String) {
    self.key = key
    self.label = label
  }
}
