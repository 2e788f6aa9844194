import BoxModel

@testable import BoxRecovery

/// Writes a model as code in the shapes of the generators.
///
/// It knows the shapes from their description, and shares no code with the scanners.
enum CodeWriter {
  /// A generator and its habits.
  enum Shape: String, CaseIterable {
    case dart, oldDart, swift, oldSwift, java, chainedJava, decompiledJava, minifiedJava,
      scatteredJava, go, c

    /// Whether only the arguments of the calls are left.
    var isMinified: Bool { self == .minifiedJava || self == .scatteredJava }

    var language: CodeLanguage {
      switch self {
      case .dart, .oldDart: .dart
      case .swift, .oldSwift: .swift
      case .java, .chainedJava, .decompiledJava, .minifiedJava, .scatteredJava: .java
      case .go: .go
      case .c: .c
      }
    }
  }

  /// The files of a model in a shape.
  static func files(_ model: Model, _ shape: Shape) -> [CodeScan.File] {
    func file(_ name: String, _ text: String) -> [CodeScan.File] {
      [CodeScan.File(path: "gen/" + name, bytes: Array(text.utf8))]
    }
    switch shape {
    case .dart: return file("objectbox.g.dart", dart(model, prefix: "obx_int."))
    case .oldDart: return file("objectbox.g.dart", dart(model, prefix: ""))
    case .swift: return file("EntityInfo.generated.swift", swift(model, isOld: false))
    case .oldSwift: return file("EntityInfo.generated.swift", swift(model, isOld: true))
    case .java: return file("MyObjectBox.java", java(model))
    case .chainedJava: return file("MyObjectBox.java", oneMethodJava(model))
    case .decompiledJava: return file("MyObjectBox.java", decompiledJava(model))
    case .minifiedJava: return file("a.java", minifiedJava(model))
    case .scatteredJava: return file("a.java", scatteredJava(model))
    case .go: return goFiles(model)
    case .c: return file("objectbox-model.h", c(model))
    }
  }

  static func quoted(_ text: String, _ quote: String = "\"") -> String {
    quote
      + text.replacing("\\", with: "\\\\").replacing(quote, with: "\\" + quote)
      .replacing("$", with: quote == "'" ? "\\$" : "$") + quote
  }

  // MARK: Dart

