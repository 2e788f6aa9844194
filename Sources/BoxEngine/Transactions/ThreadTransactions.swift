internal import BoxStorage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The transactions that are open on the calling thread, so that nested calls join them.
enum ThreadTransactions {
  /// A list that lives as long as the outermost transaction of the thread.
  private final class List {
    var transactions: [Transaction] = []
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key, nil)
    return key
  }()

  private static var list: List? {
    unsafe pthread_getspecific(key).map {
      unsafe Unmanaged<List>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// The transaction of a store that is open on this thread.
  static func current(of store: ObjectStore) -> Transaction? {
    list?.transactions.last { $0.store === store }
  }

  /// Whether this thread is writing to a storage, by way of any store: a second writer would wait for
  /// itself.
  static func isWriting(to storage: ObjectIdentifier) -> Bool {
    list?.transactions.contains { $0.isWritable && $0.store.storageID == storage } ?? false
  }

  /// Makes a transaction the current one of its store for the duration of a call.
  static func with<R>(_ transaction: Transaction, _ body: () throws -> R) rethrows -> R {
    let outermost = list == nil
    let list = self.list ?? List()
    if outermost { unsafe pthread_setspecific(key, Unmanaged.passRetained(list).toOpaque()) }
    list.transactions.append(transaction)
    defer {
      list.transactions.removeLast()
      if outermost {
        pthread_setspecific(key, nil)
        unsafe Unmanaged.passUnretained(list).release()
      }
    }
    return try body()
  }
}
