internal import BoxReport

/// The way in which a query was, or would be, answered, with the counts by which it was chosen.
///
/// Its text has one step a line; its JSON is what `Schemas/query-plan.schema.json` describes.
public struct QueryPlan: Hashable, Sendable {
  /// The way to the objects.
  public enum Access: Hashable, Sendable {
    /// No object can fulfil the condition.
    case nothing
    /// Every object, or those within limits of ids, in the order of the ids.
    case scan(objects: Int)
    /// The ids that several ways have in common, or one way.
    case ids(steps: [Step], ids: Int)
    /// The entries of an index in their order, until there are enough objects.
    case ordered(index: String)
  }

  /// A way that was taken to ids; `candidates` are those that another query asks about.
  public struct Step: Hashable, Sendable {
    /// The kind of the way, as a word: `ids`, `index`, `index range`, `index prefix`, `relation`, `union`.
    public var kind: String
    /// The property of the index; nil for ids and relations.
    public var property: String?
    /// The part of the condition that it answers; empty for candidates.
    public var condition: String
    /// The number of ids that it finds.
    public var ids: Int
  }

  /// The order in which the objects come.
  public enum Order: Hashable, Sendable {
    case byID
    /// In the order of the access.
    case asFound
    /// All are sorted.
    case sorted
    /// Only the first ones are kept while sorting.
    case first(Int)
  }

  /// A condition on another entity that was answered first.
  public struct Link: Hashable, Sendable {
    /// The plan of the query for the objects at the other end.
    public var plan: QueryPlan
    /// The number of ids that fulfil it.
    public var ids: Int
  }

  /// The entity.
  public var entity: String
  /// The number of all of its objects.
  public var objects: Int
  /// The way to the objects.
  public var access: Access
  /// The parts of the condition that each object is tested for.
  public var tests: [String] = []
  /// The order that was asked for.
  public var orderedBy: [String] = []
  /// The way in which it is reached.
  public var order = Order.byID
  /// The conditions on other entities.
  public var links: [Link] = []
  /// The search for nearest vectors among the objects found, in words; nil without one.
  public var nearest: String?
}

extension QueryPlan: CustomStringConvertible {
  /// One step a line, those for other entities before the ones that need them.
  public var description: String { lines(indent: "").joined(separator: "\n") }

  private func lines(indent: String) -> [String] {
    var lines: [String] = []
    for link in links {
      lines.append(indent + "first, \(counted(link.ids, "id")) by")
      lines += link.plan.lines(indent: indent + "  ")
    }
    switch access {
    case .nothing: lines.append(indent + "\(entity): nothing can fulfil the condition")
    case .scan(let objects): lines.append(indent + "\(entity): scan, \(counted(objects, "object"))")
    case .ordered(let index):
      lines.append(indent + "\(entity): index \(index), in its order")
    case .ids(let steps, let ids):
      for (number, step) in steps.enumerated() {
        lines.append(
          indent + (number == 0 ? "\(entity): " : "  and ") + step.kind
            + (step.property.map { " \($0)" } ?? "")
            + (step.condition.isEmpty ? "" : " (\(step.condition))")
            + ", \(counted(step.ids, "id"))")
      }
      if steps.count > 1 { lines.append(indent + "  in common: \(counted(ids, "id"))") }
    }
    lines += tests.map { indent + "  test \($0)" }
    if let nearest { lines.append(indent + "  nearest \(nearest)") }
    if !orderedBy.isEmpty {
      let names = orderedBy.joined(separator: ", ")
      switch order {
      case .byID: break
      case .asFound: lines.append(indent + "  ordered by \(names), as found")
      case .sorted: lines.append(indent + "  sort by \(names)")
      case .first(let count):
        lines.append(indent + "  sort by \(names), the first \(grouped(count))")
      }
    }
    return lines
  }
}
