import BoxMigration
import BoxReport
import TestSupport
import Testing
import ToolTestSupport

@testable import BoxModelTool

/// Plans of changes, made by calls.
struct ChangeRequestTests {
  private let repository: TemporaryRepository

  init() async throws { repository = try await TemporaryRepository() }

  /// Of many findings a site shows ten: those are the gravest.
  @Test func theGravestComeFirstInEveryFormat() async throws {
    let numbers = Array(10..<22)
    func model(type: Int, last: SmallModel.Property) -> SmallModel {
      SmallModel([
        SmallModel.note(
          adding: numbers.map {
            SmallModel.Property(id: $0, uid: 2000 + $0, name: "p\($0)", type: type)
          } + [last])
      ])
    }
    var old = model(
      type: 5, last: SmallModel.Property(id: 30, uid: 2030, name: "created", type: 10))
    old.lastEntity = (1, 1000)
    var new = model(
      type: 6, last: SmallModel.Property(id: 31, uid: 2031, name: "createdAt", type: 10))
    new.lastEntity = (1, 1000)
    new.retiredProperties = [2030]
    try repository.write(old.text, to: "old.json")
    try repository.write(new.text, to: "new.json")
    let files = ["old.json", "new.json"].map { repository.path + "/" + $0 }
    let review = try #require(try await ChangeRequest(files).run(in: repository.place()))
    let github = review.render(.github, tool: .boxjoint)
    let annotations = github.split(separator: "\n").filter { $0.hasPrefix("::error ") }
    #expect(annotations.count == 10)
    #expect(annotations.first?.contains("data-loss: ") == true, "\(github)")
    let junit = review.render(.junit, tool: .boxjoint)
    let cases = junit.split(separator: "\n").filter { $0.contains("<testcase") }
    #expect(cases.first?.contains("BOX371") == true, "\(junit)")
  }
}
