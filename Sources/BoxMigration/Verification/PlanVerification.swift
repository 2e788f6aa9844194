internal import BoxEngine
internal import BoxJSON
public import BoxModel
internal import BoxReport
internal import BoxStorage

/// Migrates stores with generated data, and compares the result with the plan.
///
/// The expected content follows from the generated values and the two model files, by UID. The code
/// that computes it uses neither the plan nor the code of migrations.
public struct PlanVerification {
  /// The result of a verification.
  public struct Outcome: Hashable, Sendable {
    /// The kind of the migration; nil if the change was refused.
    public var kind: PendingMigration.Kind?
    /// The steps of the plan of this very migration.
    package var steps: [PlanStep] = []
    /// Whether a mapping was given, and the migration has no step for it.
    package var ignoresMapping = false
    /// The reason of a refusal; nil if the change was carried out.
    package var refusal: String?
    /// The number of compared objects.
    public var objects = 0
    /// The number of compared values and links, including missing ones.
    public var values = 0
    /// Whether the old model opened the result again; nil if that was not tried.
    public var wentBack: Bool?
    /// The number of elements that the new model lacks and that were restored, to check whether
    /// their data is kept or freed.
    public var broughtBack = 0
    /// The differences between plan and store, one sentence each; empty if the plan is right.
    public var disagreements: [String] = []
  }

  private let old: ModelDocument
  private let new: ModelDocument
  private let objects: Int
  /// The declarations about the relations of the two models; nil for an opening that gives none.
  package var declarations: (old: Declarations?, new: Declarations?) = (nil, nil)
  /// The values of properties that are not optional in objects without one, as the bindings of the two models give
  /// them; nil for an opening that gives none.
  package var constants: (old: [UID: Value]?, new: [UID: Value]?) = (nil, nil)

  /// The versions by way of which stores are migrated, before the new one.
  package var intermediate: [MigrationVersion] = []
  /// The rules for objects, and the name of the new version in them.
  package var mappings: (name: String, rules: [ModelMapping]) = ("new", [])
  /// Whether the store exists, with objects of the old model, and none are generated.
  package var isFilled = false

  /// Creates a verification.
  ///
  /// - Parameters:
  ///   - old: The model of the stores.
  ///   - new: The model that they are migrated to.
  ///   - objects: The number of objects of each entity, at most 100.
  public init(from old: ModelDocument, to new: ModelDocument, objects: Int = 20) {
    self.old = old
    self.new = new
    self.objects = min(max(objects, 0), 100)
  }

  /// Creates a store, migrates it, and compares.
  ///
  /// - Parameter directory: The directory for the store, which must not exist.
  /// - Returns: The result of the comparison.
  /// - Throws: ``StoreError`` if the store cannot be made, or one of the models is not sound.
  /// - Complexity: O(*n*) in the objects of all entities.
  public func run(in directory: String) throws -> Outcome {
    try run(in: directory) { try expectation(of: $0, directory) }
  }

