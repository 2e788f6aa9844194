public import BoxReport

/// The rules that a catalogue of converters is checked against.
///
/// `docs/rules.md` has an entry for each.
public enum ConverterRule {
  private static func rule(
    _ id: String, _ name: String, _ summary: String, _ severity: Severity = .error
  ) -> Rule {
    Rule(id: id, name: name, summary: summary, severity: severity)
  }

  /// The file cannot be read as a catalogue.
  public static let notACatalogue = rule(
    "BOX801", "not-a-catalogue", "A catalogue is YAML or JSON with the keys that converters have")
  /// An entity is not in the model.
  public static let unknownEntity = rule(
    "BOX802", "converted-entity-unknown", "Every entity of a catalogue is in the model")
  /// A property or relation is not in the model.
  public static let unknownProperty = rule(
    "BOX803", "converted-property-unknown", "Every property of a catalogue is in its entity")
  /// A converter cannot work on the type of its property.
  public static let wrongType = rule(
    "BOX804", "converter-unfit", "A converter fits the type of its property")
  /// A raw value is out of the range of the property.
  public static let rawOutOfRange = rule(
    "BOX805", "raw-value-out-of-range", "Every raw value can be stored in its property")
  /// Two names have the same raw value.
  public static let duplicateRaw = rule(
    "BOX806", "duplicate-raw-value", "No two names of an enum have the same raw value")
  /// Two raw values have the same name.
  public static let duplicateName = rule(
    "BOX807", "duplicate-case-name", "No two raw values of an enum have the same name")
  /// The default is not a value of the converter.
  public static let wrongDefault = rule(
    "BOX808", "default-unfit", "The default of a converter is one of its values")
  /// A policy replaces a stored value by another one.
  public static let lossyPolicy = rule(
    "BOX809", "policy-loses-values", "Stored values that are unknown are kept", .note)
  /// The converter is one of the application.
  public static let notRegistered = rule(
    "BOX810", "converter-not-registered", "The program has every converter of the catalogue", .note)
  /// The relation of a mapping has another target entity.
  public static let wrongTarget = rule(
    "BOX811", "mapped-target-differs", "The relations of a mapping lead where the model says")
  /// The key by which targets are found is not unique.
  public static let keyNotUnique = rule(
    "BOX812", "mapped-key-not-unique", "The key of a mapped relation is unique", .warning)
  /// Nested objects cannot be made, as their entity has a unique property.
  public static let nestedUnique = rule(
    "BOX813", "nested-unique", "Entities of nested objects have no unique properties")

  /// A case was removed without being retired.
  public static let caseRemoved = rule(
    "BOX821", "case-removed", "A case that is no longer used is retired")
  /// A case has another raw value.
  public static let caseRenumbered = rule(
    "BOX822", "case-renumbered", "A case keeps its raw value")
  /// A raw value has another name.
  public static let caseRenamed = rule(
    "BOX823", "case-renamed", "A case that is renamed keeps its earlier name as an alias", .warning)
  /// A retired raw value is used again.
  public static let retiredReused = rule(
    "BOX824", "retired-value-reused", "A retired raw value is not used again")
  /// A retired case is not in the list any more.
  public static let retirementLost = rule(
    "BOX825", "retirement-lost", "A retired case stays in the list")
  /// The converter reads stored values in another way.
  public static let converterChanged = rule(
    "BOX826", "converter-changed", "A converter goes on reading what is stored")
  /// A locked property no longer has a converter.
  public static let converterRemoved = rule(
    "BOX827", "converter-removed", "A property that was converted still is", .warning)
  /// The lock does not contain the converter, or a case of it.
  public static let notLocked = rule(
    "BOX828", "converter-not-locked", "The lock has every converter of the catalogue", .warning)
  /// A change takes something out of the lock.
  public static let lockLost = rule(
    "BOX829", "lock-lost", "A change takes nothing out of the lock that its catalogue has")
}
