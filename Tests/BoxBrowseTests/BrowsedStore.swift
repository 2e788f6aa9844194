import BoxDump
import BoxEngine
import BoxModel
import BoxStorage
import BoxStoreTool
import BoxWorkspace
import TestSupport
import Testing

@testable import BoxBrowse

/// A store in a directory, and its pages.
struct BrowsedStore {
  let directory: TemporaryDirectory
  let store: ObjectStore
  let server: BrowseServer

  init(_ model: TestModel, name: String = "data") throws {
    directory = try TemporaryDirectory()
    store = try ObjectStore.open(
      .directory(directory.path(of: "data")), model: model.document())
    let browsed = BrowseStore(
      name: name, path: directory.path(of: "data"), isTrusted: true, isReadOnly: false)
    server = BrowseServer(
      [browsed], CatalogueChoice(), hosts: [], key: BrowseKey(3, 4),
      in: Workspace(directory: directory.path))
  }

  /// The answer to a path after the key and the store.
  func answer(_ path: String, _ method: String = "GET") -> BrowseAnswer {
    answer(target: server.address(.page(store: server.stores[0].name, .overview)) + path, method)
  }

  func answer(target: String, _ method: String = "GET") -> BrowseAnswer {
    server.answer(BrowseRequest(method, target, [("Host", "127.0.0.1")]), BrowseCancellation())
  }

  func text(_ path: String) -> String { String(decoding: answer(path).body, as: UTF8.self) }

  /// Puts objects, and returns their ids.
  @discardableResult
  func put(_ entity: String, _ values: [[String: Value]]) throws -> [UInt64] {
    let schema = try store.entity(named: entity)
    return try store.write { transaction in
      try values.map { values in
        var object = DynamicObject(schema)
        for (name, value) in values { object[name] = value }
        return try transaction.put(object)
      }
    }
  }
}

/// An output that keeps what is written; one thread writes to it.
final class KeptBytes: DumpOutput, DumpStream, @unchecked Sendable {
  private(set) var bytes: [UInt8] = []

  func open(_ name: String) throws -> any DumpStream { self }
  func write(_ bytes: UnsafeRawBufferPointer) throws { self.bytes += bytes }
  func finish() throws {}
}

/// The elements and texts of a page, which has to be well-formed.
struct PageReader {
  /// A piece of a page.
  enum Token: Equatable {
    case start(String, [String: String])
    case end(String)
    case text(String)
  }

  let tokens: [Token]

  /// The elements that pages have; others load, run or hide something.
  private static let known: Set<String> = [
    "html", "head", "meta", "title", "link", "body", "header", "nav", "main", "aside", "div",
    "span",
    "p", "a", "b", "bdi", "br", "button", "code", "pre", "mark", "small", "strong", "h1", "h2",
    "ul",
    "ol", "li", "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tr", "th", "td", "form",
    "label", "input", "textarea", "details", "summary", "svg", "path", "rect", "time", "script",
    "figure", "img", "section",
  ]

  init(_ page: String) throws {
    var tokens: [Token] = []
    var open: [String] = []
    var rest = Substring(page)
    rest.removePrefix("<!DOCTYPE html>\n")
    while let mark = rest.firstIndex(of: "<") {
      if mark > rest.startIndex { tokens.append(.text(try Self.decoded(rest[..<mark]))) }
      let end = try #require(rest[mark...].firstIndex(of: ">"))
      var tag = rest[rest.index(after: mark)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.first == "/" {
        #expect(open.popLast().map { $0[...] } == tag.dropFirst())
        tokens.append(.end(String(tag.dropFirst())))
        continue
      }
      let isEmpty = tag.last == "/"
      if isEmpty { tag.removeLast() }
      let (name, attributes) = try Self.attributes(of: tag)
      #expect(Self.known.contains(name), "\(name)")
      tokens.append(.start(name, attributes))
      if isEmpty { tokens.append(.end(name)) } else { open.append(name) }
    }
    #expect(open.isEmpty)
    self.tokens = tokens
  }

  private static func attributes(of tag: Substring) throws -> (String, [String: String]) {
    let name = tag.prefix { $0 != " " }
    var rest = tag.dropFirst(name.count)
    var attributes: [String: String] = [:]
    while !rest.isEmpty {
      #expect(rest.first == " ")
      rest = rest.dropFirst()
      let key = rest.prefix { $0 != "=" }
      rest = rest.dropFirst(key.count)
      #expect(rest.hasPrefix("=\""))
      let value = rest.dropFirst(2).prefix { $0 != "\"" }
      rest = rest.dropFirst(value.count + 3)
      #expect(attributes.updateValue(try decoded(value), forKey: String(key)) == nil)
      #expect(!key.hasPrefix("on") && key != "style", "\(key)")
    }
    return (String(name), attributes)
  }

  private static func decoded(_ text: Substring) throws -> String {
    var result = ""
    var rest = text
    while let mark = rest.firstIndex(of: "&") {
      result += rest[..<mark]
      let end = try #require(rest[mark...].firstIndex(of: ";"))
      switch rest[mark...end] {
      case "&amp;": result += "&"
      case "&lt;": result += "<"
      case "&gt;": result += ">"
      case "&quot;": result += "\""
      default: Issue.record("\(rest[mark...end])")
      }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// The addresses of all links, forms and files of the page.
  var addresses: [String] {
    tokens.flatMap { token -> [String] in
      guard case .start(_, let attributes) = token else { return [] }
      return ["href", "src", "action", "data-state", "data-complete"].compactMap { attributes[$0] }
    }
  }

  /// The address of the first link with an attribute.
  func link(_ name: String, _ value: String) -> String? {
    for case .start("a", let attributes) in tokens where attributes[name] == value {
      return attributes["href"]
    }
    return nil
  }

  /// The texts in the elements of a name that have an attribute, with everything that was written out as it was.
  func values(in element: String, with name: String) -> [(name: String, text: String, isNil: Bool)]
  {
    var found: [(name: String, text: String, isNil: Bool)] = []
    var (depth, isEscaped, isValue): (Int, Bool, Int) = (0, false, 0)
    for token in tokens {
      switch token {
      case .start(element, let attributes) where depth == 0:
        guard let value = attributes[name] else { continue }
        found.append((value, "", false))
        depth = 1
      case .start(let other, let attributes) where depth > 0:
        depth += 1
        if other == "bdi" { isValue = depth }
        if attributes["class"] == "esc" { isEscaped = true }
        if attributes["class"] == "nil" { found[found.count - 1].isNil = true }
      case .end where depth > 0:
        if depth == isValue { isValue = 0 }
        depth -= 1
        isEscaped = false
      case .text(let text) where depth > 0 && (isValue > 0 || found[found.count - 1].isNil):
        found[found.count - 1].text += isEscaped ? Self.unescaped(text) : text
      default: break
      }
    }
    return found
  }

  /// The character that was written out.
  private static func unescaped(_ text: String) -> String {
    switch text {
    case "·": return " "
    case "\\n": return "\n"
    case "\\t": return "\t"
    case "\\r": return "\r"
    default:
      guard text.hasPrefix("\\u{"), text.hasSuffix("}"),
        let number = UInt32(text.dropFirst(3).dropLast(), radix: 16),
        let scalar = Unicode.Scalar(number)
      else { return "?" + text }
      return String(scalar)
    }
  }
}

extension Substring {
  fileprivate mutating func removePrefix(_ prefix: String) {
    if hasPrefix(prefix) { self = dropFirst(prefix.count) }
  }
}
