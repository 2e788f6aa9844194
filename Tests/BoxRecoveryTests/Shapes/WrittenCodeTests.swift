import BoxModel
import TestSupport
import Testing

@testable import BoxRecovery

/// Code as the generators write it, by hand, with the model that it must give.
struct WrittenCodeTests {
  /// The model of all pieces of code here.
  ///
  /// The name of the to-one is that of Dart and Java.
  private func expected(author: String = "authorId") -> Model {
    var model = Model()
    var note = Entity(pair: IDPair(id: 1, uid: 5_100_000_000_000_000_256), name: "Note")
    note.lastPropertyID = IDPair(id: 4, uid: 5_100_000_000_000_004_352)
    var created = Property(
      pair: IDPair(id: 3, uid: 5_100_000_000_000_003_328), name: "createdAt", type: .date,
      flags: .indexed)
    created.indexID = IDPair(id: 1, uid: 5_100_000_000_000_005_376)
    var writer = Property(
      pair: note.lastPropertyID ?? .unset, name: author, type: .relation,
      flags: [.indexed, .indexPartialSkipZero])
    writer.indexID = IDPair(id: 2, uid: 5_100_000_000_000_006_400)
    writer.relationTarget = "Author"
    note.properties = [
      Property(
        pair: IDPair(id: 1, uid: 5_100_000_000_000_001_280), name: "id", type: .long, flags: .id),
      Property(
        pair: IDPair(id: 2, uid: 5_100_000_000_000_002_304), name: "text", type: .string),
      created, writer,
    ]
    note.relations = [
      Relation(
        pair: IDPair(id: 1, uid: 5_100_000_000_000_007_424), name: "coauthors",
        target: IDPair(id: 3, uid: 5_100_000_000_000_008_448))
    ]
    var person = Entity(pair: IDPair(id: 3, uid: 5_100_000_000_000_008_448), name: "Author")
    person.properties = [
      Property(
        pair: IDPair(id: 1, uid: 5_100_000_000_000_009_472), name: "id", type: .long, flags: .id)
    ]
    person.lastPropertyID = person.properties[0].pair
    model.entities = [note, person]
    model.lastEntityID = person.pair
    model.lastIndexID = writer.indexID
    model.lastRelationID = note.relations?[0].pair
    return model
  }

  private func read(_ path: String, _ code: String) throws -> Evidence {
    let found = CodeScan.evidence(in: [CodeScan.File(path: path, bytes: Array(code.utf8))])
    try #require(found.count == 1)
    return found[0]
  }

