package import BoxModel
internal import BoxReport

/// Edits of a model file, as a user asks for them.
package struct ModelEditRequest: Sendable {
  /// An edit, with the names of elements as `Film` or `Film.title`.
  package enum Edit: Sendable {
    case addEntity(EntityDraft)
    /// Adds a property; the name of the draft is `Film.title`.
    case addProperty(PropertyDraft)
    /// Adds a to-many relation; the name of the draft is `Film.cast`.
    case addRelation(RelationDraft)
    case rename(String, to: String)
    case remove(String)
    /// Sets and clears flags of an entity or a property, by their names.
    case setFlags(String, set: [String], clear: [String])
    /// Gives a property a type, under its UID or under a new one.
    case setType(String, PropertyType, keepsUID: Bool)
  }

  /// The model file.
  package var path: String
  /// The edits, of which all are carried out or none.
  package var edits: [Edit]
  /// The file to write instead; nil for the model file itself.
  package var output: String?
  /// Whether nothing is written.
  package var isDryRun = false
  /// Whether the file is a new one, which must not exist.
  package var isNew = false
  /// The source of UIDs.
  package var uids: any UIDSource = .random

  /// Creates a request.
  package init(_ path: String, _ edits: [Edit]) {
    self.path = path
    self.edits = edits
  }

  /// Edits the file.
  ///
  /// - Returns: The differences, and the file that was written.
  /// - Throws: ``CommandFailure`` of the kind `usage` if a name, a flag or a new file is not one that can
  ///   be used, `impossible` if the rules do not allow an edit, `badInput` if the file is not a model that
  ///   can be read completely, `inputOutput` if a file cannot be read or written. Then no file changed.
  /// - Complexity: O(*n* · *m*) in the number of edits and elements.
  package func run() throws(CommandFailure) -> ModelEditReport {
    let document = try document()
    var editor = ModelEditor(document.model, uids: uids)
    for edit in edits { try apply(edit, to: &editor) }
    let bytes = document.rendered(editor.model)
    try requireNoNewErrors(bytes, document)
    let target = output ?? path
    if !isDryRun, isNew || output != nil || bytes != document.bytes {
      try AtomicFile.write(bytes, to: target)
    }
    return ModelEditReport(
      path: path, output: target, isDryRun: isDryRun, isNew: isNew,
      changes: ModelChanges(from: document.model, to: editor.model))
  }

  private func document() throws(CommandFailure) -> ModelDocument {
    if isNew {
      try requireNewFile(path)
      return try ModelDocument(of: SourceFile(path: path, bytes: ModelDocument.newFile))
    }
    let document = try ModelDocument(of: SourceFile.read(path))
    if let failure = document.partialReading(path: path) { throw failure }
    return document
  }

  private func apply(_ edit: Edit, to editor: inout ModelEditor) throws(CommandFailure) {
    do throws(ModelEditError) {
      switch edit {
      case .addEntity(let draft): try editor.addEntity(draft)
      case .addProperty(var draft):
        let entity: String
        (entity, draft.name) = try editor.splitName(draft.name)
        try editor.addProperty(draft, to: entity)
      case .addRelation(var draft):
        let entity: String
        (entity, draft.name) = try editor.splitName(draft.name)
        try editor.addRelation(draft, to: entity)
      case .rename(let name, let new): try editor.rename(editor.element(named: name), to: new)
      case .remove(let name): try editor.remove(editor.element(named: name))
      case .setType(let name, let type, keepsUID: true):
        try editor.convertType(type, of: editor.element(named: name))
      case .setType(let name, let type, keepsUID: false):
        try editor.setType(type, of: editor.element(named: name))
      case .setFlags(let name, let set, let clear):
        try editor.changeFlags(of: editor.element(named: name), set: set, clear: clear)
      }
    } catch {
      throw CommandFailure(error, path: path)
    }
  }

  /// Throws if the edited file has an error that the file did not have.
  private func requireNoNewErrors(
    _ bytes: [UInt8], _ document: ModelDocument
  ) throws(CommandFailure) {
    let edited = try ModelDocument(of: SourceFile(path: path, bytes: bytes))
    let known = Set(document.check().map(\.message))
    let new = edited.check().first { $0.severity == .error && !known.contains($0.message) }
    if let new {
      throw CommandFailure(
        .impossible, "the edited model would be invalid: \(new.message)", path: path)
    }
  }
}
