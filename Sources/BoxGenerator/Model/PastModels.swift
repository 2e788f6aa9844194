package import BoxModel
internal import BoxRecovery

/// The earlier versions of a model file, by which a run knows an element that it would begin without its data.
package struct PastModels: Sendable {
  /// The content of the file in the last commit; nil without one.
  package var head: [UInt8]?
  /// The last commits, and the branches that are being merged.
  package var versions: [ResetBase]
  /// Reads the versions that had elements which the last commit has removed, and whose sources still have them.
  package var unbuilt: Unbuilt
  /// The reason why earlier versions are not known, in words; nil if they are.
  package var gap: String?

  /// Reads versions that had elements, each with the UID of its entity; the reason why some may be missing, in words.
  ///
  /// A model file that was moved is recognised by the model of the run.
  package typealias Unbuilt =
    @Sendable (_ elements: [(name: DeclaredElement, owner: UID?)], _ model: Model) async -> (
      versions: [ResetBase], gap: String?
    )

  /// Creates the past of a file without one.
  package init(
    head: [UInt8]? = nil, versions: [ResetBase] = [],
    gap: String? = nil, unbuilt: @escaping Unbuilt = { _, _ in ([], nil) }
  ) {
    self.head = head
    self.versions = versions
    self.unbuilt = unbuilt
    self.gap = gap
  }

  /// The UIDs on offer in the last commit.
  var offers: Set<UID> {
    Set(head.flatMap { try? ModelDocument(parsing: $0).model.newUIDPool } ?? [])
  }

  /// The past with the models that bindings were generated from.
  ///
  /// - Parameters:
  ///   - bindings: The text of the generated file; nil without one.
  ///   - path: Its path, for messages.
  /// - Returns: The past.
  /// - Complexity: O(*n*) in the size of the text.
  func with(_ bindings: [UInt8]?, path: String) -> PastModels {
    guard let bindings else { return self }
    var past = self
    past.versions += EmbeddedModel.files(in: bindings).compactMap {
      (try? ModelDocument(parsing: $0.bytes))?.model
    }.map { ResetBase(name: path, model: $0) }
    return past
  }
}

/// The past of the model file of a run, which is read once, and only if the run needs it.
struct PastReader {
  private let request: GeneratorRequest
  private var known: PastModels?

  init(_ request: GeneratorRequest) { self.request = request }

  /// The versions that had some elements, as ``PastModels/unbuilt``; none for those that nothing removed.
  mutating func unbuilt(
    _ elements: [(name: DeclaredElement, owner: UID?)], _ model: Model
  ) async -> (versions: [ResetBase], gap: String?) {
    if elements.isEmpty { return ([], nil) }
    let past = await models()
    if let gap = past.gap { return ([], gap) }
    return await past.unbuilt(elements, model)
  }

  /// The past, with the models that the bindings before the run were generated from.
  mutating func models() async -> PastModels {
    if let known { return known }
    let past = (await request.past?() ?? PastModels())
      .with(request.bindings, path: request.bindingsPath)
    known = past
    return past
  }
}

/// An element of the sources under the name that it has in the model.
struct NamedSource {
  var key: ElementKey
  /// The kind and the name for messages, such as `property title of entity Book`.
  var label: String
  var place: SourcePlace
  var request: UIDRequest?
}

extension Model {
  /// The elements of the model that entities of the sources declare, by name.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  func sources(of entities: [SourceEntity]) -> [NamedSource] {
    let lookup = ModelLookup(self)
    var result: [NamedSource] = []
    for source in entities {
      guard let position = lookup.entity(named: source.name) else { continue }
      let entity = self.entities[position]
      result.append(
        NamedSource(
          key: ElementKey(.entity, entity.pair.uid), label: "entity \(source.name)",
          place: source.place, request: source.uid))
      let members = MemberIndex(entity)
      for property in source.properties {
        guard let p = members.property(named: property.name) else { continue }
        result.append(
          NamedSource(
            key: ElementKey(.property, entity.properties[p].pair.uid),
            label: "property \(property.name) of entity \(source.name)", place: property.place,
            request: property.uid))
      }
      for relation in source.collections where relation.link == .standalone {
        guard let r = members.relation(named: relation.name), let found = entity.relations?[r]
        else { continue }
        result.append(
          NamedSource(
            key: ElementKey(.relation, found.pair.uid),
            label: "relation \(relation.name) of entity \(source.name)", place: relation.place,
            request: relation.uid))
      }
    }
    return result
  }
}
