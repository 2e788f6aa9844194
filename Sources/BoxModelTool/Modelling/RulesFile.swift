internal import BoxJSON
package import BoxModel
internal import BoxReport
internal import BoxSystem

/// The rules about removals that a command takes with a model.
package struct RulesChoice: Hashable, Sendable {
  /// The file that the user named; nil for the one beside the model file, if there is one.
  package var path: String?
  /// Whether no rules count, whatever files there are.
  package var isNone: Bool

  /// Creates a choice.
  package init(_ path: String? = nil, isNone: Bool = false) {
    self.path = path
    self.isNone = isNone
  }

  /// The rules for a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - argument: The argument that names it: a path, or something beside which there is no file.
  ///   - observer: Receives warnings about the file.
  /// - Returns: The rules; nil if there is no file.
  /// - Throws: ``CommandFailure`` of the kind `badInput` if the file is not valid or does not fit the model,
  ///   `inputOutput` if it cannot be read.
  package func declarations(
    of model: Model, _ argument: String, _ observer: any WorkObserver
  ) throws(CommandFailure) -> Declarations? {
    if isNone { return Declarations() }
    if let path {
      return try RulesFile(SourceFile.read(path), model, argument).declarations(observer)
    }
    guard case .file(let beside)? = SourceReference(argument).rules, RulesFile.isPresent(beside)
    else { return nil }
    return try RulesFile(SourceFile.read(beside), model, argument).declarations(observer)
  }

  /// The rules for a version of a model, which may be in git; nil if there is no file.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - reference: The version.
  ///   - place: The place of the version.
  ///   - warns: Whether the observer gets warnings about the file: what an earlier version had is past.
  /// - Returns: The rules.
  /// - Throws: As ``declarations(of:_:_:)``.
  package func declarations(
    of model: Model, _ reference: SourceReference, _ place: Workspace, warns: Bool = true
  ) async throws(CommandFailure) -> Declarations? {
    if isNone { return Declarations() }
    return try await file(for: model, reference, place)?.declarations(warns ? place.observer : nil)
  }

  /// The rules for a version of a model that was read, which a store has itself; nil without any.
  ///
  /// - Throws: ``CommandFailure``, as ``declarations(of:_:_:)`` does.
  package func declarations(
    of model: Model, in source: SourceFile, _ reference: SourceReference, _ place: Workspace,
    warns: Bool = true
  ) async throws(CommandFailure) -> Declarations? {
    if path == nil, !isNone, let stored = source.declarations { return stored }
    return try await declarations(of: model, reference, place, warns: warns)
  }

  /// The file that the user named, or the one beside a version of a model; nil without either.
  func file(
    for model: Model, _ reference: SourceReference, _ place: Workspace
  ) async throws(CommandFailure) -> RulesFile? {
    if let path { return RulesFile(try SourceFile.read(path), model, reference.argument) }
    return try await RulesFile(beside: reference, model, in: place)
  }
}

/// A file of rules that was read for a model.
struct RulesFile {
  let source: SourceFile
  /// The content; nil if it cannot be read.
  let declarations: Declarations?
  let findings: [Finding]

  /// Reads and checks a file.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - model: The model.
  ///   - argument: The name of the model file, for messages.
  init(_ source: SourceFile, _ model: Model, _ argument: String) {
    self.source = source
    do throws(DeclarationsError) {
      let document = try DeclarationsDocument(parsing: source.bytes)
      declarations = document.declarations
      findings = document.check(against: model, argument, path: source.path)
    } catch {
      declarations = nil
      findings = [error.finding(path: source.path, bytes: source.bytes)]
    }
  }

  /// Reads the file beside a version of a model; nil without a file.
  init?(
    beside reference: SourceReference, _ model: Model, in place: Workspace
  ) async throws(CommandFailure) {
    switch reference.rules {
    case .file(let path):
      if !Self.isPresent(path) { return nil }
      self.init(try SourceFile.read(path), model, reference.argument)
    case .revision(let name, let path):
      // A version that was found for a file has the path of that, from here.
      let paths = [path, place.git.location.pathFromTop(path)].compactMap { $0 }
      for candidate in paths {
        // Most commits have none.
        guard let bytes = try? await place.git.show(name, path: candidate) else { continue }
        self.init(SourceFile(path: "\(name):\(path)", bytes: bytes), model, reference.argument)
        return
      }
      return nil
    default: return nil
    }
  }

  /// Whether there is a file; a link without a target is one, which cannot be read.
  static func isPresent(_ path: String) -> Bool { (try? entryExists(at: path)) ?? false }

  /// The first error for which the file cannot be used.
  ///
  /// That no store opens with it and the model is for checks and plans to say.
  var error: Finding? {
    findings.first { $0.severity == .error && $0.rule != DeclarationRule.withoutIndex }
  }

  /// The content.
  ///
  /// - Parameter observer: Receives the first warnings, and the number of the others; nil if nobody does.
  /// - Returns: The rules.
  /// - Throws: ``CommandFailure`` for the first error.
  func declarations(_ observer: (any WorkObserver)?) throws(CommandFailure) -> Declarations {
    if let error {
      throw CommandFailure(
        .badInput, error.words, path: source.path,
        position: JSONPosition(line: error.region?.line ?? 1, column: error.region?.column ?? 1))
    }
    let warnings = findings.filter { $0.severity == .warning }
    let limit = ReportFormat.text.findingLimit
    for finding in warnings.prefix(limit) {
      observer?.receive(
        Notice(.warning, "\(source.path):\(finding.region?.line ?? 1): warning: \(finding.words)"))
    }
    if warnings.count > limit {
      var omitted = OmittedFindings(path: source.path)
      omitted.add(warnings.count - limit, .warning, fixable: 0)
      observer?.receive(Notice(.warning, "\(source.path): \(omitted.sentence(nil))"))
    }
    return declarations ?? Declarations()
  }
}

extension Finding {
  /// The message and the advice.
  fileprivate var words: String { message + (advice.map { "; \($0)" } ?? "") }
}

extension SourceReference {
  /// The file of rules beside a model file; nil if nothing can be beside it.
  var rules: SourceReference? {
    switch self {
    case .file(let path): .file(Declarations.path(beside: path))
    case .revision(let name, let path): .revision(name, path: Declarations.path(beside: path))
    case .standardInput, .store: nil
    }
  }
}
