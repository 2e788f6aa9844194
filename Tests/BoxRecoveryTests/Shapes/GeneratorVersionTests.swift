import BoxModel
import TestSupport
import Testing

@testable import BoxRecovery

/// Code of each generator and version, in `Tests/Fixtures/code`, gives the models of `models.txt`.
///
/// The code follows the description of what the generators write; no other test made it.
struct GeneratorVersionTests {
  /// A file of code with the models that the generator could write.
  struct Source: Sendable, CustomTestStringConvertible {
    var name: String
    var path: String
    var shape: CodeWriter.Shape
    var models: ClosedRange<Int> = 1...10
    /// Models with types, flags or names that the version did not have yet.
    var without: Set<Int> = []

    var testDescription: String { name }
    var numbers: [Int] { models.filter { !without.contains($0) } }
  }

  static let sources: [Source] =
    ["0.14", "0.15", "1.0", "2.5", "4.2", "5.1"].map { version in
      Source(
        name: "dart-\(version)", path: "lib/objectbox.g.dart", shape: .dart,
        without: version < "4.2" ? [8] : [])
    }
    + [
      ("0.9", [2, 7, 8, 9]), ("1.7", [2, 7, 8, 9]), ("1.8", [7, 8, 9]), ("4.0", [7, 8]),
      ("5.3", []),
    ]
    .map { version, without in
      Source(
        name: "swift-\(version)", path: "EntityInfo-App.generated.swift", shape: .swift,
        without: Set(without))
    }
    + ["2019", "current", "jadx", "bare", "r8"].map { version in
      Source(
        name: "java-\(version)", path: "MyObjectBox.java",
        shape: version == "r8" ? .minifiedJava : .java,
        without: version == "2019" ? [7, 8, 9] : [])
    }
    + ["2019.01", "2.0"].map { Source(name: "go-\($0)", path: "", shape: .go) }
    + [
      Source(name: "c", path: "objectbox-model.h", shape: .c),
      Source(name: "cpp", path: "objectbox-model.h", shape: .c),
    ]

  private static func text(_ name: String) -> String {
    String(decoding: Corpus.fixture("code/\(name).txt").bytes, as: UTF8.self)
  }

  /// The parts of a text that begin with a mark, each with the rest of the line of the mark.
  private static func parts(_ text: String, _ mark: String) -> [(title: String, lines: [Substring])]
  {
    var result: [(title: String, lines: [Substring])] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(mark + " ") {
        result.append((String(line.dropFirst(mark.count + 1)), []))
      } else if !result.isEmpty {
        result[result.count - 1].lines.append(line)
      }
    }
    return result
  }

  private static func files(_ lines: [Substring], _ source: Source) -> [CodeScan.File] {
    let code = lines.joined(separator: "\n")
    if source.shape != .go { return [CodeScan.File(path: source.path, bytes: Array(code.utf8))] }
    return parts(code, "---").map { part in
      CodeScan.File(
        path: "model/" + part.title, bytes: Array(part.lines.joined(separator: "\n").utf8))
    }
  }

  @Test(arguments: sources)
  func codeGivesItsModel(_ source: Source) throws {
    let models = try WrittenModels.read(Self.text("models"), swift: source.shape == .swift)
    #expect(models.count == 10)
    let parts = Self.parts(Self.text(source.name), "===")
    #expect(parts.compactMap { Int($0.title) } == source.numbers)
    for part in parts {
      let number = try #require(Int(part.title))
      let found = CodeScan.evidence(in: Self.files(part.lines, source))
      try #require(found.count == 1, "\(source.name) \(number)")
      #expect(found[0].problems.isEmpty, "\(source.name) \(number): \(found[0].problems)")
      #expect(found[0].isComplete, "\(source.name) \(number)")
      let expected = try #require(models[number])
      #expect(
        ComparableModel(found[0].model, source.shape) == ComparableModel(expected, source.shape),
        "\(source.name) \(number)")
    }
  }

  /// The generator for C writes the parameters of a vector index to the file.
  @Test(arguments: ["c", "cpp"])
  func parametersOfAVectorIndexComeBack(_ name: String) throws {
    let source = try #require(Self.sources.first { $0.name == name })
    let part = try #require(Self.parts(Self.text(name), "===").first { $0.title == "9" })
    let found = CodeScan.evidence(in: Self.files(part.lines, source))
    #expect(
      found.first?.model.entities[0].properties[1].hnswParams
        == #"{"dimensions":3,"neighbors-per-node":30,"distance-type":"Cosine"}"#)
  }
}

