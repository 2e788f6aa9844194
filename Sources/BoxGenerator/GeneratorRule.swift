internal import BoxJSON
package import BoxReport

/// The rules of annotated sources.
package enum GeneratorRule {
  static let notUTF8 = Rule(
    "BOX951", "source-not-utf8", "A source file is UTF-8",
    reason:
      "The generator cannot read other encodings, and would take its entities for removed ones.",
    example: "`The file is not UTF-8`",
    remedy: "Save it as UTF-8, or leave it out by `--exclude-sources`.")
  static let conflictMarkers = Rule(
    "BOX952", "source-conflict-markers", "A source file has no conflict markers",
    reason: "Half of a conflict is not what anybody wrote; entities would be retired.",
    example: "`The file has conflict markers`",
    remedy: "Resolve the conflict, and generate again.")
  static let unknownAnnotation = Rule(
    "BOX953", "unknown-annotation", "An annotation and its options have documented names",
    reason: "A misspelled annotation would silently do nothing.",
    example: #"`There is no annotation "indx" here`"#,
    remedy: "Use the name that the message suggests; [generating.md](generating.md) lists all.")
  static let annotationValue = Rule(
    "BOX954", "annotation-value", "An annotation has a value that it allows, and fits its property",
    reason: "The generator would have to guess what was meant.",
    example: #"`The annotation "hnswIndex" of "place" has no dimensions`"#,
    remedy: "Correct the value, or remove the annotation.")
  static let notStorable = Rule(
    "BOX955", "type-not-storable", "A stored property has a type that a store holds",
    reason: "Its values would be lost without a word.",
    example: #"`The property "mood" of "Note" is an enum without the annotation "convert"`"#,
    remedy: "Annotate it with `convert`, change its type, or leave it out by `transient`.")
  static let noID = Rule(
    "BOX956", "entity-without-id", "An entity has exactly one id",
    reason: "The store gives each object an id, and the object has to hold it.",
    example: #"`The entity "Note" has no id`"#,
    remedy: "Add `var id: Id = 0`, or annotate one property with `id`.")
  static let noInitializer = Rule(
    "BOX957", "entity-without-init", "An entity has the initializer that the bindings call",
    reason:
      "To read an object is to make one: a class by `init()`, a struct with all stored properties.",
    example: #"`The entity "Note" has no "init()"`"#,
    remedy: "Add the initializer that the message shows.")
  static let duplicateType = Rule(
    "BOX958", "duplicate-entity", "Entities and their members differ in name",
    reason: "Names in a model file are compared without regard to case.",
    example: #"`Two entity types have the name "Note"`"#,
    remedy: "Give one of them another name, in Swift or by `name`.")
  static let notSupported = Rule(
    "BOX959", "entity-form", "An entity is a class or a struct that the bindings can reach",
    reason: "The bindings are in another file, and are not generic.",
    example: #"`The entity "Box" is generic`"#,
    remedy: "Declare a type that is not generic, private or local.")
  static let unknownUID = Rule(
    "BOX960", "annotation-uid", "The UID of an annotation is one of the model file",
    reason: "A UID that nobody gave has no data; it may come from another branch.",
    example: "`The model file has no property with the UID 4711 of Note.text`",
    remedy: "Restore the model file that has it, or remove the UID.")
  static let manyRemovals = Rule(
    "BOX961", "many-removals", "A run removes at most half of the entities of a model file",
    reason: "If most are missing, some sources were probably not read.",
    example: "`The sources lack 3 of 4 entities of the model file: Folder, Note, Tag`",
    remedy: "Check `--sources`; to remove them, pass `--allow-removals`.")
  static let model = Rule(
    "BOX962", "model-not-editable", "The model file is valid, and the sources fit it",
    reason: "A file that is broken would be broken further.",
    example: "`The model file has conflict markers`",
    remedy: "Run the command that the message names.")
  static let uidRequested = Rule(
    "BOX963", "uid-requested", "An annotation \"uid\" has a number",
    reason: "Without one it asks for the numbers to choose from.",
    example: "`No UID given for property text of entity Note. …`",
    remedy: """
      Write the first number to rename, or the second to begin without data. Each declaration of a run gets a second \
      number of its own, which no committed model file offers.
      """)
  static let lostUIDs = Rule(
    "BOX964", "model-lost-uids",
    "The model file keeps the UIDs of its generated code and of its history",
    reason: """
      The file was lost or replaced, as the generated code beside it or a commit of the repository says. With new UIDs \
      the data of all stores could not be read.
      """,
    example: #"`The model file is missing, and … has 12 UIDs, such as that of the entity "Note"`"#,
    remedy: """
      Restore the file from version control, or run `boxjoint recover`. To begin with new data, delete the generated \
      code, and pass `--new-model`.
      """)
  static let relation = Rule(
    "BOX965", "relation-target", "A relation refers to an entity, and a backlink to a relation",
    reason: "The bindings could not follow it.",
    example: #"`The target "Foldr" of "folder" is not an entity`"#,
    remedy: "Correct the name, or annotate the target.")
  static let backlinkOffered = Rule(
    "BOX966", "backlink-offered", "A relation to many objects says if it is a backlink", .warning,
    reason: "A relation of its own and a to-one relation that leads back are easily confused.",
    example: #"`"notes" is a relation of its own, although "folder" of "Note" leads back`"#,
    remedy: """
      Annotate it with `backlink`, if it has the objects that lead back, or with `relation`, if it has others.
      """)
  static let typeChanged = Rule(
    "BOX967", "type-changed",
    "A property keeps its type, or the sources say how its values are converted",
    reason:
      "Stored values are of the old type. Only you know if they are to be converted or dropped.",
    example: #"`The type of "Note.size" changed from int to long. You can do the following: …`"#,
    remedy: """
      Write the annotation that the message gives: `convert-type` to keep the values \
      ([swift-versions.md](swift-versions.md#changed-types)), or the new `uid` to begin without them. Where the target \
      of a relation changed, there is only the second.
      """)
  static let enumCases = Rule(
    "BOX968", "implicit-raw-values", "The cases of a stored enum have explicit raw values",
    .warning,
    reason: "Implicit ones change when a case is inserted, and stored values do not.",
    example: #"`The enum "Genre" has cases without explicit raw values`"#,
    remedy: "Write the raw values.")
  static let conditional = Rule(
    "BOX969", "conditional-entity", "An entity is the same in every build", .warning,
    reason: "The bindings and the model file do not change with the conditions of `#if`.",
    example: "`The entity \"Note\" is inside \"#if\", and the bindings are not`",
    remedy: "Move it out of the condition, or be sure that all builds have it.")
  static let isolatedConverter = Rule(
    "BOX970", "isolated-converter", "A converter can be called on any thread",
    reason: "Objects are read and written on every thread.",
    example: #"`The converter "RoleConverter" is isolated to "MainActor"`"#,
    remedy: "Declare it as `nonisolated`.")
  static let lock = Rule(
    "BOX971", "lock-not-readable", "The lock of the catalogue is one that can be read and written",
    reason: """
      Without it, nothing says what stored raw values mean. One that is missing is not begun again if HEAD or an \
      earlier commit has it, or if another lock has no model file beside it, as after a target was renamed: a case \
      could get the raw value of another one.
      """,
    example: "`expected a value`",
    remedy: """
      Take the lock of the last commit, or either side of a conflict, and generate again: the run adds what is new. To \
      number the cases as the sources have them now, pass `--allow-renumbering`.
      """)
  static let notParsed = Rule(
    "BOX972", "source-not-parsed", "A source file is correct Swift",
    reason: """
      An unfinished comment or string, or a brace too many, hides what follows. The generator would take it for \
      removed, and retire its UIDs.
      """,
    example: "`The file cannot be read as Swift from here on: nothing closes this bracket`",
    remedy: """
      Correct the file, as the compiler tells, and generate again. If the compiler accepts it, a newer version of \
      BoxJoint may know what it says.
      """)
  static let resetTarget = Rule(
    "BOX973", "reset-target", "A relation to an entity that is reset is reset too", .warning,
    reason: """
      An entity that gets a new UID begins without objects, and its new objects get the ids of the earlier ones. A \
      relation that stays would lead to objects that nobody linked.
      """,
    example:
      #"`The entity "Author" is reset, but "Book.author" keeps the ids of its earlier objects`"#,
    remedy: """
      Give the relation a new UID too: annotate it with `// objectbox: uid`, generate, and apply the UID on offer. If \
      no object has a link, there is nothing to do.
      """)
  static let lostElement = Rule(
    "BOX974", "element-lost", "An element keeps its UID, or the sources ask for another one",
    reason: """
      The model file has removed the element, and the sources still have it: git merged them to different results. As \
      a new element it would begin without its data. The file is compared with HEAD and the commit before it, with \
      both commits of a merge, and with the generated code; and with its whole history, if the sources of HEAD have \
      the element and the model of HEAD does not. If git is missing or refuses, or a shallow clone lacks the history, \
      a new element of such a model is a warning.
      """,
    example: """
      `The property p of entity Note has the UID 6650210497133824 in HEAD^1, and the model file has removed it. You \
      can do the following: [Rename] Apply the earlier UID using // objectbox: uid = 6650210497133824 [Change/Reset] \
      Apply a new UID using // objectbox: uid = 7716483900912641`
      """,
    remedy: """
      Remove the declaration if the removal is right. Else write one of the annotations: the first keeps the data, the \
      second begins without. Once the run has passed, the annotation may go.
      """)

  static let renamedModel = Rule(
    "BOX975", "model-under-another-name", "A target that is renamed keeps its model",
    reason: """
      The model file is missing, and another file seems to be the model of these sources: it has at least half of \
      their entities, or bindings among the sources were generated from it. With new UIDs the data of all stores could \
      not be read. Such a file is a `model-*.json` or `model.json` of the repository, of HEAD or of the commit that \
      removed one last, or any model in the directory of the model file. One that another target has, whose sources \
      are there, counts only if each of the two has at least half of the entities of the other.
      """,
    example: """
      `The model file is missing, and "model-App.json" has 3 of the 3 entities, such as "Note", of the sources`
      """,
    remedy: """
      Run the commands of the finding, which give the model file, its catalogue and its bindings the new name, and \
      generate again. For a target with a database of its own, pass `--new-model`.
      """)

  static let computedConstant = Rule(
    "BOX976", "constant-computed", "Older objects get the initial value of a new property",
    .warning,
    note: "For a property that an entity gets newly.",
    reason: """
      A property that is not optional has a value in all objects, also in those that were stored before it was added: \
      its initial value, if that is a literal, a case, or another member of its own type. A value that is computed for \
      each new object, such as `Date()`, can be none of theirs.
      """,
    example: """
      `The initial value of "created" is computed, so that objects of "Note" that are stored already get zero or what \
      is empty`
      """,
    remedy: """
      Nothing, if zero is right. Else give their value by `// objectbox: default = 5`, of a date in the stored unit, \
      or make the property optional.
      """)

  static let leftBindings = Rule(
    "BOX977", "bindings-left", "A target has the bindings of one generator",
    reason: """
      `EntityInfo.generated.swift` of ObjectBox's generator declares what the new bindings declare. A build with both \
      fails, with errors about names that are ambiguous.
      """,
    example: """
      `The bindings of ObjectBox's generator are beside "…/EntityInfo-App.generated.swift", which declares the same`
      """,
    remedy: """
      Delete the file that the finding names, and generate again. A file that the target does not compile can be left \
      out by `--exclude-sources`.
      """)

  static let internalBindings = Rule(
    "BOX978", "internal-bindings", "The bindings of a public entity are public", .warning,
    reason: """
      Swift refuses a public type whose conformance to a public protocol is internal, with several errors in the \
      bindings. A run reports the first such entity alone.
      """,
    example:
      #"`The entity "Note" is public, and its bindings are internal, so that they do not compile`"#,
    remedy: "Pass `--visibility public`.")

  static let embeddedType = Rule(
    "BOX979", "embedded-type", "An embedded type is a struct whose declaration the generator reads",
    reason: """
      The members of an embedded struct become properties of the entity. They are read from its declaration, which is \
      in the sources of the target, and objects are made by its initializer. A class is refused, as are a generic \
      type, a struct that holds itself, and structs more than 8 deep or more than 8000 of them in an entity.
      """,
    example: "`Address is not declared in the sources of App; use a converter`",
    remedy: """
      Declare the type as a struct of the target, or store it by `convert`. [generating.md](generating.md#embedded-structs) \
      says what it may hold.
      """)

  static let embeddedOptional = Rule(
    "BOX980", "embedded-optional", "An embedded struct that is optional has a member that is not",
    reason: """
      Of nil each member is stored as null, and so is each of an empty struct whose members are all optional: reading \
      could not tell them apart.
      """,
    example: """
      `work is optional and Address has only optional members, so nil could not be told from an empty one`
      """,
    remedy: "Declare one of its members, or the struct itself, as not optional.")

  static let embeddedName = Rule(
    "BOX981", "embedded-name",
    "The members of embedded structs differ in name from other properties",
    reason: """
      The name of such a property is a prefix and the name of the member, and names in a model file are compared \
      without regard to case. What is written once above a member holds wherever the struct is embedded, so it cannot \
      be a UID if that is twice.
      """,
    example: "`home_city is the name of home.city and of Person.home_city; rename one`",
    remedy: """
      Rename one, or give the struct another prefix by `embedded = "other_"`. Rename members of structs by `was`.
      """)

  static let earlierName = Rule(
    "BOX982", "earlier-name", "No other property has the earlier name of a property",
    reason: """
      The annotation `was` gives a property the UID that the earlier name has in the model file. If a property of that \
      name is there too, one of them would begin without its data.
      """,
    example: #"`was = "road": Person has both home_road and home_street; remove one`"#,
    remedy: """
      Remove the declaration of one of them, or the annotation: once the model file has the new name, it does nothing.
      """)

  /// The rules under their heading of `docs/rules.md`.
  package static var section: RuleSection {
    RuleSection(
      "Annotated Swift types",
      """
      Rules of the sources that `boxjoint-generate` reads. [generating.md](generating.md) tells about the \
      annotations.
      """,
      rules: [
        notUTF8, conflictMarkers, unknownAnnotation, annotationValue, notStorable, noID,
        noInitializer, duplicateType,
        notSupported, unknownUID, manyRemovals, model, uidRequested, lostUIDs, relation,
        backlinkOffered, typeChanged,
        enumCases, conditional, isolatedConverter, lock, notParsed, resetTarget, lostElement,
        renamedModel,
        computedConstant, leftBindings, internalBindings, embeddedType, embeddedOptional,
        embeddedName, earlierName,
      ])
  }
}

extension Finding {
  /// A finding at a place of the sources.
  init(
    _ rule: Rule, at place: SourcePlace, _ message: String, advice: String,
    severity: Severity? = nil
  ) {
    self.init(
      rule: rule, severity: severity, message: message, advice: advice, path: place.path,
      region: SourceRegion(
        line: place.line, column: place.column, endLine: place.line,
        endColumn: place.column + 1),
      sourceLine: place.text.isEmpty ? nil : SourceLine(place.text))
  }
}
