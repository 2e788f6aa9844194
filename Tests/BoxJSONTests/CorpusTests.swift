import BoxJSON
import TestSupport
import Testing

/// Real model files are taken and refused as json-c does it.
@Suite(.enabled(if: Corpus.isAvailable, "../shared/corpus is not there"))
struct CorpusTests {
  @Test(.promise(3)) func agreesWithJSONCOnEveryFile() throws {
    let oracle = JSONCOracle()
    var taken = 0
    var refused: [JSONError.Code: Int] = [:]
    for file in try #require(Corpus.shared).files {
      let bytes = file.bytes
      var document: JSONDocument?
      do throws(JSONError) {
        document = try JSONDocument(parsing: bytes)
        taken += 1
      } catch {
        refused[error.code, default: 0] += 1
      }
      let (isTaken, difference) = oracle.compare(bytes, with: document)
      #expect(isTaken == (document != nil), "\(file)")
      #expect(difference == nil, "\(file)")
    }
    print("files taken: \(taken), refused: \(refused)")
    #expect(taken > 0)
  }

  @Test func conflictedFilesAreReportedAsThat() throws {
    for file in try #require(Corpus.shared).conflicted {
      let bytes = file.bytes
      let error = #expect(throws: JSONError.self, "\(file)") { try JSONDocument(parsing: bytes) }
      guard let error else { continue }
      #expect(error.code == .conflictMarkers, "\(file): \(error)")
      #expect(bytes[error.offset...].starts(with: "<<<<<<<".utf8), "\(file)")
    }
  }
}
