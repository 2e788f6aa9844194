internal import BoxEngine
internal import BoxMigration
internal import BoxModel
internal import BoxReport
internal import BoxStorage
internal import BoxStoreTool

/// The change from the model of a store to the model file, with the objects that it concerns.
struct ChangePage {
  /// The largest size of a store whose objects are counted without being asked for, in bytes.
  private static let countedSize = 64 << 20

  private let context: PageContext
  private let review: PlanReview
  private let parameters: ModelParameters
  private let counting: Counting

  /// The counts of the objects.
  private enum Counting {
    case done
    /// They are asked for.
    case left
    /// The time was over.
    case late
  }

  /// Counts the objects of the store, as far as that is asked for and the time allows.
  ///
  /// - Parameters:
  ///   - context: What the page is made of.
  ///   - review: The change without counts.
  ///   - parameters: The parameters of the address.
  /// - Throws: `StoreError` if the store cannot be read.
  /// - Complexity: As `PlanReview.count(in:)`, until the time is over.
  init(
    _ context: PageContext, _ review: PlanReview, _ parameters: ModelParameters
  ) throws {
    self.context = context
    self.parameters = parameters
    let size = try context.open.store.status().size
    guard parameters.counts || size <= Self.countedSize else {
      (self.review, counting) = (review, .left)
      return
    }
    if let counted = try Self.withCounts(review, context) {
      (self.review, counting) = (counted, .done)
    } else {
      (self.review, counting) = (review, .late)
    }
  }

  /// The change with counts; nil if the time was over.
  private static func withCounts(
    _ review: PlanReview, _ context: PageContext
  ) throws -> PlanReview? {
    var review = review
    do {
      try review.count(in: context.open.store)
      return review
    } catch {
      if error as? StoreError == .interrupted, !context.cancellation.isRequested { return nil }
      throw error
    }
  }

