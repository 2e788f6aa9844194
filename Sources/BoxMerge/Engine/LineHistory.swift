import BoxModel

/// A field that both sides changed differently.
struct FieldQuestion {
  var key: ElementKey
  var field: Field
  var ours: FieldValue?
  var theirs: FieldValue?

  subscript(side: MergeSide) -> FieldValue? { side == .ours ? ours : theirs }
}

/// The earlier versions of both sides, looked through once.
final class LineHistory: Sendable {
  /// The side with the newer value, and the commit in its line that has the value of the other
  /// side.
  struct Answer {
    var newer: MergeSide
    var commit: String
  }

  private struct Version {
    var commit: String
    var model: Model
    var lookup: ModelLookup
  }

  private let lines: BySide<[Version]>
  private let isComplete: Bool

  init(_ history: FieldHistory) {
    func versions(_ line: SideLine) -> [Version] {
      line.versions.map {
        Version(commit: $0.commit, model: $0.model, lookup: ModelLookup($0.model))
      }
    }
    isComplete = history.ours.isComplete && history.theirs.isComplete
    lines =
      isComplete
      ? BySide(ours: versions(history.ours), theirs: versions(history.theirs))
      : BySide(ours: [], theirs: [])
  }

  /// The newer of two values; nil if history does not decide.
  ///
  /// A value is the newer one if the line of its side has the other value. It must hold for exactly
  /// one side, and both lines must be complete.
  func answer(_ question: FieldQuestion) -> Answer? {
    guard isComplete else { return nil }
    let commits = BySide(
      ours: commit(in: .ours, with: question.theirs, question),
      theirs: commit(in: .theirs, with: question.ours, question))
    switch (commits.ours, commits.theirs) {
    case (let commit?, nil): return Answer(newer: .ours, commit: commit)
    case (nil, let commit?): return Answer(newer: .theirs, commit: commit)
    default: return nil
    }
  }

  /// The newest commit of a line in which the field has a value.
  private func commit(
    in side: MergeSide, with value: FieldValue?, _ question: FieldQuestion
  ) -> String? {
    lines[side].first { version in
      guard let place = version.lookup[question.key.kind, question.key.uid] else { return false }
      return version.model.value(of: question.field, at: place, version.lookup) == value
    }?.commit
  }
}

extension Model {
  /// The value of a field of an element, as a difference has it; nil where the element does not have
  /// the field.
  func value(of field: Field, at place: ElementPlace, _ lookup: ModelLookup) -> FieldValue? {
    let entity = entities[place.entity]
    switch place {
    case .entity: return entity.value(of: field)
    case .property(_, let p):
      switch field {
      case .owner: return .entity(entity.pair.uid)
      case .target: return target(of: entity.properties[p], lookup)
      default: return entity.properties[p].value(of: field)
      }
    case .index(_, let p):
      return field == .id ? entity.properties[p].indexID.map { .number(Int($0.id)) } : nil
    case .relation(_, let r):
      return field == .owner ? .entity(entity.pair.uid) : entity.relations?[r].value(of: field)
    }
  }
}

extension Entity {
  fileprivate func value(of field: Field) -> FieldValue? {
    switch field {
    case .id: .number(Int(pair.id))
    case .name: .text(name)
    case .flag(let bit): .isSet(flags.rawValue & bit != 0)
    case .externalName: externalName.map { .text($0) }
    case .other(let key): otherMembers.value(of: key)
    default: nil
    }
  }
}

extension Property {
  fileprivate func value(of field: Field) -> FieldValue? {
    switch field {
    case .id: .number(Int(pair.id))
    case .name: .text(name)
    case .type: type.map { .type($0) }
    case .flag(let bit): .isSet(flags.rawValue & bit != 0)
    case .index: indexValue
    case .externalName: externalName.map { .text($0) }
    case .externalType: externalType.map { .number($0) }
    case .hnswParams: hnswParams.map { .json($0) }
    case .other(let key): otherMembers.value(of: key)
    case .owner, .target: nil
    }
  }
}

extension Relation {
  fileprivate func value(of field: Field) -> FieldValue? {
    switch field {
    case .id: .number(Int(pair.id))
    case .name: .text(name)
    case .target: target.isUnset ? nil : .entity(target.uid)
    case .externalName: externalName.map { .text($0) }
    case .externalType: externalType.map { .number($0) }
    case .other(let key): otherMembers.value(of: key)
    default: nil
    }
  }
}

extension [OtherMember] {
  fileprivate func value(of key: String) -> FieldValue? {
    first { $0.key == key }.map { .json($0.text) }
  }
}
