import BoxModel
import TestSupport

@testable import BoxSync

/// Messages with random contents, and the model that numbers their elements.
enum RandomMessages {
  static let model = SyncModel(
    [
      SyncEntity(
        10,
        [
          SyncProperty(11), SyncProperty(12, unique: .plain), SyncProperty(13, target: 20),
          SyncProperty(14),
        ]),
      SyncEntity(
        20, (21...30).map { SyncProperty($0) }, clock: 22, precedence: 23, sharesIDs: true),
    ],
    [SyncRelation(50, from: 10, to: 20), SyncRelation(51, from: 20, to: 20)])

  static func message(_ random: inout SplitMix64) -> SyncMessage {
    switch random.below(17) {
    case 0: return .hello(lowest: 1, highest: UInt32(random.below(9)))
    case 1: return .challenge(nonce: random.next(), kinds: [1, 4], time: random.next() >> 17)
    case 2: return .login(login(&random))
    case 3: return .welcome(welcome(&random))
    case 4: return .refuse(.credentialsRejected, text: "no", retryAfter: 30)
    case 5: return .model(random.oneIn(2) ? nil : model)
    case 6: return .changes((0..<random.below(4)).map { _ in submission(&random) })
    case 7: return .entries(entries(&random))
    case 8:
      return .answer(
        number: number(&random), n: id(&random), mark: random.next(), .ok, position: id(&random))
    case 9: return .fork(number: number(&random), n: id(&random))
    case 10: return .unsure(number: number(&random), n: id(&random))
    case 11: return .page((0..<random.below(6)).map { _ in effect(&random) })
    case 12: return .end(id(&random))
    case 13: return .credit(id(&random))
    case 14: return .ping(random.next())
    case 15: return .pong(random.next())
    default: return .goodbye(.reqRejected, text: "über")
    }
  }

  private static func number(_ random: inout SplitMix64) -> UInt64 { random.next() >> 1 | 1 }

  private static func id(_ random: inout SplitMix64) -> UInt64 {
    1 + (random.next() >> UInt64(2 + random.below(60)))
  }

  private static func login(_ random: inout SplitMix64) -> Login {
    var login = Login()
    login.credentials = [.init(kind: 4, bytes: [1, 2, 3])]
    (login.model, login.baseModel) = (random.next(), random.next())
    (login.position, login.chain) = (id(&random), random.next())
    login.variables = ["team": "a", "user": "ü"]
    login.views = [10: random.next(), 20: 7]
    login.numbers = (0..<random.below(3)).map { _ in
      .init(
        number: number(&random), first: id(&random),
        marks: [.init(n: id(&random), mark: random.next())])
    }
    return login
  }

  private static func welcome(_ random: inout SplitMix64) -> Welcome {
    let fate = NumberRow.Fate(
      n: id(&random), mark: random.next(), code: .txViolatedUnique, position: id(&random))
    return Welcome(
      model: model, plan: random.pick([.entries, .full, .scoped([10, 20])]), head: id(&random),
      chain: random.next(),
      rows: [.init(number: number(&random), last: 9, fates: [fate], isMoved: random.oneIn(2))],
      views: [20: random.next()], time: random.next() >> 17, window: 64)
  }

  static func submission(_ random: inout SplitMix64) -> Submission {
    let isVoid = random.oneIn(5)
    return Submission(
      number: number(&random), previous: random.oneIn(2) ? 0 : number(&random), n: id(&random),
      mark: random.next(), void: isVoid ? .txViolatedUnique : nil,
      operations: isVoid ? [] : (0..<random.below(4)).map { _ in operation(&random) })
  }

  private static func operation(_ random: inout SplitMix64) -> SyncOperation<GlobalID> {
    let key = key(&random)
    let life = UInt32(1 + 2 * random.below(3))
    switch random.below(5) {
    case 0: return SyncOperation(.insert, key, life: life, fields: fields(key.entity, &random))
    case 1: return SyncOperation(.update, key, life: life, fields: fields(key.entity, &random))
    case 2: return SyncOperation(.remove, key, life: life)
    case 3: return SyncOperation(.link, pair(&random))
    default: return SyncOperation(.unlink, pair(&random))
    }
  }

  private static func global(_ random: inout SplitMix64) -> GlobalID {
    GlobalID(number: random.oneIn(3) ? 0 : number(&random), id: id(&random))
  }

  private static func key(_ random: inout SplitMix64) -> GlobalKey {
    GlobalKey(entity: random.pick([10, 20]), id: global(&random))
  }

  private static func pair(_ random: inout SplitMix64) -> GlobalPair {
    GlobalPair(
      relation: random.pick([50, 51]), source: global(&random), target: global(&random))
  }

  private static func fields(_ entity: UID, _ random: inout SplitMix64) -> Fields<GlobalID> {
    let values: [Value] = [
      .null, .bool(true), .bool(false), .integer(-1), .integer(.min), .unsigned(.max), .float(1.5),
      .double(-2), .string("äx"), .bytes([0, 255]), .bools([true, false]), .integers([1, -2]),
      .unsignedIntegers([3]), .floats([0.5]), .doubles([1, 2]), .strings(["a", ""]),
    ]
    var fields = Fields<GlobalID>()
    for property in model.entities[entity]?.properties ?? [] where random.oneIn(2) {
      fields[property.uid] =
        property.target != nil && random.oneIn(2)
        ? .reference(global(&random))
        : .value(property.target == nil ? random.pick(values) : .null)
    }
    return fields
  }

  private static func effect(_ random: inout SplitMix64) -> Effect<GlobalID> {
    let key = key(&random)
    switch random.below(6) {
    case 0: return .put(key, life: 3, fields(key.entity, &random), isWhole: random.oneIn(2))
    case 1:
      return .pairs(
        key,
        (0..<random.below(3)).map { _ in
          GlobalPair(relation: 50, source: key.id, target: global(&random))
        })
    case 2: return .remove(key, life: 2)
    case 3: return .forget(key, life: 0)
    case 4: return .link(pair(&random))
    default: return .unlink(pair(&random))
    }
  }

  private static func entries(_ random: inout SplitMix64) -> SessionEntries {
    let from = id(&random) >> 2
    var position = from
    let list = (0..<random.below(4)).map { _ in
      position += 1 + UInt64(random.below(3))
      let isRejected = random.oneIn(4)
      return SessionEntry(
        position: position, number: number(&random), n: id(&random),
        mark: random.oneIn(2) ? random.next() : nil, code: isRejected ? .reqRejected : .ok,
        place: isRejected ? 3 : 0,
        effects: random.oneIn(3) ? nil : (0..<random.below(3)).map { _ in effect(&random) })
    }
    return SessionEntries(from: from, to: position + 2, chain: random.next(), list: list)
  }
}
