#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The number of an error of the operating system.
package struct SystemError: Error, Hashable, Sendable {
  /// The number, as `errno` has it.
  package var code: Int32

  /// Creates an error.
  package init(code: Int32) { self.code = code }

  /// The error of the last system call of this thread.
  package static var last: SystemError { SystemError(code: errno) }

  /// The words of the system for it, such as "No space left on device".
  package var reason: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard unsafe strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return unsafe buffer.withUnsafeBufferPointer {
      unsafe $0.baseAddress.map { unsafe String(cString: $0) } ?? ""
    }
  }
}

/// Calls the system until a signal does not interrupt it.
///
/// - Parameter call: A system call, which returns -1 if it fails.
/// - Returns: The value of the call.
/// - Throws: ``SystemError`` for every other failure.
package func retryingInterrupts<Value: SignedInteger>(
  _ call: () -> Value
) throws(SystemError) -> Value {
  while true {
    let value = call()
    if value != -1 { return value }
    if errno != EINTR { throw SystemError.last }
  }
}
