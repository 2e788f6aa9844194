public import BoxReport

/// The rules that a catalogue of converters is checked against.
///
/// Each has the text of its entry in `docs/rules.md`.
public enum ConverterRule {
  /// The file cannot be read as a catalogue.
  public static let notACatalogue = Rule(
    "BOX801", "not-a-catalogue", "A catalogue is YAML or JSON with the keys that converters have",
    reason:
      "A catalogue that cannot be read has no effect; `export` and `import` stop at it with exit status 78.",
    example: "`there is no converter 'enun'; there are: enum, options, date, …`",
    remedy: "Correct the place that is named; [converters.md](converters.md) has every key.")
  /// An entity is not in the model.
  public static let unknownEntity = Rule(
    "BOX802", "converted-entity-unknown", "Every entity of a catalogue is in the model",
    reason:
      "The converter is never used, for example after an entity was renamed in the model only.",
    example: "`the model has no entity Usr`",
    remedy: "Use the name in the model.")
  /// A property or relation is not in the model.
  public static let unknownProperty = Rule(
    "BOX803", "converted-property-unknown", "Every property of a catalogue is in its entity",
    reason:
      "The converter is never used, and the values are shown raw; a mapped value has no property to go to.",
    example: "`User has no property rol`",
    remedy: "Use the name in the model.")
  /// A converter cannot work on the type of its property.
  public static let wrongType = Rule(
    "BOX804", "converter-unfit", "A converter fits the type of its property",
    reason: "No value can be converted: `export` and `import` refuse it before they begin.",
    example: "`User.role: a converter of type uuid does not fit a property of type byte`",
    remedy: "Use another converter, or chain two of them.")
  /// A raw value is out of the range of the property.
  public static let rawOutOfRange = Rule(
    "BOX805", "raw-value-out-of-range", "Every raw value can be stored in its property",
    reason: "The case could never be stored.",
    example: "`User.role: the raw value 300 of admin is not a value of type byte`",
    remedy: "Use a raw value that fits.")
  /// Two names have the same raw value.
  public static let duplicateRaw = Rule(
    "BOX806", "duplicate-raw-value", "No two names of an enum have the same raw value",
    reason: "Only the first name would ever be shown.",
    example: "`admin and root of User.role both have the raw value 2`",
    remedy: "Put the other name into `aliases`, which are read and not written.")
  /// Two raw values have the same name.
  public static let duplicateName = Rule(
    "BOX807", "duplicate-case-name", "No two raw values of an enum have the same name",
    reason: "The name would bring back one raw value for both.",
    example: "`guest of User.role has two raw values, 5 among them`",
    remedy: "Give the retired case another name.")
  /// The default is not a value of the converter.
  public static let wrongDefault = Rule(
    "BOX808", "default-unfit", "The default of a converter is one of its values",
    reason: "The default could not be stored.",
    example:
      "`User.role: the default is not a value of the converter: expected one of reader, author`",
    remedy: "Name one of the values, as JSON shows it.")
  /// A policy replaces a stored value by another one.
  public static let lossyPolicy = Rule(
    "BOX809", "policy-loses-values", "Stored values that are unknown are kept", .note,
    reason: """
      With the policies `default` and `null`, an export shows another value than the stored one, and an import of that \
      export writes it.
      """,
    example:
      "`a stored value of User.role that is unknown is lost when it is exported and imported`",
    remedy: "Use `keep` if the dump has to restore the store.")
  /// The converter is one of the application.
  public static let notRegistered = Rule(
    "BOX810", "converter-not-registered", "The program has every converter of the catalogue", .note,
    reason: """
      Converters of the type `registered` are code of an application. The command line does not have that code; it \
      shows the raw values.
      """,
    example: "`Car.color uses the converter color of the application, which is not here`",
    remedy: "Nothing; in the application, register the converter by that name.")
  /// The relation of a mapping has another target entity.
  public static let wrongTarget = Rule(
    "BOX811", "mapped-target-differs", "The relations of a mapping lead where the model says",
    reason: "The objects would be searched in an entity that is not the target of the relation.",
    example: "`Film.cast leads to Person and not to Actor`",
    remedy: "Name the entity of the model in `to`.")
  /// The key by which targets are found is not unique.
  public static let keyNotUnique = Rule(
    "BOX812", "mapped-key-not-unique", "The key of a mapped relation is unique", .warning,
    reason:
      "Two objects can have the same key. The relation refers to the first one, and finding it takes a search.",
    example: "`Person.name is not unique, so two objects can have one key`",
    remedy: "Make the property unique in the model.")
  /// Nested objects cannot be made, as their entity has a unique property.
  public static let nestedUnique = Rule(
    "BOX813", "nested-unique", "Entities of nested objects have no unique properties",
    reason: "Each nested object becomes an object of its own, so two objects would have one value.",
    example: "`Customer.email is unique, so nested objects cannot be made`",
    remedy: "Name the property as the `key` of the relation, or remove its flag in the model.")

