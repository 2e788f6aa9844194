import BoxEngine
import BoxMigration
import BoxModel
import BoxReport
import BoxStorage
import BoxStoreTool
import BoxWorkspace
import TestSupport
import Testing

@testable import BoxBrowse

/// The pages about the model: the file of the store, the versions in git, and the change to come.
struct ModelPageTests {
  private typealias Entity = TestModel.Entity

  private static let title = TestModel.Property("title", 1010, .string)
  private static let year = TestModel.Property("year", 1011, .int)
  /// The three versions: a property is added, and then the type of another one changed.
  private static let first = TestModel(Entity(name: "Film", uid: 1000, fields: [title]))
  private static let second = TestModel(Entity(name: "Film", uid: 1000, fields: [title, year]))
  private static let third = TestModel(
    Entity(name: "Film", uid: 1000, fields: [.init("title", 1010, .long), year]))

  private let repository: TemporaryRepository
  private let directory: TemporaryDirectory
  private let store: ObjectStore

  init() async throws {
    repository = try await TemporaryRepository()
    directory = try TemporaryDirectory()
    store = try ObjectStore.open(
      .directory(directory.path(of: "data")), model: Self.first.document())
    try await commit(Self.first)
    try await repository.git("tag", "v1.0")
    try await commit(Self.second)
    try write(Self.third)
    let film = try store.entity(named: "Film")
    try store.write { transaction in
      for title in ["a", "b"] {
        var object = DynamicObject(film)
        object["title"] = .string(title)
        try transaction.put(object)
      }
    }
  }

  private func write(_ model: TestModel) throws {
    try repository.write(try model.document().bytes, to: "model.json")
  }

  private func commit(_ model: TestModel) async throws {
    try write(model)
    try await repository.commit()
  }

  private func server(_ model: String? = "model.json") -> BrowseServer {
    let browsed = BrowseStore(
      name: "data", path: directory.path(of: "data"), isTrusted: true, isReadOnly: false)
    let place = Workspace(
      git: GitClient(in: repository.path, environment: repository.environment),
      directory: repository.path)
    let argument = model.map { $0.contains(":") ? $0 : repository.path + "/" + $0 }
    return BrowseServer(
      [browsed], CatalogueChoice(), model: argument, hosts: [], key: BrowseKey(3, 4), in: place)
  }

  private func page(_ server: BrowseServer, _ path: String) throws -> String {
    let answer = answer(server, path)
    #expect(answer.status == 200, "\(path)")
    let text = String(decoding: answer.body, as: UTF8.self)
    _ = try PageReader(text)
    return text
  }

  private func answer(_ server: BrowseServer, _ path: String) -> BrowseAnswer {
    server.answer(
      BrowseRequest("GET", server.path + path, [("Host", "127.0.0.1")]), BrowseCancellation())
  }

  // MARK: - The model of the store

  @Test func theModelIsItsDiagramAndItsFile() throws {
    let server = server()
    let text = try page(server, "-/model")
    #expect(text.contains("1 entity, 2 properties"))
    #expect(text.contains("-/model.svg"))
    #expect(text.contains("&quot;name&quot;: &quot;title&quot;"))
    #expect(text.contains("boxjoint show store:"))
    #expect(answer(server, "-/model.json").body == (try store.read { try $0.modelText() }))
  }

  // MARK: - History

  @Test func theHistoryHasThePlaceOfTheStore() throws {
    let text = try page(server(), "-/history")
    #expect(text.contains("2 versions"))
    let here = try #require(text.firstRange(of: "class=\"here\"")?.lowerBound)
    let row = text[here...].prefix(400)
    #expect(row.contains("v1.0") && row.contains("this store"), "\(row)")
    #expect(text.ranges(of: "this store").count == 1)
    #expect(text.contains("work tree") && !text.contains("none of these versions"))
    #expect(text.contains("boxjoint history --limit 50"))
  }

  @Test func aStoreOfNoVersionIsSaid() async throws {
    let other = try ObjectStore.open(
      .directory(directory.path(of: "other")),
      model: TestModel(Entity(name: "Else", uid: 9000, fields: [])).document())
    defer { other.close() }
    let place = Workspace(
      git: GitClient(in: repository.path, environment: repository.environment),
      directory: repository.path)
    let server = BrowseServer(
      [
        BrowseStore(
          name: "data", path: directory.path(of: "other"), isTrusted: true, isReadOnly: false)
      ], CatalogueChoice(), model: repository.path + "/model.json", hosts: [],
      key: BrowseKey(3, 4), in: place)
    let text = try page(server, "-/history")
    #expect(text.contains("none of these versions") && !text.contains("this store"))
  }

  @Test func aHistoryIsCutWhereItIsAskedFor() throws {
    let text = try page(server(), "-/history?limit=1")
    #expect(text.contains("1 version<") && text.contains("-/history?limit=10\""))
    #expect(text.contains("none of these versions"))
  }

