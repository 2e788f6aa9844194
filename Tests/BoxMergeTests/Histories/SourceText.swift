import BoxModel

extension Sources {
  /// The number of groups of lines that a source file has room for.
  static let slots = 300

  /// The sources as a text file.
  ///
  /// Each group is in a place of its own, each field on a line of its own, with lines between that are
  /// like no others: so git sees what the groups are.
  var text: String {
    var lines: [String] = []
    for number in 0..<Self.slots {
      lines.append("// place \(number)")
      if let group = groups[number] {
        let uid = group.head.uid.map { " uid \($0)" } ?? ""
        let fields = [
          "\(group.kind.rawValue) in \(group.owner)\(group.isID ? " id" : "")",
          "name \(group.head.name)\(uid)", "type \(group.type?.rawValue ?? 0)",
          "index \(group.index?.rawValue ?? 0)", "not null \(group.isNotNull)",
          "target \(group.target ?? 0)",
        ]
        for (position, field) in fields.enumerated() {
          lines.append(field)
          lines.append("// \(number).\(position)")
        }
      }
      lines.append("// end \(number)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
