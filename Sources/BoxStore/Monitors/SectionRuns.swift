/// The sections of a list: neighbours with one name, in the order of the list.
struct SectionRuns: Sendable {
  /// A name that belongs to objects that are not next to each other.
  struct Split: Error {
    let name: String
  }

  /// Whether there are sections; otherwise there is one for all objects, also for none.
  let isDivided: Bool
  private(set) var names: [String]
  private(set) var counts: [Int]
  private var known: Set<String> = []

  /// Creates the sections of an empty list.
  init(isDivided: Bool) {
    self.isDivided = isDivided
    names = isDivided ? [] : [""]
    counts = isDivided ? [] : [0]
  }

  /// The position of the first object of each section, and the number of all objects.
  var starts: [Int] {
    var start = 0
    return counts.map { count in
      defer { start += count }
      return start
    }
  }

  // MARK: - Changing

  /// Appends an object.
  ///
  /// - Throws: ``Split``.
  mutating func append(_ name: String) throws(Split) {
    if !isDivided {
      counts[0] += 1
    } else if names.last == name {
      counts[counts.count - 1] += 1
    } else {
      try open(name, at: names.count)
    }
  }

  /// Inserts an object at a position of the list.
  ///
  /// - Throws: ``Split``.
  /// - Complexity: O(*n*) in the sections.
  mutating func insert(_ name: String, at position: Int) throws(Split) {
    if !isDivided {
      counts[0] += 1
      return
    }
    // The section with the object before the position, and the number of objects up to its end.
    var (section, end) = (0, 0)
    while section < counts.count, end + counts[section] < position {
      end += counts[section]
      section += 1
    }
    if section < counts.count, names[section] == name {
      counts[section] += 1
      return
    }
    let isAtEnd = section < counts.count && end + counts[section] == position
    let next = position == 0 ? 0 : section + 1
    if position == 0 || isAtEnd {
      if next < names.count, names[next] == name {
        counts[next] += 1
      } else {
        try open(name, at: next)
      }
      return
    }
    throw Split(name: section < names.count ? names[section] : name)
  }

  /// Removes the object at a position of the list.
  ///
  /// - Complexity: O(*n*) in the sections.
  mutating func remove(at position: Int) {
    var (section, rest) = (0, position)
    while rest >= counts[section] {
      rest -= counts[section]
      section += 1
    }
    counts[section] -= 1
    if isDivided, counts[section] == 0 {
      known.remove(names[section])
      names.remove(at: section)
      counts.remove(at: section)
    }
  }

  private mutating func open(_ name: String, at index: Int) throws(Split) {
    guard known.insert(name).inserted else { throw Split(name: name) }
    names.insert(name, at: index)
    counts.insert(1, at: index)
  }
}
