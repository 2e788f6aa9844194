package import BoxJSON
package import BoxModel
import BoxReport

/// A place where a whole model file was found.
package struct CandidateOrigin: Hashable, Sendable {
  /// The kind of source.
  package var kind: SourceKind
  /// The place in words, such as `commit 1a2b3c4d of 2026-02-01: lib/objectbox-model.json`.
  package var place: String
  /// The path that the file had, as the user knows it; nil for a blob without a name.
  package var path: String?
  /// The time in seconds since 1970 when it was committed or written; nil if that is unknown.
  package var time: Int?
  /// The position among places of the same time: a higher one is later.
  package var rank = 0
  /// The name of the version in git, as `COMMIT:PATH` from the top; nil elsewhere.
  package var version: String?
  /// The file of rules about removals that the source has with the model; nil if it has none.
  package var rules: [UInt8]?

  /// Creates a place.
  package init(kind: SourceKind, place: String, path: String? = nil, time: Int? = nil) {
    self.kind = kind
    self.place = place
    self.path = path
    self.time = time
  }
}

/// A time, and the order of what happened then: a script can make several commits in a second.
struct OriginMoment: Hashable, Sendable, Comparable {
  var time: Int
  var rank: Int

  static func < (a: OriginMoment, b: OriginMoment) -> Bool { (a.time, a.rank) < (b.time, b.rank) }
}

extension CandidateOrigin {
  /// The moment of the place; nil if its time is unknown.
  ///
  /// A file on the disk is later than the commits of the same second: a build comes after a checkout.
  var moment: OriginMoment? {
    let isOnDisk = kind == .file || kind == .code
    return time.map { OriginMoment(time: $0, rank: isOnDisk ? .max : rank) }
  }
}

/// The parts of a whole model file that decide whether it is the one that was lost.
///
/// A repository may have thousands of versions; their texts are not kept.
package struct ModelCandidate: Hashable, Sendable {
  /// The name under which the bytes are found again: the hash of a blob, or a path.
  package var name: String
  /// The places of the file, the latest first.
  package var origins: [CandidateOrigin] = []
  /// The entities, by UID.
  package let entityUIDs: Set<UID>
  /// The UIDs of the entities that were removed before.
  let retiredEntityUIDs: Set<UID>
  /// The names of the entities, without regard to case.
  package let entityNames: Set<ExactText>
  /// The names of the entities as they are written, in the order of the file.
  let writtenNames: [String]
  /// The highest id that each counter has given.
  package let counters: [Counter: UInt32]
  /// The number of retired UIDs.
  package let retiredCount: Int
  /// Whether the check finds no error.
  package let isSound: Bool
  /// The names, types, flags and targets in which a file that agrees with the evidence differs from it.
  ///
  /// Nil for a file that does not agree with the evidence.
  package let differences: Int?
  /// Whether the file has the pairs that the user stated.
  package let hasFacts: Bool

  /// Compares a file with the evidence.
  ///
  /// - Parameters:
  ///   - document: The file.
  ///   - name: The name under which the bytes are found again.
  ///   - requirement: The facts that the right file agrees with.
  /// - Complexity: O(*n* log *n*) in the number of elements.
  package init(_ document: ModelDocument, name: String, requirement: AgreementRequirement) {
    self.name = name
    let model = document.model
    entityUIDs = Set(model.entities.map(\.pair.uid))
    retiredEntityUIDs = Set(model.retiredEntityUIDs ?? [])
    writtenNames = model.entities.map(\.name)
    entityNames = Set(model.entities.map { foldedName($0.name) })
    counters = model.highestIDs
    retiredCount = ElementKind.allCases.reduce(0) { $0 + (model[retired: $1]?.count ?? 0) }
    isSound =
      document.isComplete && !document.check(limit: 1).listed.contains { $0.severity == .error }
    differences = requirement.differences(of: model)
    hasFacts = requirement.factsAreMet(by: model)
  }

  /// Whether the file agrees with the evidence that it was compared with.
  package var agrees: Bool { differences != nil }

  /// The latest moment of the file; nil if none is known.
  var latest: OriginMoment? { origins.compactMap(\.moment).max() }

  /// Whether the ids prove that the file is newer than another: a counter is higher and none is lower.
  ///
  /// The result is nil if the ids do not tell.
  func isNewer(than other: ModelCandidate) -> Bool? {
    var (higher, lower) = (retiredCount > other.retiredCount, retiredCount < other.retiredCount)
    for (counter, id) in counters {
      guard let theirs = other.counters[counter] else { continue }
      if id > theirs { higher = true }
      if id < theirs { lower = true }
    }
    return higher == lower ? nil : higher
  }
}

