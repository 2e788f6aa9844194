internal import BoxConvert
internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// Objects that a mapping makes of the nested objects of foreign JSON.
extension ImportReader {
  /// The relations of a mapped object: to objects that are found by a key, and to nested ones.
  ///
  /// - Throws: ``ScanFailure`` for a relation that the entity does not have, or a value that does not fit.
  func relations(
    _ mapped: [MappedLink], _ plan: EntityPlan, _ text: InputText, _ range: Range<Int>
  ) throws -> (links: [ImportKeyLinks], nested: [ImportNested]) {
    var links: [ImportKeyLinks] = []
    var nested: [ImportNested] = []
    for link in mapped {
      if let key = link.key {
        links.append(try keyLinks(link, by: key, plan, range))
      } else {
        nested.append(try objects(link, plan, text, range))
      }
    }
    return (links, nested)
  }

  /// The objects of a relation, which are made with the object that has it.
  private func objects(
    _ link: MappedLink, _ plan: EntityPlan, _ text: InputText, _ range: Range<Int>
  ) throws -> ImportNested {
    func failure(_ message: String) -> ScanFailure {
      ScanFailure(index: range.lowerBound, expected: message, isMessage: true)
    }
    guard let (relation, position, target) = relationEnd(link, of: plan) else {
      throw failure("there is no relation \(link.relation.quotedForDisplay) to \(link.target)")
    }
    if let unique = target.entity.properties.first(where: { $0.flags.contains(.unique) }) {
      throw failure(
        "\(link.target).\(unique.name) is unique, so the nested objects at \(link.pointer) cannot be "
          + "made; name it as the key of the relation")
    }
    if relation == nil, link.keys.count > 1 {
      throw failure("there are \(link.keys.count) objects at \(link.pointer) for a relation to one")
    }
    let scanner = nestedScanner(target)
    let objects = try link.keys.map {
      try object($0, at: link.pointer, target, scanner, text, range)
    }
    return ImportNested(relation: relation, position: position ?? -1, objects: objects)
  }

  private func object(
    _ json: JSONValue, at pointer: JSONPointer, _ plan: EntityPlan, _ scanner: ObjectScanner,
    _ text: InputText, _ range: Range<Int>
  ) throws -> ImportObject {
    let mapped: MappedObject
    do throws(MappingError) {
      if let mapping = plan.mapping {
        mapped = try mapping.map(json)
      } else {
        mapped = try MappedObject(members: json)
      }
    } catch {
      throw ScanFailure(
        index: range.lowerBound, expected: "at \(pointer): \(error)", isMessage: true)
    }
    var object = ImportObject(
      plan: plan, id: 0, values: [], place: ElementLine(file: file, line: text.line))
    do {
      try read(&object, mapped, at: pointer, scanner, text, range)
    } catch let failure as ScanFailure {
      // The field is not one of the object around it.
      let name = failure.field < 0 ? nil : scanner.fields[failure.field].key
      throw ScanFailure(
        index: range.lowerBound,
        expected: "in the object at \(pointer)" + (name.map { ", \($0)" } ?? "") + ": "
          + failure.expected, isMessage: true)
    }
    return object
  }

  private func read(
    _ object: inout ImportObject, _ mapped: MappedObject, at pointer: JSONPointer,
    _ scanner: ObjectScanner, _ text: InputText, _ range: Range<Int>
  ) throws {
    let plan = object.plan
    try scan(mapped, plan.mapping, plan, scanner, range) {
      if let field = plan.idField, scanner.values[field].state == .scalar,
        scanner.values[field].bits != 0
      {
        throw ScanFailure(
          index: range.lowerBound,
          expected:
            "it has an id, and nested objects get ids of their own; map the member to another property",
          isMessage: true)
      }
      object.values = try values(of: plan, scanner)
      // A nested object may have the scanner by now.
      let relations = try relations(mapped.links, plan, text, range)
      (object.links, object.nested) = (relations.links, relations.nested)
    }
  }

  private func nestedScanner(_ plan: EntityPlan) -> ObjectScanner {
    if let scanner = nestedScanners[ExactText(plan.name)] { return scanner }
    let scanner = ObjectScanner(plan.fields, ignoresUnknown: options.unknown == .ignore)
    nestedScanners[ExactText(plan.name)] = scanner
    return scanner
  }
}
