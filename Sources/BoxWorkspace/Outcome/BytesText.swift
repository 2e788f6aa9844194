internal import BoxReport

/// A number of bytes in the unit that people read it in.
package func bytesText(_ count: Int) -> String {
  if count < 1024 { return "\(count) bytes" }
  var value = Double(count)
  var unit = ""
  for name in ["KiB", "MiB", "GiB", "TiB"] where value >= 1024 || unit.isEmpty {
    value /= 1024
    unit = name
  }
  let tenths = Int((value * 10).rounded())
  return "\(grouped(tenths / 10)).\(tenths % 10) \(unit)"
}
