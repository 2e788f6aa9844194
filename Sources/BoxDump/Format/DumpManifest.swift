internal import BoxJSON

/// The manifest of a dump that is a directory: its header, and the contents of its files.
public struct DumpManifest: Hashable, Sendable {
  /// The section that a file contains.
  public enum Content: Hashable, Sendable {
    case entity(DumpTotals.EntityTotal)
    case relation(DumpTotals.RelationTotal)
  }

  /// A file of the directory.
  public struct File: Hashable, Sendable {
    /// The name, without a directory.
    public var name: String
    /// The section that the file contains.
    public var content: Content
    /// Its size, uncompressed.
    public var bytes: Int
    /// The CRC-32C of its content, uncompressed.
    public var checksum: UInt32

    /// Creates the entry of a file.
    public init(name: String, content: Content, bytes: Int, checksum: UInt32) {
      self.name = name
      self.content = content
      self.bytes = bytes
      self.checksum = checksum
    }
  }

  /// The name of the manifest in its directory.
  public static let fileName = "manifest.json"

  /// The header.
  public var header: DumpHeader
  /// The files, entities first.
  public var files: [File]
  /// Whether the header and the entries of the files are unchanged since they were written; true
  /// for a manifest of a version that did not write a check.
  public private(set) var isUnchanged = true

  /// Creates a manifest.
  public init(header: DumpHeader, files: [File]) {
    self.header = header
    self.files = files
  }

  /// The error for a manifest that was changed, of the dump in a directory.
  static func wrongCheck(_ directory: String) -> DumpError {
    DumpError("was changed or damaged: its check is wrong", path: directory + "/" + fileName)
  }

  /// The totals of all files.
  ///
  /// - Complexity: O(*n*) in the number of files.
  public var totals: DumpTotals {
    var totals = DumpTotals()
    var positions: (entities: [ExactText: Int], relations: [ExactText: Int]) = ([:], [:])
    for file in files {
      switch file.content {
      case .entity(let total):
        if let position = positions.entities[ExactText(total.name)] {
          totals.entities[position].add(total)
        } else {
          positions.entities[ExactText(total.name)] = totals.entities.count
          totals.entities.append(total)
        }
      case .relation(let total):
        if let position = positions.relations[ExactText(total.name)] {
          totals.relations[position].add(total)
        } else {
          positions.relations[ExactText(total.name)] = totals.relations.count
          totals.relations.append(total)
        }
      }
    }
    return totals
  }
}

extension DumpManifest {
  /// The manifest as JSON, with a line for each file.
  public var text: [UInt8] {
    let header = header.text
    let files = files.map { Array($0.json.text(indent: 0).utf8) }
    var check = DumpChecksum()
    check.update(header)
    check.update("[".utf8)
    check.update(files.joined(separator: ",".utf8))
    check.update("]".utf8)
    var writer = JSONTextWriter()
    writer.append(raw: "{\"boxjoint\":")
    writer.append(raw: header)
    writer.append(raw: ",\n\"files\":[")
    for (index, file) in files.enumerated() {
      writer.append(raw: index == 0 ? "\n" : ",\n")
      writer.append(raw: file)
    }
    writer.append(raw: "],\n\"check\":\"\(check.text)\"}\n")
    return writer.bytes
  }

  /// Reads a manifest.
  ///
  /// - Throws: ``DumpError``, with the place of the fault: also for a file name that leads out of
  ///   the directory, and for a name that occurs twice.
  public init(parsing bytes: [UInt8]) throws(DumpError) {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(parsing: bytes)
    } catch {
      throw DumpError(error)
    }
    let reader = try MemberReader(document, document.root, "the manifest", line: 1)
    let head = try reader.required("boxjoint")
    header = try DumpHeader(head, in: document)
    files = []
    let list = try reader.required("files")
    if reader.node("check") != nil {
      var check = DumpChecksum(head, in: document)
      check.update(document.compactText(of: list))
      isUnchanged = check.value == (try reader.checksum("check"))
    }
    guard document.kind(of: list) == .array else {
      throw reader.error("\"files\" of the manifest is not an array", list)
    }
    var fileNames: Set<String> = [Self.fileName]
    for node in document.elementNodes(of: list) {
      let file = try File(try MemberReader(document, node, "the entry of a file", line: 1))
      if !fileNames.insert(file.name).inserted {
        throw reader.error("the manifest names the file \(file.name) twice", node)
      }
      files.append(file)
    }
  }
}

