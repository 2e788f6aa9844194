internal import ArgumentParser

/// A time as a user types it: a number and a unit, as in `500ms`, `5s`, `10m` or `1h`; seconds without one.
struct TimeSpan: ExpressibleByArgument {
  let duration: Duration

  init?(argument: String) {
    let units: KeyValuePairs<String, Int64> = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000]
    let digits = argument.prefix { $0.isASCII && $0.isNumber }
    let unit = argument.dropFirst(digits.count)
    guard let number = Int64(digits), number <= 1 << 32,
      let factor = units.first(where: { $0.key == (unit.isEmpty ? "s" : unit) })?.value
    else { return nil }
    duration = .milliseconds(number * factor)
  }
}
