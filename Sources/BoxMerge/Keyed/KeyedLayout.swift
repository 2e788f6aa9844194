/// The identities of the parts of a JSON file, for a merge by key.
///
/// The members of an object are identified by their keys. The elements of an array are identified only
/// if this table names the members that identify them; any other array is merged as a whole.
package struct KeyedLayout: Hashable, Sendable {
  /// The keys of the members that identify an element, by the path of keys from the top to its array.
  package var identities: [[String]: [String]]
  /// The key whose value says what an object is; nil if none does.
  ///
  /// Two objects of different kinds are different things, and are merged as a whole.
  package var kindKey: String?

  /// Creates a layout.
  package init(identities: [[String]: [String]] = [:], kindKey: String? = nil) {
    self.identities = identities
    self.kindKey = kindKey
  }
}
