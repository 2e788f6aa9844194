internal import BoxModel
internal import BoxReport

/// Two models side by side, for the page of a plan.
struct ModelSides {
  private let old: Model
  private let new: Model
  private let marks: [ElementKey: String]
  /// The numbers of the steps about an element, for those who cannot see the colours.
  private var notes: [ElementKey: [Int]] = [:]

  init(_ review: PlanReview) {
    old = review.plan.old.model
    new = review.plan.new.model
    let difference = ModelDifference(from: old, to: new)
    var marks: [ElementKey: String] = [:]
    for (key, change) in difference.changes {
      marks[key] =
        switch change {
        case .added: "added"
        case .removed: "removed"
        case .changed: "changed"
        }
    }
    self.marks = marks
    for (number, reviewed) in review.steps.enumerated() {
      for coverage in reviewed.step.covers {
        let key: ElementKey
        switch coverage {
        case .element(let element), .field(let element, _): key = element
        case .root: continue
        }
        notes[key, default: []].append(number + 1)
      }
    }
  }

  var html: String {
    let lookup = ModelLookup(old)
    var pairs: [(old: Entity?, new: Entity?)] = new.entities.map { entity in
      (lookup.entity(entity.pair.uid).map { old.entities[$0] }, entity)
    }
    let known = Set(new.entities.map(\.pair.uid))
    pairs += old.entities.filter { !known.contains($0.pair.uid) }.map { ($0, nil) }
    return pairs.map { entity($0.old, $0.new) }.joined(separator: "\n")
  }

  private func entity(_ before: Entity?, _ after: Entity?) -> String {
    guard let shown = after ?? before else { return "" }
    let rows = self.rows(before, after)
    let isChanged =
      marks[ElementKey(.entity, shown.pair.uid)] != nil || rows.contains { $0.mark != nil }
    let name =
      before.map { $0.name } == after.map { $0.name } || before == nil || after == nil
      ? shown.name : "\(before?.name ?? "") → \(shown.name)"
    let mark = marks[ElementKey(.entity, shown.pair.uid)].map { " (\($0))" } ?? ""
    return """
      <article class="entity\(isChanged ? "" : " same")" id="entity-\(shown.pair.uid)">
      <header><h3>\(name.escapedForHTML)\(mark)</h3></header>
      <div class="sides">
      <div>\(table("Old", rows.map { ($0, $0.old) }, isThere: before != nil))</div>
      <div>\(table("New", rows.map { ($0, $0.new) }, isThere: after != nil))</div>
      </div>
      </article>
      """
  }

  /// A property or relation on both sides.
  private struct Row {
    var id: String
    var mark: String?
    var old: Cells?
    var new: Cells?
    var steps: [Int]
  }

  private struct Cells {
    var name: String
    var type: String
  }

  private func rows(_ before: Entity?, _ after: Entity?) -> [Row] {
    var rows: [Row] = []
    func add(_ kind: ElementKind, _ uid: UID, _ index: [UID?], _ old: Cells?, _ new: Cells?) {
      let key = ElementKey(kind, uid)
      let indexKeys = index.compactMap { $0.map { ElementKey(.index, $0) } }
      let mark = marks[key] ?? (indexKeys.contains { marks[$0] != nil } ? "changed" : nil)
      let steps = ([key] + indexKeys).flatMap { notes[$0] ?? [] }
      rows.append(
        Row(
          id: "\(kind.rawValue)-\(uid)", mark: mark, old: old, new: new,
          steps: Array(Set(steps)).sorted()))
    }
    let now = after?.properties ?? []
    let then = before?.properties ?? []
    for property in now {
      let match = then.first { $0.pair.uid == property.pair.uid }
      add(
        .property, property.pair.uid, [match?.indexID?.uid, property.indexID?.uid],
        match.map(cells), cells(property))
    }
    for property in then where !now.contains(where: { $0.pair.uid == property.pair.uid }) {
      add(.property, property.pair.uid, [property.indexID?.uid], cells(property), nil)
    }
    let (links, linksBefore) = (after?.relations ?? [], before?.relations ?? [])
    for relation in links {
      let match = linksBefore.first { $0.pair.uid == relation.pair.uid }
      add(
        .relation, relation.pair.uid, [], match.map { cells($0, old) }, cells(relation, new))
    }
    for relation in linksBefore where !links.contains(where: { $0.pair.uid == relation.pair.uid }) {
      add(.relation, relation.pair.uid, [], cells(relation, old), nil)
    }
    return rows
  }

  private func cells(_ property: Property) -> Cells {
    var words = [property.type.map { "\($0)" } ?? "no type"]
    if let target = property.relationTarget { words.append("to \(target)") }
    let flags = property.flags.subtracting(.indexKind).setNames.map {
      $0.lowercased().split(separator: "_").joined(separator: "-")
    }
    words += flags
    if let kind = property.indexKindName { words.append("index by \(kind)") }
    return Cells(name: property.name, type: words.joined(separator: ", "))
  }

  private func cells(_ relation: Relation, _ model: Model) -> Cells {
    let target = model.entities.first { $0.pair.uid == relation.target.uid }?.name
    return Cells(name: relation.name, type: "to many \(target ?? "of an unknown entity")")
  }

  private func table(_ caption: String, _ rows: [(Row, Cells?)], isThere: Bool) -> String {
    if !isThere { return "<table><caption>\(caption): not there</caption></table>" }
    let isNew = caption == "New"
    let lines = rows.map { row, cells -> String in
      guard let cells else {
        return "<tr class=\"absent\"><th class=\"mark\"></th><td>–</td><td></td></tr>"
      }
      let mark = row.mark ?? ""
      let sign = ["added": "+", "removed": "−", "changed": "~"][mark] ?? ""
      let label = mark.isEmpty ? "" : " aria-label=\"\(mark)\""
      // One of the two rows is where links lead.
      let id = isNew || row.new == nil ? " id=\"\(row.id)\"" : ""
      let links = row.steps.prefix(3).map { "<a href=\"#s\($0)\">\($0)</a>" }
      let suffix = links.isEmpty ? "" : " <small>step \(links.joined(separator: ", "))</small>"
      return "<tr\(mark.isEmpty ? "" : " class=\"\(mark)\"")\(id)>"
        + "<th class=\"mark\" scope=\"row\"\(label)>\(sign)</th>"
        + "<td>\(cells.name.escapedForHTML)\(isNew || row.new == nil ? suffix : "")</td>"
        + "<td class=\"type\">\(cells.type.escapedForHTML)</td></tr>"
    }
    return
      "<table><caption>\(caption)</caption><tbody>\n\(lines.joined(separator: "\n"))\n</tbody></table>"
  }
}
