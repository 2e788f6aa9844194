internal import BoxConvert
internal import BoxEngine
internal import BoxMerge
internal import BoxMigration
internal import BoxModel
package import BoxReport

extension RuleCatalogue {
  /// The rules of `boxjoint`.
  package static var boxjoint: RuleCatalogue {
    RuleCatalogue(
      ModelRule.sections + [ChangeRule.section] + MergeRule.sections
        + [OpeningRule.section, StoreRule.section, ConverterRule.section, ReviewRule.section])
  }
}
