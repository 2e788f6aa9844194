internal import BoxEngine
internal import BoxJSON
internal import BoxReport
internal import BoxStorage

extension SyncStatistics {
  /// The transactions that wait for the server, such as `12 transactions, 3.1 MB, oldest 2 h`.
  var outboxText: String {
    var parts = [counted(transactions, "transaction")]
    if transactions > 0 { parts.append(bytesText(Int(clamping: bytes))) }
    if let oldest { parts.append("oldest \(Self.text(oldest))") }
    if isSeeding { parts.append("existing objects are yet to be captured") }
    return parts.joined(separator: ", ")
  }

  /// A time in its largest unit.
  private static func text(_ milliseconds: UInt64) -> String {
    let seconds = milliseconds / 1000
    switch seconds {
    case ..<60: return "\(seconds) s"
    case ..<3600: return "\(seconds / 60) min"
    case ..<86_400: return "\(seconds / 3600) h"
    default: return counted(Int(clamping: seconds / 86_400), "day")
    }
  }

  /// The same for programs.
  var json: JSONValue {
    [
      "entities": .array(entities.map { .string($0) }),
      "transactions": .int(transactions),
      "bytes": .int(Int(clamping: bytes)),
      "oldestMilliseconds": oldest.map { .int(Int(clamping: $0)) } ?? .null,
      "seeding": .bool(isSeeding),
      "spaces": .array(
        parts.map {
          [
            "name": .string($0.space), "entries": .int($0.entries.entries),
            "bytes": .int($0.entries.bytes),
          ]
        }),
    ]
  }
}
