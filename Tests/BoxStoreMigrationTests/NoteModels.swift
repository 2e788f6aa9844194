import BoxMigration
import BoxModel
import BoxStore
import BoxStoreMigration
import TestSupport

/// The versions of the model of the notes.
enum NoteModels {
  /// Notes with ranks of 32 bits.
  static var first: StoreModel { get throws { try model([note(.int)]) } }
  /// Tags are added, which is a light step.
  static var second: StoreModel { get throws { try model([note(.int), tag]) } }
  /// Ranks have 64 bits, which is a heavy step.
  static var third: StoreModel { get throws { try model([note(.long), tag]) } }

  /// Notes have stars, of which those of before have five, or none for nil; ranks have 64 bits or not.
  static func starred(_ rank: BoxModel.PropertyType, _ stars: Int? = 5) throws -> StoreModel {
    StoreModel(
      json: String(decoding: try starredDocument(rank).bytes, as: UTF8.self),
      constants: stars.map { [113: PropertyConstant($0)] } ?? [:], zeros: [110, 111, 210])
  }

  /// The document of notes with stars.
  static func starredDocument(_ rank: BoxModel.PropertyType) throws -> ModelDocument {
    var starred = note(rank)
    starred.properties.append(.init("stars", 113, .long, .indexed))
    var model = TestModel()
    model.entities = [starred, tag]
    return try model.document()
  }

  static var history: ModelHistory {
    get throws { try ModelHistory(["1": first, "2": second, "3": third]) }
  }

  /// Notes that lead to tags, and tags alone.
  static var related: StoreModel {
    get throws {
      var noted = note(.int)
      noted.properties.append(.init("topTagId", 112, .relation, target: "Tag"))
      noted.relations = [.init("tags", 130, to: "Tag")]
      return try model([noted, tag])
    }
  }

  private static func note(_ rank: BoxModel.PropertyType) -> TestModel.Entity {
    .init(
      name: "Note", uid: 100, fields: [.init("text", 110, .string), .init("rank", 111, rank)])
  }

  private static let tag = TestModel.Entity(
    name: "Tag", uid: 200, fields: [.init("name", 210, .string)])

  private static func model(_ entities: [TestModel.Entity]) throws -> StoreModel {
    var model = TestModel()
    model.entities = entities
    return StoreModel(json: String(decoding: try model.document().bytes, as: UTF8.self))
  }
}
