/// A message of the protocol `boxjoint.sync.1`.
package enum SyncMessage: Hashable, Sendable {
  /// The versions of the protocol that a client speaks.
  case hello(lowest: UInt32, highest: UInt32)
  /// The server's random bits, the kinds of credentials that it takes, and its time in milliseconds.
  case challenge(nonce: UInt64, kinds: [UInt32], time: UInt64)
  case login(Login)
  /// From a server a request for the client's model, with nil; from a client the model.
  case model(SyncModel?)
  case welcome(Welcome)
  /// The end of a connection before a welcome.
  case refuse(SyncCode, text: String, retryAfter: UInt32)
  case changes([Submission])
  case entries(SessionEntries)
  /// The fate of a transaction that was in the log already.
  case answer(number: UInt64, n: UInt64, mark: UInt64, SyncCode, position: UInt64)
  /// The server has another transaction at this place.
  case fork(number: UInt64, n: UInt64)
  /// Nobody can say what the server has at this place.
  case unsure(number: UInt64, n: UInt64)
  /// A part of a snapshot: whole objects, the pairs that they are the source of, and tombstones.
  case page([Effect<GlobalID>])
  /// The last page was sent; entries up to the position follow.
  case end(UInt64)
  /// More bytes that the other side may send.
  case credit(UInt64)
  case ping(UInt64)
  case pong(UInt64)
  /// The end of a connection, with the reason.
  case goodbye(SyncCode, text: String)
}

/// The client's part in the beginning of a session.
package struct Login: Hashable, Sendable {
  /// A proof of who the client is.
  package struct Credential: Hashable, Sendable {
    /// The raw value of the kind, as ObjectBox documents it.
    package var kind: UInt32
    /// The proof.
    package var bytes: [UInt8]

    /// Creates a credential.
    package init(kind: UInt32, bytes: [UInt8]) { (self.kind, self.bytes) = (kind, bytes) }
  }

  /// A number of the client, with its transactions that are pending or kept.
  package struct Declaration: Hashable, Sendable {
    /// A transaction.
    package struct Mark: Hashable, Sendable {
      var n: UInt64
      var mark: UInt64
    }
    var number: UInt64
    /// The *n* of the first transaction that the client can send.
    var first: UInt64
    var marks: [Mark]
  }

  /// The credentials.
  package var credentials: [Credential] = []
  /// The digest of the client's model.
  package var model: UInt64 = 0
  /// The digest of the model for which the base is valid.
  package var baseModel: UInt64 = 0
  /// The position of the base.
  package var position: UInt64 = 0
  /// The chain there; 0 for a client without a base.
  package var chain: UInt64 = 0
  /// The variables of the filters.
  package var variables: [String: String] = [:]
  /// The digests of the filters for which the base is valid.
  package var views: [UID: UInt64] = [:]
  /// The numbers.
  package var numbers: [Declaration] = []
}

/// The server's answer to a login.
package struct Welcome: Hashable, Sendable {
  /// The ways of a client to the head.
  package enum Plan: Hashable, Sendable {
    /// By the entries after its position.
    case entries
    /// By a snapshot of these entities, and the entries.
    case scoped([UID])
    /// By a snapshot of everything.
    case full
  }

  /// The row of a declared number.
  package struct Row: Hashable, Sendable {
    var number: UInt64
    var last: UInt64
    /// The known fates of transactions that the client may still send.
    var fates: [NumberRow.Fate]
    /// Whether the last *n* was moved up, since the server lost more than the client keeps.
    var isMoved: Bool
  }

  /// The model of the space as far as the client has it: its order numbers the elements in messages.
  package var model: SyncModel
  /// The plan.
  package var plan: Plan
  /// The head when the session began, which is also where a snapshot begins.
  package var head: UInt64
  /// The chain there.
  package var chain: UInt64
  /// The rows of the declared numbers.
  package var rows: [Row]
  /// The digests of the session's filters.
  package var views: [UID: UInt64]
  /// The server's time in milliseconds.
  package var time: UInt64
  /// The most transactions that may be under way unanswered.
  package var window: UInt32
}

/// Entries of the log as a session gets them.
package struct SessionEntries: Hashable, Sendable {
  /// The position that the client has to be at.
  package var from: UInt64
  /// The position after the entries.
  package var to: UInt64
  /// The chain there.
  package var chain: UInt64
  /// The entries that say something to the session.
  package var list: [SessionEntry]
}

/// An entry of the log as a session gets it.
package struct SessionEntry: Hashable, Sendable {
  /// The position.
  package var position: UInt64
  /// The number.
  package var number: UInt64
  /// The place among the transactions of the number.
  package var n: UInt64
  /// The mark, if the session has declared the number, or a fork made it.
  package var mark: UInt64?
  /// The code.
  package var code: SyncCode
  /// The operation that caused a rejection.
  package var place: Int
  /// The effects; nil if the client's own transaction had exactly its own.
  package var effects: [Effect<GlobalID>]?
}
