public import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Whether the tests of growth run: `scripts/test` sets the variable when it runs them, alone.
private let isMeasured = getenv("BOXJOINT_GROWTH") != nil

extension Trait where Self == ConditionTrait {
  /// Lets a test of growth run only where no other test runs beside it.
  ///
  /// Thousands of tests in one process share its allocator, its page table and the caches of the processor:
  /// what grows with its input took 68 times as long for eight times the input. `scripts/test` chooses these
  /// tests by their names, which begin with `growthOf`.
  public static var growth: Self {
    .enabled(
      if: isMeasured, "it is measured alone: BOXJOINT_GROWTH=1 scripts/test --filter growthOf")
  }
}

/// The power of the size of its input with which the time of work grows.
///
/// The time is that of the thread, the least of several runs at each size, and one size is eight times the
/// other: caches that other tests use as well make a run two or three times as long, and the square of the
/// size makes it 64 times as long.
///
/// - Parameters:
///   - size: The size of the smaller input; its work should take a millisecond.
///   - prepare: Makes the work on an input of a size, which is measured without it.
/// - Returns: The power: 1 for work that grows with its input, 2 for work that grows with its square.
/// - Throws: The error of the work.
public func growth(
  of size: Int, _ prepare: (Int) throws -> () throws -> Void
) throws -> Double {
  let sizes = [size, 8 * size]
  var least = [Double.infinity, .infinity]
  #expect(
    isMeasured && Test.current?.name.hasPrefix("growthOf") != false,
    "a test of growth has the trait .growth and a name that begins with growthOf")
  // What else runs on the machine takes its caches, for longer than five runs.
  for round in 0..<3 where round == 0 || power(least) > 1.5 {
    for (position, size) in sizes.enumerated() {
      for _ in 0..<5 {
        let work = try prepare(size)
        let start = threadSeconds()
        try work()
        least[position] = min(least[position], threadSeconds() - start)
      }
    }
  }
  return power(least)
}

private func power(_ seconds: [Double]) -> Double {
  log2(seconds[1] / max(seconds[0], 1e-9)) / 3
}

private func threadSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
