import TestSupport

/// The sources of a package, as people edit them and git merges them: entities of plain properties in files.
struct TeamSources: Hashable {
  /// A property with the comments above it.
  struct Member: Hashable {
    var name: String
    var type: String
    var comments: [String] = []
  }

  struct Entity: Hashable {
    var name: String
    var members: [Member] = []
    /// The comments above it but for the one that makes it an entity.
    var comments: [String] = []
  }

  /// A file: its entities, and the width of its indentation.
  struct File: Hashable {
    var entities: [Entity] = []
    var indentation = 2
  }

  /// The files by their names.
  var files: [String: File] = [:]

  var names: [String] { files.keys.sorted() }
  var entities: [Entity] { names.flatMap { files[$0]?.entities ?? [] } }

  /// Reads the text of files, also one that git has merged.
  init(_ texts: [String: String]) {
    var seen: Set<String> = []
    for name in texts.keys.sorted() {
      var file = File()
      var comments: [String] = []
      for line in (texts[name] ?? "").split(separator: "\n") {
        let words = line.split(separator: " ").map(String.init)
        if line.hasPrefix("   ") { file.indentation = 4 }
        if words.first == "final", words.count > 2 {
          let own = comments.filter { $0 != Self.mark }
          file.entities.append(Entity(name: words[2], comments: own))
          comments = []
        } else if words.first == "//" {
          comments.append(words.joined(separator: " "))
        } else if words.first == "var", words.count > 2, !file.entities.isEmpty {
          let member = Member(
            name: String(words[1].dropLast()), type: words[2], comments: comments)
          comments = []
          let last = file.entities.count - 1
          if file.entities[last].members.contains(where: { $0.name == member.name }) { continue }
          file.entities[last].members.append(member)
        }
      }
      // Twice the same does not compile: whoever merges takes one out.
      file.entities.removeAll { !seen.insert($0.name).inserted }
      if !file.entities.isEmpty { files[name] = file }
    }
  }

  /// The text of each file.
  var texts: [String: String] {
    files.mapValues { file in
      let blank = String(repeating: " ", count: file.indentation)
      return file.entities.map { entity in
        var lines = [Self.mark] + entity.comments + ["final class \(entity.name) {"]
        for member in entity.members {
          lines += member.comments.map { blank + $0 }
          let value = member.type == "String" ? "\"\"" : "0"
          lines += [
            blank + "var \(member.name): \(member.type) = \(value)", "",
          ]
        }
        return (lines + ["\(blank)init() {}", "}"]).joined(separator: "\n") + "\n"
      }.joined(separator: "\n")
    }
  }

  /// The comment that makes a class an entity.
  private static let mark = "// objectbox: entity"

  /// Writes an annotation above the declaration of an entity or a member, in the place of one of its kind.
  mutating func annotate(_ entity: String, _ member: String?, _ annotation: String) {
    for name in names {
      guard let e = files[name]?.entities.firstIndex(where: { $0.name == entity }) else { continue }
      guard let member else {
        files[name]?.entities[e].comments = [annotation]
        continue
      }
      let p = files[name]?.entities[e].members.firstIndex { $0.name == member }
      if let p { files[name]?.entities[e].members[p].comments = [annotation] }
    }
  }

  // MARK: - Edits

  /// Makes one edit; the name of something new has a number that no other has.
  mutating func edit(_ number: Int, _ random: inout SplitMix64) {
    guard let file = names.randomElement(using: &random), var content = files[file],
      let e = content.entities.indices.randomElement(using: &random)
    else {
      files["F\(number)"] = File(entities: [Self.newEntity(number)])
      return
    }
    let movable = content.entities[e].members.indices.dropFirst()
    switch random.below(20) {
    case 0..<4:
      let place = random.below(content.entities[e].members.count) + 1
      let type = random.pick(["Int", "String"])
      content.entities[e].members.insert(Member(name: "p\(number)", type: type), at: place)
    case 4..<8:
      if let p = movable.randomElement(using: &random) { content.entities[e].members.remove(at: p) }
    case 8..<14:
      guard let p = movable.randomElement(using: &random) else { break }
      let member = content.entities[e].members.remove(at: p)
      content.entities[e].members.insert(
        member, at: random.below(content.entities[e].members.count) + 1)
    case 14:
      content.indentation = 6 - content.indentation
    case 15..<17:
      let moved = content.entities.remove(at: e)
      files["F\(number)"] = File(entities: [moved], indentation: content.indentation)
    case 17:
      if entities.count > 2 { content.entities.remove(at: e) }
    default:
      content.entities.append(Self.newEntity(number))
    }
    files[file] = content.entities.isEmpty ? nil : content
  }

  private static func newEntity(_ number: Int) -> Entity {
    Entity(
      name: "E\(number)",
      members: [Member(name: "id", type: "Id")]
        + (0..<4).map { Member(name: "p\(number)\("abcd".dropFirst($0).prefix(1))", type: "Int") })
  }
}
