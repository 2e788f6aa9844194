package import BoxJSON
package import BoxReport

/// The places of the parts of a model in its file.
extension ModelDocument {
  /// The place of the value of a key of an element, or of the whole model; of the start of the
  /// element where it lacks the key.
  ///
  /// - Parameters:
  ///   - key: The key, such as `type`; nil for the pair of the element.
  ///   - place: The element; nil for the model as a whole.
  /// - Returns: The stretch of the text.
  /// - Complexity: O(log *n*) in the number of lines, and O(*m*) in the members of the element.
  package func region(of key: String?, at place: ElementPlace?) -> SourceRegion {
    let checker = PlaceFinder(self)
    let range = place.map { checker.range($0, key) } ?? checker.rootRange(key ?? "entities")
    let start = json.position(at: range.lowerBound)
    let end = json.position(at: range.upperBound)
    return SourceRegion(
      line: start.line, column: start.column, endLine: end.line, endColumn: end.column)
  }

  /// The line that the stretch starts in, cut around its start if it is long.
  ///
  /// - Complexity: As ``region(of:at:)``.
  package func sourceLine(of key: String?, at place: ElementPlace?) -> SourceLine {
    let checker = PlaceFinder(self)
    let range = place.map { checker.range($0, key) } ?? checker.rootRange(key ?? "entities")
    return json.sourceLine(at: range.lowerBound)
  }

  /// The element that a byte of the text belongs to: the innermost, never an index; nil outside of
  /// elements.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  package func element(at offset: Int) -> ElementKey? {
    var found: ElementKey?
    model.forEachElement { place, pair in
      if place.kind != .index, json.range(of: node(place)).contains(offset) {
        found = ElementKey(place.kind, pair.uid)
      }
    }
    return found
  }

  /// The text of an element, as the file has it.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package func text(at place: ElementPlace) -> String {
    String(decoding: bytes[json.range(of: node(place))], as: UTF8.self)
  }

  /// The object of an element in the text.
  func node(_ place: ElementPlace) -> JSONNode {
    let entity = nodes.entities[place.entity]
    return switch place {
    case .entity: entity.object
    case .property(_, let p), .index(_, let p): entity.properties[p]
    case .relation(_, let r): entity.relations[r]
    }
  }
}

/// Finds the bytes of parts of a model.
private struct PlaceFinder {
  private let checker: ModelChecker

  init(_ document: ModelDocument) { checker = ModelChecker(document) }

  func range(_ place: ElementPlace, _ key: String?) -> Range<Int> {
    key.map { checker.range(place, key: $0) } ?? checker.pairRange(place)
  }

  func rootRange(_ key: String) -> Range<Int> { checker.rootRange(key) }
}
