internal import BoxJSON
internal import BoxReport

/// Finds a model that fits JSON or delimited text which was not made for any.
///
///     let inferred = try ModelInference().run(["films.json"])
///
/// Every value of every object counts, not a sample of them. So an import of the same files into a store
/// of the model loses nothing: where no type has all values of a member, the property has their JSON as
/// text, or the fields of a column as they are. Memory does not grow with the number of objects.
public struct ModelInference: Sendable {
  /// The choices of the user.
  public var options: InferenceOptions

  /// Creates an inference.
  public init(_ options: InferenceOptions = InferenceOptions()) { self.options = options }

  /// Reads inputs to their end.
  ///
  /// - Parameters:
  ///   - paths: Files of objects, as lines, as an array or as CSV, compressed or not; `-` for standard
  ///     input.
  ///     Inputs with one entity have one type for each member.
  ///   - progress: Called with the path, the number of bytes read of it, and their total; nil if
  ///     unknown.
  /// - Returns: The model, with the reasons.
  /// - Throws: ``DumpError``: of kind `impossible` for a dump, which contains its model, and for a
  ///   choice that the values do not allow, with the place; `usage` for a choice that names a member or
  ///   an entity that the inputs do not have; or an error of the input.
  /// - Complexity: O(*n*) in the size of the inputs.
  public func run(
    _ paths: [String], progress: (String, _ done: Int, _ total: Int?) -> Void = { _, _, _ in }
  ) throws(DumpError) -> InferredModel {
    try run(paths, kept: nil, progress: progress)
  }

  /// Reads inputs, or the bytes that were kept of the only one.
  ///
  /// - Throws: As the other function.
  package func run(
    _ paths: [String], kept: KeptInput?, progress: (String, _ done: Int, _ total: Int?) -> Void
  ) throws(DumpError) -> InferredModel {
    let budget = DistinctValues.Budget()
    var inputs: [EntityFacts] = []
    for (number, path) in paths.enumerated() {
      let name = options.entity ?? EntityName.derived(from: path)
      let position = inputs.firstIndex { $0.name.hasSameBytes(as: name) } ?? inputs.count
      if position == inputs.count {
        inputs.append(EntityFacts(name: name, objects: ObjectFacts(budget)))
      }
      inputs[position].paths.append(path)
      try read(path, kept, number, of: name, into: inputs[position].objects) { done, total in
        progress(path, done, total)
      }
    }
    for input in inputs where input.objects.count == 0 {
      let path = input.paths.first.map { $0 == "-" ? "standard input" : $0 }
      throw DumpError("has no objects to infer a model from", path: path)
    }
    var decisions = InferenceDecisions(options)
    return try decisions.model(inputs)
  }

  private func read(
    _ path: String, _ kept: KeptInput?, _ number: Int, of entity: String, into facts: ObjectFacts,
    progress: (_ done: Int, _ total: Int?) -> Void
  ) throws(DumpError) {
    let input = try DumpInput(
      paths: [path], form: options.form,
      allowsPartialDirectories: options.allowsPartialDirectories,
      maximumElement: options.maximumElement, decompression: options.decompression, kept: kept)
    if input.header != nil {
      throw DumpError(
        "is a dump, which contains its model; import it without a model", kind: .impossible,
        path: input.path)
    }
    let sections = DumpSections(entities: [entity], relations: [])
    let elements = try DumpElements(input, sections, of: sections.entity(entity)) {
      (error) throws(DumpError) in throw error
    }
    let reader = FactsReader(
      elements.text, input: number, readsLists: options.nesting == .entities)
    var count = 0
    var document: (path: RecordPath, position: JSONPosition)?
    func skip(_ error: DumpError) throws(DumpError) {
      facts.skipped += 1
      if facts.skipped > options.maximumErrors ?? 0 { throw error }
    }
    while true {
      switch try elements.next() {
      case .element:
        if options.maximumErrors != nil, let error = reader.damage(elements) {
          try skip(error)
        } else {
          do throws(ScanFailure) {
            if let record = elements.record, let columns = elements.columns {
              try reader.read(record, columns, in: elements.text, into: facts)
            } else {
              if count == 0, options.form.records == nil,
                let path = RecordPath(guessing: elements.text.bytes(elements.range))
              {
                document = (path, elements.text.position(at: elements.range.lowerBound))
              }
              try reader.read(elements, into: facts)
            }
          } catch {
            throw error.inText(elements)
          }
        }
      case .invalid(let message, _, let index):
        try skip(elements.text.error(message, at: index))
      case .end:
        reader.endRecords()
        if let document, count == 1 {
          facts.inputNotes.append(
            InferredModel.Note(
              kind: .records, member: nil,
              message:
                "the file is one object; pass --records \(shellQuoted("\(document.path)")) if the records are there",
              place: InferencePlace(
                input: number, file: elements.text.name, position: document.position)))
        }
        if let note = elements.noteOnKeys {
          facts.inputNotes.append(
            InferredModel.Note(kind: .records, member: nil, message: note, place: nil))
        }
        return
      }
      elements.consume()
      count += 1
      if count & 0xFFF == 0 { progress(input.bytesRead.value, input.size) }
    }
  }
}

extension ScanFailure {
  /// The failure as an error with its place.
  func inText(_ elements: DumpElements) -> DumpError {
    elements.text.error(message(elements.text, elements.range).message, at: index)
  }
}

/// An entity of the inputs, and what was seen of its objects.
struct EntityFacts {
  let name: String
  let objects: ObjectFacts
  var paths: [String] = []
  /// The member that contains the objects, such as `Order.customer`; nil for the objects of the inputs.
  var owner: String?
}
