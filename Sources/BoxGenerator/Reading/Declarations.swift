internal import BoxSources
internal import SwiftSyntax

/// A class or a struct, or another declaration that is annotated as an entity.
struct TypeDeclaration: Sendable {
  /// The kind: `class`, `struct`, `enum`, `actor` or `protocol`.
  var kind: String
  /// The name with those of the types around it.
  var path: String
  var isGeneric: Bool
  var inherited: [String]
  var members: MemberDeclarations
  var annotations: [Annotation]
  /// The names that it refers to.
  var names: Set<String>
  var isLocal: Bool
  var isConditional: Bool
  /// The access level of it and the types around it is private.
  var isPrivate: Bool
  /// It is public, and not inside of another declaration.
  var isPublic: Bool
  /// The word before the colon of an annotation.
  var prefix: String
  var place: SourcePlace
}

/// An enum that a property may be converted from.
struct EnumDeclaration: Sendable {
  struct Case: Hashable, Sendable {
    var name: String
    /// The raw value as text; nil without an explicit one.
    var rawValue: String?
    var place: SourcePlace
  }
  var path: String
  /// The first inherited type, which is that of the raw values if it is one that they can have.
  var rawType: TypeShape?
  var cases: [Case]
  var place: SourcePlace
}

/// The functions `convert` of a type.
struct ConverterDeclaration: Sendable {
  /// Whether the parameters of its functions are optional, by the spelling of their types.
  var parameters: [TypeShape] = []
  /// The global actor that isolates the type or a function.
  var isolation: (actor: String, place: SourcePlace)?
}

/// The declarations of source files that entities refer to.
struct Declarations: Sendable {
  var types: [TypeDeclaration] = []
  var enums: [String: EnumDeclaration] = [:]
  var converters: [String: ConverterDeclaration] = [:]
  var aliases: [String: TypeShape] = [:]
  /// The types that an extension makes entities.
  var extendedEntities: Set<String> = []
  /// The classes that are entities, by their paths.
  private(set) var entityClasses: Set<String> = []
  /// The initializers in extensions.
  var initializers: [String: [InitializerDeclaration]] = [:]
}

extension Declarations {
  /// Finds the classes that are entities, once all files were read.
  mutating func findEntityClasses() {
    entityClasses = Set(
      types.filter { $0.kind == "class" && $0.isEntity(in: self) }.map {
        $0.path.withoutBackticks
      })
  }
}

/// A parsed file.
final class FileSource {
  private let places: PlaceTable
  let prefix: String
  private let file: SwiftFile
  /// The places of the words that begin a declaration of a type, in code or elsewhere, ascending.
  private let keywords: [Int]

  init(_ file: SwiftFile, prefix: String) {
    self.file = file
    self.prefix = prefix
    places = PlaceTable(path: file.path, bytes: file.bytes)
    keywords = file.typeKeywords
  }

  /// Whether a type may be declared in a node.
  ///
  /// - Complexity: O(log *n*) in the number of such words in the file.
  func mayDeclareType(_ node: some SyntaxProtocol) -> Bool {
    let (start, end) = (node.position.utf8Offset, node.endPosition.utf8Offset)
    var (low, high) = (0, keywords.count)
    while low < high {
      let middle = (low + high) / 2
      if keywords[middle] < start { low = middle + 1 } else { high = middle }
    }
    return low < keywords.count && keywords[low] < end
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
    if !file.bytes[start..<end].contains(UInt8(ascii: "/")) { return [] }
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
    guard file.bytes[end..<node.endPosition.utf8Offset].contains(UInt8(ascii: "/")),
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
