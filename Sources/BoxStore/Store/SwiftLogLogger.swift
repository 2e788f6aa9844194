#if Logging
  public import Logging

  /// Sends the messages of a store to a logger of swift-log.
  ///
  /// Available with the trait `Logging` of the package.
  ///
  /// ```swift
  /// store.log(to: SwiftLogLogger(Logger(label: "store")))
  /// ```
  public struct SwiftLogLogger: StoreLogger {
    private let logger: Logger

    /// Creates a logger that sends to another one, as that is at this moment.
    public init(_ logger: Logger) { self.logger = logger }

    /// Sends a message on; it is made only if the level of the logger lets it pass.
    public func log(
      _ level: StoreLogLevel, _ message: @autoclosure () -> String, file: StaticString, line: UInt,
      function: StaticString
    ) {
      logger.log(
        level: level.level, "\(message())", source: "BoxStore", file: "\(file)",
        function: "\(function)", line: line)
    }
  }

  extension SwiftLogLogger: CustomDebugStringConvertible {
    /// The label of the logger.
    public var debugDescription: String { "SwiftLogLogger(\(logger.label))" }
  }

  extension StoreLogLevel {
    /// The level of swift-log.
    fileprivate var level: Logger.Level {
      switch self {
      case .notice: .notice
      case .warning: .warning
      case .error: .error
      }
    }
  }
#endif