  private static func dart(_ model: Model, prefix: String) -> String {
    func pair(_ pair: IDPair?) -> String {
      "const \(prefix)IdUid(\(pair?.id ?? 0), \(pair?.uid ?? 0))"
    }
    func externals(_ name: String?, _ type: Int?) -> String {
      (name.map { ", externalName: \(quoted($0, "'"))" } ?? "")
        + (type.map { ", externalType: \($0)" } ?? "")
    }
    var text = """
      // GENERATED CODE - DO NOT MODIFY BY HAND
      /* ModelEntity(id: const IdUid(9, 9), name: 'Comment') */
      import 'package:objectbox/internal.dart';

      final _entities = <\(prefix)ModelEntity>[

      """
    for entity in model.entities {
      text += """
          \(prefix)ModelEntity(
              id: \(pair(entity.pair)),
              name: \(quoted(entity.name, "'")),
              lastPropertyId: \(pair(entity.lastPropertyID)),
              flags: \(entity.flags.rawValue)\(externals(entity.externalName, nil)),
              properties: <\(prefix)ModelProperty>[

        """
      for property in entity.properties {
        text += """
                  \(prefix)ModelProperty(
                      id: \(pair(property.pair)),
                      name: \(quoted(property.name, "'")),
                      type: \(property.type?.rawValue ?? 0),
                      flags: \(property.flags.rawValue)
          """
        if let index = property.indexID { text += ",\n            indexId: \(pair(index))" }
        if let target = property.relationTarget {
          text += ", relationField: 'x', relationTarget: \(quoted(target, "'"))"
        }
        text += externals(property.externalName, property.externalType) + "),\n"
      }
      text += "      ],\n      relations: <\(prefix)ModelRelation>[\n"
      for relation in entity.relations ?? [] {
        text +=
          "        \(prefix)ModelRelation(id: \(pair(relation.pair)), name: \(quoted(relation.name, "'")), "
          + "targetId: \(pair(relation.target))"
          + externals(relation.externalName, relation.externalType) + ")"
          + (relation == entity.relations?.last ? "" : ",\n")
      }
      text += "],\n      backlinks: <\(prefix)ModelBacklink>[]),\n"
    }
    text += """
      ];

      \(prefix)ModelDefinition getObjectBoxModel() {
        final model = \(prefix)ModelInfo(
            entities: _entities,
            lastEntityId: \(pair(model.lastEntityID)),
            lastIndexId: \(pair(model.lastIndexID)),
            lastRelationId: \(pair(model.lastRelationID)),
            lastSequenceId: \(pair(model.lastSequenceID)),

      """
    for (kind, list) in [
      ("Entity", model.retiredEntityUIDs), ("Index", model.retiredIndexUIDs),
      ("Property", model.retiredPropertyUIDs), ("Relation", model.retiredRelationUIDs),
    ] {
      text +=
        "      retired\(kind)Uids: const [\((list ?? []).map { "\($0)" }.joined(separator: ", "))],\n"
    }
    return text + """
            modelVersion: \(model.modelVersion ?? 0),
            modelVersionParserMinimum: \(model.modelVersionParserMinimum ?? 0),
            version: \(model.version ?? 0));
        return \(prefix)ModelDefinition(model, bindings);
      }

      """
  }

  // MARK: Swift

  private static let swiftFlags = [
    "id", "nonPrimitiveType", "notNull", "indexed", "", "unique", "idMonotonicSequence",
    "idSelfAssignable", "indexPartialSkipNull", "indexPartialSkipZero", "virtual", "indexHash",
    "indexHash64", "unsigned", "idCompanion", "uniqueOnConflictReplace", "expirationTime",
    "syncClock", "syncPrecedence",
  ]

  private static let swiftTypes: [Int32: String] = [
    1: "bool", 2: "byte", 3: "short", 4: "char", 5: "int", 6: "long", 7: "float", 8: "double",
    9: "string", 10: "date", 11: "relation", 12: "dateNano", 13: "flex", 22: "boolVector",
    23: "byteVector", 24: "shortVector", 25: "charVector", 26: "intVector", 27: "longVector",
    28: "floatVector", 29: "doubleVector", 30: "stringVector", 31: "dateVector",
    32: "dateNanoVector",
  ]
  private static let oldSwiftTypes: [Int32: String] = [
    1: "Bool", 2: "Int8", 3: "Int16", 5: "Int32", 6: "Int64", 7: "Float", 8: "Double", 9: "String",
    10: "Date", 23: "Data", 26: "[Int32]", 27: "[Int64]", 28: "[Float]", 30: "[String]",
  ]

  private static func swift(_ model: Model, isOld: Bool) -> String {
    var text = """
      // Generated using the ObjectBox Swift Generator
      // entityBuilder.addProperty(name: "no", type: PropertyType.long, id: 77, uid: 7777)

      """
    for entity in model.entities {
      // A type may have another name than its entity.
      let type = entity.name + "Type"
      text += """
        extension \(type): ObjectBox.EntityInspectable {
            internal static let entityInfo = ObjectBox.EntityInfo(name: \(quoted(entity.name)), id: \(entity.pair.id))
            fileprivate static func buildEntity(modelBuilder: ObjectBox.ModelBuilder) throws {
                let entityBuilder = try modelBuilder.entityBuilder(for: \(type).self, id: \(entity.pair.id), uid: \(entity.pair.uid))

        """
      // What is said of an entity is chained to its first call, or is a statement of its own.
      let (before, indent) =
        entity.pair.uid % 2 == 0 ? ("try entityBuilder", "        ") : ("", "            ")
      let flags = [(2, "syncEnabled"), (4, "sharedGlobalIds")]
        .filter { entity.flags.rawValue & UInt32($0.0) != 0 }.map { ".\($0.1)" }
      if flags.count == 1 { text += "\(indent)\(before).flags(\(flags[0]))\n" }
      if flags.count > 1 {
        text += "\(indent)\(before).flags([\(flags.joined(separator: ", "))])\n"
      }
      if let name = entity.externalName {
        text += "\(indent)\(before).externalName(\(quoted(name)))\n"
      }
      // To-one relations follow the other properties.
      for property in entity.properties.filter({ $0.type != .relation })
        + entity.properties.filter({ $0.type == .relation })
      {
        text += swift(property, isOld) + "\n"
      }
      for relation in entity.relations ?? [] {
        text += """
                  try entityBuilder.addToManyRelation(id: \(relation.pair.id), uid: \(relation.pair.uid),
                                                      targetId: \(relation.target.id), targetUid: \(relation.target.uid))

          """
        if let name = relation.externalName {
          text += "        try entityBuilder.relationExternalName(\(quoted(name)))\n"
        }
        if let type = relation.externalType {
          text += "        try entityBuilder.relationExternalType(\(type))\n"
        }
      }
      text += """

                try entityBuilder.lastProperty(id: \(entity.lastPropertyID?.id ?? 0), uid: \(entity.lastPropertyID?.uid ?? 0))
            }
        }
        extension \(type) {

        """
      for relation in entity.relations ?? [] {
        text +=
          "    internal static var \(relation.name): ToManyProperty<Any> { return ToManyProperty(.relationId(\(relation.pair.id))) }\n"
      }
      text += "}\n"
    }
    text += """
      fileprivate func cModel() throws -> OpaquePointer {
          let modelBuilder = try ObjectBox.ModelBuilder()
      \(model.entities.map { "    try \($0.name)Type.buildEntity(modelBuilder: modelBuilder)" }.joined(separator: "\n"))
          modelBuilder.lastEntity(id: \(model.lastEntityID?.id ?? 0), uid: \(model.lastEntityID?.uid ?? 0))

      """
    for (name, pair) in [("lastIndex", model.lastIndexID), ("lastRelation", model.lastRelationID)] {
      if let pair, !pair.isUnset {
        text += "    modelBuilder.\(name)(id: \(pair.id), uid: \(pair.uid))\n"
      }
    }
    return text + "    return modelBuilder.finish()\n}\n"
  }

  private static func swift(_ property: Property, _ isOld: Bool) -> String {
    let bits = (0..<swiftFlags.count).filter { property.flags.rawValue & (1 << UInt32($0)) != 0 }
    let flags =
      bits.isEmpty
      ? "" : "flags: [\(bits.reversed().map { ".\(swiftFlags[$0])" }.joined(separator: ", "))], "
    let index = property.indexID.map { ", indexId: \($0.id), indexUid: \($0.uid)" } ?? ""
    let numbers = "\(flags)id: \(property.pair.id), uid: \(property.pair.uid)\(index))"
    if property.type == .relation {
      return
        "        try entityBuilder.addToOneRelation(name: \(quoted(property.name)), targetEntityInfo: "
        + "ToOne<\(property.relationTarget ?? "")Type>.Target.entityInfo, \(numbers)"
    }
    let code = property.type?.rawValue ?? 0
    let old = oldSwiftTypes[code].map { "\($0).entityPropertyType" }
    let type = (isOld ? old : nil) ?? "PropertyType.\(swiftTypes[code] ?? "")"
    return
      "        try entityBuilder.addProperty(name: \(quoted(property.name)), type: \(type), \(numbers)"
      + (property.externalType.map { "\n            .externalType(\($0))" } ?? "")
      + (property.externalName.map { "\n            .externalName(\(quoted($0)))" } ?? "")
  }
}
