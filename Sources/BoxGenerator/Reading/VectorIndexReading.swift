internal import BoxModel
internal import BoxReport

/// Reads the parameters of a vector index.
struct VectorIndexReading {
  private(set) var findings: [Finding] = []

  private typealias Key = VectorIndex.Key

  static let names = [
    "dimensions", "neighborsPerNode", "indexingSearchCount", "flags", "distanceType",
    "reparationBacklinkProbability", "vectorCacheHintSizeKB",
  ]

  /// The flags by their names in annotations.
  private static let flags = [
    "debugLogs": 1, "debugLogsDetailed": 2, "vectorCacheSimdPaddingOff": 4,
    "reparationLimitCandidates": 8,
  ]

  /// The parameters as JSON text, in the order of their keys; nil after a finding.
  mutating func parameters(
    _ options: [AnnotationOption], _ annotation: Annotation, of name: String
  ) -> String? {
    var values: [String: String] = [:]
    for option in options {
      switch option.key {
      case "dimensions": values[Key.dimensions] = number(option, 1)
      case "neighborsPerNode": values[Key.neighborsPerNode] = number(option, 1)
      case "indexingSearchCount": values[Key.indexingSearchCount] = number(option, 1)
      case "vectorCacheHintSizeKB": values[Key.vectorCacheHintSizeKB] = number(option, 0)
      case "flags": values[Key.flags] = flags(option)
      case "distanceType": values[Key.distance] = distance(option)
      case "reparationBacklinkProbability":
        values[Key.reparationBacklinkProbability] =
          Double(option.value).flatMap { (0...1).contains($0) ? option.value : nil }
      default:
        findings.append(
          .unknownName(option.key, annotation.place, among: Self.names, isOption: true))
        return nil
      }
    }
    if values.count != Set(options.map(\.key)).count {
      findings.append(.wrongValue(annotation, of: name))
      return nil
    }
    if values[Key.dimensions] == nil {
      findings.append(
        Finding(
          GeneratorRule.annotationValue, at: annotation.place,
          "The annotation \"hnswIndex\" of \"\(name)\" has no dimensions",
          advice: "Add the number of elements of a vector, as \"hnswIndex: dimensions=3\""))
      return nil
    }
    let members = values.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
    return "{\(members.joined(separator: ", "))}"
  }

  private func number(_ option: AnnotationOption, _ least: UInt32) -> String? {
    UInt32(option.value).flatMap { $0 >= least ? "\($0)" : nil }
  }

  private func flags(_ option: AnnotationOption) -> String? {
    if let number = UInt32(option.value) { return "\(number)" }
    let names = option.value.split { !$0.isLetter }.map(String.init)
    var sum = 0
    for name in names {
      guard let flag = Self.flags[name] else { return nil }
      sum |= flag
    }
    return names.isEmpty ? nil : "\(sum)"
  }

  private func distance(_ option: AnnotationOption) -> String? {
    let name = option.value.drop { $0 == "." }.lowercased()
    return VectorDistance.allCases.first { $0.rawValue.lowercased() == name }
      .map { "\"\($0.rawValue)\"" }
  }
}
