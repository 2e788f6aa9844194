internal import BoxDump
internal import BoxEngine
internal import BoxMigration
internal import BoxModel
internal import BoxReport
internal import BoxStoreTool
internal import BoxWorkspace

/// The answer to one request for a page of a store.
struct StoreAnswers {
  /// The time for which a page reads the store.
  static let limit = Duration.seconds(2)
  /// The time for which a page reads it where the address asks for that.
  static let patientLimit = Duration.seconds(60)

  private let server: BrowseServer
  private let store: BrowseStore
  private let page: BrowseAddress.StorePage
  private let query: String
  private let cancellation: BrowseCancellation

  init(
    _ server: BrowseServer, _ store: BrowseStore, _ page: BrowseAddress.StorePage,
    _ query: String, _ cancellation: BrowseCancellation
  ) {
    self.server = server
    self.store = store
    self.page = page
    self.query = query
    self.cancellation = cancellation
  }

  /// The answer; an error is one, too.
  func answer() -> BrowseAnswer {
    do {
      // The script asks for it each second, and must not keep the store open by that.
      return page == .state ? try state() : try store.use { try answerInUse() }
    } catch {
      return failure(error)
    }
  }

  private func answerInUse() throws -> BrowseAnswer {
    try store.open(server.place.observer)
    switch page {
    case .state: return try state()
    case .complete:
      let help = try ConditionHelp(query)
      var parameters = TableParameters()
      parameters.isRaw = help.isRaw
      return try read(parameters) { try help.answer($0) }
    case .export(let entity, let format): return try export(entity, format)
    case .value(let entity, let id, let property): return try value(entity, id, property)
    case .table(let entity): return try table(entity)
    case .object(let entity, let id):
      let parameters = try ObjectParameters(query)
      return try read(nil) { context in
        var context = context
        context.zoneName = parameters.zone
        return try ObjectPage(context, entity, id, parameters.origin).answer()
      }
    case .overview:
      try requireNoParameters()
      return try read(nil) { try OverviewPage($0).answer() }
    case .model:
      try requireNoParameters()
      return try read(nil) { try ModelPage($0).answer() }
    case .modelFile: return try modelFile()
    case .diagram: return try diagram()
    case .history: return try history()
    case .change: return try change()
    case .changeDiagram: return try changeDiagram()
    case .changeExport(let format): return try changeExport(format)
    case .check:
      try requireNoParameters()
      return try read(nil) { try CheckPage($0).answer() }
    }
  }

  // MARK: - Reading

  /// Makes a page in one read transaction, which has ended when this returns.
  private func read(
    _ parameters: TableParameters?, _ body: (PageContext) throws -> BrowseAnswer
  ) throws -> BrowseAnswer {
    try inTransaction(parameters) { context in
      do {
        return try body(context)
      } catch let problem as BrowseProblem {
        return try context.problem(problem)
      } catch let failure as CommandFailure where failure.kind == .usage {
        return try context.problem(BrowseProblem(400, failure.message))
      } catch let error as ConditionError {
        return try context.problem(BrowseProblem(400, error.message))
      }
    }
  }

  private func inTransaction<Value>(
    _ parameters: TableParameters?, _ body: (PageContext) throws -> Value
  ) throws -> Value {
    let isPatient = parameters?.isPatient ?? false
    let interruption = cancellation.interruption(
      after: isPatient ? Self.patientLimit : Self.limit)
    return try OpenStore.with(
      store.path, StoreAccess(session: store.session),
      parameters?.isRaw ?? false ? nil : server.catalogue, isReadOnly: true, in: server.place
    ) { open in
      try open.store.read(interruption) { transaction in
        try body(PageContext(server, store, open, transaction, cancellation))
      }
    }
  }

  /// Requires that a table has the names of its parameters, and a condition that can be read.
  ///
  /// - Throws: ``BrowseProblem``, or ``CommandFailure`` of the kind `usage`, for what cannot be shown.
  func require(_ parameters: TableParameters, of entity: String) throws {
    try store.use {
      try store.open(server.place.observer)
      try inTransaction(parameters) { context in
        let table = try TablePage(context, entity, parameters)
        _ = try context.open.query(table.entity, parameters.condition)
      }
    }
  }

