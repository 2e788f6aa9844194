internal import BoxHash

/// The lines at the start of a file with bindings that say what they were generated from.
///
/// They are comments, such as
///
///     // Fingerprint: 4 70c4c3fb19ac8dcb 8e25f0c2a9a91b6f 12bf81e9c04d5ea2 7
///     // Inputs: --model-json "../../../model-App.json" --sources ".."
///
/// with the number of the form, the fingerprints of the sources and the model file, a ``BindingSeal`` unless
/// the run had warnings, and the options that name the inputs, relative to the directory of the file.
package struct BindingHead: Hashable, Sendable {
  /// The form of the fingerprint, raised with each change of what it covers and of how bindings are written: they
  /// are written again then.
  static let form = "4"

  /// The fingerprint of the sources.
  package var sources: String
  /// The fingerprint of the model file.
  package var model: String
  /// The fingerprint of what was written with the bindings; nil if the next run has to generate again.
  package var seal: BindingSeal?
  /// The path of the model file.
  package var modelPath: String
  /// The directories and files of the sources.
  package var roots: [String]
  /// The paths that are left out of them.
  package var excluded: [String] = []
  /// The word before the colon of an annotation.
  package var prefix: String

  /// Describes what is generated now.
  ///
  /// - Parameters:
  ///   - sources: The ``SourceFingerprint``.
  ///   - model: The bytes of the model file.
  ///   - modelPath: Its path, relative to the directory of the bindings as the others.
  ///   - roots: The directories and files of the sources.
  ///   - excluded: What is left out of them.
  ///   - prefix: The word before the colon of an annotation.
  /// - Complexity: O(*n*) in the size of the model file.
  package init(
    sources: String, model: [UInt8], modelPath: String, roots: [String], excluded: [String],
    prefix: String
  ) {
    self.sources = sources
    self.model = Self.fingerprint(model)
    self.modelPath = modelPath
    self.roots = roots
    self.excluded = excluded
    self.prefix = prefix
  }

  /// The fingerprint of the bytes of a model file.
  package static func fingerprint(_ model: [UInt8]) -> String {
    var result = Fingerprint()
    result.combine(bytes: model)
    return result.hexadecimal
  }

  // MARK: - Text

  static let fingerprintMark = "// Fingerprint: "
  private static let inputsMark = "// Inputs: "

  /// The lines.
  package var lines: [String] {
    var inputs = "--model-json \(Self.quoted(modelPath))"
    for root in roots { inputs += " --sources \(Self.quoted(root))" }
    for path in excluded { inputs += " --exclude-sources \(Self.quoted(path))" }
    if prefix != "objectbox" { inputs += " --annotation-prefix \(Self.quoted(prefix))" }
    return [
      Self.fingerprintMark + "\(Self.form) \(sources) \(model)"
        + (seal.map { " \($0.text)" } ?? ""),
      Self.inputsMark + inputs,
    ]
  }

  /// Reads the lines of a file with bindings; nil if it has none in this form.
  package init?(parsing bytes: [UInt8]) {
    let lines = bytes.prefix(64 << 10).split(separator: 10, maxSplits: 8).prefix(8)
      .map { String(decoding: $0, as: UTF8.self) }
    guard let first = lines.first(where: { $0.hasPrefix(Self.fingerprintMark) }),
      let second = lines.first(where: { $0.hasPrefix(Self.inputsMark) }),
      let words = Self.words(second.dropFirst(Self.inputsMark.count))
    else { return nil }
    let numbers = first.dropFirst(Self.fingerprintMark.count).split(separator: " ")
    guard numbers.count >= 3, numbers[0] == Self.form else { return nil }
    sources = String(numbers[1])
    model = String(numbers[2])
    seal = BindingSeal(parsing: numbers[3...])
    prefix = "objectbox"
    roots = []
    var modelPath: String?
    for (option, value) in zip(words, words.dropFirst()) {
      switch option {
      case "--model-json": modelPath = value
      case "--sources": roots.append(value)
      case "--exclude-sources": excluded.append(value)
      case "--annotation-prefix": prefix = value
      default: break
      }
    }
    guard let modelPath else { return nil }
    self.modelPath = modelPath
  }

  /// A text in quotes on one line.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// The words of a line, those in quotes without them; nil if a quote is not closed.
  private static func words(_ line: Substring) -> [String]? {
    var words: [String] = []
    var rest = line.unicodeScalars.drop { $0 == " " }
    while let first = rest.first {
      var word = String.UnicodeScalarView()
      if first == "\"" {
        rest.removeFirst()
        while let next = rest.first, next != "\"" {
          rest.removeFirst()
          guard next == "\\", let escaped = rest.popFirst() else {
            word.append(next)
            continue
          }
          word.append(escaped == "n" ? "\n" : escaped == "r" ? "\r" : escaped)
        }
        if rest.popFirst() == nil { return nil }
      } else {
        while let next = rest.first, next != " " {
          word.append(next)
          rest.removeFirst()
        }
      }
      words.append(String(word))
      rest = rest.drop { $0 == " " }
    }
    return words
  }
}
