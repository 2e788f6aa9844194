internal import BoxModel

/// Why a message ends its connection.
package struct MessageFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// `badVersion` or `reqRejected`.
  package var code: SyncCode
  /// The message, the place in it, and what is wrong there.
  package var description: String

  init(_ code: SyncCode, _ text: String) {
    (self.code, description) = (code, text + "; the connection was closed")
  }
}

/// Reads the numbers, texts and values of a message; nothing in it can end the process, or reserve memory
/// that its bytes do not cover.
struct ByteReader {
  private var rest: ArraySlice<UInt8>
  private let message: String
  /// The place in the message, as a failure names it.
  var place: (name: StaticString, number: Int?) = ("its head", nil)

  init(_ bytes: ArraySlice<UInt8>, message: String) { (rest, self.message) = (bytes, message) }

  func failure(_ what: String) -> MessageFailure {
    let number = place.number.map { " \($0)" } ?? ""
    return MessageFailure(
      .reqRejected, "the message '\(message)' \(what) in \(place.name)\(number)")
  }

  /// Whether nothing follows.
  var isAtEnd: Bool { rest.isEmpty }

  /// Checks that nothing follows.
  func finish() throws(MessageFailure) {
    if !rest.isEmpty {
      throw MessageFailure(
        .reqRejected, "the message '\(message)' has \(rest.count) bytes after its end")
    }
  }

  mutating func byte() throws(MessageFailure) -> UInt8 {
    guard let byte = rest.popFirst() else { throw failure("is cut off") }
    return byte
  }

  mutating func take(_ count: Int) throws(MessageFailure) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw failure("is cut off") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func fixed64() throws(MessageFailure) -> UInt64 {
    try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func fixed32() throws(MessageFailure) -> UInt32 {
    try take(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  mutating func varint() throws(MessageFailure) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let byte = try byte()
      guard shift < 63 || byte & 0x7F <= 1 else {
        throw failure("has a number of more than 64 bits")
      }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw failure("has a number of more than ten bytes")
  }

  mutating func signed() throws(MessageFailure) -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// A number that is at most 2^63-1.
  mutating func bounded() throws(MessageFailure) -> UInt64 {
    let value = try varint()
    guard value <= Int64.max else { throw failure("has a number above 2^63-1") }
    return value
  }

  /// A number from 1 to 2^63-1.
  mutating func identifier() throws(MessageFailure) -> UInt64 {
    let value = try varint()
    guard value > 0, value <= Int64.max else {
      throw failure("has an id of 0 or above 2^63-1")
    }
    return value
  }

  mutating func small() throws(MessageFailure) -> UInt32 {
    guard let value = UInt32(exactly: try varint()) else { throw failure("has too large a number") }
    return value
  }

  /// The number of things that follow, of which each takes some bytes at least.
  mutating func count(bytesEach size: Int = 1) throws(MessageFailure) -> Int {
    guard let count = Int(exactly: try varint()), count <= rest.count / size else {
      throw failure("has a count above the rest of the message")
    }
    return count
  }

  /// A count that was read already, checked like ``count(bytesEach:)``.
  func check(_ count: UInt32, bytesEach size: Int) throws(MessageFailure) -> Int {
    guard Int(count) <= rest.count / size else {
      throw failure("has a count above the rest of the message")
    }
    return Int(count)
  }

  mutating func list<Element>(
    bytesEach size: Int = 1,
    _ element: (inout ByteReader) throws(MessageFailure) -> Element
  ) throws(MessageFailure) -> [Element] {
    var list: [Element] = []
    for _ in 0..<(try count(bytesEach: size)) { list.append(try element(&self)) }
    return list
  }

  mutating func blob() throws(MessageFailure) -> [UInt8] { Array(try take(try count())) }

  mutating func text() throws(MessageFailure) -> String {
    let bytes = try take(try count())
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw failure("has a text that is not UTF-8")
    }
    return text
  }

  mutating func code() throws(MessageFailure) -> SyncCode {
    guard let code = SyncCode(rawValue: try small()) else { throw failure("has an unknown code") }
    return code
  }

  mutating func value(_ tag: ValueTag) throws(MessageFailure) -> Value {
    switch tag {
    case .null: .null
    case .no: .bool(false)
    case .yes: .bool(true)
    case .integer: .integer(try signed())
    case .unsigned: .unsigned(try varint())
    case .float: .float(Float(bitPattern: try fixed32()))
    case .double: .double(Double(bitPattern: try fixed64()))
    case .string: .string(try text())
    case .bytes: .bytes(try blob())
    case .bools: .bools(try blob().map { $0 != 0 })
    case .integers:
      .integers(try list { (r: inout ByteReader) throws(MessageFailure) in try r.signed() })
    case .unsignedIntegers:
      .unsignedIntegers(try list { (r: inout ByteReader) throws(MessageFailure) in try r.varint() })
    case .floats:
      .floats(
        try list(bytesEach: 4) { (r: inout ByteReader) throws(MessageFailure) in
          Float(bitPattern: try r.fixed32())
        })
    case .doubles:
      .doubles(
        try list(bytesEach: 8) { (r: inout ByteReader) throws(MessageFailure) in
          Double(bitPattern: try r.fixed64())
        })
    case .strings:
      .strings(try list { (r: inout ByteReader) throws(MessageFailure) in try r.text() })
    case .reference: throw failure("has a reference where a value belongs")
    }
  }
}
