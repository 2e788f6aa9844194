/// Advice about defects that several parts find: the check of a file, a plan, and the opening of a
/// store.
package enum ModelAdvice {
  /// What to do about properties without a type.
  package static let typeMissing =
    "build once with a current generator, which writes types, or restore the model from version "
    + "control"
  /// What to do about a type whose number has no known meaning.
  package static let typeUnknown =
    "use a newer version of boxjoint, or restore the type from version control"
  /// What to do about relations that do not name their target.
  package static let targetUnset =
    "build once with a current generator, which writes its targetId, or remove the relation"
}
