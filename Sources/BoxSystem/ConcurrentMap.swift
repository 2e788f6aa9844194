extension Collection where Self: Sendable, Index: Sendable {
  /// The results of a function for all elements, in their order, computed on all processors.
  ///
  /// The order of the calls is not determined. A collection that is not longer than one part is mapped by the task that
  /// asks.
  ///
  /// - Parameters:
  ///   - parts: The number of tasks between which the elements are divided.
  ///   - transform: The function, which has no effect but its result.
  /// - Returns: The results; the same for any number of parts.
  /// - Complexity: O(*n*) in the number of elements.
  package func mapConcurrently<Result: Sendable>(
    parts: Int = WorkerThread.usualParts,
    _ transform: @escaping @Sendable (Element) -> Result
  ) async -> [Result] {
    let size = Swift.max(1, (count + parts - 1) / Swift.max(1, parts))
    if count <= size { return map(transform) }
    return await withTaskGroup(of: (Int, [Result]).self) { group in
      var (start, number) = (startIndex, 0)
      while start != endIndex {
        let end = index(start, offsetBy: size, limitedBy: endIndex) ?? endIndex
        // Not on the executor of the task that asks, which may be a single thread.
        group.addTask(executorPreference: globalConcurrentExecutor) { [start, number] in
          (number, self[start..<end].map(transform))
        }
        (start, number) = (end, number + 1)
      }
      var results = [[Result]](repeating: [], count: number)
      for await (number, part) in group { results[number] = part }
      return results.flatMap(\.self)
    }
  }
}

extension WorkerThread {
  /// The number of parts into which work is divided: more than processors, as some parts take longer than others.
  package static var usualParts: Int { 4 * processors }
}
