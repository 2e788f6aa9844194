package import BoxJSON

/// A three-way merge of a JSON file by key.
///
/// A member that one side added, changed or removed is as that side has it. A member that both sides
/// changed differently is a conflict. Objects are merged member by member, and so are the arrays whose
/// elements a ``KeyedLayout`` identifies.
///
/// Whatever is not changed keeps its bytes, so the result has the layout of ours. Which side is called
/// ours makes no other difference.
package struct KeyedMerge: Sendable {
  /// The conflicts, each by the JSON pointer of its place.
  package private(set) var conflicts: [String]
  /// The file with all conflicts answered by ours.
  package private(set) var ours: [UInt8]
  /// The file with all conflicts answered by the base.
  package private(set) var base: [UInt8]
  /// The file with all conflicts answered by theirs.
  package private(set) var theirs: [UInt8]

  /// Merges three versions.
  ///
  /// - Parameters:
  ///   - base: The common ancestor, if any.
  ///   - ours: The side whose layout the result has.
  ///   - theirs: The other side.
  ///   - layout: The identities of the parts.
  /// - Complexity: O(*d* *n* log *n*) in the size of the versions, of which *d* is the depth.
  package init(
    base: JSONDocument?, ours: JSONDocument, theirs: JSONDocument, layout: KeyedLayout
  ) {
    func merged(_ answer: KeyedSide) -> (bytes: [UInt8], conflicts: [String]) {
      if ours.bytes == theirs.bytes || theirs.bytes == base?.bytes { return (ours.bytes, []) }
      if ours.bytes == base?.bytes { return (theirs.bytes, []) }
      var pass = KeyedPass(
        versions: KeyedVersions(base: base, ours: ours, theirs: theirs), layout: layout,
        answer: answer)
      return (pass.merged(), pass.conflicts)
    }
    let result = merged(.ours)
    conflicts = result.conflicts
    self.ours = result.bytes
    self.base = conflicts.isEmpty ? result.bytes : merged(.base).bytes
    self.theirs = conflicts.isEmpty ? result.bytes : merged(.theirs).bytes
  }

  /// The file for an answer to all conflicts.
  package func bytes(favoring side: MergeSide) -> [UInt8] { side == .ours ? ours : theirs }
}

/// A version of a file in a merge by key.
enum KeyedSide: Hashable, Sendable { case base, ours, theirs }

/// The three versions of a file, or of a part of it.
struct KeyedVersions<Part> {
  var base: Part?
  var ours: Part?
  var theirs: Part?

  subscript(side: KeyedSide) -> Part? {
    switch side {
    case .base: base
    case .ours: ours
    case .theirs: theirs
    }
  }

  func map<Result>(_ transform: (KeyedSide, Part) -> Result?) -> KeyedVersions<Result> {
    KeyedVersions<Result>(
      base: base.flatMap { transform(.base, $0) }, ours: ours.flatMap { transform(.ours, $0) },
      theirs: theirs.flatMap { transform(.theirs, $0) })
  }
}
