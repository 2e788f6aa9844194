internal import BoxConvert
internal import BoxEngine
internal import BoxJSON
internal import BoxModel

/// Values and objects that a catalogue says how to make.
extension ImportReader {
  /// Makes the values of properties that have a converter.
  func convert(_ plan: EntityPlan, _ scanner: ObjectScanner) throws(ScanFailure) {
    for (field, description) in plan.fields.enumerated() {
      guard let converter = description.converter else { continue }
      let found = scanner.values[field]
      // A missing value has no place in the text: the object's place is used.
      let isMissing = found.state == .absent
      let place = isMissing ? scanner.objectStart : found.place
      func failure(_ expected: String) -> ScanFailure {
        ScanFailure(
          index: place, expected: expected, field: field,
          found: isMissing ? .nothing : scanner.found(found))
      }
      let value: Value
      do throws(ConversionError) {
        switch found.state {
        case .absent where options.mode == .insert || options.mode == .replace:
          value = try converter.storedIfMissing()
        case .absent: continue
        case .null: value = try converter.stored(.null)
        case .field, .quotedField: value = try stored(found, scanner, by: converter)
        default: value = try stored(text(of: found, scanner), by: converter)
        }
      } catch {
        throw failure(error.expected)
      }
      scanner.values[field].place = place
      if !scanner.set(field, to: value) { throw failure("a value of the type of the property") }
    }
  }

  private func text(of value: ScannedValue, _ scanner: ObjectScanner) -> [UInt8] {
    unsafe Array(scanner.base[value.range])
  }

  /// The stored form of JSON, or of what it stands for if it is extended JSON that the converter refuses.
  private func stored(
    _ text: [UInt8], by converter: BoundConverter
  ) throws(ConversionError) -> Value {
    do throws(ConversionError) {
      return try converter.stored(parsing: text)
    } catch {
      guard text.first == .leftBrace, let plain = ExtendedJSON(parsing: text)?.plain else {
        throw error
      }
      return try converter.stored(parsing: Array(plain.text(indent: 0).utf8))
    }
  }

  /// The stored form of a field of delimited text.
  ///
  /// Its text can be a string or JSON: quotes make a number or a boolean a string, if the converter accepts
  /// one.
  private func stored(
    _ found: ScannedValue, _ scanner: ObjectScanner, by converter: BoundConverter
  ) throws(ConversionError) -> Value {
    let text = unsafe Array(scanner.bytes(of: found))
    let string = Array(
      JSONValue.string(String(decoding: text, as: UTF8.self)).text(indent: 0).utf8)
    if text.isJSON(beginning: .quote) { return try converter.stored(parsing: text) }
    guard text.isJSONOtherThanString else { return try converter.stored(parsing: string) }
    let isString = found.state == .quotedField && DelimitedText.isScalar(text)
    let (first, second) = isString ? (string, text) : (text, string)
    do throws(ConversionError) {
      return try converter.stored(parsing: first)
    } catch {
      guard let value = try? converter.stored(parsing: second) else { throw error }
      return value
    }
  }

  // MARK: - Foreign JSON

  /// Adds the object that a mapping makes of an element.
  func addMapped(
    _ plan: EntityPlan, _ mapping: EntityMapping, _ scanner: ObjectScanner, _ text: InputText,
    _ range: Range<Int>
  ) throws {
    let mapped = try map(mapping, text, range)
    try scan(mapped, mapping, plan, scanner, range) {
      let relations = try relations(mapped.links, plan, text, range)
      try add(
        plan, scanner, text, range, isLine: false, links: relations.links,
        nested: relations.nested)
    }
  }

  /// Scans the object as it should have been in the usual way.
  ///
  /// `body` is called while the values of the scanner are valid.
  ///
  /// - Throws: ``ScanFailure`` for a value that does not fit, and the error of `body`.
  func scan(
    _ mapped: MappedObject, _ mapping: EntityMapping?, _ plan: EntityPlan,
    _ scanner: ObjectScanner, _ range: Range<Int>, _ body: () throws -> Void
  ) throws {
    let members = try known(mapped, mapping, plan, range).map { value in
      JSONValue.Member(value.property, value.json)
    }
    let object = Array(JSONValue.object(members).text(indent: 0).utf8)
    try PaddedBytes.withPadding(object) { text in
      scanner.spansLines = false
      do {
        try scanner.scan(text, from: 0, end: object.count)
        if plan.hasConverters { try convert(plan, scanner) }
        try body()
      } catch let failure as ScanFailure {
        throw inElement(failure, scanner, mapped, range)
      }
    }
  }

  /// The values of a mapped object that have a property.
  ///
  /// - Throws: ``ScanFailure`` for one that should have a property and has none.
  func known(
    _ mapped: MappedObject, _ mapping: EntityMapping?, _ plan: EntityPlan, _ range: Range<Int>
  ) throws(ScanFailure) -> [MappedObject.PropertyValue] {
    var values: [MappedObject.PropertyValue] = []
    for value in mapped.values {
      if plan.members.contains(ExactText(value.property)) {
        values.append(value)
      } else if mapping?.flattening != nil, value.json == .null {
        // Null in place of a nested object: none of its members has a value.
        continue
      } else if value.isMapped || options.unknown == .fail {
        throw ScanFailure(
          index: range.lowerBound,
          expected: "there is no property \(value.property.quotedForDisplay) for \(value.pointer)",
          isMessage: true)
      }
    }
    return values
  }

