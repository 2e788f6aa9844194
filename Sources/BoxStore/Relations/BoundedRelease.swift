#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Releases long chains of objects without a deep stack.
///
/// Swift releases what an object holds inside of the release of the object. In a chain of a hundred thousand, that is
/// as many levels of the stack. Beyond a few of them, what is to be released waits here for the outermost release of
/// the thread.
enum BoundedRelease {
  private struct Work {
    var depth = 0
    var waiting: [Any] = []
  }

  /// The levels that release what they hold at once: some kilobytes of stack, where the smallest threads have 512.
  private static let depthLimit = 32

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key, nil)
    return key
  }()

  /// Sets a reference to nil, and releases what it referred to now or later in this call.
  ///
  /// - Complexity: O(1), apart from what is released.
  static func release<T>(_ reference: inout T?) {
    if let work = unsafe pthread_getspecific(key)?.assumingMemoryBound(to: Work.self) {
      unsafe release(&reference, in: work)
      return
    }
    var work = Work(depth: 1)
    unsafe withUnsafeMutablePointer(to: &work) { work in
      unsafe pthread_setspecific(key, work)
      clear(&reference)
      while unsafe !work.pointee.waiting.isEmpty { unsafe dropLast(work) }
      unsafe pthread_setspecific(key, nil)
    }
  }

  private static func release<T>(_ reference: inout T?, in work: UnsafeMutablePointer<Work>) {
    if unsafe work.pointee.depth < depthLimit {
      unsafe work.pointee.depth += 1
      clear(&reference)
      unsafe work.pointee.depth -= 1
    } else {
      unsafe work.pointee.waiting.append(reference as Any)
      clear(&reference)
    }
  }

  // Functions of their own, at whose end the value is released: the compiler would do it later.

  @inline(never)
  private static func clear<T>(_ reference: inout T?) { reference = nil }

  @inline(never)
  private static func dropLast(_ work: UnsafeMutablePointer<Work>) {
    unsafe work.pointee.waiting.removeLast()
  }
}
