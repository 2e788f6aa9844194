/// An order of the results of a query, as a value: properties, of which later ones decide where those
/// before them are equal.
///
/// ```swift
/// var order: ResultOrder<Book> = .descending(Book.price)
/// if sortsByTitle { order += .ascending(Book.title) }
/// let query = try books.query().ordered(by: order).build()
/// ```
public struct ResultOrder<E: EntityInspectable & __EntityRelatable>: Hashable, Sendable
where E == E.EntityBindingType.EntityType {
  let terms: [QueryDefinition.Order]

  private init(_ terms: [QueryDefinition.Order]) { self.terms = terms }

  /// The order of the ids alone.
  public init() { terms = [] }

  /// The smallest values first; with the flags of `QueryBuilder.ordered(by:flags:)`.
  public static func ascending<V, R>(
    _ property: Property<E, V, R>, flags: Set<OrderFlags> = []
  ) -> ResultOrder {
    ResultOrder([.init(property, flags.subtracting([.descending]))])
  }

  /// The largest values first; with the flags of `QueryBuilder.ordered(by:flags:)`.
  public static func descending<V, R>(
    _ property: Property<E, V, R>, flags: Set<OrderFlags> = []
  ) -> ResultOrder {
    ResultOrder([.init(property, flags.union([.descending]))])
  }

  /// Both orders: the second one decides where the first one leaves objects equal.
  public static func + (first: ResultOrder, second: ResultOrder) -> ResultOrder {
    ResultOrder(first.terms + second.terms)
  }

  /// Appends an order, which decides where the first one leaves objects equal.
  public static func += (first: inout ResultOrder, second: ResultOrder) { first = first + second }

  /// The orders of a sequence, one after the other.
  public static func combined(_ orders: some Sequence<ResultOrder>) -> ResultOrder {
    ResultOrder(orders.flatMap(\.terms))
  }
}

extension ResultOrder: CustomDebugStringConvertible {
  /// The ids of the properties, with their flags.
  public var debugDescription: String {
    let parts = terms.map { term in
      let flags = term.flags.map { "\($0)" }.sorted().joined(separator: " ")
      return flags.isEmpty ? "\(term.property)" : "\(term.property) \(flags)"
    }
    return "ResultOrder<\(E.self)>(\(parts.joined(separator: ", ")))"
  }
}

extension QueryBuilder {
  /// Orders the results by several properties, after the orders of earlier calls.
  @discardableResult
  public func ordered(by orders: ResultOrder<E>...) -> QueryBuilder<E> {
    append(orders.flatMap(\.terms))
  }
}
