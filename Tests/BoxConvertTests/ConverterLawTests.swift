import BoxConvert
import BoxJSON
import BoxModel
import TestSupport
import Testing

/// The laws of converters, over every built-in one and random values of its type.
struct ConverterLawTests {
  private static let count = TestSeed.count("BOXJOINT_SOAK_CONVERSIONS", default: 5000)
  private static let progress = SoakProgress(
    "BOXJOINT_SOAK_CONVERSIONS", of: 3 * BuiltInConverter.all.count)

  /// Every stored value comes back to the bit.
  @Test(.promise(7), arguments: BuiltInConverter.all)
  func storedValuesAreReadBack(_ sample: BuiltInConverter) throws {
    var random = TestSeed.next("whatIsStoredComesBack \(sample.name)")
    let converter = try sample.converter()
    let samples = ValueSamples(try sample.storedType, seeds: sample.seeds)
    #expect(ConverterLaws.violations(of: converter, stored: sample.seeds) == [])
    try check("\(sample.name), stored values", Self.count) { count in
      ConverterLaws.violations(
        of: converter, stored: (0..<count).map { _ in samples.next(using: &random) })
    }
  }

  /// With any policies, a value comes back unless a policy speaks of it, and then the policy's does.
  @Test(arguments: BuiltInConverter.all)
  func policiesGiveTheirValue(_ sample: BuiltInConverter) throws {
    var random = TestSeed.next("policiesGiveTheirValue \(sample.name)")
    let plain = try sample.converter()
    let known = try #require(sample.seeds.first { plain.problem($0) == nil })
    let samples = ValueSamples(try sample.storedType, seeds: sample.seeds)
    let converters = try ["fail", "default", "keep", "null"].map { policy in
      let json = JSONValue.string(policy)
      return try (
        policy,
        sample.converter([
          "default": try plain.json(known), "missing": json, "null": json, "unknown": json,
          "malformed": json,
        ])
      )
    }
    try check("\(sample.name), policies", Self.count / 10 * converters.count) { count in
      for (policy, converter) in converters {
        let values = (0..<count / converters.count).map { _ in samples.next(using: &random) }
        let violations = ConverterLaws.violations(of: converter, stored: values) {
          $0 != .null && converter.problem($0) == nil
        }
        if !violations.isEmpty { return violations }
        let wrong = values.first {
          ($0 == .null || converter.problem($0) != nil)
            && !isRight($0, by: policy, converter, default: known)
        }
        #expect(wrong == nil, "\(policy)")
      }
      return []
    }
  }

  /// Whether a policy does what it is for with a value that it speaks of.
  private func isRight(
    _ value: Value, by policy: String, _ converter: BoundConverter, default known: Value
  ) -> Bool {
    guard let json = try? converter.json(value) else { return policy == "fail" }
    let back = try? converter.stored(json)
    switch policy {
    case "fail": return false
    case "default": return back?.isIdentical(to: known) == true
    case "null": return json == .null
    default: return back?.isIdentical(to: value) == true
    }
  }

  /// Whatever JSON comes in, it is taken or refused, and what was taken is stable.
  @Test(arguments: BuiltInConverter.all)
  func anyJSONIsTakenOrRefused(_ sample: BuiltInConverter) throws {
    var random = TestSeed.next("anyJSONIsTakenOrRefused \(sample.name)")
    let converter = try sample.converter()
    let samples = ValueSamples(try sample.storedType, seeds: sample.seeds)
    try check("\(sample.name), JSON", Self.count) { count in
      let forms = (0..<count).map { _ in
        JSONSamples.value(
          near: (try? converter.json(samples.next(using: &random))) ?? .null, &random)
      }
      return ConverterLaws.violations(of: converter, json: forms)
    }
  }

  /// Checks values in batches, up to the first in which a law is broken, and says when it is done.
  private func check(
    _ name: String, _ count: Int, _ violations: (Int) throws -> [ConverterLaws.Violation]
  ) throws {
    let clock = ContinuousClock()
    let start = clock.now
    var done = 0
    while done < count {
      let batch = min(20_000, count - done)
      let found = try violations(batch)
      #expect(found == [])
      if !found.isEmpty { return }
      done += batch
    }
    Self.progress.finish("\(name): \(count) values", clock.now - start)
  }

  @Test(.promise(67), arguments: BuiltInConverter.all)
  func manyThreadsGetTheSame(_ sample: BuiltInConverter) async throws {
    var random = TestSeed.next("manyThreadsGetTheSame \(sample.name)")
    let samples = ValueSamples(try sample.storedType, seeds: sample.seeds)
    let values = (0..<200).map { _ in samples.next(using: &random) }
    let converter = try sample.converter()
    let violations = await ConverterLaws.concurrencyViolations(of: converter, stored: values)
    #expect(violations == [])
  }

  /// The samples reach what the laws speak of: known values, unknown and malformed ones.
  @Test func samplesReachEveryKind() throws {
    var random = TestSeed.next()
    let sample = try #require(BuiltInConverter.all.first { $0.name == "enum in a string" })
    let converter = try sample.converter()
    let samples = ValueSamples(try sample.storedType, seeds: sample.seeds)
    let values = (0..<1000).map { _ in samples.next(using: &random) }
    #expect(values.count { $0 == .null } > 10)
    #expect(values.count { $0 != .null && converter.problem($0) == nil } > 50)
    #expect(values.count { converter.problem($0)?.kind == .unknown } > 100)
  }
}

/// The laws find what they are for.
struct BrokenConverterTests {
  /// Loses everything but the sign.
  private struct Lossy: JSONConverter {
    func json(_ stored: Value) throws(ConversionError) -> JSONValue {
      guard case .integer(let value) = stored else { return .null }
      return .int(Int(value.signum()))
    }

    func stored(_ json: JSONValue) throws(ConversionError) -> Value {
      guard case .int(let value) = json else { return .null }
      return .integer(Int64(value))
    }
  }

  /// Cannot read what it wrote.
  private struct WriteOnly: JSONConverter {
    func json(_ stored: Value) throws(ConversionError) -> JSONValue { "x" }

    func stored(_ json: JSONValue) throws(ConversionError) -> Value {
      throw ConversionError(.malformed, expected: "nothing")
    }
  }

  /// Takes one spelling of an accent for the other.
  private struct Normalising: JSONConverter {
    func json(_ stored: Value) throws(ConversionError) -> JSONValue {
      guard case .string(let text) = stored else { return .null }
      return .string(text == "é" ? "é" : text)
    }

    func stored(_ json: JSONValue) throws(ConversionError) -> Value {
      guard case .string(let text) = json else { return .null }
      return .string(text)
    }
  }

  @Test func lossesAreFound() {
    let found = ConverterLaws.violations(of: Lossy(), stored: [0, 1, 2])
    #expect(found.map(\.law) == [.storedRoundTrips])
    #expect(found.first?.input == "2")
    #expect(ConverterLaws.violations(of: Lossy(), stored: [0, 1, 2]) { _ in false } == [])
  }

  @Test func unreadableValuesAreFound() {
    #expect(ConverterLaws.violations(of: WriteOnly(), stored: [0]).map(\.law) == [.readable])
  }

  @Test func otherBytesOfAnEqualTextAreFound() {
    let found = ConverterLaws.violations(of: Normalising(), stored: ["e\u{301}"])
    #expect(found.map(\.law) == [.storedRoundTrips])
  }
}
