/// A language whose generator writes a model into code.
package enum CodeLanguage: String, Hashable, Sendable, CaseIterable {
  case dart, swift, java, go, c

  /// The language of a file, by the end of its name; nil for another file.
  package init?(path: String) {
    guard let dot = path.lastIndex(of: ".") else { return nil }
    switch path[path.index(after: dot)...].lowercased() {
    case "dart": self = .dart
    case "swift": self = .swift
    case "java": self = .java
    case "go": self = .go
    case "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx": self = .c
    default: return nil
    }
  }

  /// The name of the language in a message.
  package var name: String {
    switch self {
    case .dart: "Dart"
    case .swift: "Swift"
    case .java: "Java"
    case .go: "Go"
    case .c: "C"
    }
  }

  /// Whether a block comment can be inside of another one.
  var nestsComments: Bool { self == .dart || self == .swift }
}
