/// A version of an object: its life, and its values while it is there.
package struct ObjectState<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The life: odd while the object lives, even after it was removed, 0 before it existed.
  ///
  /// An object that lives outside of a client's view has the even life before its own there.
  package var life: UInt32
  /// The values that are not null; empty where the object does not live.
  package var fields: Fields<ID>

  /// Whether the object is there.
  package var isAlive: Bool { life % 2 == 1 }

  /// Creates a version; without arguments, of an object that never was.
  package init(life: UInt32 = 0, fields: Fields<ID> = Fields()) {
    self.life = life
    self.fields = fields
  }
}
