/// The pages of a data file in the memory that the file is mapped to.
///
/// Only pages of a state that a transaction reads stay as they are while they are looked at.
@safe struct MappedPages {
  private let start: UnsafeRawPointer
  let pageSize: Int
  /// Pages that are in the file and in the map.
  private let count: UInt64

  init(_ start: UnsafeRawPointer, pageSize: Int, count: UInt64) {
    unsafe self.start = start
    self.pageSize = pageSize
    self.count = count
  }

  /// A page of a tree or the first page of a value; nil if it does not exist or has another number.
  subscript(number: UInt64) -> PageBytes? {
    guard number >= PageFormat.metaPages, number < count else { return nil }
    let page = bytes(of: number, 0, count: pageSize)
    return page.uint64(at: 0) == number ? page : nil
  }

  /// The value in the overflow pages from a page on; nil if the pages are not overflow pages.
  func value(from first: UInt64, size: Int) -> PageBytes? {
    guard let page = self[first], page.uint16(at: 10) == PageFlags.overflow.rawValue else {
      return nil
    }
    let needed = UInt64(PageFormat.overflowPages(for: size, pageSize: pageSize))
    guard page.uint32(at: 12) >= needed, needed <= count - first else { return nil }
    return bytes(of: first, PageFormat.headerSize, count: size)
  }

  private func bytes(of page: UInt64, _ offset: Int, count: Int) -> PageBytes {
    unsafe PageBytes(
      UnsafeRawBufferPointer(start: start + Int(page) * pageSize + offset, count: count))
  }
}
