public import BoxJSON
public import BoxReport

/// A model file: its content, and every byte of its text.
///
/// What is not edited is written back byte for byte: see ``rendered(_:in:)``.
public struct ModelDocument: Sendable {
  /// The text.
  package let json: JSONDocument
  /// The content of the text.
  ///
  /// Elements that could not be read are left out, see ``isComplete``.
  public let model: Model
  /// The issues of the form of the file: missing keys, values of the wrong type.
  ///
  /// Of each rule and severity the first ones are listed, see ``init(parsing:issueLimit:)``.
  public var formIssues: [ModelIssue] { form.listed }

  /// The ``formIssues``, with the numbers of those that are not listed.
  let form: ModelIssues

  /// The keys that have a meaning.
  package let fields: FieldTable

  let nodes: ModelNodes
  private let madeLookup = Lazy<ModelLookup>()
  private let madeSamples = Lazy<KeyOrderSamples>()

  /// Whether every element could be read, so that the model can be edited, merged and written.
  public let isComplete: Bool

  /// The bytes of the file.
  public var bytes: [UInt8] { json.bytes }

  /// The bytes of the file without a byte order mark.
  package var bytesWithoutMark: [UInt8] {
    hasByteOrderMark ? Array(bytes[JSONDocument.byteOrderMark.count...]) : bytes
  }

  /// Whether the file begins with a byte order mark, which is skipped and written back.
  public var hasByteOrderMark: Bool { json.hasByteOrderMark }

  /// The generations of the format that this library reads: a file that asks for more is refused.
  public static let supportedVersion = 5

  /// The default number of issues of the form that are kept of each rule and severity.
  public static let formIssueLimit = 25_000

  /// Reads a model file.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - issueLimit: The number of issues of the form that are kept of each rule and severity; the
  ///     others are counted.
  /// - Throws: ``ModelError/json(_:)`` if the text is not JSON, ``ModelError/notAModel(_:at:)`` if
  ///   it is JSON but not a model.
  /// - Complexity: O(*n*) in the size of the text.
  public init(
    parsing bytes: [UInt8], issueLimit: Int = ModelDocument.formIssueLimit
  ) throws(ModelError) {
    try self.init(parsing: bytes, fields: .default, issueLimit: issueLimit)
  }

  /// Reads a model file whose elements have the keys of a table.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - fields: The keys that have a meaning; the others are kept as they are.
  ///   - issueLimit: As in ``init(parsing:issueLimit:)``.
  /// - Throws: As ``init(parsing:issueLimit:)``.
  /// - Complexity: O(*n*) in the size of the text.
  package init(
    parsing bytes: [UInt8], fields: FieldTable, issueLimit: Int = ModelDocument.formIssueLimit
  ) throws(ModelError) {
    var options = JSONDocument.Options.file
    options.allowsRawTabs = true
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: bytes, options: options)
    } catch {
      throw ModelError(error, in: bytes)
    }
    var parser = try ModelParser(document, fields, issueLimit: issueLimit)
    parser.parse()
    self.fields = fields
    json = document
    model = parser.model
    nodes = parser.nodes
    form = parser.issues
    isComplete = form.count(of: .error) == 0
  }

  /// Creates the model file of a model.
  ///
  /// - Throws: ``ModelError`` if a value of the model cannot be written to a file.
  /// - Complexity: O(*n*) in the size of the model.
  package init(of model: Model) throws(ModelError) {
    let empty = try ModelDocument(parsing: Array("{\"entities\":[]}".utf8))
    try self.init(parsing: empty.rendered(model))
  }

  /// The place of each element of the model.
  ///
  /// - Complexity: O(*n*) in the number of elements the first time, then O(1).
  package var lookup: ModelLookup { madeLookup.value { ModelLookup(model) } }

  /// The orders of keys that the file shows, needed only to write a file.
  var keyOrders: KeyOrderSamples { madeSamples.value { KeyOrderSamples(json, nodes) } }

  /// The style of the file, for parts that are added to it.
  ///
  /// - Parameter others: Files of the same project, the closest first. They decide where the file
  ///   itself does not show how its generator writes something.
  /// - Returns: The order of keys, the white space and the habits of the generator.
  /// - Complexity: O(*n*) in the number of entities.
  package func dialect(like others: [ModelDocument] = []) -> Dialect {
    Dialect(of: self, like: others)
  }
}

/// The reason why a file cannot be read as a model.
public enum ModelError: Error, Hashable, Sendable {
  /// The file is not JSON.
  case json(JSONError)
  /// The file is JSON but not a model: a sentence that says what it is instead, and the place that
  /// shows it.
  case notAModel(String, at: JSONPosition)

  init(_ error: JSONError, in bytes: [UInt8]) {
    // A second object after the first one is typical of dumps and logs.
    if error.code == .trailingText, bytes[error.offset] == UInt8(ascii: "{") {
      self = .notAModel(
        "this is not a model file: it holds several JSON values, as a dump does", at: error.position
      )
    } else {
      self = .json(error)
    }
  }

  /// The rule that the file breaks.
  public var rule: Rule {
    switch self {
    case .json(let error) where error.code == .conflictMarkers: ModelRule.conflictMarkers
    case .json: ModelRule.notJSON
    case .notAModel: ModelRule.notAModel
    }
  }

  /// The reason, in one sentence without a trailing period.
  public var message: String {
    switch self {
    case .json(let error): error.message
    case .notAModel(let message, _): message
    }
  }

  /// The place in the text.
  public var position: JSONPosition {
    switch self {
    case .json(let error): error.position
    case .notAModel(_, let position): position
    }
  }
}

/// A fault of a model, at a place of its text.
public struct ModelIssue: Hashable, Sendable {
  /// The rule that is broken.
  public var rule: Rule
  /// The severity of the fault here.
  public var severity: Severity
  /// The fault, in one sentence without a trailing period.
  public var message: String
  /// The advice on what to do next.
  public var advice: String?
  /// The faulty bytes, as offsets into the text.
  public var range: Range<Int>
  /// The fix, if exactly one edit is the right one.
  package var fix: ModelEdit?

  init(
    _ rule: Rule, severity: Severity? = nil, at range: Range<Int>, _ message: String,
    advice: String? = nil, fix: ModelEdit? = nil
  ) {
    self.rule = rule
    self.severity = severity ?? rule.severity
    self.message = message
    self.advice = advice
    self.range = range
    self.fix = fix
  }
}

/// The places of the parts of a model in its text, in the order of the model.
struct ModelNodes: Sendable {
  struct EntityNodes: Sendable {
    var object: JSONNode
    var properties: [JSONNode] = []
    var relations: [JSONNode] = []
  }

  var entities: [EntityNodes] = []
}
