internal import BoxEngine
internal import BoxModel

/// Rules about what is declared about relations.
extension ChangeRule {
  private static let ignored = ObjectBoxVerdict(
    .safe, "the runtime knows no such rules", .opens, .documented, Source.updates)

  /// A removal removes more than before, or is refused.
  static let deleteRuleAdded = ChangeRule(
    "BOX394", "delete-rule-added",
    "A removal removes other objects too, or is refused because of them",
    data: "all of it stays until objects are removed",
    engine: EngineVerdict(
      .latent, "it opens; from then on every program follows the rule when it removes objects"),
    objectBox: ignored, remedy: "look for code that removes objects of the entity")
  /// A removal changes fewer objects than before, or none.
  static let deleteRuleChanged = ChangeRule(
    "BOX395", "delete-rule-changed",
    "A removal leaves other objects, or makes their relations null",
    data: "all of it stays", engine: EngineVerdict(.safe, "it opens, with the new rule"),
    objectBox: ignored)
  /// The stores of the model get their first rule.
  static let deleteRulesBegun = ChangeRule(
    "BOX396", "delete-rules-begun", "The model gets its first rule about removals",
    data: "all of it stays",
    engine: EngineVerdict(
      .noRollback,
      "it opens, and gets the feature rules of format 2; a program that does not know it is refused",
      .refused),
    objectBox: ignored, remedy: "have all programs read rules before the first one is released")

  /// No store opens with the rules and the model.
  static let deleteRuleUnfit = ChangeRule(
    "BOX397", "delete-rule-unfit", "The new model does not fit a rule about removals",
    data: "all data stays, as no store opens",
    engine: EngineVerdict(
      .openFailure, "every store is refused", .untouched, rule: OpeningRule.ruleWithoutIndex),
    objectBox: ignored, remedy: "give the property an index, or take the rule out")
  /// A mapping drops objects that others refer to.
  static let leftDangling = ChangeRule(
    "BOX398", "left-dangling", "A mapping drops objects to which objects that stay refer",
    data: "the relations keep the ids of objects that are gone",
    engine: EngineVerdict(
      .latent, "the migration leaves them dangling; `boxjoint store orphans` lists them"),
    objectBox: ObjectBoxVerdict(
      .safe, "it is not migrated by this program", .opens, .unconfirmed, Source.none),
    remedy: "remove the objects before the migration, so that their delete rules apply",
    note: "Only `boxjoint migrate` shows it. Delete rules do not apply to what a mapping drops.")

  static let declarationRules = [
    deleteRuleAdded, deleteRuleChanged, deleteRulesBegun, deleteRuleUnfit, leftDangling,
  ]
}
