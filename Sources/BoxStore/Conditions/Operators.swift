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
/// - Complexity: O(1).
public func && <E>(lhs: QueryCondition<E>, rhs: QueryCondition<E>) -> QueryCondition<E> {
  QueryCondition(ConditionTree(.and(isJoined: true), [lhs.tree, rhs.tree]))
}

/// The condition that at least one of two conditions holds.
///
/// - Complexity: O(1).
public func || <E>(lhs: QueryCondition<E>, rhs: QueryCondition<E>) -> QueryCondition<E> {
  QueryCondition(ConditionTree(.or(isJoined: true), [lhs.tree, rhs.tree]))
}

/// The condition that a condition does not hold.
///
/// It holds of nil where the condition does not: `!(Book.price < 10)` holds of a book without a price.
public prefix func ! <E>(condition: QueryCondition<E>) -> QueryCondition<E> {
  QueryCondition(condition.tree.negated)
}

/// The condition that all conditions hold; it holds of every object if there are none.
public func allOf<E>(_ conditions: [QueryCondition<E>]) -> QueryCondition<E> {
  QueryCondition(ConditionTree(.and(isJoined: false), conditions.map(\.tree)))
}

/// The condition that at least one of the conditions holds; it holds of no object if there are none.
public func anyOf<E>(_ conditions: [QueryCondition<E>]) -> QueryCondition<E> {
  QueryCondition(ConditionTree(.or(isJoined: false), conditions.map(\.tree)))
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
