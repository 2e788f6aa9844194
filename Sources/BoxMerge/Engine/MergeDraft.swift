import BoxModel

/// The result of a merge while a pass works on it.
struct MergeDraft {
  var entities = MergedElements<MergedEntity>()
  var properties = MergedElements<MergedProperty>()
  var relations = MergedElements<MergedRelation>()
  /// The replacement of each entity that gave way to another, by the UID of the former.
  var redirected: [UID: UID]
  /// The elements that the merge removes, so that they have to be retired.
  var retirees: Set<ElementKey> = []
  /// The entities that are not in ours and stay out.
  var excludedEntities: Set<UID> = []
  /// The entities that a side retired and replaced with another one of the same name.
  var replacedEntities: Set<UID> = []
  /// The old element of each new one that a side made again from it, where the new one stays.
  var recreated: [ElementKey: ElementKey] = [:]
  /// The old elements among them.
  var restarted: Set<ElementKey> = []
}

/// The decisions of a pass.
struct DecisionLog {
  var decisions: [Decision] = []
  /// The changes of fields that were reported, to be compared with the result.
  var recordedChanges: [RecordedChange] = []
}

/// A change of a field as the report has it.
struct RecordedChange {
  /// The place of the decision among all.
  var decision: Int
  var key: ElementKey
  var change: FieldChange
}

/// Elements of the result, by UID, in the order in which they were met.
struct MergedElements<Element: MergedElement> {
  private var kept: [Element] = []
  private var positions: [UID: Int] = [:]
  private var hasRemoved = false

  /// The elements, in their order.
  ///
  /// - Complexity: O(*n*) after one was removed, else O(1).
  var all: [Element] { hasRemoved ? kept.filter { positions[$0.uid] != nil } : kept }

  mutating func append(_ element: Element) {
    positions[element.uid] = kept.count
    kept.append(element)
  }

  subscript(uid: UID) -> Element? {
    get { positions[uid].map { kept[$0] } }
    set {
      if let position = positions[uid], let newValue { kept[position] = newValue }
    }
  }

  mutating func remove(_ uid: UID) {
    if positions.removeValue(forKey: uid) != nil { hasRemoved = true }
  }
}

/// An element of the result.
protocol MergedElement {
  static var kind: ElementKind { get }
  var uid: UID { get }
  var name: String { get }
}

/// An entity of the result; its properties and relations are kept beside it.
struct MergedEntity: MergedElement {
  static let kind = ElementKind.entity
  var value: Entity
  var uid: UID { value.pair.uid }
  var name: String { value.name }
}

/// A property of the result.
struct MergedProperty: MergedElement {
  static let kind = ElementKind.property
  var value: Property
  var owner: UID
  /// The target of a to-one relation, by identity where it has one.
  var target: FieldValue?
  var uid: UID { value.pair.uid }
  var name: String { value.name }
}

extension MergedProperty {
  /// Carries out changes of fields.
  mutating func apply(_ changes: [FieldChange]) {
    value.apply(changes)
    guard let change = changes.last(where: { $0.field == .target }) else { return }
    target = change.after
    // The name is filled in once the names of the result are known.
    value.relationTarget = target == nil ? nil : ""
  }
}

/// A relation of the result.
struct MergedRelation: MergedElement {
  static let kind = ElementKind.relation
  var value: Relation
  var owner: UID
  var uid: UID { value.pair.uid }
  var name: String { value.name }
}
