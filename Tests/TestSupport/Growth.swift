#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The factor by which work takes longer if its input doubles.
///
/// The time is that of the thread, the least of several runs at each size: other programs and the first
/// use of memory only ever make a run longer.
///
/// - Parameters:
///   - size: The size of the smaller input; its work should take some milliseconds.
///   - prepare: Makes the work on an input of a size, which is measured without it.
/// - Returns: The factor: 2 for work that grows with its input, 4 for work that grows with its square.
/// - Throws: The error of the work.
public func growth(
  of size: Int, _ prepare: (Int) throws -> () throws -> Void
) throws -> Double {
  var least: [Double] = []
  for size in [size, 2 * size] {
    var times: [Double] = []
    for _ in 0..<5 {
      let work = try prepare(size)
      let start = threadSeconds()
      try work()
      times.append(threadSeconds() - start)
    }
    least.append(times.min() ?? 0)
  }
  return least[1] / max(least[0], 1e-9)
}

private func threadSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