  private func check(_ found: Evidence, _ shape: CodeWriter.Shape, author: String) {
    #expect(found.problems.isEmpty, "\(found.problems)")
    #expect(found.isComplete)
    // The retired lists of Dart are empty here.
    #expect(
      ComparableModel(found.model, shape).model.entities
        == ComparableModel(expected(author: author), shape).model.entities)
    #expect(found.model.lastEntityID == expected().lastEntityID)
    #expect(found.model.lastIndexID == expected().lastIndexID)
    #expect(found.model.lastRelationID == expected().lastRelationID)
  }

  @Test func dart() throws {
    let found = try read(
      "lib/objectbox.g.dart",
      """
      // GENERATED CODE - DO NOT MODIFY BY HAND
      import 'package:objectbox/internal.dart' as obx_int;
      final _entities = <obx_int.ModelEntity>[
        obx_int.ModelEntity(
          id: const obx_int.IdUid(1, 5100000000000000256), name: 'Note',
          lastPropertyId: const obx_int.IdUid(4, 5100000000000004352), flags: 0,
          properties: <obx_int.ModelProperty>[
            obx_int.ModelProperty(id: const obx_int.IdUid(1, 5100000000000001280), name: 'id', type: 6, flags: 1),
            obx_int.ModelProperty(id: const obx_int.IdUid(2, 5100000000000002304), name: 'text', type: 9, flags: 0),
            obx_int.ModelProperty(id: const obx_int.IdUid(3, 5100000000000003328), name: 'createdAt',
              type: 10, flags: 8, indexId: const obx_int.IdUid(1, 5100000000000005376)),
            obx_int.ModelProperty(id: const obx_int.IdUid(4, 5100000000000004352), name: 'authorId', type: 11, flags: 520,
              indexId: const obx_int.IdUid(2, 5100000000000006400), relationField: 'author', relationTarget: 'Author'),
          ],
          relations: <obx_int.ModelRelation>[
            obx_int.ModelRelation(id: const obx_int.IdUid(1, 5100000000000007424), name: 'coauthors',
              targetId: const obx_int.IdUid(3, 5100000000000008448)),
          ],
          backlinks: <obx_int.ModelBacklink>[],
        ),
        obx_int.ModelEntity(
          id: const obx_int.IdUid(3, 5100000000000008448), name: 'Author',
          lastPropertyId: const obx_int.IdUid(1, 5100000000000009472), flags: 0,
          properties: <obx_int.ModelProperty>[
            obx_int.ModelProperty(id: const obx_int.IdUid(1, 5100000000000009472), name: 'id', type: 6, flags: 1),
          ],
          relations: <obx_int.ModelRelation>[], backlinks: <obx_int.ModelBacklink>[],
        ),
      ];
      obx_int.ModelDefinition getObjectBoxModel() {
        final model = obx_int.ModelInfo(generatorVersion: obx_int.GeneratorVersion.v2025_12_16, entities: _entities,
          lastEntityId: const obx_int.IdUid(3, 5100000000000008448), lastIndexId: const obx_int.IdUid(2, 5100000000000006400),
          lastRelationId: const obx_int.IdUid(1, 5100000000000007424), lastSequenceId: const obx_int.IdUid(0, 0),
          retiredEntityUids: const [5100000000000010496], retiredIndexUids: const [], retiredPropertyUids: const [],
          retiredRelationUids: const [], modelVersion: 5, modelVersionParserMinimum: 5, version: 1);
      }
      """)
    check(found, .dart, author: "authorId")
    #expect(found.model.retiredEntityUIDs == [5_100_000_000_000_010_496])
    #expect(
      found.place(of: ElementKey(.entity, 5_100_000_000_000_000_256)) == "lib/objectbox.g.dart:4")
  }

  @Test func dartOfVersion014() throws {
    let found = try read(
      "objectbox.g.dart",
      """
      ModelDefinition getObjectBoxModel() {
        final model = ModelInfo.fromMap({
          "entities": [
            {"id": "1:2000", "lastPropertyId": "1:2001", "name": "Ant",
             "properties": [{"id": "1:2001", "name": "id", "type": 6, "flags": 1, "indexId": null}],
             "relations": [], "backlinks": []}
          ],
          "lastEntityId": "1:2000", "lastIndexId": "0:0", "lastRelationId": "0:0",
          "lastSequenceId": "0:0", "modelVersion": 5,
        }, check: false);
      """)
    #expect(found.isComplete)
    #expect(found.model.entities.map(\.name) == ["Ant"])
    #expect(found.model.entities[0].properties[0].pair == IDPair(id: 1, uid: 2001))
  }

  @Test func swift() throws {
    let found = try read(
      "EntityInfo-App.generated.swift",
      """
      // Generated using the ObjectBox Swift Generator — https://objectbox.io
      extension Note: ObjectBox.EntityInspectable {
          internal static let entityInfo = ObjectBox.EntityInfo(name: "Note", id: 1)
          fileprivate static func buildEntity(modelBuilder: ObjectBox.ModelBuilder) throws {
              let entityBuilder = try modelBuilder.entityBuilder(for: Note.self, id: 1, uid: 5100000000000000256)
              try entityBuilder.addProperty(name: "id", type: PropertyType.long, flags: [.id], id: 1, uid: 5100000000000001280)
              try entityBuilder.addProperty(name: "text", type: PropertyType.string, id: 2, uid: 5100000000000002304)
              try entityBuilder.addProperty(name: "createdAt", type: PropertyType.date, flags: [.indexed], id: 3, uid: 5100000000000003328, indexId: 1, indexUid: 5100000000000005376)
              try entityBuilder.addToOneRelation(name: "author", targetEntityInfo: ToOne<Writer>.Target.entityInfo, flags: [.indexed, .indexPartialSkipZero], id: 4, uid: 5100000000000004352, indexId: 2, indexUid: 5100000000000006400)
              try entityBuilder.addToManyRelation(id: 1, uid: 5100000000000007424,
                                                  targetId: 3, targetUid: 5100000000000008448)

              try entityBuilder.lastProperty(id: 4, uid: 5100000000000004352)
          }
      }
      extension Note {
          internal static var coauthors: ToManyProperty<Writer> { return ToManyProperty(.relationId(1)) }
          internal static var replies: ToManyProperty<Note> { return ToManyProperty(.backlinkRelationId(1)) }
      }
      extension Writer: ObjectBox.EntityInspectable {
          internal static let entityInfo = ObjectBox.EntityInfo(name: "Author", id: 3)
          fileprivate static func buildEntity(modelBuilder: ObjectBox.ModelBuilder) throws {
              let entityBuilder = try modelBuilder.entityBuilder(for: Writer.self, id: 3, uid: 5100000000000008448)
              try entityBuilder.addProperty(name: "id", type: PropertyType.long, flags: [.id], id: 1, uid: 5100000000000009472)
              try entityBuilder.lastProperty(id: 1, uid: 5100000000000009472)
          }
      }
      fileprivate func cModel() throws -> OpaquePointer {
          let modelBuilder = try ObjectBox.ModelBuilder()
          try Note.buildEntity(modelBuilder: modelBuilder)
          modelBuilder.lastEntity(id: 3, uid: 5100000000000008448)
          modelBuilder.lastIndex(id: 2, uid: 5100000000000006400)
          modelBuilder.lastRelation(id: 1, uid: 5100000000000007424)
          return modelBuilder.finish()
      }
      """)
    check(found, .swift, author: "author")
  }

  @Test func javaWithOneMethodForEachEntity() throws {
    let found = try read(
      "MyObjectBox.java",
      """
      public class MyObjectBox {
          private static byte[] getModel() {
              ModelBuilder modelBuilder = new ModelBuilder();
              modelBuilder.lastEntityId(3, 5100000000000008448L);
              modelBuilder.lastIndexId(2, 5100000000000006400L);
              modelBuilder.lastRelationId(1, 5100000000000007424L);
              buildEntityNote(modelBuilder);
              buildEntityAuthor(modelBuilder);
              return modelBuilder.build();
          }
          private static void buildEntityNote(ModelBuilder modelBuilder) {
              EntityBuilder entityBuilder = modelBuilder.entity("Note");
              entityBuilder.id(1, 5100000000000000256L).lastPropertyId(4, 5100000000000004352L);
              entityBuilder.flags(io.objectbox.model.EntityFlags.USE_NO_ARG_CONSTRUCTOR);
              entityBuilder.property("id", PropertyType.Long).id(1, 5100000000000001280L)
                      .flags(PropertyFlags.ID | PropertyFlags.NOT_NULL);
              entityBuilder.property("text", PropertyType.String).secondaryName("t").id(2, 5100000000000002304L);
              entityBuilder.property("createdAt", PropertyType.Date).id(3, 5100000000000003328L)
                      .flags(PropertyFlags.NON_PRIMITIVE_TYPE | PropertyFlags.INDEXED).indexId(1, 5100000000000005376L);
              entityBuilder.property("authorId", "Author", "author", PropertyType.Relation).id(4, 5100000000000004352L)
                      .flags(PropertyFlags.VIRTUAL | PropertyFlags.INDEXED | PropertyFlags.INDEX_PARTIAL_SKIP_ZERO).indexId(2, 5100000000000006400L);
              entityBuilder.relation("coauthors", 1, 5100000000000007424L, 3, 5100000000000008448L);
              entityBuilder.entityDone();
          }
          private static void buildEntityAuthor(ModelBuilder modelBuilder) {
              EntityBuilder entityBuilder = modelBuilder.entity("Author");
              entityBuilder.id(3, 5100000000000008448L).lastPropertyId(1, 5100000000000009472L);
              entityBuilder.property("id", PropertyType.Long).id(1, 5100000000000009472L).flags(PropertyFlags.ID);
              entityBuilder.entityDone();
          }
      }
      """)
    check(found, .java, author: "authorId")
  }

  /// As a decompiler writes it where the names of classes were kept, and those of methods not.
  @Test func javaWithLettersForMethods() throws {
    let found = try read(
      "MyObjectBox.java",
      """
      public abstract class MyObjectBox {
          public static byte[] b() {
              ModelBuilder modelBuilder = new ModelBuilder();
              modelBuilder.f(3, 5100000000000008448L);
              modelBuilder.g(2, 5100000000000006400L);
              modelBuilder.h(1, 5100000000000007424L);
              ModelBuilder.EntityBuilder e = modelBuilder.e("Note");
              e.h(1, 5100000000000000256L);
              e.i(4, 5100000000000004352L);
              e.g(1);
              e.j("id", 6).h(1, 5100000000000001280L).f(1);
              e.j("text", 9).h(2, 5100000000000002304L);
              ModelBuilder.PropertyBuilder j = e.j("createdAt", 10);
              j.h(3, 5100000000000003328L);
              j.f(8);
              j.g(1, 5100000000000005376L);
              e.k("authorId", "Author", "author", 11).h(4, 5100000000000004352L).f(1544).g(2, 0x46C6DF0E4E7D1900L);
              e.m("coauthors", 1, 5100000000000007424L, 3, 5100000000000008448L);
              e.e();
              ModelBuilder.EntityBuilder e2 = modelBuilder.e("Author");
              e2.h(3, 5100000000000008448L);
              e2.i(1, 5100000000000009472L);
              e2.j("id", 6).h(1, 5100000000000009472L).f(1);
              e2.e();
              return modelBuilder.c();
          }
      }
      """.replacing(
        "0x46C6DF0E4E7D1900", with: "0x" + String(5_100_000_000_000_006_400 as UInt64, radix: 16)))
    check(found, .minifiedJava, author: "authorId")
  }

  @Test func javaWithAConstantIsRefused() throws {
    let found = try read(
      "MyObjectBox.java",
      """
      ModelBuilder modelBuilder = new ModelBuilder();
      modelBuilder.lastEntityId(1, 5100000000000000256L);
      ModelBuilder.EntityBuilder entity = modelBuilder.entity("Note");
      entity.id(1, 5100000000000000256L).lastPropertyId(1, 5100000000000001280L);
      entity.property(SomeLibrary.KEY_ID, 6).id(1, 5100000000000001280L).flags(1);
      entity.entityDone();

      """)
    #expect(found.problems.contains { $0.message.contains("--no-replace-consts") })
    #expect(found.problems.first?.place == "MyObjectBox.java:5")
  }

  @Test func c() throws {
    let found = try read(
      "objectbox-model.h",
      """
      // Code generated by ObjectBox; DO NOT EDIT.
      static inline OBX_model* create_obx_model() {
          OBX_model* model = obx_model();
          obx_model_entity(model, "Note", 1, 5100000000000000256);
          obx_model_property(model, "id", OBXPropertyType_Long, 1, 5100000000000001280);
          obx_model_property_flags(model, OBXPropertyFlags_ID);
          obx_model_property(model, "text", OBXPropertyType_String, 2, 5100000000000002304);
          obx_model_property(model, "createdAt", OBXPropertyType_Date, 3, 5100000000000003328);
          obx_model_property_flags(model, OBXPropertyFlags_INDEXED);
          obx_model_property_index_id(model, 1, 5100000000000005376);
          obx_model_property(model, "author_id", OBXPropertyType_Relation, 4, 5100000000000004352);
          obx_model_property_flags(model, 520);
          obx_model_property_relation(model, "Author", 2, 5100000000000006400);
          obx_model_entity_last_property_id(model, 4, 5100000000000004352);
          obx_model_relation(model, 1, 5100000000000007424, 3, 5100000000000008448);
          obx_model_entity(model, "Author", 3, 5100000000000008448ULL);
          obx_model_property(model, "id", OBXPropertyType_Long, 1, 5100000000000009472);
          obx_model_property_flags(model, OBXPropertyFlags_ID);
          obx_model_entity_last_property_id(model, 1, 5100000000000009472);
          obx_model_last_entity_id(model, 3, 5100000000000008448);
          obx_model_last_index_id(model, 2, 5100000000000006400);
          obx_model_last_relation_id(model, 1, 5100000000000007424);
          return model;
      }
      """)
    check(found, .c, author: "author_id")
    #expect(found.unnamedRelations == [5_100_000_000_000_007_424])
  }

  @Test(arguments: Corpus.written)
  func theModelFileInSwiftCodeIsGivenByteForByte(_ file: Corpus.File) throws {
    let text = String(decoding: file.bytes, as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let code = """
      nonisolated extension StoreModel {
        /// The model file of this target, byte for byte.
        internal static let library = StoreModel(
          json: #\"\"\"
      \(lines.map { $0.isEmpty ? "" : "      " + $0 }.joined(separator: "\n"))
            \"\"\"#)
      }

      """
    let found = EmbeddedModel.files(in: Array(code.utf8))
    #expect(found.map(\.bytes) == [file.bytes])
    #expect(found.map(\.line) == [3])
    // Git may have given the code other line ends.
    guard !text.utf8.contains(0x0D) else { return }
    let checkedOut = Array(code.replacing("\n", with: "\r\n").utf8)
    #expect(EmbeddedModel.files(in: checkedOut).map(\.bytes) == [file.bytes])
  }

  @Test func constantsAreReadFromBindings() throws {
    let code = """
      extension StoreModel {
        static let library = StoreModel(
          json: #\"\"\"
            {}
            \"\"\"#,
          constants: [
            11: PropertyConstant(-5 as Int32),
            12: PropertyConstant("a, \\" as [b" as String),
            13: PropertyConstant((Genre.other as Genre).rawValue),
            14: (Cents.convert(Money.none as Money) as Int?).map { PropertyConstant($0) } ?? .zero,
            15: PropertyConstant(["x", "y"] as [String]),
          ],
          zeros: [
            16,
            17,
          ])
      }
      """
    let found = try #require(EmbeddedModel.files(in: Array(code.utf8)).first)
    #expect(
      found.constants == [
        11: "-5", 12: #""a, \" as [b""#, 13: "Genre.other", 14: "Money.none", 15: #"["x", "y"]"#,
      ])
    #expect(found.zeros == [16, 17])
    let none = code.replacing("constants: [", with: "others: [")
    #expect(EmbeddedModel.files(in: Array(none.utf8)).first?.constants == nil)
    let empty = "StoreModel(json: \"\"\"\n  {}\n  \"\"\", constants: [:], zeros: [])"
    #expect(EmbeddedModel.files(in: Array(empty.utf8)).first?.constants == [:])
  }

  @Test(arguments: [
    "StoreModel(json: \"\"\"\n  {\\(x)}\n  \"\"\")", "// StoreModel(json: #\"\"\"\n{}\n\"\"\"#)",
    "StoreModel(json: #\"\"\"\n  {}\n", "StoreModel(json: #\"\"\"\n  {}\n    \"\"\"#)",
  ])
  func aModelThatIsNotAWholeLiteralIsNotRead(_ code: String) {
    #expect(EmbeddedModel.files(in: Array(code.utf8)).isEmpty)
  }
}