  /// A failure in the object that was made, as one of the element.
  func inElement(
    _ failure: ScanFailure, _ scanner: ObjectScanner, _ mapped: MappedObject, _ range: Range<Int>
  ) -> ScanFailure {
    if failure.field < 0 || failure.isMessage {
      return ScanFailure(
        index: range.lowerBound, expected: failure.expected, field: failure.field,
        isMessage: true)
    }
    let name = scanner.fields[failure.field].key
    let value = mapped.values.first { $0.property.hasSameBytes(as: name) }
    let found = value.map { String($0.json.text(indent: 0).prefix(60)) }
    let place = value.map { " at \($0.pointer)" } ?? ""
    return ScanFailure(
      index: range.lowerBound,
      expected: "expected \(failure.expected), found \(found ?? "nothing")\(place)",
      field: failure.field, isMessage: true,
      found: found.map { ScanFailure.Found.value($0) } ?? .nothing)
  }

  private func map(
    _ mapping: EntityMapping, _ text: InputText, _ range: Range<Int>
  ) throws(ScanFailure) -> MappedObject {
    let document: JSONDocument
    do throws(JSONError) {
      var options = JSONDocument.Options()
      options.allowsLargeIntegers = true
      document = try JSONDocument(parsing: text.bytes(range), options: options)
    } catch {
      throw ScanFailure(
        index: range.lowerBound + error.offset, expected: error.message, isMessage: true)
    }
    do throws(MappingError) {
      return try mapping.map(document.exactValue(of: document.root))
    } catch {
      throw ScanFailure(index: range.lowerBound, expected: "\(error)", isMessage: true)
    }
  }

  /// The relation of a mapping, as a to-many relation or the position of a property, and its target; nil
  /// if the entity has no relation of this name to this entity.
  func relationEnd(
    _ link: MappedLink, of owner: EntityPlan
  ) -> (relation: RelationSchema?, position: Int?, target: EntityPlan)? {
    let name = ExactText(link.relation)
    let (entity, relation) = (
      owner.entity, owner.relations[name].map { owner.entity.relations[$0] }
    )
    let position = owner.properties[name].flatMap { entity.properties[$0].target == nil ? nil : $0 }
    guard let target = plan.entities[ExactText(link.target)],
      relation?.target == target.entity.uid
        || position.map({ entity.properties[$0].target }) == target.entity.uid
    else { return nil }
    return (relation, position, target)
  }

  /// The relation of a mapping, with the values of its targets as they are stored.
  func keyLinks(
    _ link: MappedLink, by name: String, _ plan: EntityPlan, _ range: Range<Int>
  ) throws -> ImportKeyLinks {
    func failure(_ message: String) -> ScanFailure {
      ScanFailure(index: range.lowerBound, expected: message, isMessage: true)
    }
    guard let end = relationEnd(link, of: plan), let key = end.target.properties[ExactText(name)]
    else {
      throw failure(
        "there is no relation \(link.relation.quotedForDisplay) to \(link.target).\(name)")
    }
    let target = end.target.entity
    let property = target.properties[key]
    guard property.index != nil, let type = StoredType(property.modelType, property.flags) else {
      throw failure("\(link.target).\(name) has no index to find objects by")
    }
    var values: [Value] = []
    var known: Set<Value> = []
    for json in link.keys {
      guard
        let value = PlainForm.stored(json, as: type) ?? PlainForm.stored(text: json, as: type)
          ?? PlainForm.stored(digits: json, as: type)
      else {
        throw failure(
          "\(json.text(indent: 0)) at \(link.pointer) is not a \(link.target).\(name)")
      }
      // Two spellings may be one key.
      if known.insert(value).inserted { values.append(value) }
    }
    return ImportKeyLinks(
      relation: end.relation, position: end.position ?? -1, target: target, key: key,
      values: values)
  }
}

extension PlainForm {
  /// The value of a field of delimited text, which is a string in any case: a number by its digits.
  fileprivate static func stored(text json: JSONValue, as type: StoredType) -> Value? {
    guard case .string(let text) = json,
      let document = try? JSONDocument(parsing: Array(text.utf8)),
      document.kind(of: document.root) == .number
    else { return nil }
    return stored(document.exactValue(of: document.root), as: type)
  }

  /// The text of the digits of a number.
  fileprivate static func stored(digits json: JSONValue, as type: StoredType) -> Value? {
    json.textOrDigits.flatMap { stored(.string($0), as: type) }
  }
}

extension ObjectScanner {
  /// The thing found in place of an expected one, for messages.
  fileprivate func found(_ value: ScannedValue) -> ScanFailure.Found {
    switch value.state {
    case .field, .quotedField:
      let text = unsafe String(decoding: bytes(of: value), as: UTF8.self)
      return .value(String(text.prefix(60)) + (text.count > 60 ? "…" : ""))
    default: return .text
    }
  }
}

extension [UInt8] {
  /// Whether the text is a number, a boolean, an array or an object of JSON.
  fileprivate var isJSONOtherThanString: Bool {
    isJSON(beginning: .leftBrace) || isJSON(beginning: .leftBracket)
      || DelimitedText.isScalar(self)
  }

  /// Whether the text is JSON, and begins with a character.
  fileprivate func isJSON(beginning character: UInt8) -> Bool {
    guard first == character else { return false }
    var options = JSONDocument.Options()
    options.allowsLargeIntegers = true
    return (try? JSONDocument(parsing: self, options: options)) != nil
  }
}
