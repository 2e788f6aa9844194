// The operators on conditions. Operators on properties are in the files of the methods that they abbreviate.
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

/// Matches objects that both conditions match.
///
/// - Complexity: O(1).
public func && <E>(lhs: QueryCondition<E>, rhs: QueryCondition<E>) -> QueryCondition<E> {
  QueryCondition(ConditionTree(.and(isJoined: true), [lhs.tree, rhs.tree]))
}

/// Matches objects that at least one of two conditions matches.
///
/// - Complexity: O(1).
public func || <E>(lhs: QueryCondition<E>, rhs: QueryCondition<E>) -> QueryCondition<E> {
  QueryCondition(ConditionTree(.or(isJoined: true), [lhs.tree, rhs.tree]))
}

/// Matches objects that a condition does not match.
///
/// It matches nil if the condition does not: `!(Book.price < 10)` matches a book without a price.
public prefix func ! <E>(condition: QueryCondition<E>) -> QueryCondition<E> {
  QueryCondition(condition.tree.negated)
}

/// Matches objects that all conditions match; every object for an empty array.
public func allOf<E>(_ conditions: [QueryCondition<E>]) -> QueryCondition<E> {
  QueryCondition(ConditionTree(.and(isJoined: false), conditions.map(\.tree)))
}

/// Matches objects that at least one of the conditions matches; no object for an empty array.
public func anyOf<E>(_ conditions: [QueryCondition<E>]) -> QueryCondition<E> {
  QueryCondition(ConditionTree(.or(isJoined: false), conditions.map(\.tree)))
}

/// Names a condition, so that a query can change its values.
///
/// ```swift
/// let query = try box.query { "min" .= Book.price > 10 && "max" .= Book.price < 50 }.build()
/// query.setParameter("min", to: 25)
/// ```
public func .= <E, T>(alias: String, condition: PropertyQueryCondition<E, T>) -> PropertyAlias<E, T>
{
  PropertyAlias(alias, condition)
}
