internal import CJSONC

/// A `json_tokener` of json-c that is used again for each value.
///
/// The flags are strict and UTF-8 is validated. Nothing of C leaves this file but numbers, and bytes
/// inside of a closure.
@safe final class JSONTokener {
  private let handle: UnsafeMutablePointer<json_tokener>?
  private var scratch: [UInt8] = []

  init() {
    // One level is the value itself.
    unsafe handle = unsafe json_tokener_new_ex(2)
    if let handle = unsafe handle {
      unsafe json_tokener_set_flags(handle, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8)
    }
  }

  deinit {
    if let handle = unsafe handle { unsafe json_tokener_free(handle) }
  }

  /// Parses the bytes of one value and hands it to a closure, or gives nil if json-c refuses it.
  private func parse<Result>(
    _ value: ArraySlice<UInt8>, isPlain: Bool = true, _ body: (OpaquePointer) -> Result?
  ) -> Result? {
    scratch.removeAll(keepingCapacity: true)
    if isPlain { scratch.append(contentsOf: value) } else { prepare(value) }
    // A number has no end of its own: the terminator is part of what is parsed.
    scratch.append(0)
    guard let handle = unsafe handle, let length = Int32(exactly: scratch.count) else { return nil }
    unsafe json_tokener_reset(handle)
    let object = unsafe scratch.withUnsafeBytes {
      unsafe json_tokener_parse_ex(
        handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), length)
    }
    guard let object = unsafe object else { return nil }
    defer { unsafe json_object_put(object) }
    return unsafe body(object)
  }

  /// Copies a string, writing differently what json-c would not read as it should.
  ///
  /// A raw tab becomes an escape: newer releases refuse it. An escaped surrogate pair becomes the
  /// scalar: release 0.16 takes U+1D800 to U+1DFFF, and the same range of each plane above, for
  /// surrogates, and makes them U+FFFD.
  private func prepare(_ string: ArraySlice<UInt8>) {
    unsafe string.withUnsafeBufferPointer { text in
      var index = 0
      while index < text.count {
        var length = 1
        if unsafe text[index] == .tab {
          scratch.append(.backslash)
          scratch.append(UInt8(ascii: "t"))
        } else if unsafe text[index] == .backslash, index + 1 < text.count {
          length = unsafe appendEscape(at: index, of: text)
        } else {
          unsafe scratch.append(text[index])
        }
        index += length
      }
    }
  }

  private func appendEscape(at index: Int, of text: UnsafeBufferPointer<UInt8>) -> Int {
    if unsafe text[index + 1] == UInt8(ascii: "u") {
      let (scalar, length) = unsafe JSONUnescaping.scalar(at: index, of: text)
      if length == 12 {
        scratch.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        return length
      }
    }
    unsafe scratch.append(text[index])
    unsafe scratch.append(text[index + 1])
    return 2
  }

  func string(_ value: ArraySlice<UInt8>, isPlain: Bool) -> String? {
    unsafe parse(value, isPlain: isPlain) { object in
      guard let start = unsafe json_object_get_string(object) else { return nil }
      // The length counts NUL characters, which end a C string.
      let length = unsafe Int(json_object_get_string_len(object))
      return unsafe UnsafeRawBufferPointer(start: start, count: length).withMemoryRebound(
        to: UInt8.self
      ) {
        unsafe String(decoding: $0, as: UTF8.self)
      }
    }
  }

  func int64(_ value: ArraySlice<UInt8>) -> Int64? {
    unsafe parse(value) { unsafe json_object_get_int64($0) }
  }

  func uint64(_ value: ArraySlice<UInt8>) -> UInt64? {
    unsafe parse(value) { unsafe json_object_get_uint64($0) }
  }

  func double(_ value: ArraySlice<UInt8>) -> Double? {
    unsafe parse(value) { unsafe json_object_get_double($0) }
  }

  func bool(_ value: ArraySlice<UInt8>) -> Bool? {
    unsafe parse(value) { unsafe json_object_get_boolean($0) != 0 }
  }
}
