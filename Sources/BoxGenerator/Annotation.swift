/// One annotation of a comment such as `// objectbox: index = "value", unique`.
struct Annotation: Hashable, Sendable {
  var name: String
  /// The value without its quotes, or nil.
  var value: String?

  /// The annotations that a comment holds, or nil if it is another comment.
  ///
  /// - Complexity: O(*n*) in the length of the comment.
  static func parse(comment: String) -> [Annotation]? {
    let text = comment.drop { $0 == "/" }.drop(while: \.isWhitespace)
    guard text.lowercased().hasPrefix("objectbox:") else { return nil }
    return split(text.dropFirst("objectbox:".count)).map(Annotation.init(item:))
  }

  private init(item: String) {
    let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    name = parts[0].trimmed
    value = parts.count > 1 ? parts[1].trimmed.unquoted : nil
  }

  /// The items between commas that stand outside of quotes and braces.
  private static func split(_ text: Substring) -> [String] {
    var items = [""]
    var depth = 0
    var isQuoted = false
    for character in text {
      switch character {
      case "\"": isQuoted.toggle()
      case "{" where !isQuoted: depth += 1
      case "}" where !isQuoted: depth -= 1
      case "," where !isQuoted && depth == 0:
        items.append("")
        continue
      default: break
      }
      items[items.count - 1].append(character)
    }
    return items.filter { !$0.allSatisfy(\.isWhitespace) }
  }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}

extension String {
  fileprivate var unquoted: String {
    count >= 2 && first == "\"" && last == "\"" ? String(dropFirst().dropLast()) : self
  }
}
