internal import BoxReport

/// The reasons why a request cannot be carried out, of which the user reads all.
struct EditProblems {
  private var failures: [CommandFailure] = []
  private var hidden = 0

  /// The number of reasons that are listed.
  private static let maximumListed = 100

  mutating func add(_ failure: CommandFailure) {
    if failures.count < Self.maximumListed {
      failures.append(failure)
    } else {
      hidden += 1
    }
  }

  mutating func add(_ kind: FailureKind, _ message: String) {
    add(CommandFailure(kind, message))
  }

  /// Runs a part of a request, and takes its failure.
  mutating func collect(_ body: () throws(CommandFailure) -> Void) {
    do throws(CommandFailure) {
      try body()
    } catch {
      add(error)
    }
  }

  /// Ends the request if there is a reason to: a single one is thrown, several are notices before the
  /// failure of the most severe kind.
  ///
  /// - Throws: ``CommandFailure``.
  func end(_ observer: any WorkObserver) throws(CommandFailure) {
    guard let first = failures.first else { return }
    if failures.count == 1 { throw first }
    for var failure in failures {
      if failure.path == nil, failure.quoted != nil { failure.path = "condition" }
      observer.receive(Notice(.failure, failure.line))
    }
    let kind = failures.map(\.kind).max() ?? first.kind
    throw CommandFailure(
      kind, "nothing was changed: \(counted(failures.count + hidden, "problem"))")
  }
}
