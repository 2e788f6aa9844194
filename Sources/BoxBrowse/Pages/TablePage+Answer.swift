internal import BoxEngine
internal import BoxReport
internal import BoxStorage
internal import BoxStoreTool

// The number of the objects that are found, and the way to them.

extension TablePage {
  /// The number of the objects that fulfil the condition.
  enum Count {
    case exact(Int)
    /// As many were counted until the time was over.
    case atLeast(Int)
    case unknown
  }

  /// The number of objects that fulfil the condition, where it costs nothing or is asked for.
  func count(_ query: PreparedQuery, _ rows: TableRows) throws -> Count {
    if parameters.condition == nil { return .exact(try context.transaction.count(entity)) }
    if case .last = rows.end, parameters.place == .first { return .exact(rows.rows.count) }
    if !parameters.counts { return .unknown }
    let limit =
      parameters.isPatient ? StoreAnswers.patientLimit : min(Self.countLimit, context.remaining)
    let interruption = context.cancellation.interruption(after: limit)
    return try context.open.store.read(interruption) { transaction in
      var count = 0
      let end = try transaction.visitPage(query, limit: .max) { _, _ in
        count += 1
        return .next
      }
      return end == .last ? .exact(count) : .atLeast(count)
    }
  }

  /// The words beside the title: the number of objects, and what else can be asked for.
  func heading(_ count: Count) -> HTMLText {
    let how = parameters.explains ? nil : link { $0.explains = true }
    var text = words(about: count)
    if let how { text.append(" <a href=\"\(how)\">how</a>") }
    if parameters.isLive {
      let path = link { $0.isLive = false }
      text.append(" <span class=\"pill\">live</span> <a id=\"stop\" href=\"\(path)\">stop</a>")
    }
    return text
  }

  private func words(about count: Count) -> HTMLText {
    switch count {
    case .exact(let number):
      return "<span class=\"soft\">\(counted(number, "object")), \(context.elapsed)</span>"
    case .atLeast(let number):
      let path = link { ($0.counts, $0.isPatient) = (true, true) }
      return """
        <span class="soft">more than \(counted(number, "object"))</span> <a href="\(path)">count all (60 s at most)</a>
        """
    case .unknown:
      let path = link { $0.counts = true }
      return """
        <span class="soft">\(context.elapsed)</span> \
        <a id="count" href="\(path)">count them</a>
        """
    }
  }

  /// The way in which the objects are found, where it is asked for: the answer of the command.
  func explanation(
    of query: PreparedQuery, _ nearest: NearestVector? = nil
  ) throws -> HTMLText {
    if !parameters.explains { return "" }
    guard var plan = try plan(of: query) else {
      return note("To find out how takes longer", context.command(words + ["--explain"]))
    }
    if let nearest {
      plan.nearest =
        "\(parameters.limit ?? TableParameters.defaultNeighbours) by \(entity.memberName(nearest.property)), a look at each vector"
    }
    let path = link { $0.explains = false }
    return """
      <section class="plan" aria-label="How the objects are found"><pre class="command">\(lines: "\(plan)")</pre>\
      \(context.command(words + ["--explain"]))<p><a href="\(path)">hide</a></p></section>

      """
  }

  /// The plan; nil if the time was over.
  private func plan(of query: PreparedQuery) throws -> QueryPlan? {
    do {
      return try context.transaction.explain(query, limit: nil)
    } catch {
      if error == .interrupted, !context.cancellation.isRequested { return nil }
      throw error
    }
  }
}
