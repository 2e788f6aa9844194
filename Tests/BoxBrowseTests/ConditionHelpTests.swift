import BoxConvert
import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import BoxStoreTool
import TestSupport
import Testing

@testable import BoxBrowse

/// The words that can follow in a condition, and the errors of one that is being typed.
struct ConditionHelpTests {
  private static let model = TestModel(
    .init(
      name: "Film", uid: 1000,
      fields: [
        .init("title", 1010, .string), .init("year", 1011, .int, .indexed),
        .init("seen", 1012, .bool), .init("tags", 1013, .stringVector),
        .init("odd name", 1014, .double),
      ],
      relations: [.init("cast", 1020, to: "Person")]),
    .init(
      name: "Person", uid: 2000, fields: [.init("name", 2010, .string), .init("born", 2011, .date)]
    ))

  private let pages: BrowsedStore

  init() throws { pages = try BrowsedStore(Self.model) }

  private struct Help {
    var status: Int
    var from: Int64 = -1
    var words: [String] = []
    var types: [String] = []
    var problem: String?
  }

  private func help(_ entity: String, _ text: String, at place: Int? = nil) throws -> Help {
    let at = place.map { "&at=\($0)" } ?? ""
    let answer = pages.answer(
      "-/complete?entity=\(PercentText.value(entity))&text=\(PercentText.value(text))\(at)")
    guard answer.status == 200 else { return Help(status: answer.status) }
    let document = try JSONDocument(parsing: answer.body)
    guard case .object(let members) = document.value(of: document.root) else {
      throw ParsingProblem()
    }
    var help = Help(status: 200)
    for member in members {
      switch (member.key, member.value) {
      case ("from", .int(let from)): help.from = Int64(from)
      case ("entries", .array(let entries)):
        help.words = entries.map { Self.text($0["insert"]) }
        help.types = entries.map { Self.text($0["type"]) }
      case ("problem", .null): break
      case ("problem", let problem): help.problem = Self.text(problem["message"])
      default: Issue.record("\(member)")
      }
    }
    return help
  }

  private struct ParsingProblem: Error {}

  private static func text(_ value: JSONValue?) -> String {
    if case .string(let text)? = value { return text }
    return ""
  }

  @Test(
    arguments: [
      ("ti", ["title"]), ("", ["id", "title", "year", "seen", "tags", "`odd name`", "cast"]),
      ("year > 2000 && ti", ["title"]), ("!(se", ["seen"]), ("od", ["`odd name`"]),
      ("`od", ["`odd name`"]), ("`odd name` ", ["==", "!=", "<"]), ("ye", ["year"]),
      ("year ", ["==", "!=", "<", "<="]), ("seen ", ["==", "!=", "in"]),
      ("seen == ", ["true", "false", "nil"]),
      ("title ", ["==", "!=", "contains", "not contains", "startsWith"]),
      ("title st", ["startsWith"]), ("title not ", ["contains", "in", "between"]),
      ("title == \"ti", []), ("title == \"a\" ", ["&&", "||", "ignoringCase"]),
      ("title == \"a\" an", ["and"]), ("year between 1 ", ["and"]), ("year in (1, ", []),
      ("year in (1) ", ["&&", "||"]), ("year is ", ["nil", "not nil"]), ("year == ", ["nil"]),
      ("year < ", []), ("tags ", ["contains", "not contains", "is nil"]),
      ("any(tags) ", ["==", "!=", "contains", "startsWith"]), ("cast.", ["id", "name", "born"]),
      ("cast.na", ["name"]), ("cast.name en", ["endsWith"]), ("Film.ye", ["year"]),
      ("any(cast, na", ["name"]), ("any(cast, name == \"a\") && ti", ["title"]),
      ("any(", ["id", "title"]), ("x'00", []), ("year > 20", []), (") ", []), ("zzz", []),
    ] as [(String, [String])])
  func theWordsThatCanFollow(_ text: String, _ expected: [String]) throws {
    let help = try help("Film", text)
    #expect(Array(help.words.prefix(max(1, expected.count))) == expected, "\(help)")
    #expect(help.words.count <= 20)
  }

  @Test func entitiesThatLeadHereAreFollowedBackwards() throws {
    #expect(try help("Person", "any(Fi").words == ["Film"])
    #expect(try help("Person", "any(Film.ca").words == ["cast"])
    #expect(try help("Person", "any(Film.cast, ye").words == ["year"])
    #expect(try help("Film", "any(Pe").words == [])
  }

  @Test func aWordSaysWhatItIs() throws {
    #expect(try help("Film", "cast.na").types == ["string of Person"])
    #expect(try help("Film", "ca").types == ["to many Person"])
    #expect(try help("Film", "ye").types == ["int"])
  }

  @Test func theErrorOfTheWholeTextIsSaid() throws {
    #expect(try help("Film", "year > 1").problem == nil)
    #expect(try help("Film", "  \n").problem == nil)
    let problem = try help("Film", "year > 2 && titel == 1", at: 4)
    #expect(problem.problem == "1:13: Film has no property titel; did you mean title?")
  }

  @Test func aPlaceIsCountedAsScriptsCount() throws {
    let text = "title == \"\u{1F600}\" && ye && seen"
    let help = try help("Film", text, at: 19)
    #expect(help.words == ["year"] && help.from == 17)
    for wrong in [-1, 11, 1000] { #expect(try self.help("Film", text, at: wrong).status == 400) }
    #expect(try self.help("Filn", "").status == 404)
    for query in ["", "?entity=Film&x=1", "?entity=Film&at=x", "?entity=Film&entity=Film"] {
      #expect(pages.answer("-/complete" + query).status == 400)
    }
  }

  /// The law: a word that is inserted where it was offered is offered no more, and nothing ends the program.
  @Test func wordsAreOfferedWhereTheyFit() throws {
    var random = TestSeed.next()
    let parts = [
      "title", "year", "cast", ".", "name", "`odd name`", "`", "\"", "'", "\\", "(", ")", "[", "]",
      ",", "&&", "||", "!", "any(", "nearest(", "in", "not", "between", "is", "nil", "==", "<", "1",
      "2024-02-29", "x'", " ", " ", " ", "ignoringCase", "é", "\u{301}", "\u{1F600}", "\u{0}", "\n",
    ]
    for _ in 0..<TestSeed.count("BOXJOINT_SOAK_CONDITION_HELP", default: 400) {
      let text = (0..<random.below(9)).map { _ in random.pick(parts) }.joined()
      let help = try help(random.pick(["Film", "Person"]), text)
      #expect(help.status == 200 && help.words.count <= 20)
      #expect((0...Int64(text.utf16.count)).contains(help.from), "\(text.debugDescription)")
    }
  }

  /// The law: each word completes a beginning of itself.
  @Test func aBeginningIsCompleted() throws {
    for before in ["", "year > 1 && ", "any(cast, "] {
      for word in try help("Film", before).words {
        for length in 1..<word.count where word.first != "`" {
          let begun = try help("Film", before + word.prefix(length))
          #expect(begun.words.contains(word), "\(before)\(word.prefix(length))")
          #expect(begun.from == Int64(before.utf16.count))
        }
      }
    }
  }
}
