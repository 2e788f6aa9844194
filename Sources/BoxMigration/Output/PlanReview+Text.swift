internal import BoxConvert
internal import BoxModel
package import BoxReport

extension PlanReview {
  /// The plan as a table for people: a line for each step, the most severe first, then details of
  /// the blocking steps.
  ///
  /// - Parameters:
  ///   - style: Colours and the width of the terminal.
  ///   - isDetailed: Whether every step is explained, instead of only the blocking ones.
  /// - Returns: The text, ending with a line feed.
  /// - Complexity: O(*n*) in the number of steps.
  package func text(style: TextStyle = TextStyle(), isDetailed: Bool = false) -> String {
    let others = findings.map { finding in
      let place = finding.region.map { ":\($0.line):\($0.column)" } ?? ""
      let advice = finding.advice.map { "; \($0)" } ?? ""
      return "\(finding.path)\(place): \(finding.severity.rawValue): \(finding.message)\(advice) "
        .escapedForDisplay + "[\(finding.rule.id) \(finding.rule.name)]"
    }
    if steps.isEmpty { return (others + [headline]).map { $0 + "\n" }.joined() }
    var lines = table(style)
    for reviewed in steps where isDetailed || reviewed.isBlocking || reviewed.expired != nil {
      lines.append("")
      lines += details(reviewed, style)
    }
    lines += others.isEmpty ? [] : [""] + others
    lines += ["", headline]
    return lines.map { $0 + "\n" }.joined()
  }

  /// The result in one line.
  package var headline: String {
    if plan.steps.isEmpty {
      let changes = RootChange.all(from: plan.old.model, to: plan.new.model)
      // Raised last ids and added retired UIDs, which 'diff' shows.
      return (changes.isEmpty ? "no changes" : "no changes that matter to a store")
        + ": every store of the old model opens as it is"
    }
    let classes = ChangeClass.byGravity.reversed().compactMap { value in
      plan.counts[value].map { "\($0) \(value.rawValue)" }
    }
    let blocking = steps.count(where: \.isBlocking)
    let approved = steps.count { $0.approval != nil }
    var text = "\(counted(plan.steps.count, "step")): "
    text += classes.joined(separator: ", ")
    if ignored > 0 { text += "; \(ignored) left out" }
    if approved > 0 { text += "; \(approved) approved" }
    let expired = steps.count { $0.expired != nil }
    if expired > 0 { text += "; \(counted(expired, "approval")) ended" }
    text += blocking > 0 ? "; \(blocking) blocking" : "; none blocking"
    return text
  }

  private func table(_ style: TextStyle) -> [String] {
    let rows = steps.map { reviewed in
      [
        reviewed.step.changeClass.rawValue, reviewed.step.subject.escapedForDisplay,
        reviewed.step.rule.name, reviewed.change.escapedForDisplay,
      ]
    }
    let titles = ["CLASS", "ELEMENT", "CHANGE", "BEFORE -> AFTER"]
    var table = TextTable([titles] + rows)
    table.maximumWidth = 40
    let lines = table.lines { row in
      style.color && row > 0 ? steps[row - 1].severity.paint : nil
    }
    return lines.prefix(1) + zip(lines.dropFirst(), steps).map { $0 + Self.mark($1) }
  }

  private static func mark(_ reviewed: ReviewedStep) -> String {
    if reviewed.approval != nil { return "  (approved)" }
    return reviewed.expired.map { "  (approval ended on \($0.until ?? ""))" } ?? ""
  }

  private func details(_ reviewed: ReviewedStep, _ style: TextStyle) -> [String] {
    let step = reviewed.step
    let place = (step.newPlace ?? step.oldPlace).map {
      "\($0.path.escapedForDisplay):\($0.region.line):\($0.region.column): "
    }
    let title =
      "\(place ?? "")\(step.message.escapedForDisplay) [\(step.rule.id) \(step.rule.name)]"
    var lines = [style.color ? Paint.bold.applied(to: title) : title]
    func add(_ name: String, _ text: String?) {
      guard let text else { return }
      let padding = String(repeating: " ", count: max(0, 12 - name.count))
      lines.append("  \(name)\(padding)\(text.escapedForDisplay)")
    }
    add("data", step.data + (step.counts.map { ": \($0.words)" } ?? ""))
    if plan.targets.contains(.boxjoint) {
      add("BoxJoint", step.engine.outcome + (step.engine.openingRule.map { " (\($0.id))" } ?? ""))
    }
    if plan.targets.contains(.objectbox) {
      add(
        "ObjectBox",
        "\(step.objectBox.outcome) (\(step.objectBox.grade.rawValue): \(step.objectBox.source))")
    }
    add("going back", step.rollbackWords(plan.targets))
    add("remedy", step.remedy)
    for (number, release) in (step.conversion?.releases ?? []).enumerated() {
      add("release \(number + 1)", release)
    }
    if let approval = reviewed.approval {
      add("approved", "\(approval.author): \(approval.reason)")
    }
    if let expired = reviewed.expired {
      add("approval", expired.endWords)
    }
    if reviewed.isBlocking { add("fingerprint", reviewed.fingerprint) }
    return lines
  }
}

extension Approval {
  /// That the approval is over, in words.
  var endWords: String {
    "by \(author), ended on \(until ?? ""); approve the step again to let it pass"
  }
}

extension ReviewedStep {
  /// The values before and after, in one cell.
  var change: String {
    switch (step.before, step.after) {
    case (let before?, let after?): "\(before) -> \(after)"
    case (let before?, nil): "\(before) -> (removed)"
    case (nil, let after?): "(new) -> \(after)"
    case (nil, nil): ""
    }
  }
}

extension DataCounts {
  /// The counts in words, such as `120 values, 3 duplicates`.
  package var words: String {
    var text = unit.words(affected)
    if let duplicates { text += ", \(duplicates) of them with a duplicate" }
    if let unfit { text += ", \(unfit) of them do not fit" }
    return text
  }
}

extension PlanStep {
  /// The behaviour of the previous release with the result, in words.
  func rollbackWords(_ targets: Set<PlanTarget>) -> String {
    switch rollback(targets) {
    case .opens: "the previous release opens the result"
    case .refused: "the previous release cannot open the result of every target"
    case .untouched: "a store that is refused stays as it was, and the previous release opens it"
    case .unknown: "no public source says whether the previous release opens the result"
    }
  }
}
