/// The entries of some leaf pages of a tree in the order of their keys, or the duplicates of one key.
struct LeafEntries {
  /// The form of what is in the pages.
  enum Form: Equatable {
    /// Keys with values.
    case nodes
    /// Duplicates, which are keys without values.
    case duplicates
    /// Duplicates of one size, which a page has without nodes.
    case items(size: Int)
  }

  private let order: KeyOrder
  private let form: Form
  /// The pages that follow the current one, the last of them first.
  private var rest: [UInt64]
  private var page: PageBytes?
  /// Bytes in front of the first item.
  private var start = PageFormat.headerSize
  private var count = 0
  private var index = 0
  /// The key of the current entry, or the current duplicate; nil after the last one.
  private(set) var key: PageBytes?

  /// The entries of leaf pages, before the first one.
  init(_ pages: [UInt64], _ form: Form, _ order: KeyOrder) {
    rest = pages.reversed()
    self.form = form
    self.order = order
  }

  /// The duplicates on a page, before the first one.
  init(_ page: PageBytes, count: Int, _ form: Form, _ order: KeyOrder) {
    self.init([], form, order)
    self.page = page
    self.count = count
    index = -1
  }

  /// The one value of a key, in front of it.
  init(value: PageBytes, _ order: KeyOrder) {
    self.init(value, count: 1, .items(size: value.count), order)
    start = 0
  }

  /// The node of the current entry.
  var node: PageNode? { page.map { PageNode($0, index: index) } }

  /// Moves to the next entry.
  ///
  /// - Throws: ``DifferenceUnknown`` if a page is not a page of entries in order.
  mutating func advance(_ reader: inout LeafReader) throws(DifferenceUnknown) {
    let previous = key
    index += 1
    if index >= count {
      guard let number = rest.popLast() else {
        (key, page, count) = (nil, nil, 0)
        return
      }
      (page, count) = try reader.leaf(number, form)
      index = 0
    }
    guard let page else { throw DifferenceUnknown() }
    let next: PageBytes
    if case .items(let size) = form {
      next = page[start + index * size..<start + (index + 1) * size]
    } else {
      next = PageNode(page, index: index).key
    }
    guard order.accepts(size: next.count), previous.map({ order.precedes($0, next) }) ?? true else {
      throw DifferenceUnknown()
    }
    key = next
  }
}

/// The differences of two states are not known: too many pages differ, or one is invalid.
struct DifferenceUnknown: Error {}

/// Reads pages, and compares what they say with their bounds.
struct LeafReader {
  let pages: MappedPages
  private var layout = NodeLayout()
  /// Pages that were looked at.
  private(set) var visited = 0

  init(_ pages: MappedPages) { self.pages = pages }

  /// A leaf page and the number of its entries, which is not 0.
  mutating func leaf(
    _ number: UInt64, _ form: LeafEntries.Form
  ) throws(DifferenceUnknown) -> (PageBytes, Int) {
    let isFixed = form != .nodes && form != .duplicates
    let page = try page(number, isFixed ? [.leaf, .fixedSize] : .leaf)
    return (page, try count(of: page, form))
  }

  /// The pages below a branch page.
  mutating func children(of number: UInt64, _ add: (UInt64) -> Void) throws(DifferenceUnknown) {
    let page = try page(number, .branch)
    do throws(LayoutFault) {
      for index in 0..<(try layout.check(page, isBranch: true)) {
        add(PageNode(page, index: index).child)
      }
    } catch {
      throw DifferenceUnknown()
    }
  }

  /// The number of entries of a page, or of one inside a node.
  mutating func count(
    of page: PageBytes, _ form: LeafEntries.Form
  ) throws(DifferenceUnknown) -> Int {
    do throws(LayoutFault) {
      let count: Int
      if case .items(let size) = form {
        count = page.word(at: 8) == size ? try NodeLayout.checkItems(page, size: size) : 0
      } else {
        count = try layout.check(page, isBranch: false)
      }
      if count > 0 { return count }
    } catch {}
    throw DifferenceUnknown()
  }

  private mutating func page(
    _ number: UInt64, _ flags: PageFlags
  ) throws(DifferenceUnknown) -> PageBytes {
    visited += 1
    guard let page = pages[number], page.uint16(at: 10) == flags.rawValue else {
      throw DifferenceUnknown()
    }
    return page
  }
}
