internal import BoxJSON

/// The address of a file as SARIF wants it: relative where the path is, and percent-encoded.
struct ArtifactURI: Hashable {
  /// The URI reference (RFC 3986).
  let text: String
  /// Whether the reference is relative and stays below the directory that the tool ran in.
  let isBelowRoot: Bool

  /// Makes the address of a file named by a path with slashes.
  ///
  /// - Complexity: O(*n*) in the length of the path.
  init(path: String) {
    var segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isAbsolute = path.utf8.first == UInt8(ascii: "/")
    if !isAbsolute { segments.removeAll { $0.isEmpty || $0.elementsEqual(".".utf8) } }
    let encoded = segments.map { Self.encode($0) }.joined(separator: "/")
    text = isAbsolute ? "file://" + encoded : encoded
    isBelowRoot = !isAbsolute && !segments.contains { $0.elementsEqual("..".utf8) }
  }

  private static func encode(_ segment: Substring.UTF8View) -> String {
    var result = ""
    for byte in segment {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += "%" + byte.hexadecimal(digits: 2, uppercase: true)
      }
    }
    return result
  }
}
