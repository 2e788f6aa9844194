import BoxMerge
import BoxModel
import TestSupport

/// The kind of input of a generated merge.
enum CaseKind: String, CaseIterable, Sendable {
  /// Both sides come from the base, and generators that work wrote them.
  case sound
  /// As sound, and the base is not known.
  case withoutBase
  /// Two files that have nothing to do with each other.
  case unrelated
  /// A side whose file was newly generated.
  case regenerated
  /// Sides that do not come from the base, as in a cherry-pick, a revert or a stash: they lack what
  /// it has, and know what it does not know.
  case scattered
  /// A commit of one side is picked onto the other, then the sides are merged.
  case picked
  /// A side whose file has conflict markers.
  case markers
}

/// A published model: what a side was after the first edits of its script.
struct PublishedPrefix: Hashable, Sendable {
  var side: MergeSide
  var count: Int
}

/// A generated merge: the scripts that lead to the base and from there to each side.
struct MergeCase: Sendable {
  var seed: UInt64
  var kind = CaseKind.sound
  var baseScript: [ToolEdit] = []
  var scripts: [MergeSide: [ToolEdit]] = [.ours: [], .theirs: []]
  var baseDialect = TestDialect.swift
  var dialects: [MergeSide: TestDialect] = [.ours: .swift, .theirs: .swift]
  var published: [PublishedPrefix] = []
  /// The side that was newly generated.
  var oddSide = MergeSide.ours
  /// The edits of the base after the commit that the sides come from.
  var tail: [ToolEdit] = []
  /// The sides that have the tail too.
  var sidesWithTail: Set<MergeSide> = []
  /// The positions of the picked edits among those of theirs.
  var picked = 0..<0
  /// A script from nothing for a side that has nothing to do with the base.
  var freshScript: [ToolEdit] = []

  func script(_ side: MergeSide) -> [ToolEdit] { scripts[side] ?? [] }

  func dialect(_ side: MergeSide) -> TestDialect { dialects[side] ?? .swift }

  /// Whether all three files look alike, so that results can be compared byte for byte.
  var isOfOneDialect: Bool { dialect(.ours) == dialect(.theirs) && baseDialect == dialect(.ours) }

  var baseModel: Model { ModelTool.run(baseScript + tail) }

  func model(_ side: MergeSide) -> Model {
    ModelTool.run(baseScript + (sidesWithTail.contains(side) ? tail : []) + script(side))
  }

  /// The case without one edit of a side.
  func without(_ index: Int, of side: MergeSide) -> MergeCase {
    var result = self
    result.scripts[side]?.remove(at: index)
    for k in result.published.indices
    where result.published[k].side == side && result.published[k].count > index {
      result.published[k].count -= 1
    }
    return result
  }

  /// The case without the edits of a side that are about any of the UIDs, or about what they add.
  func without(_ uids: Set<UID>, of side: MergeSide) -> MergeCase {
    var result = self
    for index in script(side).indices.reversed()
    where !script(side)[index].uids.isDisjoint(with: uids) {
      result = result.without(index, of: side)
    }
    return result
  }

  /// The model of a side after so many of its edits.
  private func model(_ prefix: PublishedPrefix) -> Model {
    ModelTool.run(
      baseScript + (sidesWithTail.contains(prefix.side) ? tail : [])
        + script(prefix.side).prefix(prefix.count))
  }

  /// The published models, with the decisions of the histories: of a side the shorter one is the ancestor, of
  /// two sides where they come from.
  private func publishedModels() -> Published {
    let versions = published.map { model($0) }
    var result = Published(
      models: versions.enumerated().map { number, version in
        PublishedModel(name: "release-\(number)", model: version)
      })
    var ancestors: [VersionPair: [Model]] = [:]
    for pair in result.contradictions(of: versions) {
      let (a, b) = (published[pair.first], published[pair.second])
      var ancestor = a
      ancestor.count = a.side == b.side ? min(a.count, b.count) : 0
      ancestors[pair] = [model(ancestor)]
    }
    result.settleContradictions(of: versions, ancestors: ancestors)
    return result
  }

  /// The documents of a case that differs from the one of `input` in the script of a side.
  func input(_ input: MergeInput, changing side: MergeSide) throws -> MergeInput {
    var result = input
    let changed = try document(model(side), dialect(side))
    switch side {
    case .ours: result.ours = changed
    case .theirs: result.theirs = changed
    }
    result.published = publishedModels()
    return result
  }

  /// The documents, for kinds whose sides are sound.
  func input() throws -> MergeInput {
    try MergeInput(
      base: document(baseModel, baseDialect), ours: document(model(.ours), dialect(.ours)),
      theirs: document(model(.theirs), dialect(.theirs)),
      published: publishedModels())
  }
}

func document(_ model: Model, _ dialect: TestDialect) throws -> ModelDocument {
  try ModelDocument(parsing: dialect.file(model))
}

extension MergeInput {
  var swapped: MergeInput {
    var result = self
    (result.ours, result.theirs) = (theirs, ours)
    result.choices = choices.mapValues { $0 == .ours ? .theirs : $0 == .theirs ? .ours : .base }
    return result
  }

  func with(
    base: ModelDocument?, ours: ModelDocument, theirs: ModelDocument
  ) -> MergeInput {
    MergeInput(base: base, ours: ours, theirs: theirs, published: published)
  }
}

extension MergeCase: CustomStringConvertible {
  var description: String {
    func list(_ edits: [ToolEdit]) -> String { edits.map { "    \($0)" }.joined(separator: "\n") }
    return """
      seed 0x\(String(seed, radix: 16)), \(kind), base \(baseDialect), ours \(dialect(.ours)), \
      theirs \(dialect(.theirs)), published \(published), odd \(oddSide), picked \(picked)
        base:
      \(list(baseScript))
        tail, also of \(sidesWithTail.map(\.rawValue).sorted()):
      \(list(tail))
        ours:
      \(list(script(.ours)))
        theirs:
      \(list(script(.theirs)))
      """
  }
}
