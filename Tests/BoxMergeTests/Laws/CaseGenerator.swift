import BoxMerge
import BoxModel
import TestSupport

/// Makes merges out of random numbers: a base, and two sides that edit it like generators do.
///
/// Names are few, so that both sides often choose the same; UIDs are drawn from one small range
/// over both sides, so that either side's may be the lower one.
struct CaseGenerator {
  var rng: SplitMix64
  var result: MergeCase
  var base = ModelTool()
  var tools: [MergeSide: ModelTool] = [:]
  private var usedUIDs: Set<UID> = []
  private var usedNames = 0

  static func make(seed: UInt64) -> MergeCase {
    var generator = CaseGenerator(seed: seed)
    generator.generate()
    return generator.result
  }

  private init(seed: UInt64) {
    rng = SplitMix64(seed: seed)
    result = MergeCase(seed: seed)
  }

  private mutating func generate() {
    result.kind = kind()
    chooseDialects()
    makeBase()
    makeTail()
    if result.kind == .unrelated || result.kind == .regenerated {
      result.oddSide = rng.pick(MergeSide.allCases)
      makeFreshScript()
    }
    let calm = rng.oneIn(2)
    let choice = calm ? Self.calmSituations : Self.situations
    for _ in 0..<(2 + rng.below(3)) { make(situation: rng.pick(choice)) }
    for side in MergeSide.allCases {
      for _ in 0..<(calm ? 0 : rng.below(4)) { add(randomEdit(side), side) }
    }
    shareEdits()
    if result.kind == .scattered { scatter() }
    if result.kind == .picked {
      let count = result.script(.theirs).count
      let first = rng.below(count + 1)
      result.picked = first..<(first + rng.below(count - first + 1))
    }
    publish()
    // Last, so that it changes nothing that is drawn before.
    if rng.oneIn(16) { makeAgainWhatIsRefused(rng.pick(MergeSide.allCases)) }
  }

  private mutating func kind() -> CaseKind {
    switch rng.below(100) {
    case 0..<60: .sound
    case 60..<67: .withoutBase
    case 67..<73: .unrelated
    case 73..<79: .regenerated
    case 79..<89: .scattered
    case 89..<93: .picked
    default: .markers
    }
  }

  private mutating func chooseDialects() {
    let dialect = rng.pick(TestDialect.allCases)
    result.baseDialect = dialect
    result.dialects = [.ours: dialect, .theirs: dialect]
    if rng.oneIn(4) { result.dialects[.ours] = rng.pick(TestDialect.allCases) }
    if rng.oneIn(4) { result.dialects[.theirs] = rng.pick(TestDialect.allCases) }
  }

  private mutating func makeBase() {
    if rng.oneIn(12) {
      result.baseScript.append(.setFormat(4))
      base.apply(.setFormat(4))
    }
    for _ in 0..<(3 + rng.below(2)) { addEntityWithParts() }
    for _ in 0..<rng.below(4) {
      let edit = randomEdit(on: base)
      result.baseScript.append(edit)
      base.apply(edit)
    }
  }

  /// The base is another commit than the one that the sides come from.
  private mutating func makeTail() {
    tools = [.ours: base, .theirs: base]
    guard result.kind == .scattered else { return }
    result.sidesWithTail = rng.pick([[], [.ours], [.theirs], [.ours, .theirs]])
    for _ in 0..<(1 + rng.below(4)) {
      let edit = randomEdit(on: base)
      result.tail.append(edit)
      base.apply(edit)
    }
    for side in result.sidesWithTail { tools[side] = base }
  }

  /// Elements are missing without having been retired, or have the UID of something else.
  private mutating func scatter() {
    for side in MergeSide.allCases where rng.oneIn(3) {
      var uids: [UID] = []
      let model = tool(side).model
      model.forEachElement { place, pair in
        // An entity without its ID property is not a sound side, wherever the UID went.
        if case .property(let e, let p) = place, model.entities[e].properties[p].flags.contains(.id)
        {
          return
        }
        uids.append(pair.uid)
      }
      for _ in 0..<(1 + rng.below(2)) {
        let uid = rng.pick(uids)
        add(.forget(uid), side)
        guard tool(side).isUnknown(uid) else { continue }
        let entity = rng.pick(tool(side).model.entities)
        switch rng.below(6) {
        case 0: add(.rollBack, side)
        case 1:
          add(.addProperty(entity: entity.pair.uid, uid, name: freshName("k"), type: .int), side)
        case 2:
          add(
            .addIndex(property: rng.pick(entity.properties).pair.uid, uid, .value, unique: false),
            side)
        default: break
        }
      }
    }
  }

  private mutating func addEntityWithParts() {
    let uid = freshUID()
    var edits: [ToolEdit] = [.addEntity(uid, name: freshName("E"), idProperty: freshUID())]
    let types: [PropertyType] = [.string, .string, .int, .long, .date]
    for name in ["a", "b", "c", "x"].prefix(2 + rng.below(3)) {
      let property = freshUID()
      edits.append(.addProperty(entity: uid, property, name: name, type: rng.pick(types)))
      if rng.oneIn(4) {
        edits.append(
          .addIndex(
            property: property, freshUID(), rng.pick(IndexKind.allCases), unique: rng.oneIn(3)))
      }
    }
    if rng.oneIn(2), let target = base.model.entities.first {
      edits.append(
        .addRelation(entity: uid, freshUID(), name: "many", target: target.pair.uid))
    }
    if rng.oneIn(2), let target = base.model.entities.last {
      edits.append(
        .addToOne(
          entity: uid, freshUID(), index: freshUID(), name: "one", target: target.pair.uid))
    }
    for edit in edits {
      result.baseScript.append(edit)
      base.apply(edit)
    }
  }

  private mutating func makeFreshScript() {
    let script = result.baseScript
    let saved = base
    (result.baseScript, base) = ([], ModelTool())
    addEntityWithParts()
    addEntityWithParts()
    result.freshScript = result.baseScript
    (result.baseScript, base) = (script, saved)
  }

  /// Both sides took over the same commits: at the start, or later, when other ids are free.
  private mutating func shareEdits() {
    guard rng.oneIn(5) else { return }
    let side = rng.pick(MergeSide.allCases)
    for edit in result.script(side) where rng.oneIn(2) { add(edit, side.other) }
  }

  private mutating func publish() {
    guard rng.oneIn(3) else { return }
    for _ in 0..<(1 + rng.below(2)) {
      let side = rng.pick(MergeSide.allCases)
      result.published.append(
        PublishedPrefix(side: side, count: rng.below(result.script(side).count + 1)))
    }
  }

  mutating func add(_ edit: ToolEdit, _ side: MergeSide) {
    result.scripts[side]?.append(edit)
    tools[side]?.apply(edit)
  }

  func tool(_ side: MergeSide) -> ModelTool { tools[side] ?? base }

  mutating func freshUID() -> UID {
    while true {
      let uid = UID(256 + rng.below(4096))
      if usedUIDs.insert(uid).inserted { return uid }
    }
  }

  mutating func freshName(_ prefix: String) -> String {
    usedNames += 1
    return "\(prefix)\(usedNames)"
  }

  mutating func randomEdit(_ side: MergeSide) -> ToolEdit { randomEdit(on: tool(side)) }
}