  private func requireNoParameters() throws(BrowseProblem) {
    guard let item = try QueryItems.read(query).first else { return }
    throw BrowseProblem(400, "this page has no parameter \(item.name)")
  }

  // MARK: - Tables

  private func table(_ entity: String) throws -> BrowseAnswer {
    let parameters: TableParameters
    do throws(BrowseProblem) {
      parameters = try TableParameters(query)
    } catch let problem {
      return try read(nil) { try $0.problem(problem) }
    }
    return try read(parameters) { context in
      var context = context
      context.zoneName = parameters.zone
      return try TablePage(context, entity, parameters).answer()
    }
  }

  private func export(_ entity: String, _ format: QueryFormat) throws -> BrowseAnswer {
    let parameters = try TableParameters(query, isExport: true)
    let schema = try read(parameters) { context in
      let schema = try context.entity(entity)
      if let nearest = parameters.nearest, let object = parameters.object {
        _ = try context.vector(NearestVector(nearest, of: object), of: schema)
      }
      return BrowseAnswer(200, text: "")
    }
    if schema.status != 200 { return schema }
    var request = QueryRequest(store.path, NamePath.quoted(entity))
    request.condition = parameters.condition
    request.order = try parameters.order.map { try [QueryOrder](order: $0) } ?? []
    request.limit = parameters.limit
    if let nearest = parameters.nearest, let object = parameters.object {
      request.nearest = NearestVector(nearest, of: object)
    }
    if let zone = parameters.dateZone {
      (request.values.dates, request.values.zone) = (.iso, zone)
    }
    request.rows = .objects(select: parameters.select, isDistinct: false)
    request.format = format
    request.catalogue = parameters.isRaw ? nil : server.catalogue
    request.access = StoreAccess(session: store.session)
    let interruption = cancellation.interruption(after: nil)
    let (session, place) = (store.session, server.place)
    var answer = BrowseAnswer(200, "application/octet-stream", [])
    answer.fields.append(Self.attachment(entity, format == .markdown ? "md" : format.rawValue))
    answer.export = BrowseExport { [request] output in
      var request = request
      request.stream = output
      // The transaction of the request is this one, which the interruption ends.
      try store.use {
        try session.store(place.observer).read(interruption) { _ in try request.run(in: place) }
      }
    } failure: {
      failure($0, impossible: 400)
    }
    return answer
  }

  // MARK: - Values

  private func value(_ entity: String, _ id: UInt64, _ name: String) throws -> BrowseAnswer {
    try requireNoParameters()
    return try read(nil) { try $0.download(entity, id, name) }
  }

  /// The field by which a browser saves a body.
  static func attachment(_ name: String, _ ending: String) -> (name: String, value: String) {
    let plain = name.unicodeScalars.filter {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789-".unicodeScalars.contains($0))
    }
    let text = String(String.UnicodeScalarView(plain.prefix(60)))
    return (
      "Content-Disposition", "attachment; filename=\"\(text.isEmpty ? "value" : text).\(ending)\""
    )
  }

  // MARK: - State

  private func state() throws -> BrowseAnswer {
    try requireNoParameters()
    return try store.progress(server.place.observer).answer
  }

  // MARK: - The model

  private func modelFile() throws -> BrowseAnswer {
    try requireNoParameters()
    let text = try store.session.store(server.place.observer).read { try $0.modelText() }
    var answer = BrowseAnswer(200, "application/octet-stream", text)
    answer.fields.append(Self.attachment("model", "json"))
    return answer
  }

  private func diagram() throws -> BrowseAnswer {
    try requireNoParameters()
    let model = try store.session.store(server.place.observer).model
    return picture(SchemaDiagram(model))
  }

  private func picture(_ diagram: SchemaDiagram) -> BrowseAnswer {
    var answer = BrowseAnswer(200, "image/svg+xml", Array(diagram.svg().utf8))
    // Its styles are in it; it loads nothing.
    answer.fields.append(
      (
        BrowseAnswer.policyName,
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
      ))
    return answer
  }

  /// The parameters of a page that may take a minute.
  private func patient(_ isPatient: Bool) -> TableParameters {
    var parameters = TableParameters()
    parameters.isPatient = isPatient
    return parameters
  }

