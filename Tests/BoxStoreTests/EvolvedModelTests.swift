import BoxStore
import TestSupport
import Testing

/// Objects of one version of an app, read by another.
struct EvolvedModelTests {
  private static func open(_ directory: TemporaryDirectory, isLater: Bool) throws -> Store {
    try Store(
      model: StoreModel(json: try EvolvedSample.text(isLater: isLater)),
      directory: directory.path(of: "store"))
  }

  /// The fourth behaviour: a missing value.
  @Test(.promise(54, 55, 59, 102, 357, 402))
  func aPropertyThatAnObjectLacksReadsAsZeroEmptyOrTheDefault() throws {
    let directory = try TemporaryDirectory()
    do {
      let store = try Self.open(directory, isLater: false)
      defer { store.close() }
      try store.box().put(EarlyCard("early"))
    }
    let store = try Self.open(directory, isLater: true)
    defer { store.close() }
    let card = try #require(try store.box(for: Card.self).get(Id(1)))
    #expect(card.text == "early")
    #expect(!card.isPinned)
    #expect(card.count == 0)
    #expect(card.title == "")
    #expect(card.kind == .unknown)
    #expect(card.mood == nil)
  }

  /// The fourth behaviour: an unknown value.
  @Test(.promise(54, 56, 58, 357, 375)) func aRawValueOfANewerVersionReadsAsTheDefaultAndIsFound()
    throws
  {
    let directory = try TemporaryDirectory()
    let store = try Self.open(directory, isLater: true)
    defer { store.close() }
    let newer = EarlyCard("newer")
    newer.rawValue = 999
    try store.box().put(newer)
    let box = store.box(for: Card.self)
    let card = try #require(try box.get(newer.id))
    #expect(card.kind == .unknown)
    #expect(card.mood == nil)
    #expect(try box.query { Card.kind == 999 }.build().findIds().map(\.value) == [newer.id])
    // Documented: an object has no place for the number, so a put replaces it.
    try box.put(card)
    #expect(try box.query { Card.kind == 999 }.build().count() == 0)
  }

  @Test(.promise(131)) func anOlderVersionKeepsWhatItDoesNotKnow() throws {
    let directory = try TemporaryDirectory()
    do {
      let store = try Self.open(directory, isLater: true)
      defer { store.close() }
      let card = Card()
      card.text = "new"
      card.count = 7
      try store.box().put(card)
    }
    do {
      let store = try Self.open(directory, isLater: false)
      defer { store.close() }
      let box = store.box(for: EarlyCard.self)
      let card = try #require(try box.get(Id(1)))
      card.text = "changed by the older version"
      try box.put(card)
    }
    let store = try Self.open(directory, isLater: true)
    defer { store.close() }
    let card = try #require(try store.box(for: Card.self).get(Id(1)))
    #expect(card.text == "changed by the older version")
    #expect(card.count == 7)
  }
}

/// A card of the current version.
private final class Card: Entity {
  enum Kind: Int { case unknown = 0, list = 1 }

  var id: Id = 0
  var text = ""
  var isPinned = false
  var count = 0
  var title = ""
  var kind = Kind.unknown
  var mood: Kind?
}

/// A card of the first version, with room for a number that the current one does not know.
private final class EarlyCard: Entity {
  var id: Id = 0
  var text = ""
  var rawValue: Int?

  init(_ text: String) { self.text = text }
}

extension Card: EntityInspectable, __EntityRelatable {
  typealias EntityType = Card
  typealias EntityBindingType = CardBinding
  static let entityInfo = EntityInfo(name: "Card", id: 1)
  static let entityBinding = CardBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<Card> { EntityId(id) }

  static var kind: Property<Card, Int, Void> { Property(propertyId: 6) }
}

private final class CardBinding: EntityBinding {
  typealias EntityType = Card
  typealias IdType = Id

  func generatorBindingVersion() -> Int { 2 }
  func entityId(of card: Card) -> Id { card.id }
  func setEntityIdUnlessStruct(of card: Card, to id: Id) { card.id = id }

  func collect(
    fromEntity card: Card, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(card.text, at: 6)
    propertyCollector.collect(card.isPinned, at: 8)
    propertyCollector.collect(card.count, at: 10)
    propertyCollector.collect(card.title, at: 12)
    propertyCollector.collect(card.kind.rawValue, at: 14)
    propertyCollector.collect(card.mood?.rawValue, at: 16)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> Card {
    let card = Card()
    card.id = entityReader.read(at: 4)
    card.text = entityReader.read(at: 6)
    card.isPinned = entityReader.read(at: 8)
    card.count = entityReader.read(at: 10)
    card.title = entityReader.read(at: 12)
    card.kind = Card.Kind(rawValue: entityReader.read(at: 14)) ?? .unknown
    card.mood = entityReader.read(at: 16).flatMap(Card.Kind.init(rawValue:))
    return card
  }
}

extension EarlyCard: EntityInspectable, __EntityRelatable {
  typealias EntityType = EarlyCard
  typealias EntityBindingType = EarlyCardBinding
  static let entityInfo = EntityInfo(name: "Card", id: 1)
  static let entityBinding = EarlyCardBinding()
  // swift-format-ignore: NoLeadingUnderscores
  var _id: EntityId<EarlyCard> { EntityId(id) }
}

private final class EarlyCardBinding: EntityBinding {
  typealias EntityType = EarlyCard
  typealias IdType = Id

  func generatorBindingVersion() -> Int { 2 }
  func entityId(of card: EarlyCard) -> Id { card.id }
  func setEntityIdUnlessStruct(of card: EarlyCard, to id: Id) { card.id = id }

  func collect(
    fromEntity card: EarlyCard, id: Id, propertyCollector: FlatBufferBuilder, store: Store
  ) throws {
    propertyCollector.collect(card.text, at: 6)
    guard let rawValue = card.rawValue else { return }
    propertyCollector.collect(rawValue, at: 14)
    propertyCollector.collect(rawValue, at: 16)
  }

  func createEntity(entityReader: FlatBufferReader, store: Store) -> EarlyCard {
    let card = EarlyCard(entityReader.read(at: 6))
    card.id = entityReader.read(at: 4)
    return card
  }
}