  /// Compares the result with another plan than the plan for the two models.
  ///
  /// - Parameters:
  ///   - directory: The directory for the store.
  ///   - damage: Called with the directory of the migrated store, before it is compared.
  ///   - makePlan: Returns the plan.
  /// - Returns: The result of the comparison.
  /// - Throws: As ``run(in:)``, and the errors of the functions.
  func run(
    in directory: String, damage: (String) throws -> Void = { _ in },
    plan makePlan: (MigrationRun) throws -> MigrationPlan
  ) throws -> Outcome {
    var content =
      isFilled
      ? GeneratedContent(try StoredContent(directory, old))
      : try GeneratedContent(
        old, declarations.old, constants.old, objects: objects, in: directory)
    var outcome = Outcome()
    var version = MigrationVersion(mappings.name, new)
    version.declarations = declarations.new
    version.constants = constants.new
    let migration = MigrationRun(
      directory, try MigrationRoute(intermediate + [version]), mappings: mappings.rules)
    let plan = try makePlan(migration)
    outcome.steps = plan.steps
    let steps = try carryOut(plan, migration, directory, &outcome)
    try damage(directory)
    guard let kind = outcome.kind else {
      // Steps before the one that is refused are done.
      if intermediate.isEmpty {
        outcome.compare(
          content.expected(in: old.model), try StoredContent(directory, old), old.model)
      }
      return outcome
    }
    outcome.ignoresMapping = !mappings.rules.isEmpty && !steps.contains(where: \.isMapped)
    for step in steps {
      guard let version = (intermediate + [version]).first(where: { $0.name == step.to }) else {
        continue
      }
      content.open(
        with: version.document.model, version.constants, isBuiltAgain: step.kind == .heavy)
    }
    if steps.isEmpty { content.open(with: new.model, constants.new) }
    var expected = content.expected(in: new.model)
    if hasSteps {
      expected.keep(
        inAll: intermediate.map(\.document.model),
        except: outcome.ignoresMapping ? [] : mappedElements)
    }
    outcome.compare(expected, try StoredContent(directory, new), new.model)
    // A step in between, and a mapping, are not a part of the plan for the two models.
    if hasSteps { return outcome }
    if kind == .light { try rollBack(plan, content, directory, &outcome) }
    try restore(plan, content, directory, &outcome)
    return outcome
  }

  /// Whether there is more than one step, or a mapping.
  private var hasSteps: Bool { !intermediate.isEmpty || !mappings.rules.isEmpty }

  /// The entities that a mapping names, with the relations to them: only the mapping knows their content.
  private var mappedElements: Set<UID> {
    var names: Set<ExactText> = []
    for rule in mappings.rules.flatMap(\.entities) {
      names.insert(ExactText(rule.entity))
      switch rule.action {
      case .delete, .insert: break
      case .copy(let name): names.formUnion([name].compactMap { $0.map { ExactText($0) } })
      case .transform(let rules):
        names.formUnion(rules.compactMap { $0.entity.map { ExactText($0) } })
      case .function(let targets, _): names.formUnion(targets.map { ExactText($0.entity) })
      }
    }
    var mapped: Set<UID> = []
    for entity in ([old.model, new.model] + intermediate.map(\.document.model)).flatMap(\.entities)
    {
      if names.contains(ExactText(entity.name)) { mapped.insert(entity.pair.uid) }
      for property in entity.properties {
        guard let target = property.relationTarget, names.contains(ExactText(target)) else {
          continue
        }
        mapped.insert(property.pair.uid)
      }
      for relation in entity.relations ?? [] {
        let target = new.model.entities.first { $0.pair.uid == relation.target.uid }
        if names.contains(ExactText(entity.name))
          || target.map({ names.contains(ExactText($0.name)) }) ?? true
        {
          mapped.insert(relation.pair.uid)
        }
      }
    }
    return mapped
  }

  /// The plan that is made before the store is changed; without a step to the new model, the plan
  /// of the models and the counts.
  private func expectation(
    of migration: MigrationRun, _ directory: String
  ) throws -> MigrationPlan {
    do {
      return try migration.prepare(old: "old", new: "new").plan
    } catch let error as MigrationError where !error.isAboutMapping {
      var sides = (old: PlanSide(old, path: "old"), new: PlanSide(new, path: "new"))
      (sides.old.declarations, sides.new.declarations) = declarations
      var plan = MigrationPlan(
        from: sides.old, to: sides.new, for: [.boxjoint], checksNewModel: false)
      let store = try ObjectStore.open(.directory(directory))
      defer { store.close() }
      try plan.count(in: store)
      return plan
    }
  }

