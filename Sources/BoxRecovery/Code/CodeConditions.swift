/// The directives `#if … #endif` around a place of C or Swift code.
///
/// Code counts unless its condition is false as it is written, such as `0`: nobody knows how the rest is
/// compiled.
struct CodeConditions {
  /// A group of branches.
  private struct Group {
    /// Whether a branch is compiled for certain, so that no later one is.
    var isDecided: Bool
    /// Whether the branch at this place may be compiled.
    var isActive: Bool
  }

  private var groups: [Group] = []
  private var inactiveGroups = 0

  /// The first words of the directives that open, change or close a group.
  static let words: Set<String> = [
    "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "elseif", "else", "endif",
  ]

  /// Whether code at this place may be compiled.
  var areActive: Bool { inactiveGroups == 0 }

  /// Applies a directive.
  ///
  /// - Parameters:
  ///   - word: Its first word; others than ``words`` change nothing.
  ///   - condition: The rest, without comments and spaces.
  mutating func apply(_ word: String, _ condition: String) {
    switch word {
    case "if", "ifdef", "ifndef":
      let value = word == "if" ? Self.value(condition) : nil
      push(Group(isDecided: value == true, isActive: value != false))
    case "elif", "elifdef", "elifndef", "elseif":
      guard let group = pop() else { return }
      let value = word == "elif" || word == "elseif" ? Self.value(condition) : nil
      push(
        Group(
          isDecided: group.isDecided || value == true,
          isActive: !group.isDecided && value != false))
    case "else":
      guard let group = pop() else { return }
      push(Group(isDecided: true, isActive: !group.isDecided))
    case "endif": _ = pop()
    default: return
    }
  }

  private mutating func push(_ group: Group) {
    groups.append(group)
    if !group.isActive { inactiveGroups += 1 }
  }

  private mutating func pop() -> Group? {
    let group = groups.popLast()
    if let group, !group.isActive { inactiveGroups -= 1 }
    return group
  }

  /// The value of a condition that is a literal; nil for one that depends on the compiler.
  private static func value(_ condition: String) -> Bool? {
    switch condition.filter({ $0 != "(" && $0 != ")" }) {
    case "0", "false": false
    case "1", "true": true
    default: nil
    }
  }
}
