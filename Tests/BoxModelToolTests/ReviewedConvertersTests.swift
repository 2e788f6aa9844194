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

/// Claims about converters that a change under review cannot make about itself.
struct ReviewedConvertersTests {
  private let repository: TemporaryRepository

  init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit(["model.json": SmallModel.base.text])
  }

  /// A catalogue with a value that nothing may change once it is locked.
  private static func catalogue(_ value: Int) -> String {
    "properties:\n  User.role:\n    type: enum\n    values: {reader: 1, admin: \(value)}\n"
      + "    default: reader\n"
  }

  private func path(_ name: String) -> String { repository.path + "/" + name }

  private func lock(_ catalogue: String? = nil, isForced: Bool = false) throws {
    var request = ConverterLockRequest(CatalogueChoice(catalogue.map(path)))
    request.isForced = isForced
    if case .refused(let report) = try request.run(in: repository.place()) {
      Issue.record("refused: \(report.render(.text))")
    }
  }

  private func check(
    against base: String? = "refs/heads/main", catalogue: String? = nil,
    in directory: String? = nil,
    counting: Severity = .error
  ) async throws -> (outcome: ReportOutcome, text: String) {
    var request = ConverterCheckRequest(catalogue: CatalogueChoice(catalogue.map(path)))
    request.against = base
    request.counting = counting
    let found = try await request.run(in: repository.place(in: directory))
    return (found.outcome, found.report.render(.text))
  }

  private func requireFinding(
    _ rule: String, catalogue: String? = nil, in directory: String? = nil,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let found = try await check(catalogue: catalogue, in: directory)
    #expect(found.outcome == .findings, "\(found.text)", sourceLocation: location)
    #expect(found.text.contains(rule), "\(found.text)", sourceLocation: location)
  }

  /// The lock of converters is part of the change as much as the catalogue is.
  @Test func theChangeDoesNotUnlockConverters() async throws {
    let path = "app/converters.yml"
    try repository.write(Self.catalogue(2), to: path)
    try lock(path)
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "attack")
    try repository.write(Self.catalogue(3), to: path)
    for isRemoved in [false, true] {
      if isRemoved {
        try await repository.git("rm", "--quiet", "-f", "app/converters.lock")
      } else {
        try lock(path, isForced: true)
      }
      #expect(try await check(against: nil, catalogue: path).outcome == .success)
      try await requireFinding("BOX822", catalogue: path)
    }
  }

  /// The settings of a change can name another catalogue, with another lock beside it.
  @Test(arguments: [nil, "converters: schema/enums.yml\n", "plan: {}\n"])
  func theChangeDoesNotMoveTheCatalogue(settings: String?) async throws {
    let isNamed = settings?.hasPrefix("converters") ?? false
    let path = isNamed ? "schema/enums.yml" : "converters.yml"
    try repository.write(Self.catalogue(2), to: path)
    if let settings { try repository.write(settings, to: ".boxjoint.yml") }
    try lock()
    try await repository.commit(["sub/.keep": ""])
    try await repository.git("switch", "--quiet", "--create", "attack")
    #expect(try await check().outcome == .success)
    // The catalogue changes where it is; so it does when the settings name another one.
    try repository.write(Self.catalogue(3), to: path)
    for head in [nil, "converters: other/enums.yml\n", "converters: {properties: {}}\n"] {
      try repository.write("properties: {}\n", to: "other/enums.yml")
      if let head { try repository.write(head, to: ".boxjoint.yml") }
      for directory in settings == nil ? [nil] : [nil, "sub"] {
        try await requireFinding("BOX822", in: directory)
      }
    }
    // The one that the change has in force is held against the lock of the base too.
    try repository.write(Self.catalogue(2), to: path)
    try repository.write("converters: other/enums.yml\n", to: ".boxjoint.yml")
    for (value, outcome) in [(2, ReportOutcome.success), (3, .findings)] {
      try repository.write(Self.catalogue(value), to: "other/enums.yml")
      try lock(isForced: true)
      let found = try await check()
      #expect(found.outcome == outcome, "\(found.text)")
    }
    // Moved, it is the same catalogue.
    try await repository.git("rm", "--quiet", "--force", path)
    #expect(try await check().outcome == .findings)
    try repository.write(Self.catalogue(2), to: "other/enums.yml")
    // Its lock has the other number still.
    try await requireFinding("BOX829")
    try lock(isForced: true)
    #expect(try await check().outcome == .success)
    // Gone.
    try repository.write("plan: {}\n", to: ".boxjoint.yml")
    let gone = await #expect(throws: CommandFailure.self) { try await check() }
    #expect(gone?.kind == .inputOutput)
    #expect(gone?.message.contains("no catalogue") ?? false)
    // What is named wins, and brings its own lock.
    try lock("other/enums.yml", isForced: true)
    #expect(try await check(catalogue: "other/enums.yml").outcome == .success)
  }

  /// A change that takes something out of the lock would let the next one pass.
  @Test(arguments: [
    nil, #"{"schemaVersion":1,"properties":{}}"#,
    #"{"schemaVersion":1,"properties":{"User.role":{"type":"enum","values":{"reader":1,"admin":7}}}}"#,
  ])
  func theLockItselfIsProtected(lock text: String?) async throws {
    try repository.write(Self.catalogue(2), to: "converters.yml")
    try lock()
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "attack")
    #expect(try await check(counting: .warning).outcome == .success)
    if let text {
      try repository.write(text, to: "converters.lock")
    } else {
      try await repository.git("rm", "--quiet", "converters.lock")
    }
    try await requireFinding("BOX829")
    // Merged, the base has no lock, and its catalogue counts.
    try await repository.commit()
    try await repository.git("branch", "--force", "merged")
    try repository.write(Self.catalogue(3), to: "converters.yml")
    let next = try await check(against: "refs/heads/merged")
    #expect(next.outcome == .findings, "\(next.text)")
    #expect(next.text.contains("BOX822"), "\(next.text)")
  }

  /// A branch that is behind its base is not told to retire what it never had.
  @Test func whatTheBaseAddedSinceIsNotMissed() async throws {
    try repository.write(Self.catalogue(2), to: "converters.yml")
    try lock()
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "behind")
    try await repository.commit(["notes.txt": "another file"])
    try await repository.git("switch", "--quiet", "main")
    try repository.write(
      Self.catalogue(2).replacing("admin: 2", with: "admin: 2, more: 9"), to: "converters.yml")
    try lock()
    try await repository.commit()
    try await repository.git("switch", "--quiet", "behind")
    let found = try await check(counting: .warning)
    #expect(found.outcome == .success, "\(found.text)")
  }

  /// The lock of a branch's beginning is beside the catalogue that the beginning had, wherever the base
  /// has it now.
  @Test(arguments: [nil, "schema/enums.yml"])
  func aLockIsProtectedWhenTheBaseMovesItsCatalogue(to moved: String?) async throws {
    try repository.write(Self.catalogue(2), to: "converters.yml")
    try lock()
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "attack")
    try await repository.commit(["notes.txt": "another file"])
    try await repository.git("switch", "--quiet", "main")
    if let moved {
      try repository.write("converters: \(moved)\n", to: ".boxjoint.yml")
      try repository.write(Self.catalogue(2), to: moved)
      try await repository.git("rm", "--quiet", "converters.yml", "converters.lock")
      try lock()
    }
    try await repository.commit(["later.txt": "the base goes on"])
    try await repository.git("switch", "--quiet", "attack")
    #expect(try await check().outcome == .success)
    try repository.write(#"{"schemaVersion":1,"properties":{}}"#, to: "converters.lock")
    try await requireFinding("BOX829")
  }

  /// Files behind links of the base are found, whatever the change has in their place.
  @Test func locksReachedByALinkOfTheBaseCount() async throws {
    try repository.write(Self.catalogue(2), to: "v1/converters.yml")
    #expect(symlink("v1", path("app")) == 0)
    try repository.write("converters: app/converters.yml\n", to: ".boxjoint.yml")
    try lock()
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "attack")
    #expect(unlink(path("app")) == 0)
    try repository.write(Self.catalogue(3), to: "app/converters.yml")
    try await repository.commit()
    try await requireFinding("BOX822")
  }

  @Test func aCatalogueInTheSettingsStaysThere() async throws {
    func settings(_ value: Int) -> String {
      "converters:\n  properties:\n    User.role:\n      type: enum\n"
        + "      values: {reader: 1, admin: \(value)}\n      default: reader\n"
    }
    try repository.write(settings(2), to: ".boxjoint.yml")
    try lock()
    try await repository.commit()
    try await repository.git("switch", "--quiet", "--create", "attack")
    #expect(try await check().outcome == .success)
    try repository.write(settings(3), to: ".boxjoint.yml")
    #expect(try await check().outcome == .findings)
    for head in ["converters: other.yml\n", "plan: {}\n"] {
      try repository.write(head, to: ".boxjoint.yml")
      try repository.write(Self.catalogue(3), to: "other.yml")
      try repository.write(Self.catalogue(3), to: "converters.yml")
      try await requireFinding("BOX822")
    }
  }
}
