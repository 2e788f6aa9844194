import BoxModel
import BoxReport

/// Merges two versions of a model, with a given answer to every conflict.
///
/// A pass goes through the model from entities to flags. Where it meets a conflict whose resolution
/// changes what earlier steps of the pass worked on, it writes the resolution down as a ruling, and
/// another pass follows. Rulings only grow, so this ends.
struct Merger {
  let base: SideView?
  let sides: BySide<SideView>
  let published: Published
  /// The resolutions that the user chose, by the ids of the conflicts.
  let choices: [String: Resolution]
  /// The resolution of every other conflict in the merged model.
  let fallback: Resolution
  /// The side whose file is overwritten; it decides which keys without a content are written.
  let layoutSide: MergeSide

  /// The difference between the sides; nil if there is a base and the sides added no element in
  /// common.
  let oursToTheirs: ModelDifference?

  private(set) var conflicts: [Conflict] = []
  private(set) var toldDecisions: [Decision] = []
  private var answered: [String: Resolution] = [:]
  var rulings = Rulings()

  // What a pass works on.
  var decisions: [Decision] = []
  var entities = MergedElements<MergedEntity>()
  var properties = MergedElements<MergedProperty>()
  var relations = MergedElements<MergedRelation>()
  /// The replacement of each entity that gave way to another, by the UID of the former.
  var redirected: [UID: UID] = [:]
  /// The elements that the merge removes, so that they have to be retired.
  var retirees: Set<ElementKey> = []
  /// The entities that are not in ours and stay out.
  var stayedOut: Set<UID> = []
  /// The entities that a side retired and replaced with another one of the same name.
  var replacedEntities: Set<UID> = []
  /// The changes of fields that were reported, to be compared with the result.
  var notedChanges: [NotedChange] = []
  /// The retired UIDs of the result that no element has.
  var retiredInResult: [ElementKind: Set<UID>] = [:]
  /// The earlier versions of both sides, if they are known.
  let history: LineHistory?
  /// Whether a field is a conflict that a history could answer, and there is none.
  private(set) var asksForHistory = false
  /// The reason why the merge gives no model.
  private(set) var obstacle: Obstacle?

  init(
    base: SideView?, sides: BySide<SideView>, published: Published, history: LineHistory?,
    choices: [String: Resolution], fallback: Resolution, layoutSide: MergeSide
  ) {
    self.history = history
    self.base = base
    self.sides = sides
    self.published = published
    self.choices = choices
    self.fallback = fallback
    self.layoutSide = layoutSide
    let additions = sides.theirs.difference.changes
    let isAddedTwice = sides.ours.difference.changes.contains { key, change in
      change == .added && additions[key] == .added
    }
    oursToTheirs =
      base == nil || isAddedTwice
      ? ModelDifference(
        from: sides.ours.model, sides.ours.lookup, to: sides.theirs.model, sides.theirs.lookup)
      : nil
  }

  /// The maximum number of passes, more than any model with interdependent conflicts needs.
  private static let passLimit = 24

  mutating func run() -> Model? {
    for _ in 0..<Self.passLimit {
      let before = rulings
      startPass()
      mergeEntities()
      unifyEntities()
      mergeProperties()
      mergeRelations()
      followTargets()
      unifyMembers()
      settleFlags()
      settleKinds()
      if obstacle != nil { return nil }
      if rulings == before {
        let model = assemble()
        return obstacle == nil ? model : nil
      }
    }
    let open = conflicts.filter { choices[$0.id] == nil }
    fail(
      "the answers to \(open.count) conflicts lead to new conflicts without an end",
      open.flatMap(\.elements))
    return nil
  }

  /// Ends the merge without a model.
  mutating func fail(_ reason: String, _ elements: [ElementKey]) {
    if obstacle == nil { obstacle = Obstacle(reason: reason, elements: elements) }
  }

  private mutating func startPass() {
    decisions = []
    entities = MergedElements()
    properties = MergedElements()
    relations = MergedElements()
    redirected = rulings.redirected
    retirees = []
    stayedOut = []
    replacedEntities = []
    notedChanges = []
  }

  /// The answer to a conflict: the user's, or what all that are open are answered with.
  mutating func resolve(_ conflict: Conflict) -> Resolution {
    if let answer = answered[conflict.id] { return answer }
    if let choice = choices[conflict.id] {
      answered[conflict.id] = choice
      let taken = choice.side.map { conflict[$0] } ?? "as before"
      toldDecisions.append(
        Decision(
          rule: MergeRule.resolvedAsTold, element: conflict.elements.first, label: conflict.label,
          side: choice.side, message: "\(conflict.message); as told: \(taken)"))
      return choice
    }
    answered[conflict.id] = fallback
    conflicts.append(conflict)
    return fallback
  }

