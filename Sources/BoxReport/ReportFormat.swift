/// The forms that a report can be printed in.
package enum ReportFormat: String, CaseIterable, Sendable {
  /// Lines for people, as compilers print them, with the source line and a caret.
  case text
  /// One JSON object, described by `Schemas/findings.schema.json`.
  case json
  /// Workflow commands of GitHub Actions, which become annotations.
  case github
  /// SARIF 2.1.0, the interchange format of static analysis.
  case sarif
  /// JUnit XML, one test suite a file.
  case junit
  /// A table for a comment or a step summary.
  case markdown
}

/// The style of text for people.
package struct TextStyle: Hashable, Sendable {
  /// Whether to use the colours of ANSI terminals.
  package var color: Bool
  /// The number of columns that a source line may take; nil for 120.
  package var width: Int?

  /// Creates a style; without arguments it is plain.
  package init(color: Bool = false, width: Int? = nil) {
    self.color = color
    self.width = width
  }
}

extension Report {
  /// The report in a format, ending with a line feed.
  ///
  /// No format lets a control character of a name or a message through as it is.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - style: The style of ``ReportFormat/text``; the other formats ignore it.
  ///   - limit: The number of findings listed for each file, or for all files together in SARIF;
  ///     nil for the ``ReportFormat/findingLimit`` of the format. The counts include all findings.
  /// - Returns: The text, to be written as UTF-8.
  /// - Complexity: O(*n* log *n*) in the number of findings.
  package func render(
    _ format: ReportFormat, style: TextStyle = TextStyle(), limit: Int? = nil
  ) -> String {
    let limit = limit ?? format.findingLimit
    let report = limited(to: limit)
    return switch format {
    case .text: TextPrinter(style: style).print(report)
    case .json: JSONPrinter().print(report)
    case .github: GitHubPrinter().print(report)
    case .sarif: SARIFPrinter().print(report.limitedInAll(to: limit))
    case .junit: JUnitPrinter().print(report)
    case .markdown: MarkdownPrinter().print(report)
    }
  }
}
