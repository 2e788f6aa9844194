internal import BoxEngine
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The interrupt key where it does not end the program at once: in a shell it ends what is being read or typed.
enum ShellInterrupt {
  private static let wasPressed = Atomic(false)
  /// The address of the request that ends the visits of the store, which is never released, as a handler
  /// may use it at any time; 0 for none.
  private static let target = Atomic<UInt>(0)

  /// Ends the program with the status 0 after some seconds, even if it waits for the reader of its output.
  static func endAfter(_ seconds: UInt32) {
    signal(SIGALRM) { _ in _exit(0) }
    alarm(seconds)
  }

  /// Treats SIGINT and SIGTERM as requests to end, from now on.
  static func catchEnd() {
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in
        ShellInterrupt.wasPressed.store(true, ordering: .relaxed)
        ShellInterrupt.endAfter(1)
      }
    }
  }

  /// Catches the signal of the key from now on.
  static func catchSignal() {
    var action = sigaction()
    let handler: @convention(c) (Int32) -> Void = { _ in
      ShellInterrupt.wasPressed.store(true, ordering: .relaxed)
      guard
        let target = UnsafeRawPointer(
          bitPattern: ShellInterrupt.target.load(ordering: .acquiring))
      else { return }
      Unmanaged<Interruption>.fromOpaque(target)._withUnsafeGuaranteedRef { $0.request() }
    }
    #if canImport(Glibc)
      action.__sigaction_handler.sa_handler = handler
    #else
      action.__sigaction_u.__sa_handler = handler
    #endif
    // Without SA_RESTART, so that waiting for a key ends too.
    action.sa_flags = 0
    sigemptyset(&action.sa_mask)
    sigaction(SIGINT, &action, nil)
  }

  /// Runs a command whose visits of objects an interrupt ends.
  static func ending<R>(_ interruption: Interruption, _ body: () throws -> R) rethrows -> R {
    _ = consumePress()
    interruption.clear()
    let kept = Unmanaged.passRetained(interruption)
    target.store(UInt(bitPattern: kept.toOpaque()), ordering: .releasing)
    defer {
      target.store(0, ordering: .releasing)
      interruption.clear()
    }
    return try body()
  }

  /// Whether the key was pressed since the last call.
  static func consumePress() -> Bool { wasPressed.exchange(false, ordering: .relaxed) }
}
