internal import BoxJSON
internal import BoxModel
internal import BoxReport

extension ModelSynchronizer {
  /// Refuses an earlier name of a property that another one has, in the sources or in the model: its UID could not go
  /// to both.
  mutating func refuseEarlierNames(of source: SourceEntity, in members: KnownMembers) {
    if source.properties.allSatisfy(\.earlierNames.isEmpty) { return }
    let names = Set(source.properties.map { foldedName($0.name) })
    var takers: [ExactText: String] = [:]
    for property in source.properties {
      var known = [property.name]
      for earlier in property.earlierNames {
        let folded = foldedName(earlier.name)
        if known.contains(where: { foldedName($0) == folded }) { continue }
        let other = known.first { members.others.uid(of: $0) != nil }
        let isStored = members.others.uid(of: earlier.name) != nil
        known.append(earlier.name)
        if isStored, other == nil, let taker = takers.updateValue(property.name, forKey: folded) {
          add(
            Finding(
              GeneratorRule.earlierName, at: earlier.place,
              "was = \(earlier.written): \(taker) of \(source.name) has the same earlier name; remove one",
              advice: "Name what each property was called before"))
        }
        guard names.contains(folded) || (isStored && other != nil) else { continue }
        add(
          Finding(
            GeneratorRule.earlierName, at: earlier.place,
            "was = \(earlier.written): \(source.name) has both \(earlier.name) and \(other ?? property.name);"
              + " remove one",
            advice: names.contains(folded)
              ? "Remove the declaration of one, or the annotation"
              : "The model file has both: remove the annotation to keep the values of \(other ?? property.name)"
          ))
      }
    }
  }
}