  /// A case was removed without being retired.
  public static let caseRemoved = Rule(
    "BOX821", "case-removed", "A case that is no longer used is retired",
    reason: "Its raw value is still stored, and a new case may get it.",
    example: "`guest of User.role (raw value 5) was removed and is not retired`",
    remedy: "Name it in `retired`.")
  /// A case has another raw value.
  public static let caseRenumbered = Rule(
    "BOX822", "case-renumbered", "A case keeps its raw value",
    reason: "Stored objects have the earlier raw value, and change their meaning.",
    example: "`admin of User.role had the raw value 2 and has 3`",
    remedy: "Restore its raw value.")
  /// A raw value has another name.
  public static let caseRenamed = Rule(
    "BOX823", "case-renamed", "A case that is renamed keeps its earlier name as an alias", .warning,
    reason:
      "Dumps with the earlier name cannot be imported; or the raw value means something else now.",
    example: "`the raw value 2 of User.role was admin and is owner`",
    remedy: "Add the earlier name to `aliases`, or use a new raw value.")
  /// A retired raw value is used again.
  public static let retiredReused = Rule(
    "BOX824", "retired-value-reused", "A retired raw value is not used again",
    reason: """
      Stored objects that have it get a new meaning. Retired under another name, it could come back with that name.
      """,
    example: "`the raw value 5 of User.role was guest, is retired, and is used for visitor`",
    remedy: "Use a new raw value; keep the name in `retired`.")
  /// A retired case is missing from the list.
  public static let retirementLost = Rule(
    "BOX825", "retirement-lost", "A retired case stays in the list",
    reason: "Without it nothing records that the raw value was in use.",
    example: "`guest of User.role (raw value 5) is retired no longer`",
    remedy: "Put it back into `retired`.")
  /// The converter reads stored values in another way.
  public static let converterChanged = Rule(
    "BOX826", "converter-changed", "A converter still reads what is stored",
    reason: "Stored values are read in another unit, scale or form.",
    example: """
      `Car.price was {"type":"decimal","scale":2} and is {"type":"decimal","scale":3}, so stored values are read in \
      another way`
      """,
    remedy: "Convert the stored values into a separate property.")
  /// A locked property no longer has a converter.
  public static let converterRemoved = Rule(
    "BOX827", "converter-removed", "A property that was converted still is", .warning,
    reason: "Its values are shown raw, and dumps with converted values cannot be imported.",
    example: "`User.role is in the lock and no longer has a converter`",
    remedy: "If that is intended, run `boxjoint converters lock`.")
  /// The lock does not contain the converter, or a case of it.
  public static let notLocked = Rule(
    "BOX828", "converter-not-locked", "The lock has every converter of the catalogue", .warning,
    reason: "Changes of a converter, or of a name of an enum, that is not locked go unnoticed.",
    example: "`User.role is not in the lock`",
    remedy: "Run `boxjoint converters lock`.")
  /// A change takes something out of the lock.
  public static let lockLost = Rule(
    "BOX829", "lock-lost", "A change takes nothing out of the lock that its catalogue has",
    reason: """
      Without its lock, the next change could give stored values another meaning. Only `converters check --against` \
      reports this.
      """,
    example: "`the lock of the change no longer has User.role as in the base`",
    remedy: "Run `boxjoint converters lock`, and commit the lock.")

  /// The rules under their heading of `docs/rules.md`.
  package static var section: RuleSection {
    RuleSection(
      "Converters",
      """
      The findings of `boxjoint converters check` in a catalogue, alone and compared with a model. From BOX821 on \
      the catalogue is compared with its locked state. [converters.md](converters.md) describes catalogues.
      """,
      rules: [
        notACatalogue, unknownEntity, unknownProperty, wrongType, rawOutOfRange, duplicateRaw,
        duplicateName,
        wrongDefault, lossyPolicy, notRegistered, wrongTarget, keyNotUnique, nestedUnique,
        caseRemoved,
        caseRenumbered, caseRenamed, retiredReused, retirementLost, converterChanged,
        converterRemoved, notLocked,
        lockLost,
      ])
  }
}
