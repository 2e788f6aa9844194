public import BoxJSON
public import BoxModel

/// The laws that every converter must obey, to be checked from the tests of any framework.
///
///     let violations = ConverterLaws.violations(of: converter, stored: samples, exact: true)
///     #expect(violations.isEmpty)
public enum ConverterLaws {
  /// A law.
  public enum Law: String, Hashable, Sendable, CaseIterable {
    /// Encoding a decoded value gives the same bytes.
    case storedRoundTrips = "stored-comes-back"
    /// Decoding an encoded value gives the same value.
    case formRoundTrips = "form-comes-back"
    /// Encoding a decoded value again does not change it.
    case stable
    /// The same value gives the same result each time.
    case repeatable
    /// Calls from many threads give the same results as calls from one thread.
    case threadSafe = "thread-safe"
    /// The results can be read again.
    case readable
  }

  /// A law that was broken.
  public struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The law.
    public let law: Law
    /// The value, shortened.
    public let input: String
    /// The result, shortened.
    public let result: String

    /// The law, the value and the result.
    public var description: String { "\(law.rawValue): \(input) gave \(result)" }
  }

  /// Checks a converter of JSON on stored values.
  ///
  /// - Parameters:
  ///   - converter: The converter.
  ///   - values: Stored values of the converter's type, known and unknown, malformed and null.
  ///   - isExact: Returns whether a value must come back with the same bits. Other values must only
  ///     be stable: those that a policy replaces.
  /// - Returns: At most twenty violations.
  /// - Complexity: O(*n*) in the number of values.
  public static func violations(
    of converter: some JSONConverter, stored values: some Sequence<Value>,
    exact isExact: (Value) -> Bool = { _ in true }
  ) -> [Violation] {
    var found: [Violation] = []
    for value in values where found.count < 20 {
      guard let json = try? converter.json(value) else {
        // A converter may refuse a value; then it always does.
        if (try? converter.json(value)) != nil {
          found.append(Violation(law: .repeatable, input: "\(value)", result: "an error, once"))
        }
        continue
      }
      if let again = try? converter.json(value), !again.isWritten(like: json) {
        found.append(
          Violation(
            law: .repeatable, input: "\(value)",
            result: "\(json.text(indent: 0)), then another form"))
      }
      guard let back = try? converter.stored(json) else {
        found.append(
          Violation(law: .readable, input: "\(value)", result: json.text(indent: 0)))
        continue
      }
      if isExact(value), !back.isIdentical(to: value) {
        found.append(
          Violation(
            law: .storedRoundTrips, input: "\(value)",
            result: "\(json.text(indent: 0)), then \(back)"))
      } else if let form = try? converter.json(back), !form.isWritten(like: json) {
        found.append(
          Violation(
            law: .formRoundTrips, input: json.text(indent: 0), result: form.text(indent: 0)))
      }
    }
    return found
  }

  /// Checks a converter of JSON on JSON of any kind, right and wrong.
  ///
  /// An accepted value must be stable: stored, shown and stored again it is the same.
  ///
  /// - Parameters:
  ///   - converter: The converter.
  ///   - forms: JSON.
  /// - Returns: At most twenty violations.
  /// - Complexity: O(*n*) in the number of values.
  public static func violations(
    of converter: some JSONConverter, json forms: some Sequence<JSONValue>
  ) -> [Violation] {
    var found: [Violation] = []
    for form in forms where found.count < 20 {
      guard let stored = try? converter.stored(form) else { continue }
      guard let shown = try? converter.json(stored) else { continue }
      guard let again = try? converter.stored(shown) else {
        found.append(
          Violation(law: .readable, input: form.text(indent: 0), result: shown.text(indent: 0)))
        continue
      }
      if !again.isIdentical(to: stored) {
        found.append(
          Violation(
            law: .stable, input: form.text(indent: 0), result: "\(stored), then \(again)"))
      }
    }
    return found
  }

  /// Checks that a converter of JSON gives the same results when it is called from many tasks at
  /// once.
  ///
  /// - Parameters:
  ///   - converter: The converter.
  ///   - values: Stored values.
  ///   - tasks: The number of tasks, each of which converts all values.
  /// - Returns: At most one violation for each task.
  /// - Complexity: O(*n*) in the number of values and tasks.
  public static func concurrencyViolations(
    of converter: some JSONConverter, stored values: [Value], tasks: Int = 8
  ) async -> [Violation] {
    let expected = values.map { result(converter, $0) }
    return await withTaskGroup(of: Violation?.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          for (value, expected) in zip(values, expected) {
            let result = result(converter, value)
            if !result.hasSameBytes(as: expected) {
              return Violation(law: .threadSafe, input: "\(value)", result: result)
            }
          }
          return nil
        }
      }
      var found: [Violation] = []
      for await violation in group { if let violation { found.append(violation) } }
      return found
    }
  }

  private static func result(_ converter: some JSONConverter, _ value: Value) -> String {
    do throws(ConversionError) {
      let json = try converter.json(value)
      return "\(json.text(indent: 0)) \(try converter.stored(json))"
    } catch {
      return "\(error)"
    }
  }
}

/// Typed converters.
extension ConverterLaws {
  /// Checks a typed converter on values of the application, each of which must come back.
  ///
  /// - Parameters:
  ///   - converter: The converter.
  ///   - values: Values of the application.
  /// - Returns: At most twenty violations.
  /// - Complexity: O(*n*) in the number of values.
  public static func violations<C: ValueConverter>(
    of converter: C, domain values: some Sequence<C.Domain>
  ) -> [Violation] where C.Domain: Equatable {
    var found: [Violation] = []
    for value in values where found.count < 20 {
      guard let stored = try? converter.write(value) else { continue }
      guard let back = try? converter.read(stored) else {
        found.append(Violation(law: .readable, input: "\(value)", result: "\(stored)"))
        continue
      }
      if back != value {
        found.append(Violation(law: .formRoundTrips, input: "\(value)", result: "\(back)"))
      }
    }
    return found
  }

  /// Checks a typed converter on stored values.
  ///
  /// - Parameters:
  ///   - converter: The converter.
  ///   - values: Stored values; null is a missing one.
  ///   - isExact: Returns whether a value must come back with the same bits; others must only be
  ///     stable.
  /// - Returns: At most twenty violations.
  /// - Complexity: O(*n*) in the number of values.
  public static func violations<C: ValueConverter>(
    of converter: C, stored values: some Sequence<Value>,
    exact isExact: (Value) -> Bool = { _ in true }
  ) -> [Violation] {
    var found: [Violation] = []
    for value in values where found.count < 20 {
      guard let domain = try? converter.read(value) else { continue }
      guard let back = try? converter.write(domain) else {
        found.append(Violation(law: .readable, input: "\(value)", result: "\(domain)"))
        continue
      }
      if isExact(value) {
        if !back.isIdentical(to: value) {
          found.append(Violation(law: .storedRoundTrips, input: "\(value)", result: "\(back)"))
        }
      } else if let again = try? converter.write(converter.read(back)), !again.isIdentical(to: back)
      {
        found.append(Violation(law: .stable, input: "\(back)", result: "\(again)"))
      }
    }
    return found
  }
}

extension JSONValue {
  /// Whether two values are the same text.
  fileprivate func isWritten(like other: JSONValue) -> Bool {
    // Most values that are the same text are the same to the bit, which costs no text.
    isIdentical(to: other) || text(indent: 0).hasSameBytes(as: other.text(indent: 0))
  }
}
