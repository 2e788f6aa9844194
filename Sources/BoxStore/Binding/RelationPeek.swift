/// The target of a to-one relation, as a put would store it.
struct RelationTarget {
  /// The id; 0 for none, and for a new target.
  var id: Id
  /// The target, if it is an object of a class.
  var object: AnyObject?
  /// Whether the target was set, and not read.
  var isSet: Bool
  /// Restores this target of the relation, unless the relation refers to another id by now.
  var restore: (_ id: Id) -> Void
}

/// A look at the target of a relation to one of an object.
///
/// Bindings have no way to read a relation but to collect all values.
final class RelationPeek {
  private let offset: UInt16
  /// The target, as ``ToOne`` has it; nil if the binding does not collect the relation.
  private(set) var found: RelationTarget?

  init(property: obx_schema_id) { offset = 2 + 2 * UInt16(truncatingIfNeeded: property) }

  func record<T>(_ relation: ToOne<T>, at offset: UInt16) {
    if offset == self.offset { found = relation.setTarget }
  }
}

/// The sign of the integer that a binding collects for a property that is hidden from it.
///
/// The type is known only where the value does not fit the model: a look at each integer would slow down every put.
final class SignPeek {
  /// Whether it collects an unsigned integer.
  private(set) var isUnsigned = false

  func record<T: FixedWidthInteger>(_ type: T.Type) { isUnsigned = !T.isSigned }
}