  /// The answer to a conflict about a field: the user's, then what the history says, then the one
  /// that all that are open are answered with.
  mutating func resolve(_ conflict: Conflict, _ question: FieldQuestion) -> Resolution {
    guard answered[conflict.id] == nil, choices[conflict.id] == nil else {
      return resolve(conflict)
    }
    guard let history else {
      asksForHistory = true
      return resolve(conflict)
    }
    guard let answer = history.answer(question) else { return resolve(conflict) }
    let label = conflict.label
    let values = BySide(ours: text(question.ours), theirs: text(question.theirs))
    decide(
      MergeRule.newerValue, question.key, label, side: answer.newer,
      "the \(question.field.name(in: question.key.kind)) of \(label) is \(values[answer.newer]) as in \(answer.newer): "
        + "\(values[answer.newer.other]) of \(answer.newer.other) stood in \(answer.commit) of "
        + "\(answer.newer), which changed it since",
      consequence: "the source has to say \(values[answer.newer])")
    return Resolution(answer.newer)
  }

  mutating func decide(
    _ rule: Rule, _ key: ElementKey?, _ label: String, side: MergeSide? = nil, _ message: String,
    consequence: String? = nil
  ) {
    decisions.append(
      Decision(
        rule: rule, element: key, label: label, side: side, message: message,
        consequence: consequence))
  }

  /// The changes of a side to an element of the base.
  func changes(_ side: MergeSide, _ key: ElementKey) -> [FieldChange] {
    guard !rulings.restored[side].contains(key),
      case .changed(let changes) = sides[side].difference.changes[key]
    else { return [] }
    return changes
  }

  /// Whether the element is live on a side and not in the base.
  func isNew(_ key: ElementKey, on side: MergeSide) -> Bool {
    sides[side].presence(key) == .live && base?.presence(key) != .live
  }

  /// The version of the model that holds a side's element: the base where the side's removal of it
  /// was overruled.
  func view(_ side: MergeSide, _ key: ElementKey) -> SideView {
    guard rulings.restored[side].contains(key) else { return sides[side] }
    if let base, base.lookup[key.kind, key.uid] != nil { return base }
    return sides[side.other]
  }

  func label(_ key: ElementKey) -> String {
    sides.ours.label(key) ?? sides.theirs.label(key) ?? base?.label(key) ?? "\(key.uid)"
  }

  /// Every element of a kind: those of the base, then what the sides added.
  func union(_ kind: ElementKind) -> [UID] {
    var seen: Set<UID> = []
    var all: [UID] = []
    for model in [base?.model, sides.ours.model, sides.theirs.model].compactMap(\.self) {
      model.forEachElement { place, pair in
        if place.kind == kind, seen.insert(pair.uid).inserted { all.append(pair.uid) }
      }
    }
    return all
  }
}

/// The reason why a merge gives no model.
struct Obstacle {
  /// One sentence without a trailing period.
  var reason: String
  var elements: [ElementKey]
}

/// A change of a field as the report has it.
struct NotedChange {
  /// The place of the decision among all.
  var decision: Int
  var key: ElementKey
  var change: FieldChange
}

/// The decisions of earlier passes.
struct Rulings: Equatable {
  /// Elements whose removal by a side was overruled, or whose changes were: they are as in the base.
  var restored = BySide<Set<ElementKey>>(ours: [], theirs: [])
  /// Elements that a resolution removes.
  var dropped: Set<ElementKey> = []
  /// Elements of theirs that a resolution does not take in: ours never had them.
  var leftOut: Set<ElementKey> = []
  /// Relations whose target is as a side has it.
  var targetsFrom: [ElementKey: MergeSide] = [:]
  /// Elements whose new name a resolution takes back.
  var renamedBack: Set<ElementKey> = []
  /// Elements whose move to another entity a resolution takes back.
  var movedBack: Set<ElementKey> = []
  /// Elements whose flags and index are all taken from one version.
  var flagsFrom: [ElementKey: Resolution] = [:]
  /// The replacement of each dropped entity that has one, by the UID of the dropped one.
  var redirected: [UID: UID] = [:]

  static func == (a: Rulings, b: Rulings) -> Bool {
    a.restored.ours == b.restored.ours && a.restored.theirs == b.restored.theirs
      && a.dropped == b.dropped && a.leftOut == b.leftOut && a.targetsFrom == b.targetsFrom
      && a.renamedBack == b.renamedBack && a.movedBack == b.movedBack
      && a.flagsFrom == b.flagsFrom
      && a.redirected == b.redirected
  }
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
