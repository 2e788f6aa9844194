/// Rules that a build with `PLANTED` defined can leave out, so that the simulator is seen to find each.
///
/// In every other build no rule is left out, and asking costs nothing.
package enum PlantedFault: String, CaseIterable, Sendable {
  case answerOfKnownTransactions, lifeOfUpdates, outboxOnTop, entriesOfSnapshots, lockOfRow
  case shadowsOfPending, uniqueValues, longEntries, valuesOutsideOfModel, clearingBySnapshots
  case outboxInFullSync, rollBack, comparisonOfChains, unlinks, forks, sendingAgain
  case increasingClocks, pairsOfRemovals, viewBefore, tombstonesInPages
  case effectsInChain
  /// Rules of what surrounds the machines, which the simulator leaves out.
  case droppingOldMessages, positionWithData

  #if PLANTED
    /// The rule that is left out now.
    @TaskLocal package static var current: PlantedFault?
  #endif

  /// Whether a rule is left out.
  static func omits(_ rule: PlantedFault) -> Bool {
    #if PLANTED
      current == rule
    #else
      false
    #endif
  }
}
