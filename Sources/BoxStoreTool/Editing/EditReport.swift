internal import BoxEngine
package import BoxJSON
internal import BoxModel
internal import BoxReport

/// The output of a command that changes a store.
package protocol ChangeReport {
  /// Lines for people.
  var text: String { get }
  /// The same for programs.
  var json: JSONValue { get }
  /// The change in a few words, for a message after it was stored.
  var storedText: String { get }
  /// The change in a few words, for a message while its transaction is open.
  var pendingText: String { get }
  /// The number of objects or entries that were changed or removed.
  var count: Int { get }
  /// The loss, if it was found.
  var loss: Loss? { get set }
  /// The number of objects or entries that were changed or removed without consent to what exactly is lost; nil with it,
  /// and where none is needed.
  var unconfirmed: Int? { get set }
}

/// The output of a command that changes objects.
package struct EditReport: ChangeReport, Sendable {
  /// The commands.
  package enum Action: String, Hashable, Sendable, CaseIterable {
    case put, set, remove, link, unlink

    /// Whether it is about entries of a relation, and not about objects.
    var isAboutEntries: Bool { self == .link || self == .unlink }
  }

  /// The directory of the store.
  package let store: String
  /// The command.
  package let action: Action
  /// The entity or `Entity.relation`.
  package let name: String
  /// The same, as options read it.
  private let shownName: String
  /// Whether nothing was kept.
  package let isDryRun: Bool
  /// The number of objects or entries that were added.
  package var added = 0
  /// The number of objects that were changed.
  package var changed = 0
  /// The number of objects or entries that were removed.
  package var removed = 0
  /// The number of objects that were removed since another one has their unique value now.
  package var displaced = 0
  /// The number of entries that were as they should be before.
  package var unchanged = 0
  /// The ids of the objects that were put, in the order of the input.
  package var ids: [UInt64] = []
  /// The objects that a removal concerned by delete rules; nil without rules.
  var effects: RemovalEffects?
  /// Some of the objects; empty unless it is a dry run.
  var sample = ObjectSample.empty
  package var loss: Loss?
  package var unconfirmed: Int?

  package var count: Int { changed + removed + displaced }

  /// Creates a report in which nothing has happened.
  ///
  /// - Parameters:
  ///   - store: The directory of the store.
  ///   - action: The command.
  ///   - path: The names of the entity and, if it is about one, of the relation.
  ///   - isDryRun: Whether nothing is kept.
  init(_ store: String, _ action: Action, _ path: [String], isDryRun: Bool) {
    (self.store, self.action, self.isDryRun) = (store, action, isDryRun)
    (name, shownName) = (path.joined(separator: "."), NamePath(path).description)
  }

  /// Adds the objects that were removed as others took over their unique values, and what delete rules did with them.
  mutating func showDisplacement(_ transaction: Transaction) {
    displaced = transaction.displacement.namedCount(of: name)
    if transaction.store.displacesByRules { effects = transaction.displacement }
  }

  /// The objects that a put has removed as others took over their unique values; nil for none, and for a dry run, which
  /// shows them itself.
  var displacementNote: String? {
    if isDryRun || displaced == 0 { return nil }
    let owner = displaced == 1 ? "its" : "their"
    var note =
      "\(counted(displaced, "object")) removed, as \(owner) unique value belongs to another one now"
    let others = effects?.others ?? []
    if !others.isEmpty { note += ", and by delete rules \(others.listed)" }
    for link in effects?.nullified ?? [] {
      note += "; \(link.relation) is null in \(counted(link.count, "object"))"
    }
    return note
  }

  /// Lines for people; of a put that is carried out the ids alone, one in each line.
  package var text: String {
    if action == .put && !isDryRun { return ids.map { "\($0)\n" }.joined() }
    var text = "\(shownName): \(counts.joined(separator: ", "))\n"
    text += effects?.lines(isDryRun: isDryRun).map { $0 + "\n" }.joined() ?? ""
    if isDryRun { text += sample.text + "dry run: nothing was kept\n" }
    return text
  }

  /// The change in a few words, for a message after it was stored.
  package var storedText: String { "stored: \(changeText)" }

  /// The change in a few words, for a message while its transaction is open.
  package var pendingText: String { "done in the open transaction: \(changeText)" }

  private var changeText: String {
    let shown = ids.prefix(20).map { "\($0)" }.joined(separator: ", ")
    let rest = ids.count > 20 ? ", …" : ""
    let list =
      ids.isEmpty
      ? "" : ids.count == 1 ? ", with the id \(shown)" : ", with the ids \(shown)\(rest)"
    let others = effects?.others.map { ", \($0)" }.joined() ?? ""
    return "\(shownName): \(counts.joined(separator: ", "))\(others)\(list)"
  }

  private var counts: [String] {
    let noun = action.isAboutEntries ? ("entry", "entries") : ("object", "objects")
    var counts: [String] = []
    func add(_ number: Int, _ participle: String) {
      let verb = isDryRun ? "would be \(participle)" : participle
      counts.append("\(counted(number, noun.0, noun.1)) \(verb)")
    }
    if action == .link || action == .put { add(added, "added") }
    if action == .set || action == .put && changed > 0 { add(changed, "changed") }
    if action == .remove || action == .unlink { add(removed, "removed") }
    if displaced > 0 { add(displaced, "removed, as their unique value belongs to another one now") }
    if unchanged > 0 {
      counts.append("\(grouped(unchanged)) \(action == .link ? "existed" : "did not exist")")
    }
    return counts
  }

  /// The same for programs.
  package var json: JSONValue {
    .compact([
      ("schemaVersion", .int(1)),
      ("store", .string(store)),
      ("action", .string(action.rawValue)),
      (action.isAboutEntries ? "relation" : "entity", .string(name)),
      ("dryRun", .bool(isDryRun)),
      ("added", .int(added)),
      ("changed", .int(changed)),
      ("removed", .int(removed)),
      ("displaced", .int(displaced)),
      ("unchanged", .int(unchanged)),
      ("cascaded", effects.map { .array($0.cascadedJSON) }),
      ("nullified", effects.map { .array($0.nullifiedJSON) }),
      ("ids", action == .put ? .array(ids.map { .uint($0) }) : nil),
      ("loss", loss.map(\.json)),
      ("examples", isDryRun && !action.isAboutEntries ? .array(sample.json) : nil),
    ])
  }
}

/// A change that the user is asked about before it is carried out.
package struct EditProposal: Sendable {
  /// The command.
  package let action: EditReport.Action
  /// The entity.
  package let entity: String
  /// The number of objects.
  package let count: Int
  /// The numbers of objects of each entity that are removed too, such as `12 of Line`.
  package let others: [String]
  /// A table of some of them.
  package let examples: String
  /// The loss; nil where it is not known yet.
  package internal(set) var loss: Loss?
}
