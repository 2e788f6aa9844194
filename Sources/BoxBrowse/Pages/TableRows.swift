internal import BoxEngine
internal import BoxStorage
internal import BoxStoreTool

/// The rows of a page of a table.
struct TableRows {
  /// A row.
  struct Row {
    var id: UInt64
    var cells: HTMLText
    var isDamaged = false
  }

  /// The end of a page.
  enum End: Equatable {
    /// There are no more rows in the direction of the page.
    case last
    case more
    /// The time was over; the place after which the rest begins.
    case deadline(after: ListKey, looked: Int)
    /// The time was over before the order of any row was known.
    case unordered
    /// A damaged record hides the rest of this order.
    case damaged(String)
  }

  /// The rows in the order in which they are shown.
  private(set) var rows: [Row] = []
  private(set) var end = End.last

  /// The rows that were found in another way.
  init(_ rows: [Row]) { self.rows = rows }

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - query: The question with its order.
  ///   - start: The place after which the page begins; nil for the first row.
  ///   - isReversed: Whether the rows come before the place, or are the last ones.
  ///   - limit: The maximum number of rows.
  ///   - transaction: The transaction, whose interruption ends the page.
  ///   - cells: The cells of an object.
  /// - Throws: `StoreError` if the store cannot be read, and `StoreError.interrupted` if the reader has left.
  /// - Complexity: As `Transaction.visitPage`.
  init(
    _ query: PreparedQuery, after start: ListKey?, isReversed: Bool, limit: Int,
    in transaction: Transaction,
    _ cells: (UInt64, borrowing RecordView) throws -> HTMLText
  ) throws {
    var reading = Reading(
      query: query, limit: limit, isReversed: isReversed, transaction: transaction)
    try reading.read(after: start, cells)
    rows = isReversed ? reading.rows.reversed() : reading.rows
    end = reading.end
  }
}

/// The rows of a page while they are read.
private struct Reading {
  /// The largest size of the rows of a page in bytes.
  private static let maximumSize = 3 << 19

  let query: PreparedQuery
  let limit: Int
  let isReversed: Bool
  let transaction: Transaction
  var rows: [TableRows.Row] = []
  var end = TableRows.End.last
  private var size = 0

  init(query: PreparedQuery, limit: Int, isReversed: Bool, transaction: Transaction) {
    self.query = query
    self.limit = limit
    self.isReversed = isReversed
    self.transaction = transaction
  }

  mutating func read(
    after start: ListKey?, _ cells: (UInt64, borrowing RecordView) throws -> HTMLText
  ) throws {
    var start = start
    while true {
      let page = query.page(after: start, reversed: isReversed)
      do {
        return try visit(page, cells)
      } catch StoreError.damagedRecord(let entity, let id, let damage)
        where entity.utf8.elementsEqual(query.query.entity.name.utf8)
      {
        let text = StoreError.damagedRecord(entity: entity, id: id, damage).description
        guard query.isByID else {
          end = .damaged(text)
          return
        }
        if rows.count == limit {
          end = .more
          return
        }
        rows.append(TableRows.Row(id: id, cells: "\(text.sentence)", isDamaged: true))
        start = ListKey(id: id)
      }
    }
  }

  /// Appends the rows of a part of the page.
  private mutating func visit(
    _ page: PreparedQuery, _ cells: (UInt64, borrowing RecordView) throws -> HTMLText
  ) throws {
    var isLate = false
    // One more than the page has, to know whether there is one.
    let ending = try transaction.visitPage(page, limit: limit - rows.count + 1) { id, record in
      if rows.count == limit || size > Self.maximumSize {
        end = .more
        return .stop
      }
      do {
        let row = TableRows.Row(id: id, cells: try cells(id, record))
        size += row.cells.utf8.count
        rows.append(row)
        return .next
      } catch StoreError.interrupted where !rows.isEmpty {
        // The cells of one object took the rest of the time; the next page begins with it.
        isLate = true
        return .stop
      }
    }
    if isLate {
      end = .more
      return
    }
    switch ending {
    case .deadline(let place, let looked): end = .deadline(after: place, looked: looked)
    case .unordered: end = .unordered
    case .last, .full: break
    }
  }
}
