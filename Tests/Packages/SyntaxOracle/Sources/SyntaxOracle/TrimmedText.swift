import SwiftSyntax

extension SyntaxProtocol {
  /// The text without white space and comments around it; of a name, as most are, without a copy of the tree.
  var trimmedText: String {
    guard let token = firstToken(viewMode: .sourceAccurate),
      token.id == lastToken(viewMode: .sourceAccurate)?.id
    else { return trimmedDescription }
    return token.text
  }
}
