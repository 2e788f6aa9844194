internal import BoxEngine
internal import BoxReport

/// The importance of a message for a ``StoreLogger``.
@nonexhaustive public enum StoreLogLevel: String, Hashable, Sendable, CaseIterable {
  /// An event that is expected: a store was closed.
  case notice
  /// Something that can become a problem: a store is read without locks.
  case warning
  /// A failure that no call could throw.
  case error
}

/// Takes the messages of a store.
///
/// ```swift
/// struct ConsoleLogger: StoreLogger {
///   func log(
///     _ level: StoreLogLevel, _ message: @autoclosure () -> String, file: StaticString, line: UInt,
///     function: StaticString
///   ) {
///     if level != .notice { print(level, message()) }
///   }
/// }
/// store.log(to: ConsoleLogger())
/// ```
///
/// Errors that a call throws are not logged too.
public protocol StoreLogger: Sendable {
  /// Takes a message, on any thread and several at a time.
  ///
  /// It must not use the store.
  ///
  /// - Parameters:
  ///   - level: The importance.
  ///   - message: The message: one sentence without a trailing period, made when it is asked for.
  ///   - file: The file of the library, after its module.
  ///   - line: The line in the file.
  ///   - function: The function.
  func log(
    _ level: StoreLogLevel, _ message: @autoclosure () -> String, file: StaticString, line: UInt,
    function: StaticString)
}

extension Store {
  /// Sends the messages of the store to a logger; nil for none, as at first.
  ///
  /// ```swift
  /// store.log(to: ConsoleLogger())  // a type of the app
  /// ```
  ///
  /// The logger gets the warnings about the opening of the store at once. Later it gets
  ///
  /// - errors of reads and of asynchronous operations that no call can throw, with or without
  ///   ``onFailedRead(_:)`` and ``onAsyncFailure(_:)``;
  /// - notices about drafts that have overwritten the changes of others, and about the end of the store.
  ///
  /// It holds for all handles of the store.
  public func log(to logger: (any StoreLogger)?) {
    core.setLogger(logger)
    for warning in core.engine.warnings {
      let advice = warning.advice.map { "; \($0)" } ?? ""
      core.log(.warning, "\(core.directoryPath): \(warning.message)\(advice)")
    }
  }
}

extension StoreCore {
  /// Sends a message to the logger, if there is one.
  func log(
    _ level: StoreLogLevel, _ message: @autoclosure () -> String, file: StaticString = #fileID,
    line: UInt = #line, function: StaticString = #function
  ) {
    logger?.log(level, message(), file: file, line: line, function: function)
  }
}