  /// Carries out the change, and records its kind, or that it was refused.
  ///
  /// - Returns: The steps; none if the change was refused.
  private func carryOut(
    _ plan: MigrationPlan, _ migration: MigrationRun, _ directory: String,
    _ outcome: inout Outcome
  ) throws -> [PendingMigration] {
    let steps: [PendingMigration]
    do {
      steps = try migration.carryOut().steps
      // A store that has the model needs no step, and does not have the declarations yet.
      if steps.isEmpty, declarations.new != nil || constants.new != nil {
        var options = StoreOptions()
        options.declarations = declarations.new
        options.constants = constants.new
        try ObjectStore.open(.directory(directory), model: new, options: options).close()
      }
      // A store of that very model needs no step, and stays as it is.
      outcome.kind = steps.contains { $0.kind == .heavy } ? .heavy : .light
    } catch let error where Self.isRefusal(error) {
      outcome.refusal = "\(error)"
      if plan.engineOpens { outcome.disagreements.append("the plan opens the store, and \(error)") }
      return []
    }
    if hasSteps { return steps }
    switch (outcome.kind, plan.engineOpens) {
    case (.heavy, true):
      outcome.disagreements.append("the plan opens the store, and it took a heavy step")
    case (.light, false):
      outcome.disagreements.append("the plan refuses the store, and a light step was enough")
    default: break
    }
    return steps
  }

  /// Whether an error is about the change, and not about one of the models or the mapping alone, or the disk.
  private static func isRefusal(_ error: any Error) -> Bool {
    switch error {
    case StoreError.incompatibleModel: true
    case MigrationError.step(_, let error): isRefusal(error)
    case let error as MigrationError: !error.isAboutMapping
    default: false
    }
  }

  /// Opens the result with the old model where the plan says that it does.
  private func rollBack(
    _ plan: MigrationPlan, _ content: GeneratedContent, _ directory: String,
    _ outcome: inout Outcome
  ) throws {
    var content = content
    // A program that knows no rules at all is refused by them, and this one knows them.
    let isRefused = plan.steps.contains {
      $0.engine.rollback == .refused && $0.rule != ChangeRule.deleteRulesBegun.rule
    }
    var options = StoreOptions()
    // Of the plan for a store nobody knows whether what is empty was given.
    if let given = declarations.old, !given.isEmpty { options.declarations = given }
    options.constants = constants.old
    do throws(StoreError) {
      try ObjectStore.open(.directory(directory), model: old, options: options).close()
    } catch {
      guard case .incompatibleModel(let findings) = error else { throw error }
      outcome.wentBack = false
      if !isRefused {
        let reasons = findings.map(\.message).joined(separator: "; ")
        outcome.disagreements.append("the plan lets the old model open the result, and \(reasons)")
      }
      return
    }
    outcome.wentBack = true
    if isRefused {
      outcome.disagreements.append("the plan refuses the old model, and it opens the result")
    }
    content.open(with: old.model, constants.old)
    outcome.compare(content.expected(in: old.model), try StoredContent(directory, old), old.model)
  }

  /// Restores the removed elements in the new model, and checks that their data exists if the plan says that
  /// it is hidden, and is lost if the plan says so.
  private func restore(
    _ plan: MigrationPlan, _ content: GeneratedContent, _ directory: String,
    _ outcome: inout Outcome
  ) throws {
    let revival = ModelRevival(of: old.model, in: new.model)
    if revival.elements.isEmpty { return }
    let document = try ModelDocument(parsing: new.rendered(revival.model))
    let found: StoredContent
    do throws(any Error) {
      // Its elements come back without the indexes that rules need.
      found = try StoredContent(directory, document, Declarations())
    } catch StoreError.incompatibleModel(let findings) {
      let reasons = findings.map(\.message).joined(separator: "; ")
      outcome.disagreements.append("what is hidden cannot be brought back: \(reasons)")
      return
    }
    let put = content.expected(in: revival.model)
    let names = ElementNames(old.model)
    var steps: [PlanCoverage: PlanStep] = [:]
    for step in plan.steps {
      for covered in step.covers where steps[covered] == nil { steps[covered] = step }
    }
    for (element, entity) in revival.elements {
      let step = steps[.element(element)]
      let isKept: Bool
      switch step?.engine.changeClass {
      case .dataHidden?: isKept = true
      case .dataLoss?: isKept = false
      default: continue
      }
      outcome.broughtBack += 1
      let expected = put.part(element, of: entity, isKept: isKept)
      if !found.part(element, of: entity, isKept: true).isIdentical(to: expected) {
        outcome.disagreements.append(
          "the plan says that the data of \(names[element.kind, element.uid]) is "
            + "\(isKept ? "kept" : "gone"), and it is not")
      }
    }
  }
}

