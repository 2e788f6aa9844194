internal import BoxMigration
internal import BoxStorage

/// The code of a loss, such as `7f3k-9q2m`.
///
/// It is 40 bits of a SHA-256 over the command, the identity of the store and the loss, in the letters of Crockford's
/// base 32. It proves that the loss of this command was computed on this state, as a dry run does; it does not
/// prove that a person read it.
package struct LossCode: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// The code of a command that has nothing to lose: no text is this code.
  static let none = LossCode(description: "")

  private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")

  /// Reads a code, with any case and with or without hyphens; nil for a text that is not one.
  package init?(_ text: String) {
    let letters = text.lowercased().filter { $0 != "-" }
    guard letters.count == 8, letters.allSatisfy(Self.letters.contains) else { return nil }
    self.init(letters: Array(letters))
  }

  /// The first 40 bits of a hash.
  init(digest: [UInt8]) {
    let bits = digest.prefix(5).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    self.init(
      letters: stride(from: 35, through: 0, by: -5).map { Self.letters[Int(bits >> $0 & 31)] })
  }

  private init(letters: [Character]) {
    self.init(description: String(letters[..<4]) + "-" + String(letters[4...]))
  }

  private init(description: String) { self.description = description }
}

/// The hash of a loss while it is found, in the order of the store.
struct LossHash {
  private var hash = ContentHash()
  /// Numbers that are hashed together, as a call for each pair took longer than the hash.
  private var numbers: [UInt64] = []

  /// Creates the hash of a command that loses nothing yet.
  ///
  /// The store is the data file itself, by its device, number and time of creation: a copy is another store, and so is
  /// a store whose file was replaced. The number of the last transaction is not in it, as it changes with every write
  /// of an app.
  ///
  /// - Parameters:
  ///   - command: The command in canonical form, without the options about consent and output.
  ///   - directory: The directory of the store.
  init(_ command: [String], onStore directory: String) {
    for word in ["loss 1"] + command { hash.combine(word) }
    for number in StoreFiles(directory).dataIdentity { add(number, 0) }
  }

  /// Adds a text.
  mutating func add(_ text: String) {
    flush()
    hash.combine(text)
  }

  /// Adds numbers.
  mutating func add(_ first: UInt64, _ second: UInt64) {
    numbers.append(first.littleEndian)
    numbers.append(second.littleEndian)
    if numbers.count >= 1024 { flush() }
  }

  private mutating func flush() {
    hash.combine(littleEndian: numbers)
    numbers.removeAll(keepingCapacity: true)
  }

  /// The code of all that was added.
  var code: LossCode {
    var copy = self
    copy.flush()
    return LossCode(digest: copy.hash.digest())
  }
}
