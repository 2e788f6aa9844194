@testable import BoxModelTool

extension YAMLNode {
  var members: [Member] {
    if case .mapping(let members) = content { members } else { [] }
  }

  var elements: [YAMLNode] {
    if case .sequence(let elements) = content { elements } else { [] }
  }

  var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  subscript(key: String) -> YAMLNode? { members.first { $0.key == key }?.value }
}
