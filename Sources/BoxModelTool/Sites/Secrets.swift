/// The tokens of a job, which are taken out of what others say: a remote can repeat what it was sent.
struct Secrets: Sendable {
  private let texts: [String]

  /// The tokens in the variables of a place, as they are and as git sends them.
  init(of place: Workspace) {
    let tokens = CurlTransport.tokenVariables.compactMap { place.variable($0) }
    texts = tokens.flatMap { token in
      SiteKind.allCases.map { $0.gitCredentials(token) } + [token]
    }
  }

  /// A text without the tokens.
  ///
  /// - Complexity: O(*n*) in its length.
  func removed(from text: String) -> String {
    texts.reduce(text) { $0.replacing(part: $1, by: "***") }
  }

  /// Calls a function, and takes the tokens out of the message of its failure.
  func kept<R: Sendable>(
    _ body: () async throws(CommandFailure) -> R
  ) async throws(CommandFailure) -> R {
    do throws(CommandFailure) { return try await body() } catch {
      var failure = error
      failure.message = removed(from: failure.message)
      throw failure
    }
  }
}
