internal import BoxEngine
internal import BoxModel

extension EntityPlan {
  /// Whether there are to-one relations among the properties.
  var hasRelations: Bool { fields.contains { $0.isRelation } }

  /// The failure of a string that is not UTF-8.
  func notUTF8(_ slot: Int, _ scanner: ObjectScanner) -> ScanFailure {
    let field = fields.firstIndex { $0.slot == slot } ?? 0
    return ScanFailure(
      index: scanner.values[field].place, expected: "the string is not valid UTF-8",
      field: field, isMessage: true)
  }

  /// Writes what a scanner found to a record.
  ///
  /// - Throws: `InvalidUTF8`.
  @inline(__always)
  func write(_ scanner: ObjectScanner, _ writer: inout RecordWriter) throws(InvalidUTF8) {
    for field in writeOrder {
      let value = scanner.values[field]
      let slot = fields[field].slot
      switch value.state {
      case .absent, .null, .converted, .field, .quotedField: continue
      case .scalar where value.bits == 0 && fields[field].isRelation: continue
      case .scalar: set(slot, fields[field].type, value.bits, &writer)
      case .strings: writer.set(slot, strings: scanner.stringLists[Int(value.bits)])
      case .text, .side:
        let bytes = unsafe scanner.bytes(of: value)
        switch fields[field].type {
        case .string: try unsafe writer.set(slot, utf8: bytes.assumingMemoryBound(to: UInt8.self))
        case .bytes: unsafe writer.set(slot, bytes: bytes)
        default: unsafe writer.set(slot, elements: bytes)
        }
      }
    }
  }

  @inline(__always)
  private func set(_ slot: Int, _ type: SlotType, _ bits: UInt64, _ writer: inout RecordWriter) {
    switch type {
    case .int64: writer.set(slot, Int64(bitPattern: bits))
    case .uint64: writer.set(slot, bits)
    case .int32: writer.set(slot, Int32(truncatingIfNeeded: bits))
    case .uint32: writer.set(slot, UInt32(truncatingIfNeeded: bits))
    case .double: writer.set(slot, Double(bitPattern: bits))
    case .float: writer.set(slot, Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .bool: writer.set(slot, bits != 0)
    case .int8: writer.set(slot, Int8(truncatingIfNeeded: bits))
    case .uint8: writer.set(slot, UInt8(truncatingIfNeeded: bits))
    case .int16: writer.set(slot, Int16(truncatingIfNeeded: bits))
    case .uint16: writer.set(slot, UInt16(truncatingIfNeeded: bits))
    default: break
    }
  }

  /// The value that a scanner found for a field; nil if the object does not have it.
  func value(_ field: Int, _ scanner: ObjectScanner) throws(ScanFailure) -> Value? {
    let value = scanner.values[field]
    switch value.state {
    case .absent, .converted, .field, .quotedField: return nil
    case .null: return .null
    case .scalar: return Self.scalar(fields[field].type, value.bits)
    case .strings: return .strings(scanner.stringLists[Int(value.bits)])
    case .text, .side:
      let bytes = unsafe scanner.bytes(of: value)
      switch fields[field].type {
      case .string:
        guard let text = unsafe String(validating: bytes, as: UTF8.self) else {
          throw notUTF8(fields[field].slot, scanner)
        }
        return .string(text)
      case .bytes: return unsafe .bytes([UInt8](bytes))
      case let type: return unsafe Self.vector(type, bytes)
      }
    }
  }

  private static func scalar(_ type: SlotType, _ bits: UInt64) -> Value {
    switch type.traits.form {
    case .bool: .bool(bits != 0)
    case .float: .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .double: .double(Double(bitPattern: bits))
    default: type.traits.isUnsigned ? .unsigned(bits) : .integer(Int64(bitPattern: bits))
    }
  }

  private static func vector(_ type: SlotType, _ bytes: UnsafeRawBufferPointer) -> Value {
    switch type {
    case .bools: unsafe .bools(bytes.map { $0 != 0 })
    case .int16s: unsafe .integers(elements(bytes, of: Int16.self).map { Int64($0) })
    case .uint16s: unsafe .unsignedIntegers(elements(bytes, of: UInt16.self).map { UInt64($0) })
    case .int32s: unsafe .integers(elements(bytes, of: Int32.self).map { Int64($0) })
    case .uint32s: unsafe .unsignedIntegers(elements(bytes, of: UInt32.self).map { UInt64($0) })
    case .int64s: unsafe .integers(elements(bytes, of: Int64.self))
    case .uint64s: unsafe .unsignedIntegers(elements(bytes, of: UInt64.self))
    case .floats: unsafe .floats(elements(bytes, of: Float.self))
    case .doubles: unsafe .doubles(elements(bytes, of: Double.self))
    default: .null
    }
  }

  private static func elements<T: BitwiseCopyable>(
    _ bytes: UnsafeRawBufferPointer, of type: T.Type
  ) -> [T] {
    (0..<bytes.count / MemoryLayout<T>.size).map {
      unsafe bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<T>.size, as: T.self)
    }
  }
}
