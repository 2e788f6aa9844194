internal import BoxConvert
internal import BoxModel
internal import BoxReport

extension PlanReview {
  /// The plan as Markdown for a comment: a line of counts, a table, and the details folded away.
  ///
  /// - Complexity: O(*n*) in the number of steps.
  package func markdown() -> String {
    let mark = isBlocked ? "Blocked" : "Allowed"
    var lines = ["**Model change: \(mark).** \(headline.escapedForMarkdown)"]
    for finding in findings {
      let advice = finding.advice.map { "; \($0)" } ?? ""
      lines += ["", "- \(finding.rule.id) \((finding.message + advice).escapedForMarkdown)"]
    }
    if steps.isEmpty { return lines.joined(separator: "\n") + "\n" }
    lines += ["", "| Class | Element | Change | Before and after |", "| --- | --- | --- | --- |"]
    for reviewed in steps {
      let isOver = reviewed.expired != nil ? " (approval ended)" : ""
      let note =
        reviewed.approval != nil
        ? " (approved)" : (reviewed.isBlocking ? " **stops**" : "") + isOver
      lines.append(
        "| \(reviewed.step.changeClass.rawValue)\(note) "
          + "| \(reviewed.step.subject.escapedForMarkdown) "
          + "| \(reviewed.step.rule.id) \(reviewed.step.rule.name) "
          + "| \(reviewed.change.escapedForMarkdown) |")
    }
    for reviewed in steps where reviewed.isBlocking { lines += details(reviewed) }
    return lines.joined(separator: "\n") + "\n"
  }

  private func details(_ reviewed: ReviewedStep) -> [String] {
    let step = reviewed.step
    var lines = [
      "", "<details><summary>\(step.message.escapedForMarkdown)</summary>", "",
      "- Data: \(step.data.escapedForMarkdown)"
        + (step.counts.map { ": \($0.words)" } ?? ""),
    ]
    if plan.targets.contains(.boxjoint) {
      lines.append("- BoxJoint: \(step.engine.outcome.escapedForMarkdown)")
    }
    if plan.targets.contains(.objectbox) {
      lines.append(
        "- ObjectBox: \(step.objectBox.outcome.escapedForMarkdown) "
          + "(\(step.objectBox.grade.rawValue): \(step.objectBox.source.escapedForMarkdown))")
    }
    lines.append("- Going back: \(step.rollbackWords(plan.targets))")
    if let remedy = step.remedy { lines.append("- Remedy: \(remedy.escapedForMarkdown)") }
    for (number, release) in (step.conversion?.releases ?? []).enumerated() {
      lines.append("- Release \(number + 1): \(release.escapedForMarkdown)")
    }
    if let expired = reviewed.expired {
      lines.append(
        "- Approval: \(expired.endWords.escapedForMarkdown)")
    }
    lines += ["- Fingerprint: `\(reviewed.fingerprint)`", "", "</details>"]
    return lines
  }
}
