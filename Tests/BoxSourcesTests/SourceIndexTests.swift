import TestSupport
import Testing

@testable import BoxSources

struct SourceIndexTests {
  private func file(_ path: String, _ text: String) -> SwiftFile {
    SwiftFile(path: path, bytes: Array(text.utf8))
  }

  @Test func filesAreTakenByWhatTheyDeclare() {
    var index = SourceIndex([
      file("a", "enum Kind: Int {}"), file("b", "public  final\tclass\n  `Type`<T> {}"),
      file("c", "extension Library.Book {}"), file("d", "let x: Kind = .a"),
      file("e", "class A: Entity {}"), file("f", "// Box:index\nstruct B {}"),
    ])
    #expect(index.takeEntities(prefix: "Box").map(\.path) == ["e", "f"])
    #expect(index.takeFiles(declaring: ["Kinds", "B", "A"]).isEmpty)
    #expect(index.takeFiles(declaring: ["Book", "Type", "Kind"]).map(\.path) == ["a", "b", "c"])
    #expect(index.takeFiles(declaring: ["Book", "Type", "Kind"]).isEmpty)
  }

  /// Each declaration of random text is found, whatever stands around it.
  @Test func declarationsAreFoundInAnyText() {
    var random = TestSeed.next()
    let keywords = ["enum", "typealias", "class", "struct", "extension", "actor", "protocol"]
    for _ in 0..<2000 {
      var names: Set<String> = []
      var text = ""
      for _ in 0...random.below(6) {
        let name = "N\(random.below(1000))" + random.pick(["", "é", "_"])
        let written = random.pick([name, "`\(name)`"])
        text += random.pick(["", "enum", "en", " class", "\n", "struc", "🙂", "\"", "// "])
        text += random.pick(keywords) + random.pick([" ", "\n", "\t", "  \r\n"]) + written
        text += random.pick([" ", "{", ":", "<", "\n"])
        names.insert(name)
      }
      let found = file("a", text).declaredNames
      #expect(names.isSubset(of: found), "\(text.debugDescription): \(found)")
      #expect(file("a", text).contains("Entity") == text.contains("Entity"))
    }
  }
}
