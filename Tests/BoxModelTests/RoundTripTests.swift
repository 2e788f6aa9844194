import BoxModel
import Testing
import TestSupport

/// What is not edited is written back byte for byte, and what is added looks like the file.
@Suite(.enabled(if: Corpus.isAvailable))
struct RoundTripTests {
  @Test func reAddedLooksTheSame() throws {
    let corpus = try #require(Corpus.shared)
    var same = 0
    for file in corpus.files {
      guard let document = file.document, document.isComplete else { continue }
      #expect(document.rendered(document.model) == document.bytes)
      for e in document.model.entities.indices {
        var without = document.model
        without.entities.remove(at: e)
        let between = try ModelDocument(parsing: document.rendered(without))
        let again = between.rendered(document.model)
        if again == document.bytes { same += 1 } else {
          let a = String(decoding: document.bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
          let b = String(decoding: again, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
          let i = zip(a, b).enumerated().first { $0.element.0 != $0.element.1 }
          print("READD \(file) \(document.dialect.generator) -> \(between.dialect.generator) entity \(e) of \(document.model.entities.count) line \(i?.offset ?? -1): \(i?.element.0.debugDescription ?? "") // \(i?.element.1.debugDescription ?? "")")
        }
      }
    }
    print("READD same \(same)")
  }
}
