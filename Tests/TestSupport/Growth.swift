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
  var least: [Double] = []
  for size in [size, 8 * size] {
    var times: [Double] = []
    for _ in 0..<5 {
      let work = try prepare(size)
      let start = threadSeconds()
      try work()
      times.append(threadSeconds() - start)
    }
    least.append(times.min() ?? 0)
  }
  return log2(least[1] / max(least[0], 1e-9)) / 3
}

private func threadSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
