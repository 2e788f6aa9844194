#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

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
