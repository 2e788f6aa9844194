internal import BoxStorage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The transactions that are open on the calling thread, so that nested calls join them.
enum ThreadTransactions {
  /// A list that lives as long as the thread, so that it keeps its memory.
  ///
  /// Whoever begins a transaction holds it until its end, so that nothing here counts references: that
  /// took as long as everything else about a small read transaction.
  private typealias List = [Unmanaged<Transaction>]

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key) { (list: UnsafeMutableRawPointer?) in
      guard let list = unsafe list?.assumingMemoryBound(to: List.self) else { return }
      unsafe list.deinitialize(count: 1)
      unsafe list.deallocate()
    }
    return key
  }()

  @inline(__always)
  private static var list: UnsafeMutablePointer<List>? {
    unsafe pthread_getspecific(key)?.assumingMemoryBound(to: List.self)
  }

  private static func makeList() -> UnsafeMutablePointer<List> {
    let list = UnsafeMutablePointer<List>.allocate(capacity: 1)
    unsafe list.initialize(to: [])
    unsafe pthread_setspecific(key, list)
    return unsafe list
  }

  /// The transaction of a store that is open on this thread.
  @inline(__always)
  static func current(of store: ObjectStore) -> Transaction? {
    guard let list = unsafe list, unsafe !list.pointee.isEmpty else { return nil }
    return last { $0.store === store }
  }

  /// Whether this thread is writing to a storage, by way of any store: a second writer would wait for
  /// itself.
  static func isWriting(to storage: ObjectIdentifier) -> Bool {
    last { $0.isWritable && $0.store.storageID == storage } != nil
  }

  private static func last(where isWanted: (Transaction) -> Bool) -> Transaction? {
    guard let list = unsafe list else { return nil }
    return unsafe list.pointee.last { unsafe $0._withUnsafeGuaranteedRef(isWanted) }?
      .takeUnretainedValue()
  }

  /// Makes a transaction the current one of its store, until ``end(_:)``.
  @inline(__always)
  static func begin(_ transaction: Transaction) {
    unsafe (list ?? makeList()).pointee.append(.passUnretained(transaction))
  }

  /// Ends what ``begin(_:)`` began last on this thread.
  @inline(__always)
  static func end(_ transaction: Transaction) {
    let last = unsafe list?.pointee.popLast()
    unsafe precondition(
      last?.toOpaque() == Unmanaged.passUnretained(transaction).toOpaque(),
      "the transactions of a thread end in the order of their begin")
  }
}