  /// The page.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  func answer() throws -> BrowseAnswer {
    let plan = review.plan
    let source = SourceReference.store(context.store.path).argument
    let command = ["plan", shellQuoted(source), shellOperand(plan.new.path)]
    return try StoreFrame(context, "Change to come", current: .change).answer(
      200,
      """
      <div class="top"><div class="title"><h1>Change to come</h1>\
      <span class="soft">from the model of the store to \(value: plan.new.path)</span><span class="grow"></span>\
      \(exports)</div>
      <p class="note \(review.isBlocked ? "red" : "green")"><strong>\(review.isBlocked ? "Blocked" : "Allowed")</strong> \
      <span>\(review.headline)</span></p>\(uncounted)\(opening)</div>
      <div class="over"><div>\(steps)\(diagram)</div>
      <aside aria-label="Commands">\(findings)<div class="card"><h2>As a command</h2>\(context.command(command))</div>
      <div class="card"><h2>More</h2><p><a href="\(context.link(.history))">the versions of the model</a></p></div></aside></div>
      """)
  }

  // MARK: - Counts

  private var uncounted: HTMLText {
    let size = bytesText((try? context.open.store.status().size) ?? 0)
    switch counting {
    case .done: return ""
    case .left:
      let path = context.link(.change, "?count=1")
      return """
        <p class="note amber" role="status"><span>The objects are not counted.</span> \
        <a href="\(path)">count them (reads up to \(size))</a></p>
        """
    case .late:
      if parameters.isPatient {
        return """
          <p class="note amber" role="status">Counting the objects takes longer than \
          \("\(StoreAnswers.patientLimit.components.seconds)") s. The command counts them all.</p>
          """
      }
      let path = context.link(.change, "?count=1&wait=60")
      return """
        <p class="note amber" role="status"><span>Counting the objects takes longer.</span> \
        <a href="\(path)">continue (60 s at most)</a></p>
        """
    }
  }

  /// The effect of opening the store with the model file now.
  private var opening: HTMLText {
    if review.plan.steps.isEmpty { return "" }
    let refusals = review.plan.steps.filter { $0.engine.changeClass == .openFailure }
    guard let first = refusals.first else {
      return "<p>An app that opens this store with the new model now can do so.</p>"
    }
    let more =
      refusals.count > 1 ? ", and \(counted(refusals.count - 1, "other step")) likewise" : ""
    return """
      <p>An app that opens this store with the new model now is refused: \
      \(first.subject), \(first.engine.outcome)\(more).</p>
      """
  }

  // MARK: - Steps

  private var steps: HTMLText {
    if review.steps.isEmpty { return "<p>Nothing changes.</p>" }
    var items: HTMLText = ""
    for reviewed in review.steps { items.append(item(reviewed)) }
    return "<h2 class=\"hide\">Steps</h2><ol class=\"steps\">\n\(items)</ol>"
  }

  private func item(_ reviewed: ReviewedStep) -> HTMLText {
    let step = reviewed.step
    var facts: HTMLText = ""
    for fact in review.facts(about: reviewed) {
      facts.append("<dt>\(fact.name)</dt><dd>\(fact.text)</dd>\n")
    }
    let open: HTMLText = reviewed.isBlocking ? #" open="open""# : ""
    let mark: HTMLText = reviewed.isBlocking ? " <b class=\"wrong\">blocks</b>" : ""
    let count: HTMLText = step.counts.map { "<span class=\"soft\">\($0.words)</span>" } ?? ""
    return """
      <li><details\(open)><summary><span class="class \(step.changeClass.rawValue)">\(step.changeClass.rawValue)</span> \
      <span>\(step.message)\(mark) <small class="soft">\(step.rule.id)</small></span> \(count)</summary>
      <dl class="facts">\(facts)</dl>\(objects(of: step))</details></li>

      """
  }

  /// The way to the objects that a step is about.
  private func objects(of step: PlanStep) -> HTMLText {
    guard let name = step.oldEntity,
      let entity = context.open.store.entities.first(where: {
        $0.name.utf8.elementsEqual(name.utf8)
      })
    else { return "" }
    var parameters = TableParameters()
    if let member = step.oldMember, let property = entity.property(named: member) {
      let wantsNull = step.counts?.unit == .objectsWithoutValue
      parameters.condition = "\(NamePath.quoted(property.name)) \(wantsNull ? "==" : "!=") nil"
    }
    let path = context.link(.table(entity: entity.name), parameters.text)
    return "<p><a href=\"\(path)\">the objects</a></p>"
  }

  private var findings: HTMLText {
    if review.findings.isEmpty { return "" }
    var items: HTMLText = ""
    for finding in review.findings {
      items.append("<li><code>\(finding.path)</code> \(finding.message)</li>\n")
    }
    return "<div class=\"card\"><h2>Other findings</h2><ul>\(items)</ul></div>"
  }

  // MARK: - Files

  private var diagram: HTMLText {
    let path = context.link(.changeDiagram)
    let plan = review.plan
    if plan.steps.isEmpty { return "" }
    if max(plan.old.model.entities.count, plan.new.model.entities.count) > ModelPage.drawnEntities {
      return "<p><a href=\"\(path)\">The diagram of the change</a></p>"
    }
    return """
      <figure class="figure"><h2>The model with the change</h2><a href="\(path)"><img class="diagram" src="\(path)" \
      alt="Diagram of both models; new parts are marked with +, removed ones with - and changed ones with ~"/></a></figure>
      """
  }

  private var exports: HTMLText {
    var links: HTMLText = ""
    let formats: [(ChangeFormat, String)] = [
      (.html, "HTML"), (.markdown, "Markdown"), (.json, "JSON"), (.sarif, "SARIF"),
    ]
    for (format, name) in formats {
      links.append(
        "<a href=\"\(context.link(.changeExport(format)))\" download=\"download\">\(name)</a>")
    }
    return
      "<details class=\"drop right\"><summary class=\"button\">Export</summary><div>\(links)</div></details>"
  }
}
