import TestSupport
import Testing

@testable import BoxModelTool

struct SourceReferenceTests {
  @Test(arguments: [
    ("-", SourceReference.standardInput), ("model.json", .file("model.json")),
    ("/a:b", .file("/a:b")), ("./a:b", .file("./a:b")), ("../a:b", .file("../a:b")),
    ("HEAD:m.json", .revision("HEAD", path: "m.json")),
    ("v1:./m:x.json", .revision("v1", path: "./m:x.json")),
    (":m.json", .revision("", path: "m.json")), (":2:m.json", .revision("", path: "2:m.json")),
    ("--x:m.json", .revision("--x", path: "m.json")), ("", .file("")),
  ])
  func argumentsMeanWhatGitMeans(argument: String, expected: SourceReference) {
    #expect(SourceReference(argument) == expected)
  }

  @Test func revisionsAreReadUnderTheirName() async throws {
    let repository = try await TemporaryRepository()
    try await repository.commit(["m.json": "{}"])
    let file = try await SourceReference("main:m.json").read(
      in: Workspace(git: GitClient(in: repository.path)))
    #expect(file == SourceFile(path: "main:m.json", bytes: Array("{}".utf8)))
  }

  @Test func aNameWithAColonIsAFileWhereItExists() throws {
    let directory = try TemporaryDirectory()
    try directory.write("x", to: "a:b")
    #expect(SourceReference(directory.path(of: "a:b")) == .file(directory.path(of: "a:b")))
  }
}
