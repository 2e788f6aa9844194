internal import BoxModel
internal import BoxReport

/// A check of a number of files: what is found, and the exit status that follows from it.
struct ModelCheck {
  let ignored: IgnoredRules
  let fixes: Bool
  let leavesOthersOut: Bool
  /// The least severity that counts for the exit status.
  let counting: Severity
  var earlier: EarlierVersion?

  private var findings: [Finding] = []
  private var checkedPaths: [String] = []
  /// The gravest status of all files.
  private(set) var status = ExitStatus.success
  /// The content of standard input after it was mended; nil where the files are mended in place.
  private(set) var mended: [UInt8]?

  init(ignored: IgnoredRules, fixes: Bool, leavesOthersOut: Bool, counting: Severity) {
    self.ignored = ignored
    self.fixes = fixes
    self.leavesOthersOut = leavesOthersOut
    self.counting = counting
  }

  /// Everything that was found.
  var report: Report { report(of: findings) }

  /// What counts for the exit status.
  var countingReport: Report { report(of: findings.filter { $0.severity >= counting }) }

  private func report(of findings: [Finding]) -> Report {
    Report(
      findings: findings, checkedPaths: checkedPaths,
      tool: ToolInfo(version: BoxJointCommand.version))
  }

  /// Refuses to mend what cannot be written.
  ///
  /// - Throws: ``CommandFailure`` with status 64.
  func requireFixable(_ references: [SourceReference]) throws(CommandFailure) {
    guard fixes else { return }
    for case .revision(let name, let path) in references {
      throw CommandFailure(
        .usage, "--fix cannot write to a revision; name the file itself", path: "\(name):\(path)")
    }
    if references.contains(.standardInput), references.count > 1 {
      throw CommandFailure(.usage, "--fix with standard input takes no other file")
    }
  }

  /// Adds findings that are about no model.
  mutating func add(_ found: [Finding]) {
    findings += found
    for finding in found where finding.severity >= counting { count(.findings) }
  }

  /// Checks a file.
  ///
  /// One that cannot be read is reported on standard error, and counts.
  mutating func check(_ reference: SourceReference) async {
    do throws(CommandFailure) {
      try await check(try await reference.read(), reference)
    } catch {
      StandardError.writeLine(error.line)
      count(error.status)
    }
  }

  private mutating func check(
    _ source: SourceFile, _ reference: SourceReference
  ) async throws(CommandFailure) {
    var document: ModelDocument
    do {
      document = try ModelDocument(parsing: source.bytes)
    } catch {
      if leavesOthersOut, !error.isAboutModel(source.bytes),
        try await earlier?.wasModel(reference) != true
      {
        return
      }
      checkedPaths.append(source.path)
      findings.append(error.finding(path: source.path, bytes: source.bytes))
      return count(.badInput)
    }
    let earlier = try await earlierVersion(of: source, document.model, reference)
    let ignored = ignored
    let issues: (ModelDocument) -> [ModelIssue] = { document in
      let found = document.check() + (earlier.map { document.check(against: $0) } ?? [])
      return found.filter { !ignored.contains($0.rule) }
    }
    if fixes {
      let fixed = document.fixed(issues: issues)
      try write(fixed.document, of: source, reference)
      for issue in fixed.applied {
        if let fix = issue.fix { say("\(source.path): fixed: \(fix.summary) [\(issue.rule.id)]") }
      }
      document = fixed.document
    }
    checkedPaths.append(source.path)
    for issue in issues(document) {
      findings.append(document.finding(issue, path: source.path))
      if issue.rule == ModelRule.versionTooNew {
        count(.badInput)
      } else if issue.severity >= counting {
        count(.findings)
      }
    }
  }

  private func earlierVersion(
    of source: SourceFile, _ model: Model, _ reference: SourceReference
  ) async throws(CommandFailure) -> ModelDocument? {
    switch try await earlier?.read(of: reference, model) {
    case nil: return nil
    case .document(let document): return document
    case .nothing(let reason):
      say("\(source.path): note: \(reason)")
      return nil
    }
  }

  /// Puts a mended file in its place, if there was something to mend.
  private mutating func write(
    _ document: ModelDocument, of source: SourceFile, _ reference: SourceReference
  ) throws(CommandFailure) {
    guard case .file(let path) = reference else {
      mended = document.bytes
      return
    }
    guard document.bytes != source.bytes else { return }
    guard try SourceFile.read(path).bytes == source.bytes else {
      throw CommandFailure(
        .inputOutput, "the file was changed while it was checked; it stays as it is", path: path)
    }
    try AtomicFile.write(document.bytes, to: path)
  }

  private mutating func count(_ status: ExitStatus) {
    if status.rawValue > self.status.rawValue { self.status = status }
  }

  private func say(_ line: String) {
    StandardError.writeLine(line.escapedForDisplay)
  }
}
