public import BoxEngine
public import BoxModel

/// One of the two models of a plan.
public struct PlanSide: Sendable {
  /// The model.
  public var model: Model
  /// The file that it was read from; nil for the model of a store.
  public var document: ModelDocument?
  /// The name of the file or of the store, as the user named it.
  public var path: String
  /// The version that both sides come from, on the old side; nil if the new side comes from the old
  /// one.
  ///
  /// An element that was added to the old side after it is not in the new side, and does not count
  /// as removed there.
  public var ancestor: Model?
  /// The declarations about the relations of the model; nil if nothing says so, which leaves what a store has.
  public var declarations: Declarations?
  /// The UIDs that were in earlier models of its stores; only called where they matter.
  public var pastUIDs: @Sendable () -> Set<UID> = { [] }

  /// Creates a side from a model file.
  public init(_ document: ModelDocument, path: String) {
    model = document.model
    self.document = document
    self.path = path
  }

  /// Creates a side from a model without a file.
  public init(_ model: Model, path: String) {
    self.model = model
    self.path = path
  }

  /// Creates a side from a store: its model, and the UIDs that it knows of earlier ones.
  public init(_ store: ObjectStore, path: String) {
    self.init(store.model, path: path)
    declarations = store.declarations
    // A side must not keep the store open.
    let past = store.pastUIDs
    pastUIDs = { past }
  }

  /// The same side for stores that had another model before.
  func after(_ earlier: Model) -> PlanSide {
    var side = self
    let before = pastUIDs
    side.pastUIDs = { before().union(earlier.elementUIDs).union(earlier.retiredElementUIDs) }
    return side
  }
}

/// The effects of a new model on the databases of an old one.
///
/// A plan is a value: making one changes no store.
public struct MigrationPlan: Sendable {
  /// The old model.
  public var old: PlanSide
  /// The new model.
  public var new: PlanSide
  /// The kinds of databases that the plan is for.
  public var targets: Set<PlanTarget>
  /// One step for each change, the most severe first; within a class in the order of the elements.
  public var steps: [PlanStep]

  /// Plans the change from one model to another.
  ///
  /// - Parameters:
  ///   - old: The model of the databases in the field.
  ///   - new: The model that is to open them.
  ///   - targets: The databases; a step has the more severe class of them.
  ///   - checksNewModel: Whether errors that the check finds in the new file are steps.
  /// - Complexity: O(*n* log *n*) in the number of elements of both.
  public init(
    from old: PlanSide, to new: PlanSide,
    for targets: Set<PlanTarget> = Set(PlanTarget.allCases), checksNewModel: Bool = true
  ) {
    self.old = old
    self.new = new
    self.targets = targets
    var planner = Planner(old, new, targets)
    if checksNewModel { planner.noteUnsound() }
    planner.plan()
    planner.planDeclarations()
    planner.planRollback()
    steps = Self.sorted(planner.steps)
  }

  /// The steps, the most severe first; within a class in the given order.
  static func sorted(_ steps: [PlanStep]) -> [PlanStep] {
    steps.enumerated().sorted { a, b in
      (b.element.changeClass, a.offset) < (a.element.changeClass, b.offset)
    }.map(\.element)
  }

  /// The most severe class; nil if nothing changed.
  public var gravestClass: ChangeClass? { steps.map(\.changeClass).max() }

  /// The number of steps of each class.
  public var counts: [ChangeClass: Int] {
    Dictionary(grouping: steps, by: \.changeClass).mapValues(\.count)
  }

  /// Whether the engine opens a store of the old model, one with objects of every entity in it.
  public var engineOpens: Bool { !steps.contains { $0.engine.changeClass == .openFailure } }
}
