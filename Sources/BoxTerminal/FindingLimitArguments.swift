package import ArgumentParser
package import BoxReport

/// The option for the number of listed findings.
package struct FindingLimitArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "List at most this many findings of a file, the most severe, and count the rest. "
        + "Default: 300 in text, github and markdown; 25000 in json, sarif and junit.",
      valueName: "number"))
  package var maxFindings: Int?

  package init() {}

  package func validate() throws {
    if let maxFindings, maxFindings < 1 {
      throw ValidationError("--max-findings must be at least 1.")
    }
  }

  /// The number of findings of a file that are needed for some formats.
  package func limit(for formats: [ReportFormat]) -> Int {
    maxFindings ?? formats.map(\.findingLimit).max() ?? 0
  }
}