extension Model {
  /// The highest id that each counter has issued; an entity has the counter of its properties.
  var highestIDs: [Counter: UInt32] {
    var result: [Counter: UInt32] = [
      .entity: lastEntityID?.id ?? 0, .index: lastIndexID?.id ?? 0,
      .relation: lastRelationID?.id ?? 0,
    ]
    for entity in entities {
      result[.property(entity: entity.pair.uid)] = entity.lastPropertyID?.id ?? 0
    }
    return result
  }
}

/// The facts that a file has to agree with to be returned unchanged.
package struct AgreementRequirement: Sendable {
  /// The whole evidence, the newest first; what is as old as each other stands together.
  private let evidence: [[Evidence]]
  private let facts: [StatedFact]

  /// Creates a requirement.
  ///
  /// - Parameters:
  ///   - evidence: The evidence of generated code.
  ///   - facts: The pairs that the user stated.
  package init(evidence: [Evidence] = [], facts: [StatedFact] = []) {
    var groups: [[Evidence]] = []
    for found in evidence.filter(\.isComplete).sorted(by: { $0.precedes($1) }) {
      if let other = groups.last?.first, found.isAsOld(as: other) {
        groups[groups.count - 1].append(found)
      } else {
        groups.append([found])
      }
    }
    self.evidence = groups
    self.facts = facts
  }

  /// The names, types, flags and targets in which a model that agrees with the evidence differs from it; nil if the
  /// model does not agree with the newest code that has one of its entities, and with all stated pairs.
  ///
  /// A file agrees with code if all UIDs of the code are live in it under the same ids, and both have the
  /// same last ids. Older copies of code, as in directories of builds, say nothing.
  ///
  /// A branch can have renamed a property: no id tells its file from the one before. Copies of the code of one
  /// age can have different names as well, such as the copy in a build directory; the nearest copy counts.
  ///
  /// - Complexity: O(*n*) in the number of elements, for each copy of that age.
  func differences(of model: Model) -> Int? {
    let entities = Set(model.entities.map(\.pair.uid))
    let copies = evidence.lazy.map { $0.filter { $0.shares(entities) } }.first { !$0.isEmpty } ?? []
    guard let newest = copies.first, factsAreMet(by: model), Self.agree(model, with: newest.model)
    else { return nil }
    let file = model.descriptions
    return copies.map { code in
      code.model.descriptions.reduce(0) { sum, element in
        let other = file[element.key] ?? []
        return sum + zip(element.value, other).count { $0 != nil && $0 != $1 }
      }
    }
    .min()
  }

  /// Whether a model has all stated pairs.
  func factsAreMet(by model: Model) -> Bool { facts.allSatisfy { $0.isSatisfied(by: model) } }

  private static func agree(_ file: Model, with code: Model) -> Bool {
    var pairs: [ElementKey: UInt32] = [:]
    file.forEachElement { place, pair in pairs[ElementKey(place.kind, pair.uid)] = pair.id }
    var agrees = true
    code.forEachElement { place, pair in
      if pairs[ElementKey(place.kind, pair.uid)] != pair.id { agrees = false }
    }
    guard agrees else { return false }
    for counter in [Counter.entity, .index, .relation] {
      if let last = code[last: counter], last != file[last: counter] ?? .unset { return false }
    }
    let lastPairs = file.lastPairs
    return code.entities.allSatisfy { entity in
      lastPairs[.property(entity: entity.pair.uid)] == entity.lastPropertyID
    }
  }
}

extension Model {
  /// The names, types, flags and targets of each element; nil for what is not known.
  fileprivate var descriptions: [ElementKey: [String?]] {
    var result: [ElementKey: [String?]] = [:]
    for entity in entities {
      result[ElementKey(.entity, entity.pair.uid)] = [entity.name, "\(entity.flags.rawValue)"]
      for property in entity.properties {
        result[ElementKey(.property, property.pair.uid)] = [
          property.name, property.type.map { "\($0.rawValue)" }, "\(property.flags.rawValue)",
          property.relationTarget,
        ]
      }
      for relation in entity.relations ?? [] {
        result[ElementKey(.relation, relation.pair.uid)] = [
          relation.name.isEmpty ? nil : relation.name,
          relation.target == .unset ? nil : "\(relation.target.uid)",
        ]
      }
    }
    return result
  }
}