extension PlanVerification.Outcome {
  /// Compares what is stored with what is expected, by UID; the names are from a model.
  fileprivate mutating func compare(
    _ expected: StoredContent, _ found: StoredContent, _ model: Model
  ) {
    let names = ElementNames(model)
    for (entity, objects) in expected.objects {
      let stored = found.objects[entity] ?? [:]
      if Set(stored.keys) != Set(objects.keys) {
        disagreements.append(
          "\(names[.entity, entity]) has \(stored.count) objects, and \(objects.count) are expected"
            + (stored.count == objects.count ? ", with other ids" : ""))
      }
      for (id, values) in objects {
        self.objects += 1
        for (property, value) in values {
          self.values += 1
          let there = stored[id]?[property] ?? .null
          if !there.hasSameContent(as: value) {
            disagreements.append(
              "\(names[.property, property]) of object \(id) is \(there), and \(value) is expected")
          }
        }
      }
    }
    for (relation, links) in expected.links {
      values += links.count
      if found.links[relation] ?? [] != links {
        disagreements.append(
          "\(names[.relation, relation]) has \(found.links[relation]?.count ?? 0) links, and "
            + "\(links.count) are expected, or others")
      }
    }
  }
}

/// The names of the elements of a model, by UID.
private struct ElementNames {
  private let model: Model
  private let lookup: ModelLookup

  init(_ model: Model) {
    self.model = model
    lookup = ModelLookup(model)
  }

  /// The name for people, such as `Note.title`.
  subscript(_ kind: ElementKind, _ uid: UID) -> String {
    lookup[kind, uid].map { model.label($0) } ?? "the \(kind) \(uid)"
  }
}

extension Value {
  /// Whether two values of any types say the same: a number is the same in every type that holds it.
  func hasSameContent(as other: Value) -> Bool {
    if isIdentical(to: other) || self == other || (isNaN && other.isNaN) { return true }
    if let a = exactInteger, let b = other.exactInteger { return a == b }
    if let a = exactNumber, let b = other.exactNumber { return a == b }
    switch (self, other) {
    case (.string(let text), .bytes(let bytes)), (.bytes(let bytes), .string(let text)):
      return text.utf8.elementsEqual(bytes)
    case (.string(let text), let number), (let number, .string(let text)):
      return number.plainText == text
    default: return false
    }
  }

  private var plainText: String? {
    switch self {
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .float(let value): Self.text(value)
    case .double(let value): Self.text(value)
    default: nil
    }
  }

  /// A number as text, as the documentation of dumps writes it.
  private static func text(_ number: some BinaryFloatingPoint) -> String {
    if number.isFinite { return "\(number)" }
    return number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
  }

  /// The integer that the value is, without its type.
  private var exactInteger: Int128? {
    switch self {
    case .bool(let value): value ? 1 : 0
    case .integer(let value): Int128(value)
    case .unsigned(let value): Int128(value)
    default: nil
    }
  }

  /// The number that the value is, without its type; nil for an integer that a double does not hold.
  private var exactNumber: Double? {
    switch self {
    case .float(let value): Double(value)
    case .double(let value): value
    default: exactInteger.flatMap { Double(exactly: $0) }
    }
  }
}
