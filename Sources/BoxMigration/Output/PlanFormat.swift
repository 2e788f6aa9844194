package import BoxReport

/// The forms that a plan can be printed in.
package enum PlanFormat: String, Hashable, Sendable, CaseIterable {
  /// A table for people.
  case text
  /// One JSON object, described by `Schemas/plan.schema.json`.
  case json
  /// A table for a comment on a change.
  case markdown
  /// Workflow commands of GitHub Actions, which become annotations.
  case github
  /// SARIF 2.1.0, the interchange format of static analysis.
  case sarif
  /// JUnit XML, with a case for each rule.
  case junit
  /// One self-contained page with both models side by side.
  case html
}

extension PlanReview {
  /// The plan in a format, ending with a line feed.
  ///
  /// In every format, control characters of names are escaped.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - tool: The program that made the plan.
  ///   - style: The style of text; the other formats ignore it.
  ///   - isDetailed: Whether text explains every step.
  /// - Returns: The text, to be written as UTF-8.
  /// - Complexity: O(*n* log *n*) in the number of steps; HTML is O(*n*) in the models.
  package func render(
    _ format: PlanFormat, tool: ToolInfo, style: TextStyle = TextStyle(), isDetailed: Bool = false
  ) -> String {
    switch format {
    case .text: text(style: style, isDetailed: isDetailed)
    case .json: json.displayText
    case .markdown: markdown()
    case .github: report(tool: tool).render(.github)
    case .sarif: report(tool: tool).render(.sarif)
    case .junit: report(tool: tool).render(.junit)
    case .html: html(tool: tool)
    }
  }
}