  // MARK: - The change

  @Test func theChangeHasTheCountsOfThePlan() throws {
    let text = try page(server(), "-/change")
    #expect(text.contains("Blocked") && text.contains("is refused"))
    #expect(text.contains("2 values"))
    #expect(text.contains("/Film?where=title+%21%3D+nil\">the objects"))
    #expect(text.contains("boxjoint plan store:"))
    let drawing = answer(server(), "-/change.svg")
    #expect(drawing.status == 200)
    #expect(String(decoding: drawing.body, as: UTF8.self).contains("~ title"))
  }

  /// The law: a page, and its export, have what the command says, whatever changes.
  @Test func theExportIsTheAnswerOfTheCommand() async throws {
    for model in [Self.first, Self.second, Self.third] {
      try write(model)
      let path = SourceReference.store(directory.path(of: "data")).argument
      var request = ChangeRequest([path, repository.path + "/model.json"])
      let session = StoreSession(
        directory.path(of: "data"), isTrusted: true, isReadOnly: false)
      defer { session.close() }
      request.access = StoreAccess(session: session)
      let place = Workspace(
        git: GitClient(in: repository.path, environment: repository.environment),
        directory: repository.path)
      let review = try #require(try await request.run(in: place))
      let server = server()
      let export = answer(server, "-/change.json")
      #expect(String(decoding: export.body, as: UTF8.self) == review.json.displayText)
      let page = try page(server, "-/change")
      for reviewed in review.steps {
        #expect(page.contains(reviewed.fingerprint))
        if let counts = reviewed.step.counts { #expect(page.contains(counts.words)) }
      }
      for format in ["html", "md", "sarif"] {
        #expect(answer(server, "-/change." + format).status == 200)
      }
    }
  }

  /// Counting ends with its deadline, whichever relation it looks at.
  @Test(arguments: [true, false]) func aCountEndsByItsDeadline(_ isToOne: Bool) throws {
    let property = TestModel.Property("other", 1020, .relation, target: "Film")
    let pages = try BrowsedStore(
      TestModel(
        isToOne
          ? Entity(name: "Film", uid: 1000, fields: [property])
          : Entity(name: "Film", uid: 1000, fields: [], relations: [.init("o", 1030, to: "Film")])))
    let ids = try pages.put("Film", (0..<600).map { _ in isToOne ? ["other": .unsigned(1)] : [:] })
    let film = try pages.store.entity(named: "Film")
    if let relation = film.relations.first {
      try pages.store.write { transaction in
        for id in ids { try transaction.link(relation, id, ids[0]) }
      }
    }
    let late = Interruption(deadline: ContinuousClock.now - .seconds(1))
    #expect(throws: StoreError.interrupted) {
      try pages.store.read(late) { _ in try pages.store.requireWholeRelations() }
    }
    try pages.store.requireWholeRelations()
  }

  @Test func aRevisionIsAModelToo() throws {
    let text = try page(server("HEAD:model.json"), "-/change")
    #expect(text.contains("HEAD:model.json") && text.contains("Film.year"))
    #expect(!text.contains("2 values"))
    #expect(try page(server("HEAD:model.json"), "-/history").contains("2 versions"))
  }

  @Test func aModelThatCannotBeReadIsSaid() throws {
    try repository.write("{", to: "model.json")
    let text = try page(server(), "-/change")
    #expect(text.contains("model.json: ") && text.contains("--model FILE"))
    let gone = try page(server("none.json"), "-/history")
    #expect(gone.contains("git has no history of the file"))
    #expect(answer(server(), "-/change.json").status >= 400)
  }

  @Test(arguments: [
    ("-/history?limit=0", 400), ("-/history?limit=501", 400), ("-/history?count=1", 400),
    ("-/change?count=2", 400), ("-/change?count=1&count=1", 400), ("-/change?wait=5", 400),
    ("-/model?x=1", 400), ("-/change.xml", 404), ("-/models", 404),
  ])
  func aWrongParameterIsRefused(_ path: String, _ status: Int) throws {
    #expect(answer(server(), path).status == status)
  }

  /// A repository of a stranger runs nothing: what its attributes and settings name is not started.
  @Test func nothingOfTheRepositoryIsRun() async throws {
    try repository.write("*.json diff=evil filter=evil\n", to: ".gitattributes")
    for key in ["diff.evil.textconv", "diff.evil.command", "core.fsmonitor", "diff.external"] {
      try await repository.git("config", key, "sh -c 'touch \(repository.path)/ran'")
    }
    let server = server()
    for path in ["-/history", "-/change", "-/model"] { _ = try page(server, path) }
    #expect(!directory.exists(repository.path + "/ran"))
  }
}
