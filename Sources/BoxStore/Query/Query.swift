internal import BoxEngine
internal import Synchronization

/// A question about the objects of a box, built once and run any number of times.
///
/// ```swift
/// let query = try books.query { Book.price < 10 }.ordered(by: Book.title).build()
/// let cheap = try query.find(limit: 20)
/// query.setParameter(Book.price, to: 5)
/// let cheaper = try query.count()
/// ```
///
/// Each run has the state of the store at that time, or of the transaction of its thread, with what the
/// transaction wrote. Indexes change how fast it is, and not what it finds, order included: the order
/// that was asked for, then the ids.
///
/// Threads can share a query. Values that one thread changes with ``setParameter(_:to:)-(String,String)``
/// and its kind hold for runs that begin later, on all threads.
///
/// Each call that throws can throw the [errors of every call](doc:errors#Errors-of-every-call) too.
public final class Query<E: EntityInspectable & __EntityRelatable>: Sendable
where E == E.EntityBindingType.EntityType {
  /// The entity type.
  public typealias EntityType = E

  let box: Box<E>
  private let state: Mutex<State>

  private struct State: Sendable {
    var definition: QueryDefinition
    var ready: ReadyQuery
  }

  init(_ box: Box<E>, _ definition: QueryDefinition) throws {
    self.box = box
    let ready = try definition.ready(box.core.schema, box.storeCore.engine)
    state = Mutex(State(definition: definition, ready: ready))
  }

  /// The query with the values that its conditions have now.
  var ready: ReadyQuery { state.withLock { $0.ready } }

  /// Runs a function in a read transaction with the query to run in it.
  func reading<R>(
    isOrdered: Bool = false, _ body: (EngineTransaction, PreparedQuery) throws -> R
  ) throws -> R {
    let ready = ready
    return try box.reading { transaction in
      try body(transaction, try ready.query(transaction, isOrdered: isOrdered))
    }
  }

  // MARK: - Changing values

  /// Changes the values of the first condition, in the order of the text, that has an alias or is on a
  /// property.
  ///
  /// Traps if there is no such condition or the values do not fit: only a mistake in the program can cause
  /// that, never data.
  func change(_ target: ParameterTarget, _ parameters: QueryParameters) {
    let mistake = state.withLock { state -> String? in
      guard let test = state.definition.term.first(where: target.matches) else {
        return "\(target.words(box.core)) does not exist in the query; "
          + "name a property or an alias of one of its conditions"
      }
      guard let changed = test.with(parameters) else {
        return "\(target.words(box.core)) is changed by \(test.setter)"
      }
      var definition = state.definition
      _ = definition.term.replaceFirst(where: target.matches, with: changed)
      do {
        state.ready = try definition.ready(box.core.schema, box.storeCore.engine)
        state.definition = definition
        return nil
      } catch {
        return "\(target.words(box.core)) cannot have this value: \(error)"
      }
    }
    if let mistake { fatalError(mistake) }
  }

  // MARK: - Explaining

  /// A description of the way in which the query would be answered now, with the counts by which it was
  /// chosen: one step a line.
  ///
  /// ```swift
  /// print(try query.explain())
  /// ```
  ///
  /// Conditions on other entities are answered, as the choice depends on them.
  ///
  /// - Parameters:
  ///   - offset: The number of results that would be left out.
  ///   - limit: The maximum number of results; nil for all, and 0 as well.
  /// - Returns: The description, of several lines.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a negative offset or limit.
  /// - Complexity: O(*c*) in the conditions: no object of the entity is read. With nearest neighbours, as the
  ///   query itself, because the answer says whether a graph was searched or vectors were compared.
  public func explain(offset: Int = 0, limit: Int? = nil) throws -> String {
    let window = try ResultWindow(offset: offset, limit: limit)
    let ready = ready
    return try box.reading { transaction in
      guard let nearest = ready.nearest else {
        return
          "\(try transaction.explain(ready.ordered, offset: window.offset, limit: window.limit))"
      }
      let plan = try transaction.explain(ready.byID)
      var text =
        "\(plan)\n  nearest \(nearest.maximum) by \(nearest.property.name), "
        + "\(try ready.nearest(transaction).strategy)"
      if !ready.order.isEmpty {
        text += "\n  sort by \(ready.order.map(\.description).joined(separator: ", "))"
      }
      return text
    }
  }
}

extension Condition {
  /// The number of conditions on properties that it joins.
  fileprivate var testCount: Int {
    switch self {
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.testCount }
    case .not(let part), .link(_, let part): part.testCount
    default: 1
    }
  }
}

extension Query: CustomDebugStringConvertible {
  /// The entity, the number of conditions, then all of them as ``QueryCondition/init(parsing:)`` reads them, and
  /// the order.
  public var debugDescription: String {
    let ready = ready
    let condition = ready.byID.query.condition
    let count = condition.testCount
    var parts = ["\(count) condition\(count == 1 ? "" : "s"): \(condition)"]
    if case .and([]) = condition { parts = [] }
    if let nearest = ready.nearest {
      parts.append("nearest \(nearest.maximum) by \(nearest.property.name)")
    }
    if !ready.order.isEmpty {
      parts.append("ordered by " + ready.order.map(\.description).joined(separator: ", "))
    }
    return "Query<\(E.self)>(\(parts.joined(separator: ", ")))"
  }
}
