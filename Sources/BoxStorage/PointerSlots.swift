internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A small lock-free pool of idle pointers.
///
/// `@unchecked Sendable` holds because a pointer is in at most one slot, so only the thread that takes it has
/// it.
@safe package final class PointerSlots: @unchecked Sendable {
  /// The number of pointers that can be at rest.
  package static let count = 8
  /// A slot has two cache lines of its own, which processors fetch together: threads that use
  /// different slots do not wait for each other.
  private static let stride = 128 / MemoryLayout<Atomic<UInt>>.stride

  private let slots: UnsafeMutablePointer<Atomic<UInt>>

  /// Creates empty slots.
  package init() {
    unsafe slots = .allocate(capacity: Self.count * Self.stride)
    for slot in 0..<Self.count * Self.stride { unsafe (slots + slot).initialize(to: Atomic(0)) }
  }

  deinit {
    unsafe slots.deinitialize(count: Self.count * Self.stride)
    unsafe slots.deallocate()
  }

  /// The slot that a thread tries first: usually the one to which it returned a pointer.
  @inline(__always)
  private static var first: Int {
    #if canImport(Glibc)
      let thread = UInt(pthread_self())
    #elseif canImport(Darwin)
      let thread = UInt(bitPattern: unsafe pthread_self())
    #endif
    // Threads differ in the bits above the size of a stack.
    return Int((thread >> 12 &* 0x9E37_79B9_7F4A_7C15) >> (UInt.bitWidth - 3))
  }

  /// Takes a pointer out; nil if the pool is empty.
  ///
  /// - Complexity: O(1).
  package func pop() -> UnsafeMutableRawPointer? {
    let first = Self.first
    for step in 0..<Self.count {
      let slot = unsafe slots + (first + step) % Self.count * Self.stride
      if unsafe slot.pointee.load(ordering: .relaxed) == 0 { continue }
      let taken = unsafe slot.pointee.exchange(0, ordering: .acquiring)
      if let pointer = unsafe UnsafeMutableRawPointer(bitPattern: taken) { return unsafe pointer }
    }
    return nil
  }

  /// Puts a pointer in; returns whether there was room.
  ///
  /// - Complexity: O(1).
  package func push(_ pointer: UnsafeMutableRawPointer) -> Bool {
    let first = Self.first
    for step in 0..<Self.count {
      let slot = unsafe slots + (first + step) % Self.count * Self.stride
      if unsafe slot.pointee.load(ordering: .relaxed) != 0 { continue }
      let exchange = unsafe slot.pointee.compareExchange(
        expected: 0, desired: UInt(bitPattern: pointer), ordering: .releasing)
      if exchange.exchanged { return true }
    }
    return false
  }
}
