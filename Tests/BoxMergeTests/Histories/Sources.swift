import BoxMerge
import BoxModel

/// The lines of a source file that declare one element.
///
/// The group of lines is what git sees: it has a number for as long as the lines are there, whatever
/// they say. Each field is a line of its own, so that git merges field by field.
struct Declaration: Hashable, Sendable {
  enum Kind: String, Sendable {
    case entity, property, relation
  }

  var kind: Kind
  /// The number of the entity that it belongs to; 0 for an entity.
  var owner = 0
  /// The name and the UID that is written beside it: one line.
  var head: Head
  var type: PropertyType?
  var index: IndexKind?
  var isNotNull = false
  /// The number of the entity that a relation leads to.
  var target: Int?
  var isID = false

  /// Whether a merge of models can see an edit: not of a UID beside the name, nor of whether null is
  /// allowed, which a build writes anew, nor if there is no index any more.
  func isEdited(since before: Declaration) -> Bool {
    var (old, new) = (before, self)
    old.head.uid = nil
    new.head.uid = nil
    new.isNotNull = old.isNotNull
    if new.index == nil { old.index = nil }
    return old != new
  }

  struct Head: Hashable, Sendable {
    var name: String
    var uid: UID?
  }
}

/// The declarations of a version of the sources, by their numbers.
struct Sources: Hashable, Sendable {
  var groups: [Int: Declaration] = [:]

  var numbers: [Int] { groups.keys.sorted() }

  func numbers(of kind: Declaration.Kind) -> [Int] {
    numbers.filter { groups[$0]?.kind == kind }
  }

  func members(of entity: Int) -> [Int] { numbers.filter { groups[$0]?.owner == entity } }

  /// Takes an entity out with all that belongs to it and leads to it: the rest would not compile.
  mutating func remove(_ number: Int) {
    groups[number] = nil
    groups = groups.filter { $0.value.owner != number && $0.value.target != number }
  }

  /// The same name twice in one place does not compile: whoever merges takes all but one out.
  ///
  /// - Parameter rank: What stays is of the lowest rank, then of the lowest number.
  /// - Returns: The numbers that went, with the number that stands for each.
  mutating func removeTwins(rank: (Int) -> Int) -> [Int: Int] {
    struct Place: Hashable {
      var isRelation: Bool
      var owner: Int
      var name: String
    }
    var first: [Place: Int] = [:]
    var twins: [Int: Int] = [:]
    for kind in [Declaration.Kind.entity, .property, .relation] {
      for number in numbers(of: kind).sorted(by: { (rank($0), $0) < (rank($1), $1) }) {
        guard let group = groups[number] else { continue }
        let place = Place(
          isRelation: kind == .relation, owner: group.owner, name: group.head.name.lowercased())
        if let kept = first[place] {
          twins[number] = kept
          for member in members(of: number) { groups[member]?.owner = kept }
          for user in numbers where groups[user]?.target == number { groups[user]?.target = kept }
          groups[number] = nil
        } else {
          first[place] = number
        }
      }
    }
    return twins
  }
}
