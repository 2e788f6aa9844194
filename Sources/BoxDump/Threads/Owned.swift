/// A buffer with one owner at a time: one thread fills it and hands it on, and does not use it again
/// before it comes back.
///
/// `@unchecked Sendable` holds because the owner hands the buffer on by a lock or a queue, and keeps no
/// reference. All buffers that threads hand on have this type.
struct Owned<Buffer: AnyObject>: @unchecked Sendable {
  /// The buffer, for its owner alone.
  let buffer: Buffer

  /// Wraps a buffer that nothing else refers to, which the compiler checks.
  init(_ buffer: sending Buffer) { self.buffer = buffer }
}
