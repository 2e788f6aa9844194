public import BoxJSON

/// An approval of a change by a person.
public struct Approval: Hashable, Sendable {
  /// The fingerprint of the change; another change needs another approval.
  public var fingerprint: String
  /// The reason for the approval.
  public var reason: String
  /// The approver.
  public var author: String
  /// The last day that it holds, as `2026-12-31`; nil if it always does.
  public var until: String?
  /// The description of the change, for readers of the file.
  public var change: String?
  /// The path of the model from the top of the repository; nil for every model.
  public var file: String?

  /// Creates an approval.
  public init(
    fingerprint: String, reason: String, author: String, until: String? = nil,
    change: String? = nil, file: String? = nil
  ) {
    self.fingerprint = fingerprint
    self.reason = reason
    self.author = author
    self.until = until
    self.change = change
    self.file = file
  }

  /// Whether it is for the model with one of some paths.
  ///
  /// Two models of a repository can have changes with the same fingerprint, as where one was copied
  /// from the other.
  public func covers(modelAt paths: Set<String>) -> Bool {
    file.map { paths.contains($0) } ?? true
  }

  /// Whether the approval has expired on a day; one with an end has expired if `today` is not a
  /// valid day.
  public func isOver(on today: String) -> Bool {
    until.map { $0 < today || !Self.isDay(today) } ?? false
  }

  /// Whether a text is a day of the calendar, as `2026-12-31`.
  public static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [4, 2, 2],
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let month = Int(parts[1]), let day = Int(parts[2])
    else { return false }
    guard let year = Int(parts[0]), (1...12).contains(month) else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[month - 1]).contains(day)
  }

  /// The fingerprint in a text, in lower case; nil if the text is not a fingerprint.
  public static func fingerprint(of text: String) -> String? {
    let isFingerprint =
      text.utf8.count == 20
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20)
      }
    return isFingerprint ? text.lowercased() : nil
  }
}

/// An error in a file, with its place.
public struct PlanFileError: Error, Hashable, Sendable {
  /// One sentence without a trailing period.
  public var message: String
  /// The place in the file.
  public var position: JSONPosition
}

/// The content of a file of approvals; `Schemas/approvals.schema.json` describes it.
public struct ApprovalList: Hashable, Sendable {
  /// The name of the file, at the top of a repository.
  public static let fileName = ".boxjoint-approvals.json"

  /// The approvals, in the order of the file.
  public var approvals: [Approval]
  /// The resets that were meant, in the order of the file.
  public var resets: [StatedReset]
  /// The changes of types whose values are converted, in the order of the file.
  public var conversions: [StatedConversion]

  /// Creates a list.
  public init(
    _ approvals: [Approval] = [], resets: [StatedReset] = [],
    conversions: [StatedConversion] = []
  ) {
    self.approvals = approvals
    self.resets = resets
    self.conversions = conversions
  }

  /// Reads a file.
  ///
  /// - Throws: ``PlanFileError`` with the place of what is wrong.
  /// - Complexity: O(*n*) in the size of the text.
  public init(parsing bytes: [UInt8]) throws(PlanFileError) {
    let file = try PlanFile(bytes, "a file of approvals")
    approvals = []
    resets = []
    conversions = []
    for node in try file.elements("approvals") {
      var approval = Approval(
        fingerprint: try file.text("fingerprint", in: node),
        reason: try file.text("reason", in: node), author: try file.text("author", in: node))
      approval.until = try file.optionalText("until", in: node)
      approval.change = try file.optionalText("change", in: node)
      approval.file = try file.optionalText("file", in: node)
      guard let fingerprint = Approval.fingerprint(of: approval.fingerprint) else {
        throw file.failure("a fingerprint has 20 hexadecimal digits", "fingerprint", node)
      }
      approval.fingerprint = fingerprint
      if approval.reason.allSatisfy(\.isWhitespace) {
        throw file.failure("an approval needs a reason", "reason", node)
      }
      if let until = approval.until, !Approval.isDay(until) {
        throw file.failure("an end is a day, such as 2026-12-31", "until", node)
      }
      approvals.append(approval)
    }
    func uid(_ key: String, _ node: JSONNode) throws(PlanFileError) -> UID {
      guard let uid = UID(try file.text(key, in: node)), uid != 0 else {
        throw file.failure("a UID is a number in quotes", key, node)
      }
      return uid
    }
    func type(_ key: String, _ node: JSONNode) throws(PlanFileError) -> PropertyType {
      guard let type = PropertyType(named: try file.text(key, in: node)) else {
        throw file.failure("a type is one of a property, such as int", key, node)
      }
      return type
    }
    for node in try file.optionalElements("resets") {
      resets.append(
        StatedReset(
          element: try file.optionalText("element", in: node) ?? "", from: try uid("from", node),
          to: try uid("to", node), file: try file.text("file", in: node)))
    }
    for node in try file.optionalElements("conversions") {
      conversions.append(
        StatedConversion(
          element: try file.optionalText("element", in: node) ?? "", uid: try uid("uid", node),
          from: try type("from", node), to: try type("to", node),
          file: try file.text("file", in: node)))
    }
  }