  private func history() throws -> BrowseAnswer {
    let parameters = try ModelParameters(query, ["limit", "wait"])
    let limit = parameters.isPatient ? Self.patientLimit : Self.limit
    return try page("History", .history, nil) {
      try server.versions.history(parameters.limit, within: limit, cancellation)
    } show: {
      try HistoryPage($0, $1, limit: parameters.limit).answer()
    }
  }

  private func change() throws -> BrowseAnswer {
    let parameters = try ModelParameters(query, ["count", "wait"])
    return try page("Change to come", .change, patient(parameters.isPatient)) {
      try plannedChange(isPatient: parameters.isPatient)
    } show: {
      try ChangePage($0, $1, parameters).answer()
    }
  }

  /// A page of what is found in git before a transaction begins, or of the reason why it is not found.
  private func page<Value>(
    _ title: String, _ page: BrowseAddress.StorePage, _ parameters: TableParameters?,
    _ find: () throws -> ModelVersions.Answer<Value>,
    show: (PageContext, Value) throws -> BrowseAnswer
  ) throws -> BrowseAnswer {
    let found: ModelVersions.Answer<Value>
    do {
      found = try find()
    } catch let failure as CommandFailure {
      return try read(nil) { try $0.withoutModel(title, page, failure.reason) }
    }
    return try read(parameters) { context in
      switch found {
      case .value(let value): try show(context, value)
      case .none: try context.withoutModel(title, page, Self.withoutModel)
      case .late: try context.late(title, page)
      }
    }
  }

  /// The reason where neither the user named a model file nor the repository has one.
  private static let withoutModel = "there is no model file here that can be read"

  private func plannedChange(isPatient: Bool) throws -> ModelVersions.Answer<PlanReview> {
    try server.versions.change(
      of: store, within: isPatient ? Self.patientLimit : Self.limit, cancellation)
  }

  /// The change where a page is of no use without it.
  private func requiredChange(isPatient: Bool) throws -> PlanReview {
    switch try plannedChange(isPatient: isPatient) {
    case .value(let review): return review
    case .none: throw BrowseProblem(404, Self.withoutModel)
    case .late: throw BrowseProblem(503, "git has not ended yet")
    }
  }

  private func changeDiagram() throws -> BrowseAnswer {
    try requireNoParameters()
    let plan = try requiredChange(isPatient: false).plan
    return picture(SchemaDiagram(from: plan.old.model, to: plan.new.model))
  }

  private func changeExport(_ format: ChangeFormat) throws -> BrowseAnswer {
    try requireNoParameters()
    var review = try requiredChange(isPatient: true)
    let opened = try store.session.store(server.place.observer)
    try opened.read(cancellation.interruption(after: Self.patientLimit)) { _ in
      try review.count(in: opened)
    }
    let text = review.render(format.plan, tool: ToolInfo.boxjoint)
    var answer = BrowseAnswer(200, "application/octet-stream", Array(text.utf8))
    answer.fields.append(Self.attachment("change", format.rawValue))
    return answer
  }

  // MARK: - Errors

  /// The answer to an error; with the status of what cannot be done, which is not now or never.
  private func failure(_ error: any Error, impossible: Int = 503) -> BrowseAnswer {
    switch error {
    case let problem as BrowseProblem: return server.problem(problem, store)
    case let error as ConditionError:
      return server.problem(BrowseProblem(400, error.message), store)
    case StoreError.interrupted:
      return server.problem(
        BrowseProblem(503, "reading took longer than \(Self.limit.components.seconds) s"), store)
    default: break
    }
    guard let failure = CommandFailure.ofDump(error, store.path) as? CommandFailure else {
      return server.problem(BrowseProblem(500, "\(error)"), store)
    }
    let status =
      switch failure.kind {
      case .usage: 400
      case .impossible: impossible
      case .inputOutput where !store.hasFile: 410
      default: 500
      }
    let message =
      status == 410
      ? "the store is gone from \(store.path); a store that comes back there is opened again"
      : failure.message
    return server.problem(BrowseProblem(status, message), store)
  }
}

extension CommandFailure {
  /// The message, after the file that it is about.
  fileprivate var reason: String { (path.map { "\($0): " } ?? "") + message }
}
