extension ToMany: RandomAccessCollection {
  /// The position of an object, from 0.
  public typealias Index = Int

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of objects.
  public var endIndex: Int { elements.count }
  /// The position after another one.
  public func index(after i: Int) -> Int { i + 1 }
  /// The position before another one.
  public func index(before i: Int) -> Int { i - 1 }
  /// The object at a position.
  public subscript(position: Int) -> S { elements[position] }

  /// An iterator over the objects as they are now.
  public func makeIterator() -> IndexingIterator<[S]> { elements.makeIterator() }
}

// The defaults of the protocol would assign another relation to the property of the object, and need a
// variable: those that do are replaced here.
extension ToMany: RangeReplaceableCollection {
  /// Creates an empty relation of an object that was not put yet.
  public convenience init() { self.init(nilLiteral: ()) }

  /// Replaces the objects at some positions.
  public func replaceSubrange<C, R>(_ subrange: R, with newElements: __owned C)
  where C: Collection, R: RangeExpression, S == C.Element, Int == R.Bound {
    // Read before the change: the collection may be made of the relation.
    let added = Array(newElements)
    change { items in items.replaceSubrange(subrange.relative(to: items), with: added) }
  }

  /// Replaces all objects.
  public func replace<C>(_ newElements: __owned C) where C: Collection, S == C.Element {
    let replacing = Array(newElements)
    change { $0 = replacing }
  }

  /// Adds an object at the end.
  public func append(_ newElement: __owned S) { change { $0.append(newElement) } }

  /// Adds objects at the end.
  public func append<C: Sequence>(contentsOf newElements: __owned C) where C.Element == S {
    let added = Array(newElements)
    change { $0.append(contentsOf: added) }
  }

  /// Adds an object at a position.
  public func insert(_ newElement: __owned S, at i: Int) { change { $0.insert(newElement, at: i) } }

  /// Adds objects at a position.
  public func insert<C: Collection>(contentsOf newElements: __owned C, at i: Int)
  where C.Element == S {
    let added = Array(newElements)
    change { $0.insert(contentsOf: added, at: i) }
  }

  /// Takes out the object at a position.
  @discardableResult
  public func remove(at position: Int) -> S { change { $0.remove(at: position) } }

  /// Takes out the objects at some positions.
  public func removeSubrange(_ bounds: Range<Int>) { change { $0.removeSubrange(bounds) } }

  /// Takes out the first object; there must be one.
  @discardableResult
  public func removeFirst() -> S { change { $0.removeFirst() } }

  /// Takes out the first objects; there must be so many.
  public func removeFirst(_ k: Int) { change { $0.removeFirst(k) } }

  /// Takes out the last object; there must be one.
  @discardableResult
  public func removeLast() -> S { change { $0.removeLast() } }

  /// Takes out the last objects; there must be so many.
  public func removeLast(_ k: Int) { change { $0.removeLast(k) } }

  /// Takes out all objects.
  public func removeAll(keepingCapacity keepCapacity: Bool = false) {
    change { $0.removeAll(keepingCapacity: keepCapacity) }
  }

  /// Takes out the objects for which a function returns true.
  ///
  /// - Throws: The error of the function.
  /// - Complexity: O(*n*).
  public func removeAll(where shouldBeRemoved: (S) throws -> Bool) rethrows {
    // Asked before the change: the function may use the relation.
    let removed = try elements.map(shouldBeRemoved)
    change { items in
      if items.count == removed.count {
        items = zip(items, removed).filter { !$0.1 }.map(\.0)
      }
    }
  }

  /// Does nothing.
  public func reserveCapacity(_ n: Int) {}
}

extension ToMany: CustomStringConvertible {
  /// The objects, or that they were not read yet; nothing is read for it.
  public var description: String {
    resolved ? "ToMany<\(S.self)>(\(elements.count))" : "ToMany<\(S.self)>(not read)"
  }
}

extension ToMany: CustomDebugStringConvertible {
  /// The objects, or that they were not read yet; nothing is read for it.
  public var debugDescription: String { description }
}
