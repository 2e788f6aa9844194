internal import CJSONC

/// A `json_tokener` of json-c that is used again for each value.
///
/// The flags are strict and UTF-8 is validated. Nothing of C leaves this file but numbers, and bytes
/// inside of a closure.
final class JSONTokener {
  private let handle: UnsafeMutablePointer<json_tokener>?
  private var scratch: [UInt8] = []

  init() {
    // One level is the value itself.
    handle = json_tokener_new_ex(2)
    if let handle {
      json_tokener_set_flags(handle, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8)
    }
  }

  deinit {
    if let handle { json_tokener_free(handle) }
  }

  /// Parses the bytes of one value and hands it to a closure, or gives nil if json-c refuses it.
  private func parse<Result>(
    _ value: ArraySlice<UInt8>, isPlain: Bool = true, _ body: (OpaquePointer) -> Result?
  ) -> Result? {
    scratch.removeAll(keepingCapacity: true)
    if isPlain { scratch.append(contentsOf: value) } else { prepare(value) }
    // A number has no end of its own: the terminator is part of what is parsed.
    scratch.append(0)
    guard let handle, let length = Int32(exactly: scratch.count) else { return nil }
    json_tokener_reset(handle)
    let object = scratch.withUnsafeBytes {
      json_tokener_parse_ex(handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), length)
    }
    guard let object else { return nil }
    defer { json_object_put(object) }
    return body(object)
  }

  /// Copies a string, writing differently what json-c would not read as it should.
  ///
  /// A raw tab becomes an escape: newer releases refuse it. An escaped surrogate pair becomes the
  /// scalar: release 0.16 takes U+1D800 to U+1DFFF, and the same range of each plane above, for
  /// surrogates, and makes them U+FFFD.
  private func prepare(_ string: ArraySlice<UInt8>) {
    string.withUnsafeBufferPointer { text in
      var index = 0
      while index < text.count {
        var length = 1
        if text[index] == .tab {
          scratch.append(.backslash)
          scratch.append(UInt8(ascii: "t"))
        } else if text[index] == .backslash, index + 1 < text.count {
          length = appendEscape(at: index, of: text)
        } else {
          scratch.append(text[index])
        }
        index += length
      }
    }
  }

  private func appendEscape(at index: Int, of text: UnsafeBufferPointer<UInt8>) -> Int {
    if text[index + 1] == UInt8(ascii: "u") {
      let (scalar, length) = JSONUnescaping.scalar(at: index, of: text)
      if length == 12 {
        scratch.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        return length
      }
    }
    scratch.append(text[index])
    scratch.append(text[index + 1])
    return 2
  }

  func string(_ value: ArraySlice<UInt8>, isPlain: Bool) -> String? {
    parse(value, isPlain: isPlain) { object in
      guard let start = json_object_get_string(object) else { return nil }
      // The length counts NUL characters, which end a C string.
      let length = Int(json_object_get_string_len(object))
      return UnsafeRawBufferPointer(start: start, count: length).withMemoryRebound(to: UInt8.self) {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }

  func int64(_ value: ArraySlice<UInt8>) -> Int64? {
    parse(value) { json_object_get_int64($0) }
  }

  func uint64(_ value: ArraySlice<UInt8>) -> UInt64? {
    parse(value) { json_object_get_uint64($0) }
  }

  func double(_ value: ArraySlice<UInt8>) -> Double? {
    parse(value) { json_object_get_double($0) }
  }

  func bool(_ value: ArraySlice<UInt8>) -> Bool? {
    parse(value) { json_object_get_boolean($0) != 0 }
  }
}
