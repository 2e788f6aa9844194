package import BoxStorage

extension Transaction {
  /// Visits the vectors of all objects of an entity, in the order of their ids.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - property: A vector of floats.
  ///   - body: Called with the id and the vector of each object that has one, which is lent for the call;
  ///     returns whether the visit continues.
  /// - Throws: As ``visit(_:offset:limit:_:)-(PreparedQuery,_,_,_)``.
  /// - Complexity: O(*n*) in the elements of the vectors.
  package func visitVectors(
    _ entity: EntitySchema, _ property: PropertySchema,
    _ body: (UInt64, borrowing Span<Float>) -> VisitStep
  ) throws(StoreError) {
    var vector: [Float] = []
    try visitRecords(entity) { id, record in
      record.copyVector(property.slot, to: &vector) ? body(id, vector.span) : .next
    }
  }

  /// The vector of an object; nil if the object does not exist, or does not have one.
  ///
  /// - Throws: As ``visitVectors(_:_:_:)``.
  /// - Complexity: O(log *n*) in the objects.
  package func vector(
    _ entity: EntitySchema, _ property: PropertySchema, _ id: UInt64
  ) throws(StoreError) -> [Float]? {
    guard let record = try unsafe reading().value(entity.space, id) else { return nil }
    var vector: [Float] = []
    return try unsafe view(entity, id, record).copyVector(property.slot, to: &vector)
      ? vector : nil
  }
}

extension RecordView {
  /// Copies the elements of a vector of floats; returns whether there is one.
  fileprivate func copyVector(_ slot: Int, to vector: inout [Float]) -> Bool {
    if isNull(slot) { return false }
    let bytes = unsafe elements(slot)
    let count = bytes.count / MemoryLayout<Float>.size
    if vector.count != count { vector = Array(repeating: 0, count: count) }
    unsafe vector.withUnsafeMutableBytes { unsafe $0.copyMemory(from: bytes) }
    return true
  }
}
