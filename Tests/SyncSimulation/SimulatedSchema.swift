import BoxModel
import BoxSync
import TestSupport

/// The entities of the simulation: one for each merge rule.
enum Schema {
  static let plain: UID = 10
  static let clocked: UID = 20
  static let ranked: UID = 30
  static let shared: UID = 40
  /// The property with the ghost of each entity, and the one that filters read.
  static let ghost: UID = 1
  static let team: UID = 4

  static let full = SyncModel(
    [
      SyncEntity(
        plain,
        [
          SyncProperty(11), SyncProperty(12), SyncProperty(13), SyncProperty(14),
          SyncProperty(15, unique: .plain), SyncProperty(16, target: clocked),
        ]),
      SyncEntity(
        clocked,
        [
          SyncProperty(21), SyncProperty(22), SyncProperty(23), SyncProperty(24),
          SyncProperty(25, unique: .plain), SyncProperty(26, target: plain),
        ], clock: 23),
      SyncEntity(
        ranked,
        [
          SyncProperty(31), SyncProperty(32), SyncProperty(33), SyncProperty(34),
          SyncProperty(35, unique: .replace),
        ], precedence: 33),
      SyncEntity(
        shared, [SyncProperty(41), SyncProperty(42), SyncProperty(43), SyncProperty(44)],
        mergesObjects: true, sharesIDs: true),
    ],
    [
      SyncRelation(50, from: plain, to: clocked), SyncRelation(51, from: clocked, to: clocked),
      SyncRelation(52, from: shared, to: plain),
    ])

  /// The model file of a store with all of it.
  static let document = Result {
    var model = TestModel(
      .init(
        name: "Plain", uid: plain,
        properties: [
          .init("id", 1010, .long, .id), .init("ghost", 11, .long), .init("a", 12, .long),
          .init("b", 13, .long), .init("team", 14, .long),
          .init("code", 15, .string, [.indexHash, .unique]),
          .init("link", 16, .relation, target: "Clocked"),
        ], relations: [.init("others", 50, to: "Clocked")]),
      .init(
        name: "Clocked", uid: clocked,
        properties: [
          .init("id", 1020, .long, .id), .init("ghost", 21, .long), .init("a", 22, .long),
          .init("clock", 23, .long, .syncClock), .init("team", 24, .long),
          .init("code", 25, .string, [.indexed, .unique]),
          .init("link", 26, .relation, target: "Plain"),
        ], relations: [.init("others", 51, to: "Clocked")]),
      .init(
        name: "Ranked", uid: ranked,
        properties: [
          .init("id", 1030, .long, .id), .init("ghost", 31, .long), .init("a", 32, .long),
          .init("rank", 33, .long, .syncPrecedence), .init("team", 34, .long),
          .init("code", 35, .string, [.indexHash64, .unique, .uniqueOnConflictReplace]),
        ]),
      .init(
        name: "Shared", uid: shared,
        properties: [
          .init("id", 1040, .long, [.id, .idSelfAssignable]), .init("ghost", 41, .long),
          .init("a", 42, .long), .init("b", 43, .long), .init("team", 44, .long),
        ], relations: [.init("others", 52, to: "Plain")])
    ).model
    for index in model.entities.indices { model.entities[index].flags = .syncEnabled }
    model.entities[3].flags.insert(.sharedGlobalIDs)
    return try TestModel.document(model)
  }

  /// The model of the release before: a property less of each of two entities, and a relation less.
  static let old: SyncModel = {
    var model = full
    for uid in [plain, shared] {
      if let entity = model.entities[uid] {
        model.entities[uid] = SyncEntity(
          uid, entity.properties.filter { $0.uid != uid + 3 },
          mergesObjects: entity.mergesObjects, sharesIDs: entity.sharesIDs)
      }
    }
    model.relations[51] = nil
    return model
  }()
}

/// A filter on the team of an object.
struct TeamFilter: ObjectFilter {
  var property: UID
  var teams: Set<Int64>
  var digest: UInt64 { teams.reduce(1) { $0 | 1 << UInt64($1 + 1) } }

  func admits(_ fields: Fields<GlobalID>) -> Bool {
    if case .value(.integer(let team))? = fields[property] { teams.contains(team) } else { true }
  }
}

/// Who sees what: objects of the own teams and those without one.
struct TeamAccess: SyncAccess {
  var isFiltered: Bool
  var hasReadOnlyTeam: Bool

  func propertiesRead(_ entity: UID) -> Set<UID> {
    isFiltered && entity != Schema.ranked ? [entity + Schema.team] : []
  }

  static func teams(_ variables: [String: String]) -> Set<Int64> {
    Set((variables["teams"] ?? "").split(separator: ",").compactMap { Int64($0) })
  }

  func rules(_ variables: [String: String]) -> SessionRules {
    var rules = SessionRules()
    guard isFiltered else { return rules }
    for entity in [Schema.plain, Schema.clocked, Schema.shared] {
      let teams = Self.teams(variables)
      rules.views[entity] = TeamFilter(property: entity + Schema.team, teams: teams)
      if hasReadOnlyTeam {
        rules.writes[entity] = TeamFilter(
          property: entity + Schema.team, teams: teams.subtracting([3]))
      }
    }
    return rules
  }

  /// The same rules for the oracle.
  func view(_ model: SyncModel, _ variables: [String: String]) -> OracleView {
    let teams = Self.teams(variables)
    let admits = { (entity: UID, fields: [UID: RawValue], teams: Set<Int64>) in
      guard isFiltered, entity != Schema.ranked,
        case .value(.integer(let team))? = fields[entity + Schema.team]
      else { return true }
      return teams.contains(team)
    }
    return OracleView(
      model: model, sees: { admits($0, $1, teams) },
      writes: { admits($0, $1, hasReadOnlyTeam ? teams.subtracting([3]) : teams) })
  }
}
