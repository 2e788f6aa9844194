// The operators on conditions. Those on properties are beside the methods that they are short for.
// Every overload costs time in the type checker, in every expression that uses the operator: there are
// no others than the documented ones.

precedencegroup AssignAliasPrecedence {
  higherThan: LogicalConjunctionPrecedence
  lowerThan: ComparisonPrecedence
}

/// Gives a condition a name.
infix operator .= : AssignAliasPrecedence
/// Is contained in.
infix operator ∈ : ComparisonPrecedence
/// Is not contained in.
infix operator ∉ : ComparisonPrecedence

/// The condition that both conditions hold.
///
/// - Complexity: O(*n*) in the parts that they list; ``allOf(_:)`` joins many at once.
public func && <E>(lhs: QueryCondition<E>, rhs: QueryCondition<E>) -> QueryCondition<E> {
  QueryCondition(.both(lhs.term, rhs.term))
}

/// The condition that at least one of two conditions holds.
///
/// - Complexity: O(*n*) in the parts that they list; ``anyOf(_:)`` joins many at once.
public func || <E>(lhs: QueryCondition<E>, rhs: QueryCondition<E>) -> QueryCondition<E> {
  QueryCondition(.either(lhs.term, rhs.term))
}

/// The condition that a condition does not hold.
///
/// It holds of nil where the condition does not: `!(Book.price < 10)` holds of a book without a price.
public prefix func ! <E>(condition: QueryCondition<E>) -> QueryCondition<E> {
  // Twice is not at all, so that a loop may turn a condition round again and again.
  if case .not(let term) = condition.term { return QueryCondition(term) }
  return QueryCondition(.not(condition.term))
}

/// The condition that all conditions hold; it holds of every object if there are none.
public func allOf<E>(_ conditions: [QueryCondition<E>]) -> QueryCondition<E> {
  QueryCondition(.and(conditions.map(\.term)))
}

/// The condition that at least one of the conditions holds; it holds of no object if there are none.
public func anyOf<E>(_ conditions: [QueryCondition<E>]) -> QueryCondition<E> {
  QueryCondition(.or(conditions.map(\.term)))
}

/// The condition with a name, by which its values can be changed in a query.
///
/// ```swift
/// let query = try box.query { "min" .= Book.price > 10 && "max" .= Book.price < 50 }.build()
/// query.setParameter("min", to: 25)
/// ```
public func .= <E, T>(alias: String, condition: PropertyQueryCondition<E, T>) -> PropertyAlias<E, T>
{
  PropertyAlias(alias, condition)
}
