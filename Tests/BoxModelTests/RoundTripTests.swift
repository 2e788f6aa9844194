import BoxModel
import TestSupport
import Testing

/// The parts of a file that are not edited are written back byte for byte, and added parts look
/// like the file.
@Suite(.enabled(if: Corpus.isAvailable, "../shared/corpus is not there"))
struct RoundTripTests {
  private func documents() throws -> [(Corpus.File, ModelDocument)] {
    try #require(Corpus.shared).files.compactMap { file in
      guard let document = file.document, document.isComplete else { return nil }
      return (file, document)
    }
  }

  private func parse(_ bytes: [UInt8]) throws -> ModelDocument {
    try ModelDocument(parsing: bytes)
  }

  private func lines(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  private func newPair(_ document: ModelDocument) -> IDPair {
    IDPair(id: 900, uid: 4_611_686_018_427_387_904 + UInt64(document.bytes.count))
  }

  @Test func whatIsAddedAndRemovedAgainLeavesNoTrace() throws {
    var count = 0
    for (file, document) in try documents() {
      #expect(document.rendered(document.model) == document.bytes, "\(file)")
      var more = document.model
      let pair = newPair(document)
      var entity = Entity(pair: pair, name: "Added")
      entity.properties = [Property(pair: pair, name: "id", type: .long, flags: .id)]
      more.entities.append(entity)
      let added = try parse(document.rendered(more))
      #expect(added.model.entities.last?.properties == entity.properties, "\(file)")
      let after = lines(added.bytes)
      let removed = after.difference(from: lines(document.bytes)).removals
      // The line before may get a comma; an array that was empty is opened.
      #expect(removed.count <= 1, "\(file)")
      if document.model.entities.isEmpty { continue }
      let back = try parse(added.rendered(document.model))
      #expect(back.bytes.elementsEqual(document.bytes), "\(file)")
      count += 1
    }
    print("files: \(count)")
  }

  @Test func aNameThatIsChangedBackLeavesNoTrace() throws {
    for (file, document) in try documents() {
      guard let e = document.model.entities.lastIndex(where: { !$0.properties.isEmpty }) else {
        continue
      }
      var renamed = document.model
      renamed.entities[e].name = "Renamed\u{1F4E6}\"<>"
      renamed.entities[e].properties[0].name = "renamed"
      let other = try parse(document.rendered(renamed))
      #expect(other.model == renamed, "\(file)")
      let changed = lines(other.bytes).difference(from: lines(document.bytes))
      #expect(changed.count <= 4, "\(file)")
      let back = other.rendered(document.model)
      // Only a name that its generator wrote with other escapes differs then.
      #expect(back.elementsEqual(document.bytes), "\(file)")
    }
  }

  @Test(.promise(5)) func allOtherLinesStay() throws {
    for (file, document) in try documents() {
      guard let e = document.model.entities.firstIndex(where: { !$0.properties.isEmpty }) else {
        continue
      }
      let pair = newPair(document)
      var edited = document.model
      edited.entities[e].properties.append(Property(pair: pair, name: "added", type: .string))
      edited.entities[e].properties[0].indexID = pair
      edited.entities[e].relations =
        (edited.entities[e].relations ?? []) + [Relation(pair: pair, name: "all", target: pair)]
      edited.retiredPropertyUIDs = (edited.retiredPropertyUIDs ?? []) + [pair.uid]
      let rendered = document.rendered(edited)
      #expect(try parse(rendered).model == edited, "\(file)")
      let removed = lines(rendered).difference(from: lines(document.bytes)).removals
      // Commas behind what was last, and lists that were empty.
      #expect(removed.count <= 7, "\(file)")
    }
  }

  /// An entity that is taken out and put back is written anew, and looks as its generator wrote it.
  ///
  /// If it was the only one, or the only one that showed an order, the file no longer shows its
  /// form. Those are counted apart.
  @Test(.promise(119)) func newElementsHaveTheStyleOfTheFile() throws {
    var same = 0
    var different: [String] = []
    var unknown = 0
    for (file, document) in try documents() {
      for e in document.model.entities.indices {
        var without = document.model
        without.entities.remove(at: e)
        let between = try parse(document.rendered(without))
        let again = between.rendered(document.model)
        if again == document.bytes {
          same += 1
        } else if document.model.entities.count < 3
          || between.dialect().generator != document.dialect().generator
        {
          unknown += 1
        } else {
          let pair = zip(lines(document.bytes), lines(again)).first { $0 != $1 }
          different.append("\(file) \(e): \(pair?.0 ?? "") | \(pair?.1 ?? "")")
        }
      }
    }
    for line in different { print("written differently: \(line)") }
    print("the same: \(same), differently: \(different.count), not to be known: \(unknown)")
    #expect(different.count * 50 < same)
  }
}