  /// Adds a statement, unless there is one about the same UIDs of the same model.
  ///
  /// - Returns: Whether it was added.
  @discardableResult
  public mutating func add(_ reset: StatedReset) -> Bool {
    if resets.contains(where: {
      $0.from == reset.from && $0.to == reset.to && $0.file == reset.file
    }) {
      return false
    }
    resets.append(reset)
    return true
  }

  /// Adds a statement, unless there is one about the same change of the same model.
  ///
  /// - Returns: Whether it was added.
  @discardableResult
  public mutating func add(_ conversion: StatedConversion) -> Bool {
    if conversions.contains(where: {
      $0.uid == conversion.uid && $0.from == conversion.from && $0.to == conversion.to
        && $0.file == conversion.file
    }) {
      return false
    }
    conversions.append(conversion)
    return true
  }

  /// Whether a reset is stated for the model with one of some paths, by itself or as several in a row.
  ///
  /// - Complexity: O(*n*²) in the number of statements at most, and O(*n*) for one.
  package func states(_ fix: RenameFix, modelAt paths: Set<String>) -> Bool {
    Self.leads(
      from: fix.old.uid, to: fix.new.uid,
      by: resets.filter { paths.contains($0.file) }.map { ($0.from, $0.to) })
  }

  /// Whether a change of type is stated for the model with one of some paths, by itself or as several in a row.
  ///
  /// - Complexity: O(*n*²) in the number of statements at most, and O(*n*) for one.
  package func states(_ change: TypeDifference, modelAt paths: Set<String>) -> Bool {
    Self.leads(
      from: change.before, to: change.after,
      by: conversions.filter { $0.uid == change.uid && paths.contains($0.file) }
        .map { ($0.from, $0.to) })
  }

  private static func leads<Step: Hashable>(
    from start: Step, to end: Step, by steps: [(from: Step, to: Step)]
  ) -> Bool {
    var reached: Set<Step> = [start]
    var left = steps
    while !reached.contains(end) {
      let next = left.filter { reached.contains($0.from) }
      if next.isEmpty { return false }
      left.removeAll { reached.contains($0.from) }
      reached.formUnion(next.map(\.to))
    }
    return true
  }

  /// The approval of a change that holds on a day for a model already.
  ///
  /// - Parameters:
  ///   - fingerprint: The fingerprint of the change.
  ///   - file: The path of the model; nil for every model.
  ///   - today: The day, as `2026-12-31`.
  /// - Returns: The first such approval, if any.
  public func approval(
    of fingerprint: String, modelAt file: String?, on today: String
  ) -> Approval? {
    approvals.first {
      $0.fingerprint == fingerprint && ($0.file == nil || $0.file == file)
        && !$0.isOver(on: today)
    }
  }

  /// Adds an approval, which replaces one for the same change of the same model.
  ///
  /// - Returns: The approval that it replaced.
  @discardableResult
  public mutating func add(_ approval: Approval) -> Approval? {
    let position = approvals.firstIndex {
      $0.fingerprint == approval.fingerprint && $0.file == approval.file
    }
    guard let position else {
      approvals.append(approval)
      return nil
    }
    let replaced = approvals[position]
    approvals[position] = approval
    return replaced
  }

  /// The content of the file, ending with a line feed.
  public var text: String {
    var members: [JSONValue.Member] = [
      JSONValue.Member("schemaVersion", 1),
      JSONValue.Member(
        "approvals",
        .array(
          approvals.map { approval in
            .object(
              [
                JSONValue.Member("fingerprint", .string(approval.fingerprint)),
                approval.file.map { JSONValue.Member("file", .string($0)) },
                approval.change.map { JSONValue.Member("change", .string($0)) },
                JSONValue.Member("reason", .string(approval.reason)),
                JSONValue.Member("author", .string(approval.author)),
                approval.until.map { JSONValue.Member("until", .string($0)) },
              ].compactMap { $0 })
          })),
    ]
    if !resets.isEmpty {
      members.append(
        JSONValue.Member(
          "resets",
          .array(
            resets.map {
              [
                "file": .string($0.file), "element": .string($0.element),
                "from": .string(String($0.from)), "to": .string(String($0.to)),
              ]
            })))
    }
    if !conversions.isEmpty {
      members.append(
        JSONValue.Member(
          "conversions",
          .array(
            conversions.map {
              [
                "file": .string($0.file), "element": .string($0.element),
                "uid": .string(String($0.uid)), "from": .string($0.from.description),
                "to": .string($0.to.description),
              ]
            })))
    }
    return JSONValue.object(members).text() + "\n"
  }
}
