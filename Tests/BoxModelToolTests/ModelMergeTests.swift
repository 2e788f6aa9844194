import BoxMerge
import BoxModel
import Synchronization
import TestSupport
import Testing

@testable import BoxModelTool

/// Merges of one file that ask for what can change their result.
struct ModelMergeTests {
  private final class Counter: Sendable {
    let count = Mutex(0)
  }

  private let counter = Counter()

  private func version(_ model: SmallModel) throws -> ModelDocument {
    try ModelDocument(parsing: Array(model.text.utf8))
  }

  /// Both sides gave Note another name.
  private func merge() throws -> ModelMerge {
    let input = MergeInput(
      base: try version(.base), ours: try version(SmallModel([SmallModel.note(name: "Memo")])),
      theirs: try version(SmallModel([SmallModel.note(name: "Letter")])))
    let counter = counter
    return ModelMerge(
      input, path: "model.json", git: GitClient(),
      settings: .loaded(EffectiveConfiguration(settings: [:])),
      lines: ModelMerge.Lines(ours: input.ours.bytes, theirs: input.theirs.bytes) {
        counter.count.withLock { $0 += 1 }
        return nil
      }, published: PublishedModels())
  }

  @Test func historyIsReadOnceForAllAnswers() async throws {
    var merge = try merge()
    let open = try await merge.run()
    let conflict = try #require(open.result.conflicts.first)
    #expect(open.result.conflicts.count == 1)
    merge.input.choices = [conflict.id: .theirs]
    let taken = try await merge.run()
    #expect(taken.result.isClean)
    #expect(taken.session.undecided.conflicts.map(\.id) == [conflict.id])
    merge.input.choices = [:]
    #expect(try await merge.run().result.conflicts.map(\.id) == [conflict.id])
    #expect(counter.count.withLock { $0 } == 1)
  }

  @Test func aMergeWithoutAQuestionReadsNothing() async throws {
    var merge = try merge()
    merge.input.theirs = try version(.base)
    let run = try await merge.run()
    #expect(run.result.isClean)
    #expect(counter.count.withLock { $0 } == 0)
  }

  /// A side without a UID of the base, in the words of the one who asks.
  @Test func aRefusalIsWordedForItsReader() async throws {
    for isBrief in [true, false] {
      var merge = try merge()
      merge.input.theirs = try version(
        SmallModel([
          .init(id: 1, uid: 9000, name: "Note", properties: [.init(id: 2, uid: 9002, name: "text")])
        ]))
      merge.words.theirs = "b.json"
      merge.words.command = "match"
      merge.words.isBrief = isBrief
      do throws(ModelMerge.Failure) {
        _ = try await merge.run()
        Issue.record("not refused")
      } catch {
        guard case .refused(let record) = error else { throw error }
        #expect(record.reason?.message.hasPrefix("b.json has no UID in common") == true)
        #expect(record.reason?.help?.hasPrefix("`match` matches") == true)
        #expect((record.reason?.help?.contains("would keep") == true) == isBrief)
        #expect(record.notes.isEmpty == isBrief)
      }
    }
  }
}
