extension JSONDocument {
  /// The text of a node in one line, without white space between its parts.
  ///
  /// Keys, numbers and escapes stay as they are; a raw tab inside of a string becomes `\t`.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package func compactText(of node: JSONNode) -> [UInt8] {
    let range = range(of: node)
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var isInString = false
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      index += 1
      switch byte {
      case .backslash where isInString && index < range.upperBound:
        result.append(byte)
        result.append(bytes[index])
        index += 1
      case .tab where isInString: result.append(contentsOf: #"\t"#.utf8)
      case .space, .tab, .lineFeed, .carriageReturn:
        if isInString { result.append(byte) }
      default:
        if byte == .quote { isInString.toggle() }
        result.append(byte)
      }
    }
    return result
  }
}
