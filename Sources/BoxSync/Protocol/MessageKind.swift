/// The first byte of a message.
enum MessageKind: UInt8, CaseIterable {
  case hello = 1, challenge, login, welcome, refuse, model, changes, entries, answer, fork, unsure
  case page, end, credit, ping, pong, goodbye
}

/// The limits of messages.
package enum SyncLimits {
  /// The most bytes of a message.
  package static let message = 8 << 20
  /// The highest life of an object.
  static let life: UInt32 = .max >> 1
  /// The highest time in milliseconds.
  static let time: UInt64 = 1 << 47
}
