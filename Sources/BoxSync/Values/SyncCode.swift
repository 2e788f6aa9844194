/// The result of a request or transaction; the raw values are those that ObjectBox documents.
package enum SyncCode: UInt32, Sendable, CaseIterable {
  case ok = 20
  case reqRejected = 40
  case credentialsRejected = 43
  case unknown = 50
  case authUnreachable = 53
  case badVersion = 55
  case clientIdTaken = 61
  case txViolatedUnique = 71
}
