import BoxJSON
import CJSONC

/// The result of json-c for a whole text, for comparison.
final class JSONCOracle {
  private var tokener: UnsafeMutablePointer<json_tokener>?
  private let depth: Int32
  private let decoder = JSONValueDecoder()

  static var version: String { String(cString: json_c_version()) }

  init(maximumDepth: Int = 128) {
    // To json-c the values in the innermost array are one level more.
    depth = Int32(maximumDepth + 1)
    renew()
  }

  private func renew() {
    if let tokener { json_tokener_free(tokener) }
    tokener = json_tokener_new_ex(depth)
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8)
  }

  deinit { json_tokener_free(tokener) }

  /// Whether json-c takes the text, and where a document of ours holds something else than json-c.
  func compare(_ bytes: [UInt8], with document: JSONDocument?) -> (taken: Bool, difference: String?)
  {
    let terminated = bytes + [0]
    let object = terminated.withUnsafeBytes {
      json_tokener_parse_ex(
        tokener, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
    }
    defer { json_object_put(object) }
    guard json_tokener_get_error(tokener) == json_tokener_success,
      json_tokener_get_parse_end(tokener) >= bytes.count
    else {
      // A reset would leave half of a surrogate pair behind, for the next text to stumble over.
      renew()
      return (false, nil)
    }
    json_tokener_reset(tokener)
    guard let document else { return (true, nil) }
    return (true, difference(document.root, in: document, object))
  }

  private func difference(
    _ node: JSONNode, in document: JSONDocument, _ object: OpaquePointer?
  ) -> String? {
    func unless(_ isEqual: Bool) -> String? {
      isEqual ? nil : "\(document.text(of: node)) at \(document.range(of: node))"
    }
    let type = json_object_get_type(object)
    switch document.kind(of: node) {
    case .null:
      return unless(object == nil)
    case .bool:
      let value = json_object_get_boolean(object) != 0
      return unless(
        type == json_type_boolean && decoder.bool(node, in: document) == value
          && document.text(of: node) == (value ? "true" : "false"))
    case .string:
      guard type == json_type_string, let start = json_object_get_string(object) else {
        return unless(false)
      }
      let count = Int(json_object_get_string_len(object))
      let value = UnsafeRawBufferPointer(start: start, count: count)
      return unless(
        isSame(document.key(node), String(decoding: value, as: UTF8.self), document.text(of: node))
          && decoder.string(node, in: document)?.utf8.elementsEqual(document.key(node).utf8) == true
      )
    case .number:
      return unless(isSameNumber(node, in: document, object))
    case .array:
      let elements = document.elements(of: node)
      guard type == json_type_array, json_object_array_length(object) == elements.count else {
        return unless(false)
      }
      for (index, element) in elements.enumerated() {
        let other = json_object_array_get_idx(object, index)
        if let found = difference(element, in: document, other) { return found }
      }
      return nil
    case .object:
      guard type == json_type_object else { return unless(false) }
      return differenceOfMembers(node, in: document, object)
    }
  }

  /// Compares strings, but for the scalars that json-c takes for surrogates if they are escaped.
  private func isSame(_ ours: some StringProtocol, _ theirs: String, _ text: String) -> Bool {
    let theirs = theirs.unicodeScalars
    let ours = ours.unicodeScalars
    guard ours.count == theirs.count else { return false }
    return zip(ours, theirs).allSatisfy { our, their in
      let isMistaken = our.value > 0xFFFF && our.value & 0xF800 == 0xD800
      return our == their || isMistaken && their == "\u{FFFD}" && text.contains(#"\u"#)
    }
  }

  private func isSameNumber(
    _ node: JSONNode, in document: JSONDocument, _ object: OpaquePointer?
  ) -> Bool {
    let text = document.text(of: node)
    let double = decoder.double(node, in: document)
    guard document.isInteger(node) else {
      // The reader of the standard library is a third opinion.
      let value = json_object_get_double(object)
      return json_object_get_type(object) == json_type_double
        && (double?.bitPattern == value.bitPattern || double == nil && value.isInfinite)
        && Double(text)?.bitPattern == value.bitPattern
    }
    guard json_object_get_type(object) == json_type_int else { return false }
    guard double?.bitPattern == Double(text)?.bitPattern else { return false }
    if text.hasPrefix("-") {
      let value = json_object_get_int64(object)
      return Int64(text) == value && decoder.integer(node, in: document) == value
    }
    let value = json_object_get_uint64(object)
    return UInt64(text) == value && decoder.integer(node, in: document) == value
  }

  /// Compares keys up to their first NUL, where json-c cuts them.
  private func differenceOfMembers(
    _ node: JSONNode, in document: JSONDocument, _ object: OpaquePointer?
  ) -> String? {
    let members = document.members(of: node)
    let cut = members.map { document.key($0.key).utf8.prefix { $0 != 0 } }
    // Keys that differ behind a NUL only are one key to json-c.
    guard Set(cut.map(Array.init)).count == cut.count else { return nil }
    guard json_object_object_length(object) == Int32(members.count) else {
      return "the members of \(document.text(of: node))"
    }
    var iterator = json_object_iter_begin(object)
    for (member, key) in zip(members, cut) {
      let name = String(cString: json_object_iter_peek_name(&iterator))
      guard isSame(String(key) ?? "", name, document.text(of: member.key)) else {
        return "the key \(document.text(of: member.key))"
      }
      let value = json_object_iter_peek_value(&iterator)
      if let found = difference(member.value, in: document, value) { return found }
      json_object_iter_next(&iterator)
    }
    return nil
  }
}
