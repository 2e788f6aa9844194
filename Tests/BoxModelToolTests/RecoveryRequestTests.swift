import BoxEngine
import BoxModel
import BoxRecovery
import BoxReport
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A model file that was lost in git comes back with its bytes.
struct RecoveryRequestTests {
  private let repository: TemporaryRepository
  private let file = "lib/objectbox-model.json"
  private let old = TestModel(
    TestModel.Entity(name: "Note", uid: 5_100_000_000_000_256, properties: [.id()]))
  private let model = TestModel(
    TestModel.Entity(
      name: "Note", uid: 5_100_000_000_000_256,
      properties: [.id(), TestModel.Property(name: "text", type: .string)]),
    TestModel.Entity(name: "Author", uid: 5_200_000_000_000_256, properties: [.id()]))
  /// The same entities with other UIDs.
  private let again = TestModel(
    TestModel.Entity(
      name: "Note", uid: 6_100_000_000_000_256,
      properties: [.id(), TestModel.Property(name: "text", type: .string)]),
    TestModel.Entity(name: "Author", uid: 6_200_000_000_000_256, properties: [.id()]))

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit([file: old.text, "README": "A project.\n"], message: "Begin")
  }

  private func recover(
    _ change: (inout RecoveryRequest) -> Void = { _ in }
  ) async throws -> RecoveryReport {
    var request = RecoveryRequest()
    change(&request)
    return try await request.run(in: repository.place())
  }

  /// The original comes back, whether the path is named or not.
  private func requireOriginal(_ model: TestModel? = nil) async throws {
    let text = try (model ?? self.model).text
    let found = try await recover()
    #expect(
      found.bytes.map { String(decoding: $0, as: UTF8.self) } == text,
      "\(found.text(explains: true))")
    #expect(found.isExact && found.outcome == .success)
    let named = try await recover { request in
      request.output = repository.path + "/" + file
      request.replacesOutput = true
    }
    #expect(
      named.outputState == .written(repository.path + "/" + file)
        || named.outputState == .unchanged(repository.path + "/" + file))
    #expect(try repository.text(of: file) == text)
  }

  // MARK: Disasters

  @Test func deleted() async throws {
    try await repository.commit([file: model.text])
    try await repository.git("rm", "--quiet", file)
    try await repository.commit(message: "Delete it")
    try await requireOriginal()
  }

  /// Git removes a directory with its last file.
  @Test func deletedWithItsDirectory() async throws {
    try await repository.git("rm", "--quiet", "-r", "lib")
    try await repository.commit(message: "Delete it")
    #expect(!TemporaryDirectory.names(inDirectory: repository.path).contains("lib"))
    try await requireOriginal(old)
  }

  @Test func amendedAway() async throws {
    try await repository.commit([file: model.text, "other": "x"])
    try await repository.git("rm", "--quiet", "--cached", file)
    try await repository.git("commit", "--quiet", "--amend", "-m", "Without it")
    #expect(unlink(repository.path + "/" + file) == 0)
    try await requireOriginal()
  }

  @Test func forcePushedOver() async throws {
    try await repository.commit([file: model.text])
    // As after fetching a branch that somebody else has rewritten.
    try await repository.git("reset", "--quiet", "--hard", "HEAD~1")
    try await repository.commit(["other": "x"], message: "Another line")
    try await repository.git("reflog", "expire", "--expire=all", "--all")
    try await requireOriginal()
  }

  @Test func stashed() async throws {
    try repository.write(model.text, to: file)
    try await repository.git("stash", "push", "--quiet")
    try await repository.git("rm", "--quiet", file)
    try await repository.commit(message: "Delete it")
    try await requireOriginal()
  }

  @Test func stashedAndDropped() async throws {
    try repository.write(model.text, to: file)
    try await repository.git("stash", "push", "--quiet")
    try await repository.git("stash", "drop", "--quiet")
    try await requireOriginal()
  }

  @Test func renamed() async throws {
    try await repository.commit([file: model.text])
    try await repository.git("mv", file, "old-model.txt")
    try await repository.commit(message: "Rename it")
    try await requireOriginal()
  }

  @Test func generatedAgain() async throws {
    try await repository.commit([file: model.text])
    try repository.write(again.text, to: file)
    try await requireOriginal()
    try await repository.commit([file: again.text], message: "Generate it again")
    try await requireOriginal()
  }

  @Test func committedUnderAnotherName() async throws {
    try await repository.commit(["backup/saved.txt": model.text])
    try await repository.git("rm", "--quiet", "-r", "lib", "backup")
    try await repository.commit(message: "Delete everything")
    try await requireOriginal()
  }

  @Test func stagedAndNeverCommitted() async throws {
    try repository.write(model.text, to: file)
    try await repository.git("add", file)
    try await repository.git("reset", "--quiet", "--hard")
    try await requireOriginal()
  }

  @Test func copiedByAGenerator() async throws {
    try repository.write(model.text, to: file + ".bak")
    let found = try await recover { $0.kinds = [.backup] }
    #expect(found.bytes == Array(try model.text.utf8))
    try await requireOriginal()
  }

  // MARK: Code

  private func java(_ model: Model) -> String {
    var text = "class MyObjectBox { void m() { ModelBuilder b = new ModelBuilder();\n"
    text += "b.lastEntityId(\(model.lastEntityID?.id ?? 0), \(model.lastEntityID?.uid ?? 0)L);\n"
    text += "b.lastIndexId(0, 0L); b.lastRelationId(0, 0L); EntityBuilder e;\n"
    for entity in model.entities {
      text +=
        "e = b.entity(\"\(entity.name)\"); e.id(\(entity.pair.id), \(entity.pair.uid)L)"
        + ".lastPropertyId(\(entity.lastPropertyID?.id ?? 0), \(entity.lastPropertyID?.uid ?? 0)L);\n"
      for property in entity.properties {
        text +=
          "e.property(\"\(property.name)\", \(property.type?.rawValue ?? 0))"
          + ".id(\(property.pair.id), \(property.pair.uid)L).flags(\(property.flags.rawValue));\n"
      }
      text += "e.entityDone();\n"
    }
    return text + "} }\n"
  }

  @Test func theVersionOfTheCodeComesBack() async throws {
    try await repository.commit([file: model.text])
    try await repository.git("rm", "--quiet", file)
    try repository.write(java(old.model), to: "build/MyObjectBox.java")
    try await requireOriginal(old)
  }

  /// Another branch has renamed a property since, or added an entity: the code on the disk says which file it was.
  @Test(arguments: [false, true], [false, true])
  func theBranchOfTheCodeComesBack(bindings: Bool, adds: Bool) async throws {
    try await repository.commit([file: model.text])
    let branch = try await repository.git("branch", "--show-current")
    try await repository.git("checkout", "--quiet", "-b", "other")
    var other = model
    other.entities[0].properties[1].name = "words"
    if adds {
      other.entities.append(.init(name: "Tag", uid: 5_300_000_000_000_256, properties: [.id()]))
    }
    try await repository.commit([file: other.text], message: "Rename")
    try await repository.git("checkout", "--quiet", branch)
    try await repository.git("rm", "--quiet", file)
    if bindings {
      let literal = try ##"#"""\##n\##(model.text)\##n"""#"##
      let code = "let model = StoreModel(json: \(literal), constants: [:])"
      try repository.write(code, to: "Sources/App/generated/EntityInfo-App.generated.swift")
    } else {
      try repository.write(java(model.model), to: "build/MyObjectBox.java")
    }
    try await requireOriginal()
  }

  @Test func codeCompletesTheNewestFile() async throws {
    try repository.write(java(model.model), to: "build/MyObjectBox.java")
    let found = try await recover()
    #expect(!found.isExact && found.outcome == .success)
    let document = try ModelDocument(parsing: found.bytes ?? [])
    #expect(document.model == (try model.document().model))
    #expect(found.changes.contains { $0.hasPrefix("added Author 2:5200000000000256") })
  }

  @Test func codeAloneIsRebuilt() async throws {
    try repository.write(java(model.model), to: "build/MyObjectBox.java")
    let found = try await recover { request in
      request.kinds = [.code]
      request.output = repository.path + "/new.json"
    }
    #expect(found.text(explains: false).contains("not in the code: the retired UIDs"))
    let document = try ModelDocument(parsing: Array(try repository.text(of: "new.json").utf8))
    #expect(document.model.entities == (try model.document().model.entities))
    #expect(document.check().allSatisfy { $0.severity == .note })
  }

  /// The code of a release, or of one side of a merge.
  @Test func codeOfARevisionIsRead() async throws {
    try await repository.commit(["gen/MyObjectBox.java": java(model.model)])
    var other = model
    other.entities[1].uid = 7_200_000_000_000_256
    try repository.write(java(other.model), to: "gen/MyObjectBox.java")
    let found = try await recover { request in
      request.sources = ["HEAD:gen/MyObjectBox.java"]
      request.kinds = [.code]
    }
    let document = try ModelDocument(parsing: found.bytes ?? [])
    #expect(document.model.entities == (try model.document().model.entities))
    #expect(found.baseName == "HEAD:gen/MyObjectBox.java")
  }

  /// All code of a directory of a revision, such as that of a package of Go.
  @Test func codeInADirectoryOfARevisionIsRead() async throws {
    try await repository.commit(["gen/java/MyObjectBox.java": java(model.model), "gen/README": "x"])
    try await repository.git("rm", "--quiet", "-r", "gen")
    try await repository.commit(message: "Delete it")
    for directory in ["HEAD~1:gen", "HEAD~1:gen/java/", "HEAD~1:"] {
      let found = try await recover { request in
        request.sources = [directory]
        request.kinds = [.code]
      }
      #expect(found.baseName == "HEAD~1:gen/java/MyObjectBox.java", "\(directory)")
    }
    let refused = try await failure { $0.sources = ["HEAD~1:lib"] }
    #expect(refused.kind == .badInput && refused.message.contains("no file of this directory"))
  }

  /// Code of two models, and nothing else: the path of the lost file does not tell which.
  @Test func codeOfSeveralModelsIsChosenByAFact() async throws {
    let car = TestModel(
      TestModel.Entity(name: "Car", uid: 5_300_000_000_000_256, properties: [.id()]))
    try repository.write(java(model.model), to: "a/MyObjectBox.java")
    try repository.write(java(car.model), to: "b/MyObjectBox.java")
    #expect(try await failure { $0.kinds = [.code] }.remedy == .nameLostCode)
    let found = try await recover { request in
      request.kinds = [.code]
      request.facts = ["Car=1:5300000000000256"]
    }
    #expect(found.baseName.hasSuffix("b/MyObjectBox.java"), "\(found.text(explains: true))")
    #expect(found.outcome == .success)
  }

  /// The clone has no commit but the last, in which the file is lost.
  @Test func aShallowCloneSaysWhatIsMissing() async throws {
    try await repository.git("rm", "--quiet", "-r", "lib")
    try await repository.commit(message: "Delete it")
    let clone = try await TemporaryRepository(cloning: repository, options: ["--depth", "1"])
    var request = RecoveryRequest()
    request.kinds = [.git]
    let found = try await request.run(in: clone.place())
    #expect(found.outcome == .findings)
    #expect(found.notes.contains { $0.contains("git fetch --unshallow") })
  }

  /// The next build would give new UIDs to what is missing from the code.
  @Test func aPartOfTheCodeIsNotAModel() async throws {
    let code = java(model.model)
    try repository.write(String(code.prefix(code.count - 40)), to: "build/MyObjectBox.java")
    let found = try await recover { request in
      request.kinds = [.code]
      request.output = repository.path + "/new.json"
    }
    #expect(found.outcome == .findings)
    let text = found.text(explains: false)
    #expect(
      text.contains("MyObjectBox.java holds only a part of the model; name a whole copy"), "\(text)"
    )
    #expect(!text.contains("removed earlier"), "\(text)")
    #expect(!TemporaryDirectory.names(inDirectory: repository.path).contains("new.json"))
  }

  @Test func aDisagreementIsNotWritten() async throws {
    var other = model
    other.entities[1].uid = 7_200_000_000_000_256
    try await repository.commit([file: model.text])
    try repository.write(java(other.model), to: "build/MyObjectBox.java")
    let found = try await recover { $0.output = repository.path + "/new.json" }
    #expect(found.outcome == .findings)
    #expect(found.bytes == nil)
    let text = found.text(explains: false)
    #expect(text.contains("2:5200000000000256") && text.contains("lib/objectbox-model.json"))
    #expect(text.contains("build/MyObjectBox.java:"))
    #expect(!TemporaryDirectory.names(inDirectory: repository.path).contains("new.json"))
  }

  // MARK: Refusals

  private func failure(
    _ change: (inout RecoveryRequest) -> Void
  ) async throws -> CommandFailure {
    do {
      _ = try await recover(change)
    } catch let failure as CommandFailure {
      return failure
    }
    throw TestFailure("the request succeeded")
  }

  @Test func anExistingFileIsKept() async throws {
    try repository.write("{}", to: "new.json")
    let refused = try await failure { $0.output = repository.path + "/new.json" }
    #expect(refused.kind == .impossible)
    #expect(refused.remedy == .replaceOutput)
    #expect(try repository.text(of: "new.json") == "{}")
  }

  @Test func nothingIsAFinding() async throws {
    let found = try await recover { $0.kinds = [.backup] }
    #expect(found.outcome == .findings && found.bytes == nil)
    #expect(found.text(explains: true).hasPrefix("no model was found\nproblem: name directories"))
    #expect(found.text(explains: true).contains("searched:\n  backup"))
  }

  @Test func aDirectoryIsRefusedAsOutput() async throws {
    try repository.write("x", to: "out/x")
    let refused = try await failure { $0.output = repository.path + "/out" }
    #expect(refused.kind == .inputOutput)
    #expect(refused.message.contains("this is a directory"))
  }

  /// A file that some generator refuses is no result, even if it is all that is left.
  @Test func aFileWithAnErrorIsNotWritten() async throws {
    let broken = try model.text.replacing("\"name\": \"Author\"", with: "\"name\": \"Note\"")
    try repository.write(broken, to: "broken.json")
    let found = try await recover { request in
      request.kinds = [.file]
      request.sources = [repository.path + "/broken.json"]
      request.output = repository.path + "/new.json"
    }
    #expect(found.outcome == .findings && found.bytes == nil)
    #expect(found.problems.contains { $0.contains("[BOX1") })
    #expect(!TemporaryDirectory.names(inDirectory: repository.path).contains("new.json"))
  }

  @Test func badFactsAreRefused() async throws {
    #expect(try await failure { $0.facts = ["Note"] }.kind == .usage)
  }

  @Test func severalModelsAreListed() async throws {
    try await repository.commit([
      "app/model.json": try TestModel(
        TestModel.Entity(name: "Car", uid: 8000, properties: [.id()])
      ).text
    ])
    let refused = try await failure { _ in }
    #expect(refused.kind == .impossible)
    #expect(refused.message.contains("Car") && refused.message.contains("Note"))
    let found = try await recover { $0.output = repository.path + "/app/model.json" }
    #expect(found.outputState == .unchanged(repository.path + "/app/model.json"))
  }

  @Test func aForeignDatabaseIsNotRead() async throws {
    try repository.write("no store", to: "db/data.mdb")
    let refused = try await failure { $0.sources = [repository.path + "/db/data.mdb"] }
    #expect(refused.kind == .badInput)
    #expect(refused.message.contains("its format is not documented"))
  }
}
