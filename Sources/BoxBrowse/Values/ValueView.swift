internal import BoxConvert
internal import BoxDump
internal import BoxEngine
internal import BoxModel
internal import BoxReport
internal import BoxStoreTool

/// The way in which the values of a property are shown.
struct ValueView {
  /// The largest number of characters of a string in a cell.
  static let cellLength = 300
  /// The largest size of a string or of bytes on the page of an object, in bytes.
  static let pageSize = 64 << 10
  /// The largest number of elements of a vector on the page of an object.
  private static let pageElements = 1000

  let property: PropertySchema
  private let form: ColumnForm
  private let storedForm: ColumnForm
  private let converter: (any JSONConverter)?
  private let isDate: Bool

  /// Creates the view of a property.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - entity: Its entity.
  ///   - open: The store, with the converters.
  ///   - zone: The zone of dates.
  /// - Throws: `DumpError` or `ConditionError` if a converter does not fit the property.
  init(
    _ property: PropertySchema, of entity: EntitySchema, _ open: OpenStore, zone: DateZone = .utc
  ) throws {
    self.property = property
    var shown = ValueForm()
    (shown.dates, shown.zone) = (.iso, zone)
    form = try ColumnForm(property, of: entity, open.values(shown))
    storedForm = try ColumnForm(property, of: entity, ValueForm())
    converter = try open.catalogue.map { ConditionConverters($0) }?.converter(entity, property)
    let dates: [PropertyType] = [.date, .dateNano, .dateVector, .dateNanoVector]
    isDate = dates.contains(property.modelType) && converter == nil
  }

  /// Whether the cells of a column stand at the right.
  var isNumber: Bool {
    let texts: [PropertyType] = [.bool, .char, .string, .date, .dateNano, .flex]
    return property.target == nil && converter == nil
      && !(property.modelType.traits?.isVector ?? false)
      && !texts.contains(property.modelType)
  }

  // MARK: - Cells

