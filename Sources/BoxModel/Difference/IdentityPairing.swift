import BoxJSON

/// Pairs elements of one kind in two models: by UID, and those that are left by name.
///
/// Every element has one partner at most; of several with one UID, or with one name but for its case,
/// the first has it. An element without a UID is paired by its name only.
///
/// - Parameters:
///   - elements: The UIDs and the names of one side.
///   - others: The elements of the other side.
/// - Returns: For each element the position of its partner among the others; nil if it has none.
/// - Complexity: O(*n*) in the elements of both.
package func identityPairs(
  of elements: [(uid: UID, name: String)], with others: [(uid: UID, name: String)]
) -> [Int?] {
  var result = [Int?](repeating: nil, count: elements.count)
  var byUID: [UID: Int] = [:]
  for (position, other) in others.enumerated() where other.uid != 0 && byUID[other.uid] == nil {
    byUID[other.uid] = position
  }
  var isTaken = [Bool](repeating: false, count: others.count)
  for (position, element) in elements.enumerated() {
    guard let match = byUID.removeValue(forKey: element.uid) else { continue }
    result[position] = match
    isTaken[match] = true
  }
  var byName: [ExactText: Int] = [:]
  for (position, other) in others.enumerated() where !isTaken[position] {
    let name = foldedName(other.name)
    if byName[name] == nil { byName[name] = position }
  }
  for (position, element) in elements.enumerated() where result[position] == nil {
    result[position] = byName.removeValue(forKey: foldedName(element.name))
  }
  return result
}
