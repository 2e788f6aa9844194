public import BoxJSON
public import BoxModel

/// The choices of a user about a model that is inferred.
public struct InferenceOptions: Hashable, Sendable {
  /// A member whose values become a relation to objects of another entity.
  public struct Link: Hashable, Sendable {
    /// The entity of the objects; nil if there is only one.
    public var source: String?
    /// The member, which has a text or a number, or a list of them.
    public var member: String
    /// The entity of the targets.
    public var target: String
    /// The unique property of the targets that has the text or the number.
    public var key: String

    /// Creates a link.
    public init(_ member: String, to target: String, key: String = "name", source: String? = nil) {
      self.source = source
      self.member = member
      self.target = target
      self.key = key
    }
  }

  /// The treatment of nested objects.
  public enum Nesting: String, Hashable, Sendable, CaseIterable {
    /// A nested object is one property, with the JSON as its text.
    case json
    /// The members of a nested object are properties of the object, such as `name_common`.
    case flatten
    /// A nested object is an object of an entity of its own, to which a relation leads; a list of them is
    /// a to-many relation.
    case entities
  }

  /// The name of the entity of all inputs; nil to derive one from the name of each.
  public var entity: String?
  /// The member that is the id; nil for the member `id`, if its values can be ids.
  public var id: String?
  /// The members that become unique properties.
  public var unique: [String] = []
  /// The members that become indexed properties.
  public var indexed: [String] = []
  /// The members that become relations.
  public var links: [Link] = []
  /// The treatment of nested objects.
  public var nesting = Nesting.json
  /// The types of members, by their names, instead of the inferred ones.
  public var types: [ExactText: PropertyType] = [:]
  /// Whether each field of delimited text is a text.
  public var takesTexts = false
  /// The form of the inputs.
  public var form = InputForm()
  /// The maximum number of bytes of an element.
  public var maximumElement = ImportOptions().maximumElement
  /// The limits of the decompressed size of compressed input.
  public var decompression = DecompressionLimits()
  /// The maximum number of damaged objects of an entity, which are skipped; nil stops at the first.
  public var maximumErrors: Int?
  /// Whether a directory of parts may lack the mark of a complete one.
  package var allowsPartialDirectories = false

  /// The default options.
  public init() {}
}