  /// The value as a cell of a table.
  func cell(_ value: Value) -> HTMLText {
    switch value {
    case .string(let text) where converter == nil: return Self.cut(text, Self.cellLength)
    case .bytes(let bytes): return Self.cell(bytes)
    default: break
    }
    guard let list = Elements(value, 3) else { return scalar(value) }
    if list.count == 0 { return #"<span class="nil">[ ]</span>"# }
    var text: HTMLText = #"<span class="list">"#
    if let line = Sparkline(value, longerThan: list.first.count) { text.append(line.html) }
    for element in list.first {
      if case .string(let element) = element, converter == nil {
        text.append("<span class=\"tag\">\(Self.cut(element, 40))</span> ")
      } else {
        text.append("<span class=\"tag\">\(scalar(element))</span> ")
      }
    }
    if list.count > list.first.count {
      text.append("<span class=\"soft\">… of \(grouped(list.count))</span>")
    }
    text.append("</span>")
    return text
  }

  /// The beginning of a string, with the size of the rest.
  static func cut(_ text: String, _ length: Int) -> HTMLText {
    let scalars = text.unicodeScalars
    guard
      let end = scalars.index(scalars.startIndex, offsetBy: length, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return "\(value: text)" }
    let rest = bytesText(text.utf8.count - text.utf8.distance(from: text.startIndex, to: end))
    return "\(value: String(scalars[..<end]))<span class=\"soft\"> … \(rest) more</span>"
  }

  private static func cell(_ bytes: [UInt8]) -> HTMLText {
    if bytes.isEmpty { return #"<span class="nil">0 bytes</span>"# }
    let more = bytes.count > 8 ? "…" : ""
    return
      "<code>\(HexDump.digits(bytes.prefix(8)) + more)</code> <span class=\"soft\">\(bytesText(bytes.count))</span>"
  }

  // MARK: - One value

  /// A single value, with the name that a converter has for it and the stored number of a date.
  private func scalar(_ value: Value) -> HTMLText {
    if value == .null { return #"<span class="nil">null</span>"# }
    guard let stored = text(value, storedForm) else {
      return #"<span class="wrong">cannot be shown</span>"#
    }
    if isDate, let date = text(value, form), date.text != stored.text {
      return "<time title=\"\(stored.text)\">\(date.text)</time>"
    }
    guard let converter else { return stored.html }
    if converter.problem(value) != nil {
      return "\(stored.html) <span class=\"soft\">no name</span>"
    }
    guard let name = text(value, form), name.text != stored.text else { return stored.html }
    return "\(name.html) <span class=\"soft\">\(stored.html)</span>"
  }

  /// A value in a form; nil if it cannot be written.
  private func text(_ value: Value, _ form: ColumnForm) -> (text: String, html: HTMLText)? {
    var cells = RowCells(.text)
    do throws(DumpError) { try cells.append(form, value) } catch { return nil }
    cells.endCell()
    let cell = cells.cell(0)
    // NaN and the infinities are numbers, whatever JSON calls them.
    switch value {
    case .float, .double: return (cell.text, "\(cell.text)")
    default: return (cell.text, "\(cell)")
    }
  }

  // MARK: - A whole value

  /// The value for the page of an object, up to a size.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - download: The address of the whole value as a file.
  /// - Returns: The markup.
  func page(_ value: Value, _ download: String) -> HTMLText {
    switch value {
    case .string(let text) where converter == nil: return Self.page(text, download)
    case .bytes(let bytes):
      if bytes.isEmpty { return Self.cell(bytes) }
      let shown = bytes.prefix(Self.pageSize)
      let part = shown.count < bytes.count ? "the first \(bytesText(shown.count)) of " : ""
      return """
        <pre class="hex">\(lines: HexDump.text(shown))</pre>
        <div class="under"><span>\(part + bytesText(bytes.count))</span> <a href="\(download)">download</a></div>
        """
    default: break
    }
    guard let list = Elements(value, Self.pageElements) else { return scalar(value) }
    if list.count == 0 { return #"<span class="nil">[ ]</span>"# }
    var text: HTMLText = #"<ol class="values">"#
    for element in list.first {
      if case .string(let element) = element, converter == nil {
        text.append("<li>\(Self.cut(element, Self.cellLength))</li>")
      } else {
        text.append("<li>\(scalar(element))</li>")
      }
    }
    let part = list.count > list.first.count ? "the first \(grouped(list.first.count)) of " : ""
    text.append(
      """
      </ol><div class="under"><span>\(part + counted(list.count, "element"))</span> \
      <a href="\(download)">download</a></div>
      """)
    return text
  }

  private static func page(_ text: String, _ download: String) -> HTMLText {
    let size = text.utf8.count
    if size <= cellLength, !text.utf8.contains(0x0A) { return "\(value: text)" }
    var end = text.utf8.index(text.startIndex, offsetBy: min(size, pageSize))
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
      end = text.utf8.index(before: end)
    }
    let shown = String(text.unicodeScalars[..<end])
    let part = shown.utf8.count < size ? "the first \(bytesText(shown.utf8.count)) of " : ""
    let under: HTMLText =
      "<div class=\"under\"><span>\(part + bytesText(size))</span> <a href=\"\(download)\">download</a></div>"
    guard part.isEmpty, let json = IndentedJSON.text(text) else {
      return "<div class=\"long\">\(value: shown)</div>\(under)"
    }
    return """
      <pre>\(lines: json)</pre>
      <details class="stored"><summary>as stored</summary><div class="long">\(value: shown)</div></details>\(under)
      """
  }
}

/// The first elements of a vector.
private struct Elements {
  let count: Int
  let first: [Value]

  /// Nil for another value than a vector, and for bytes.
  init?(_ value: Value, _ limit: Int) {
    switch value {
    case .bools(let list): (count, first) = (list.count, list.prefix(limit).map { .bool($0) })
    case .integers(let list): (count, first) = (list.count, list.prefix(limit).map { .integer($0) })
    case .unsignedIntegers(let list):
      (count, first) = (list.count, list.prefix(limit).map { .unsigned($0) })
    case .floats(let list): (count, first) = (list.count, list.prefix(limit).map { .float($0) })
    case .doubles(let list): (count, first) = (list.count, list.prefix(limit).map { .double($0) })
    case .strings(let list): (count, first) = (list.count, list.prefix(limit).map { .string($0) })
    default: return nil
    }
  }
}