extension DumpManifest.File {
  fileprivate var json: JSONValue {
    var members: [JSONValue.Member] = [.init("file", .string(name))]
    switch content {
    case .entity(let total):
      members += [
        .init("entity", .string(total.name)), .init("objects", .int(total.objects)),
        .init("lastId", .uint(total.lastID)),
      ]
    case .relation(let total):
      members += [
        .init("relation", .string(total.name)), .init("sources", .int(total.sources)),
        .init("targets", .int(total.targets)),
      ]
    }
    members += [
      .init("bytes", .int(bytes)), .init("crc32c", .string(DumpChecksum.text(checksum))),
    ]
    return .object(members)
  }

  fileprivate init(_ reader: MemberReader) throws(DumpError) {
    let node = try reader.required("file")
    name = try reader.string(node, "file")
    guard Self.isPlain(name) else {
      throw reader.error(
        "\"file\" is not a plain name of a file in the directory of the manifest", node)
    }
    if reader.node("entity") != nil {
      content = .entity(
        .init(
          name: try reader.string("entity"), objects: try reader.integer("objects"),
          lastID: try reader.lastID()))
    } else if reader.node("relation") != nil {
      content = .relation(
        .init(
          name: try reader.string("relation"), sources: try reader.integer("sources"),
          targets: try reader.integer("targets")))
    } else {
      throw reader.error("the entry of \(name) has neither \"entity\" nor \"relation\"", node)
    }
    bytes = try reader.integer("bytes")
    checksum = try reader.checksum("crc32c")
  }

  /// Whether a name is the name of a file directly in the directory.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255
      && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 == 0 }
  }

  /// The name of the file of an entity or a relation, before the extension for the compression.
  ///
  /// Characters that a file name cannot contain are written as `%` and two hexadecimal digits.
  ///
  /// - Parameter name: `Entity` or `Entity.relation`.
  /// - Returns: The name, without a directory.
  static func name(of name: String) -> String { stem(of: name) + ending }

  /// The extension of a file, before the extension of a compression.
  static let ending = ".ndjson"

  /// The bytes that an entity's name may take in a file name: file systems allow 255, with a number and the
  /// extensions.
  private static let maximumStem = 193

  /// The names that the file of an entity or a relation may have, without a period and what follows it.
  ///
  /// They follow from the name alone, so that an import finds the entity of a table. The second stem is for a
  /// name that is too long, or that a file system would confuse with another name: it ends with a checksum of
  /// the whole name.
  ///
  /// - Parameters:
  ///   - name: `Entity` or `Entity.relation`.
  ///   - areTables: Whether the files are tables, of which an import skips those whose names begin with `_`.
  /// - Returns: The names; two that are one if the name is too long.
  static func stems(
    of name: String, areTables: Bool = false
  ) -> (first: String, second: String) {
    func stem(_ name: some StringProtocol) -> String {
      let stem = self.stem(of: String(name))
      return areTables && stem.hasPrefix("_") ? "%5f" + stem.dropFirst() : stem
    }
    var check = DumpChecksum()
    check.update(name.utf8)
    let mark = "~" + check.text
    var start = name.unicodeScalars.prefix(maximumStem)
    while stem(String(start)).utf8.count > maximumStem - mark.utf8.count {
      start = start.dropLast()
    }
    let (whole, second) = (stem(name), stem(String(start)) + mark)
    return (whole.utf8.count > maximumStem ? second : whole, second)
  }

  /// The name of the file of an entity or a relation, without a period and what follows it.
  static func stem(of name: String) -> String {
    var result = ""
    for (index, scalar) in name.unicodeScalars.enumerated() {
      let isSafe =
        !scalar.isHazardousForFiles && !(index == 0 && (scalar == "." || scalar == "-"))
      if isSafe {
        result.unicodeScalars.append(scalar)
      } else {
        for byte in Array(String(scalar).utf8) {
          result += "%" + byte.hexadecimal(digits: 2)
        }
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  fileprivate var isHazardousForFiles: Bool {
    value < 0x20 || value == 0x7F || "%/\\:*?\"<>|".unicodeScalars.contains(self)
  }
}
