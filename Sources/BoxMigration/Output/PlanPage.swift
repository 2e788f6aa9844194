internal import BoxConvert
internal import BoxModel
package import BoxReport

extension PlanReview {
  /// The plan as one HTML page: the steps, and both models side by side with what changed marked.
  ///
  /// The page loads nothing, runs no script, and is read with the keyboard alone.
  ///
  /// - Parameter tool: The program that made the plan.
  /// - Returns: The page.
  /// - Complexity: O(*n*) in the size of the models.
  package func html(tool: ToolInfo) -> String {
    let comparison = ModelSides(self)
    let title = "\(plan.old.path) to \(plan.new.path)".escapedForHTML
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>Model change: \(title)</title>
      <style>
      \(PlanPageStyle.text)
      </style>
      </head>
      <body>
      <a class="skip" href="#models">Skip to the models</a>
      <header>
      <h1>Model change</h1>
      <p class="files"><span>old</span> <code>\(plan.old.path.escapedForHTML)</code></p>
      <p class="files"><span>new</span> <code>\(plan.new.path.escapedForHTML)</code></p>
      <p class="verdict \(isBlocked ? "stops" : "passes")"><strong>\(isBlocked ? "Blocked" : "Allowed")</strong> \(headline.escapedForHTML)</p>
      </header>
      <main>
      <section aria-labelledby="steps">
      <h2 id="steps">Steps</h2>
      \(stepList)
      </section>\(findingList)
      <section aria-labelledby="models">
      <h2 id="models" tabindex="-1">Models</h2>
      <p><label><input type="checkbox" id="changed-only" checked> Only entities that changed</label></p>
      \(comparison.html)
      </section>
      </main>
      <footer>\(tool.name.escapedForHTML) \(tool.version.escapedForHTML)</footer>
      </body>
      </html>

      """
  }

  private var findingList: String {
    if findings.isEmpty { return "" }
    let items = findings.map { finding in
      let text = finding.message + (finding.advice.map { "; \($0)" } ?? "")
      return "<li><code>\(finding.path.escapedForHTML)</code> \(text.escapedForHTML) "
        + "<span class=\"rule\">\(finding.rule.id)</span></li>"
    }
    return
      "\n<section aria-labelledby=\"findings\">\n<h2 id=\"findings\">Other findings</h2>\n<ul>\n"
      + items.joined(separator: "\n") + "\n</ul>\n</section>"
  }

  private var stepList: String {
    if steps.isEmpty { return "<p>Nothing changed.</p>" }
    return "<ol class=\"steps\">\n"
      + steps.enumerated().map { item($0.element, number: $0.offset) }.joined(separator: "\n")
      + "\n</ol>"
  }

  /// The facts about a step, each with its name.
  ///
  /// - Complexity: O(1).
  package func facts(about reviewed: ReviewedStep) -> [(name: String, text: String)] {
    let step = reviewed.step
    var rows: [(name: String, text: String)] = [
      ("Data", step.data + (step.counts.map { ": \($0.words)" } ?? ""))
    ]
    if plan.targets.contains(.boxjoint) {
      rows.append(
        ("BoxJoint", step.engine.outcome + (step.engine.openingRule.map { " (\($0.id))" } ?? "")))
    }
    if plan.targets.contains(.objectbox) {
      rows.append(
        (
          "ObjectBox",
          "\(step.objectBox.outcome) (\(step.objectBox.grade.rawValue): \(step.objectBox.source))"
        ))
    }
    rows.append(("Going back", step.rollbackWords(plan.targets)))
    if let remedy = step.remedy { rows.append(("Remedy", remedy)) }
    for (number, release) in (step.conversion?.releases ?? []).enumerated() {
      rows.append(("Release \(number + 1)", release))
    }
    for (name, place) in [("Old file", step.oldPlace), ("New file", step.newPlace)] {
      if let place {
        rows.append((name, "\(place.path):\(place.region.line):\(place.region.column)"))
      }
    }
    rows.append(("Fingerprint", reviewed.fingerprint))
    if let expired = reviewed.expired { rows.append(("Approval", expired.endWords)) }
    if let approval = reviewed.approval {
      rows.append(("Approved", "\(approval.author): \(approval.reason)"))
    }
    return rows
  }

  private func item(_ reviewed: ReviewedStep, number: Int) -> String {
    let step = reviewed.step
    let list = facts(about: reviewed).map {
      "<dt>\($0.name)</dt><dd>\($0.text.escapedForHTML)</dd>"
    }
    .joined(separator: "\n")
    let mark = reviewed.isBlocking ? "<span class=\"stop\">stops</span> " : ""
    let link = step.anchor.map { " <a href=\"#\($0)\">in the models</a>" } ?? ""
    return """
      <li id="s\(number + 1)"><details\(reviewed.isBlocking ? " open" : "")>
      <summary>\(number + 1). <span class="class \(step.changeClass.rawValue)">\(step.changeClass.rawValue)</span> \(mark)<span class="message">\(step.message.escapedForHTML)</span> <span class="rule">\(step.rule.id)</span></summary>
      <dl>
      \(list)
      </dl>
      <p>\(link)</p>
      </details></li>
      """
  }
}

extension PlanStep {
  /// The row of the models that the step is about.
  var anchor: String? {
    guard let kind, let uid else { return nil }
    return "\(kind == .index ? "property" : kind.rawValue)-\(uid)"
  }
}
