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
  ///
  /// Every unescaped tab becomes an escape first: newer releases of json-c refuse it.
  private func parse<Result>(
    _ value: ArraySlice<UInt8>, hasRawTabs: Bool, _ body: (OpaquePointer) -> Result?
  ) -> Result? {
    scratch.removeAll(keepingCapacity: true)
    if hasRawTabs {
      for byte in value {
        if byte == .tab { scratch.append(.backslash) }
        scratch.append(byte == .tab ? UInt8(ascii: "t") : byte)
      }
    } else {
      scratch.append(contentsOf: value)
    }
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

  func string(_ value: ArraySlice<UInt8>, hasRawTabs: Bool) -> String? {
    parse(value, hasRawTabs: hasRawTabs) { object in
      guard let start = json_object_get_string(object) else { return nil }
      // The length counts NUL characters, which end a C string.
      let length = Int(json_object_get_string_len(object))
      return UnsafeRawBufferPointer(start: start, count: length).withMemoryRebound(to: UInt8.self) {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }

  func int64(_ value: ArraySlice<UInt8>) -> Int64? {
    parse(value, hasRawTabs: false) { json_object_get_int64($0) }
  }

  func uint64(_ value: ArraySlice<UInt8>) -> UInt64? {
    parse(value, hasRawTabs: false) { json_object_get_uint64($0) }
  }

  func double(_ value: ArraySlice<UInt8>) -> Double? {
    parse(value, hasRawTabs: false) { json_object_get_double($0) }
  }

  func bool(_ value: ArraySlice<UInt8>) -> Bool? {
    parse(value, hasRawTabs: false) { json_object_get_boolean($0) != 0 }
  }
}
