internal import BoxStorage

/// The verifiers of the records of a store, with the headers that they learned.
///
/// It belongs to one transaction at a time, and survives it: learning the header of the first record
/// of each entity took longer than reading the record.
@safe final class ReaderState {
  /// The verifier of each entity, by its position; nil until a record of it was read.
  ///
  /// Accessible without counting references.
  let verifiers: UnsafeMutablePointer<RecordVerifier?>
  /// The owners of the verifiers.
  private var readers: [RecordReader] = []

  init(_ schema: StoreSchema) {
    let count = max(1, schema.entities.count)
    unsafe verifiers = .allocate(capacity: count)
    unsafe verifiers.initialize(repeating: nil, count: count)
  }

  deinit { unsafe verifiers.deallocate() }

  /// Makes the verifier of an entity that has none.
  func makeVerifier(_ entity: EntitySchema) -> RecordVerifier {
    let reader = RecordReader(entity.layout)
    readers.append(reader)
    unsafe verifiers[entity.position] = reader.verifier
    return reader.verifier
  }
}

/// The states of ended transactions of a store, for the next ones.
final class ReaderStates: Sendable {
  private let slots = PointerSlots()

  deinit {
    while let state = unsafe slots.pop() {
      unsafe Unmanaged<ReaderState>.fromOpaque(state).release()
    }
  }

  /// A state that belongs to the caller until ``release(_:)``.
  @inline(__always)
  func acquire(_ schema: StoreSchema) -> Unmanaged<ReaderState> {
    guard let resting = unsafe slots.pop() else {
      return unsafe .passRetained(ReaderState(schema))
    }
    return unsafe .fromOpaque(resting)
  }

  /// Takes the state of a transaction that has ended.
  @inline(__always)
  func release(_ state: Unmanaged<ReaderState>) {
    if unsafe !slots.push(state.toOpaque()) { unsafe state.release() }
  }
}
