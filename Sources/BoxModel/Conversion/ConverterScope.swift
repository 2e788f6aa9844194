#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Marks the time in which a converter of the application runs, on its thread.
///
/// A converter is called while an object is read or written, so it must not touch a store; a store
/// asks here when a transaction begins.
public enum ConverterScope {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  // Any address except null; it is never dereferenced.
  nonisolated(unsafe) private static let mark = UnsafeRawPointer(bitPattern: 1)

  /// Whether a converter runs on the calling thread.
  public static var isActive: Bool { pthread_getspecific(key) != nil }

  /// Runs a part of a converter.
  ///
  /// - Throws: The error of the part.
  public static func run<R, Failure: Error>(
    _ body: () throws(Failure) -> R
  ) throws(Failure) -> R {
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, mark)
    defer { pthread_setspecific(key, outer) }
    return try body()
  }
}