/// The models of `Tests/Fixtures/code/models.txt`, whose first lines describe the notation.
enum WrittenModels {
  static func read(_ text: String, swift: Bool) throws -> [Int: Model] {
    var models: [Int: Model] = [:]
    var number = 0
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = words(line)
      if line.hasPrefix("===") {
        number = try #require(Int(words[1]))
        models[number] = head(words.suffix(3))
      } else if words[0] == "retired" {
        let kind = try #require(ElementKind.allCases.first { $0.description == words[1] })
        models[number]?[retired: kind] = words.dropFirst(2).compactMap { UID($0) }
      } else if line.hasPrefix("  ") {
        try addMember(words, swift, to: &models[number, default: Model()])
      } else {
        var entity = Entity(pair: try pair(words[1]), name: words[0])
        entity.lastPropertyID = try pair(words[3])
        entity.flags = EntityFlags(rawValue: value("flags", words).flatMap { UInt32($0) } ?? 0)
        entity.externalName = value("name", words)
        entity.relations = []
        models[number]?.entities.append(entity)
      }
    }
    return models
  }

  private static func head(_ pairs: ArraySlice<String>) -> Model {
    var model = Model()
    let pairs = pairs.map { IDPair(text: $0) ?? .unset }
    (model.lastEntityID, model.lastIndexID, model.lastRelationID) = (pairs[0], pairs[1], pairs[2])
    for kind in ElementKind.allCases { model[retired: kind] = [] }
    (model.modelVersion, model.modelVersionParserMinimum, model.version) = (5, 5, 1)
    return model
  }

  private static func addMember(_ words: [String], _ swift: Bool, to model: inout Model) throws {
    let e = model.entities.count - 1
    let external = value("external", words).flatMap { Int($0) }
    if words[1] == "*" {
      var relation = Relation(pair: try pair(words[2]), name: words[0], target: try pair(words[4]))
      relation.externalName = value("name", words)
      relation.externalType = external
      model.entities[e].relations?.append(relation)
      return
    }
    let flags = words[3].split(separator: "/").compactMap { UInt32($0) }
    let bits = try #require(swift ? flags.last : flags.first)
    var property = Property(
      pair: try pair(words[1]), name: words[0],
      type: PropertyType(rawValue: try #require(Int32(words[2]))),
      flags: PropertyFlags(rawValue: bits))
    property.indexID = try value("index", words).map { try pair($0) }
    property.relationTarget = value("->", words)
    property.externalName = value("name", words)
    property.externalType = external
    model.entities[e].properties.append(property)
  }

  /// The words of a line; a string in quotes is one.
  private static func words(_ line: Substring) -> [String] {
    var result: [String] = []
    var (word, isQuoted, isEscaped) = ("", false, false)
    for character in line {
      if isEscaped || isQuoted && character != "\"" && character != "\\" {
        word.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if character != " " {
        word.append(character)
      } else if !word.isEmpty {
        result.append(word)
        word = ""
      }
    }
    return word.isEmpty ? result : result + [word]
  }

  private static func value(_ key: String, _ words: [String]) -> String? {
    words.dropFirst().firstIndex(of: key).map { words[$0 + 1] }
  }

  private static func pair(_ text: String) throws -> IDPair { try #require(IDPair(text: text)) }
}
