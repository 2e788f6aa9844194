internal import BoxEngine
internal import BoxJSON
internal import BoxModel
internal import BoxReport

/// The objects that a removal concerns by delete rules, as commands show them.
extension RemovalEffects {
  private var cascaded: [Removed] { removed.filter { $0.reached > 0 } }

  /// The numbers of objects of each entity that are removed too, such as `12 of Line`.
  var others: [String] {
    cascaded.map {
      "\(grouped($0.reached)) \($0.named > 0 ? "more of" : "of") \(NamePath.quoted($0.entity))"
    }
  }

  /// Whether more is removed or changed than what was named.
  var concernsOthers: Bool { !cascaded.isEmpty || !nullified.isEmpty }

  /// A line for each entity whose objects are removed too, and for each relation that becomes null.
  func lines(isDryRun: Bool) -> [String] {
    cascaded.map { entity in
      "  \(NamePath.quoted(entity.entity)): \(grouped(entity.reached))\(entity.named > 0 ? " more" : ""), "
        + "by \(entity.relations.listed)"
    }
      + nullified.map { relation in
        "\(relation.relation) \(isDryRun ? "would be" : "is") null in \(counted(relation.count, "object"))"
      }
  }

  /// The entities whose objects are removed too, for programs.
  var cascadedJSON: [JSONValue] {
    cascaded.map { entity in
      [
        "entity": .string(entity.entity), "removed": .int(entity.reached),
        "relations": .array(entity.relations.map { .string($0) }),
      ]
    }
  }

  /// The relations that become null, for programs.
  var nullifiedJSON: [JSONValue] {
    nullified.map { ["relation": .string($0.relation), "objects": .int($0.count)] }
  }
}
