import TestSupport

/// The faults that a seed has, and how often: many seeds have few of them, so that each is seen alone.
struct SeedPlan {
  var clients = 2
  var processes = 1
  var steps = 150
  var isFiltered = false
  var hasReadOnlyTeam = false
  var hasOldModel = false
  var window = 64
  var keepAcknowledged = 1000
  var pageSize = 100
  /// The weights of actions.
  var weights: [Action: Int] = [:]
  /// The most copies of stores.
  var copies = 0

  enum Action: Int, CaseIterable {
    case commit, connect, disconnect, toServer, toClient, step
    case crash, clientCrash, trim, backup, restore, copy, restoreClient, variables, upgrade, jump
    case fullDisk
  }

  init(_ random: inout SplitMix64, restoresServersOfCopies: Bool, canFail: Bool) {
    clients = 2 + random.below(2)
    processes = random.oneIn(3) ? 2 : 1
    steps = 60 + random.below(140)
    isFiltered = random.oneIn(2)
    hasReadOnlyTeam = isFiltered && random.oneIn(2)
    hasOldModel = random.oneIn(3)
    if random.oneIn(2) { window = 2 + random.below(6) }
    if random.oneIn(3) { keepAcknowledged = random.below(8) }
    pageSize = random.oneIn(2) ? 1 + random.below(4) : 100
    weights = [
      .commit: 10 + random.below(20), .connect: 4 + random.below(10), .toServer: 30,
      .toClient: 30, .step: 20 + random.below(30),
    ]
    let faults: [(Action, Int)] = [
      (.disconnect, 6), (.crash, 3), (.clientCrash, 2), (.trim, 3), (.backup, 2), (.copy, 2),
      (.restoreClient, 4), (.variables, 3), (.upgrade, 2), (.jump, 5),
    ]
    for (fault, weight) in faults where random.oneIn(3) { weights[fault] = weight }
    if weights[.backup] != nil { weights[.restore] = 1 }
    if weights[.copy] != nil { copies = 1 + random.below(3) }
    let hasCopies = copies > 0 || weights[.restoreClient] != nil
    if !restoresServersOfCopies, hasCopies, weights[.backup] != nil {
      // A restored server together with copies is known to go wrong: docs/sync.md says so.
      if random.oneIn(2) {
        (weights[.backup], weights[.restore]) = (nil, nil)
      } else {
        (copies, weights[.copy], weights[.restoreClient]) = (0, nil, nil)
      }
    }
    if hasOldModel { weights[.upgrade] = 2 }
    if canFail, random.oneIn(3) { weights[.fullDisk] = 3 }
  }

  func draw(_ random: inout SplitMix64) -> Action {
    let total = weights.values.reduce(0, +)
    var choice = random.below(total)
    for action in Action.allCases {
      choice -= weights[action] ?? 0
      if choice < 0 { return action }
    }
    return .step
  }
}
