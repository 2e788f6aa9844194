import SwiftSyntax

/// A parsed file.
final class FileSource {
  private let places: PlaceTable
  let prefix: String
  private let bytes: [UInt8]

  init(path: String, bytes: [UInt8], prefix: String) {
    self.bytes = bytes
    self.prefix = prefix
    places = PlaceTable(path: path, bytes: bytes)
  }

  /// The place of the first token of a node.
  func place(of node: some SyntaxProtocol) -> SourcePlace {
    places.place(at: node.positionAfterSkippingLeadingTrivia.utf8Offset)
  }

  /// The place of the first mistake in a tree: a token that is missing, not expected or not closed.
  func place(ofErrorIn tree: some SyntaxProtocol) -> SourcePlace {
    var node = Syntax(tree)
    while let child = node.children(viewMode: .all).first(where: \.hasError),
      !child.is(UnexpectedNodesSyntax.self)
    {
      node = child
    }
    let wrong = node.children(viewMode: .all).first { $0.hasError } ?? node
    return places.place(at: wrong.positionAfterSkippingLeadingTrivia.utf8Offset)
  }

  /// The annotations before a declaration: in the comments before it, and between its attributes and its
  /// keyword.
  func annotations(of node: some SyntaxProtocol, upTo keyword: TokenSyntax) -> [Annotation] {
    let start = node.position.utf8Offset
    let end = keyword.positionAfterSkippingLeadingTrivia.utf8Offset
    // Without a slash there is no comment, and most declarations have none.
    if !bytes[start..<end].contains(UInt8(ascii: "/")) { return [] }
    var found: [Annotation] = []
    for token in node.tokens(viewMode: .sourceAccurate) {
      found += annotations(in: token.leadingTrivia, at: token.position)
      if token.id == keyword.id { break }
      // After an attribute, as in `@Published // objectbox: index`.
      found += annotations(in: token.trailingTrivia, at: token.endPositionBeforeTrailingTrivia)
    }
    return found
  }

  /// The annotations in the comment behind a declaration, on its line.
  func annotations(behind node: some SyntaxProtocol) -> [Annotation] {
    let end = node.endPositionBeforeTrailingTrivia.utf8Offset
    guard bytes[end..<node.endPosition.utf8Offset].contains(UInt8(ascii: "/")),
      let token = node.lastToken(viewMode: .sourceAccurate)
    else { return [] }
    return annotations(in: token.trailingTrivia, at: token.endPositionBeforeTrailingTrivia)
  }

  private func annotations(in trivia: Trivia, at start: AbsolutePosition) -> [Annotation] {
    var position = start
    var found: [Annotation] = []
    for piece in trivia {
      switch piece {
      case .lineComment(let text), .docLineComment(let text), .blockComment(let text),
        .docBlockComment(let text):
        let place = places.place(at: position.utf8Offset)
        found += AnnotationParser.parse(comment: text, prefix: prefix, place: place) ?? []
      default: break
      }
      position += piece.sourceLength
    }
    return found
  }
}
