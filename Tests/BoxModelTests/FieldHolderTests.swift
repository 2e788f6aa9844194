import BoxJSON
import BoxModel
import TestSupport
import Testing

/// A difference names each field in which two elements differ, and applying it makes them equal: what
/// one of the two forgot would be a silent wrong merge.
struct FieldHolderTests {
  private static let rounds = 500

  private static let table = FieldTable(
    FieldTable.default.rows + [
      ElementField("level", of: [.entity, .property, .relation], .number),
      ElementField("options", of: [.entity, .property, .relation], .json),
    ])

  @Test func `applying the difference of two elements makes the first the second`() {
    var random = TestSeed.next()
    for round in 0..<Self.rounds {
      let (a, b) = (property(&random), property(&random))
      check(a, b, "property, round \(round)")
      check(relation(&random), relation(&random), "relation, round \(round)")
      check(entity(&random), entity(&random), "entity, round \(round)")
    }
  }

  private func check<Element: FieldHolder & Equatable>(
    _ before: Element, _ after: Element, _ comment: Comment
  ) {
    let changes = before.ownDifferences(from: after)
    for change in changes {
      #expect(before.value(of: change.field) == change.before, comment)
      #expect(after.value(of: change.field) == change.after, comment)
      #expect(change.before != change.after, comment)
    }
    #expect(Set(changes.map(\.field)).count == changes.count, comment)
    var applied = before
    applied.apply(changes)
    #expect(applied.ownDifferences(from: after).isEmpty, comment)
    // The numbers of indexes are given later, and the order of unknown keys means nothing.
    #expect(comparable(applied) == comparable(after), comment)
  }

  private func comparable<Element: FieldHolder>(_ element: Element) -> Element {
    var element = element
    element.otherMembers.sort { $0.key < $1.key }
    if var property = element as? Property {
      property.indexID?.id = 0
      return property as? Element ?? element
    }
    return element
  }

  // MARK: - Elements

  private func property(_ random: inout SplitMix64) -> Property {
    var property = Property(
      pair: IDPair(id: 1, uid: 7), name: name(&random),
      type: random.below(4) == 0 ? nil : PropertyType(rawValue: Int32(random.below(34))),
      flags: PropertyFlags(rawValue: UInt32(random.below(1 << 19))))
    if random.below(2) == 0 { property.indexID = IDPair(id: 3, uid: UID(1 + random.below(3))) }
    fill(&property, &random)
    return property
  }

  private func relation(_ random: inout SplitMix64) -> Relation {
    var relation = Relation(
      pair: IDPair(id: 1, uid: 8), name: name(&random),
      target: IDPair(id: 0, uid: UID(1 + random.below(3))))
    fill(&relation, &random)
    return relation
  }

  private func entity(_ random: inout SplitMix64) -> Entity {
    var entity = Entity(pair: IDPair(id: 1, uid: 9), name: name(&random))
    entity.flags = EntityFlags(rawValue: UInt32(random.below(8)))
    fill(&entity, &random)
    return entity
  }

  private func name(_ random: inout SplitMix64) -> String { ["a", "b", "A"][random.below(3)] }

  /// Gives some plain fields of the table and some unknown keys a value.
  private func fill<Element: FieldHolder>(_ element: inout Element, _ random: inout SplitMix64) {
    for row in Self.table[Element.kind] where random.below(2) == 0 {
      switch row.form {
      case .text: element.plain[row] = .text(ExactText(name(&random)))
      case .number: element.plain[row] = .number(random.below(3))
      case .json: element.plain[row] = .json(ExactText("{\"x\": \(random.below(3))}"))
      default: break
      }
    }
    for key in ["x", "y", "z"] where random.below(3) == 0 {
      element.otherMembers.append(OtherMember(key: key, text: "\(random.below(3))"))
    }
  }
}
