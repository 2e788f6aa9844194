/// Memory for some elements, which costs no counts of references where each value of each object is read.
///
/// Each index is compared with the number of elements. It is a programmer error to pass another one,
/// which stops the program before it touches foreign memory.
@safe struct FixedMemory<Element: BitwiseCopyable>: ~Copyable {
  private var elements: UnsafeMutableBufferPointer<Element>

  /// Creates equal elements.
  init(repeating element: Element, count: Int) {
    unsafe elements = .allocate(capacity: count)
    unsafe elements.initialize(repeating: element)
  }

  /// Creates a copy of an array.
  init(_ array: [Element]) {
    unsafe elements = .allocate(capacity: array.count)
    _ = unsafe elements.initialize(from: array)
  }

  deinit { unsafe elements.deallocate() }

  /// The number of elements.
  @inline(__always) var count: Int { unsafe elements.count }

  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      unsafe precondition(UInt(bitPattern: index) < UInt(bitPattern: elements.count))
      return unsafe elements[index]
    }
    nonmutating _modify {
      unsafe precondition(UInt(bitPattern: index) < UInt(bitPattern: elements.count))
      yield unsafe &elements[index]
    }
  }

  /// Some elements, which are valid until the memory grows or ends.
  @inline(__always)
  @unsafe subscript(lent range: Range<Int>) -> UnsafeBufferPointer<Element> {
    unsafe precondition(range.lowerBound >= 0 && range.upperBound <= elements.count)
    return unsafe UnsafeBufferPointer(rebasing: elements[range])
  }

  /// Sets all elements.
  @inline(__always)
  func fill(with element: Element) { unsafe elements.update(repeating: element) }

  /// Adds equal elements until there are so many.
  mutating func grow(to count: Int, with element: Element) {
    let grown = UnsafeMutableBufferPointer<Element>.allocate(capacity: count)
    let end = unsafe grown.initialize(fromContentsOf: elements)
    unsafe grown[end...].initialize(repeating: element)
    unsafe elements.deallocate()
    unsafe elements = grown
  }
}
