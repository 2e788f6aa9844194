import BoxJSON

/// The numbers of the elements read so far.
struct ElementCounts {
  private let sections: DumpSections
  /// By the numbers of the sections.
  private var elements: [Int]
  private var targets: [Int]

  init(_ sections: DumpSections) {
    self.sections = sections
    elements = Array(repeating: 0, count: sections.all.count)
    targets = elements
  }

  /// Continues with the numbers of a place.
  init(_ sections: DumpSections, at place: InputPlace) {
    self.init(sections)
    for section in sections.all {
      // An entity and a relation of one name were counted as one.
      elements[section.number] = place.counts[ExactText(section.name)] ?? 0
      targets[section.number] = place.targets[ExactText(section.name)] ?? 0
    }
  }

  @inline(__always)
  mutating func count(_ section: DumpSection) { elements[section.number] += 1 }

  mutating func count(_ section: DumpSection, targets count: Int) {
    targets[section.number] += count
  }

  /// The numbers by name, without those that are 0.
  var byName: (elements: [ExactText: Int], targets: [ExactText: Int]) {
    var result: (elements: [ExactText: Int], targets: [ExactText: Int]) = ([:], [:])
    for section in sections.all {
      let name = ExactText(section.name)
      if elements[section.number] > 0 {
        result.elements[name, default: 0] += elements[section.number]
      }
      if targets[section.number] > 0 { result.targets[name] = targets[section.number] }
    }
    return result
  }

  private func found(_ section: DumpSection?) -> (elements: Int, targets: Int) {
    section.map { (elements[$0.number], targets[$0.number]) } ?? (0, 0)
  }

  /// The differences from the totals of a dump, as sentences.
  func differences(from totals: DumpTotals) -> [String] {
    var differences: [String] = []
    func compare(_ what: String, _ found: Int, _ said: Int) {
      if found == said { return }
      differences.append("the dump has \(found) \(what), but its totals list \(said)")
    }
    for total in totals.entities {
      compare(
        "objects of \(total.name)", found(sections.entity(total.name)).elements, total.objects)
    }
    for total in totals.relations {
      let found = found(sections.relation(total.name))
      compare("sources of \(total.name)", found.elements, total.sources)
      compare("targets of \(total.name)", found.targets, total.targets)
    }
    let entities = Set(totals.entities.map { ExactText($0.name) })
    let relations = Set(totals.relations.map { ExactText($0.name) })
    for section in sections.all where elements[section.number] > 0 {
      if !(section.isRelation ? relations : entities).contains(ExactText(section.name)) {
        differences.append("the end of the dump does not count \(section.name)")
      }
    }
    return differences
  }

  /// The numbers as totals, with the names and last ids of the totals in the dump, if it has any.
  func totals(as said: DumpTotals?) -> DumpTotals {
    var totals = DumpTotals()
    guard let said else {
      for section in sections.all where elements[section.number] > 0 {
        let found = found(section)
        if section.isRelation {
          totals.relations.append(
            .init(name: section.name, sources: found.elements, targets: found.targets))
        } else {
          totals.entities.append(.init(name: section.name, objects: found.elements, lastID: 0))
        }
      }
      return totals
    }
    totals.entities = said.entities.map { total in
      let found = found(sections.entity(total.name))
      return .init(name: total.name, objects: found.elements, lastID: total.lastID)
    }
    totals.relations = said.relations.map { total in
      let found = found(sections.relation(total.name))
      return .init(name: total.name, sources: found.elements, targets: found.targets)
    }
    return totals
  }
}
