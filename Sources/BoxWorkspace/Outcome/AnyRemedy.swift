/// A remedy of any kind for a failure that depends on the options of the caller.
///
/// It is a value of the library that failed. A program that knows the library adds to the message how the
/// option is called there.
package struct AnyRemedy: Hashable, Sendable {
  /// The value of the library.
  package let value: any Hashable & Sendable

  /// Wraps the value of a library.
  package init(_ value: some Hashable & Sendable) { self.value = value }

  package static func == (a: AnyRemedy, b: AnyRemedy) -> Bool {
    AnyHashable(a.value) == AnyHashable(b.value)
  }

  package func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
