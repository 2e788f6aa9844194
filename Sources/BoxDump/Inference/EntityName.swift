/// The name of an entity that is derived from the name of a file: `Film` from `films.json.gz`.
enum EntityName {
  /// Derives a name from a path: its last component up to the first dot, in capitalized words, the
  /// last one in the singular; `Object` if nothing is left.
  static func derived(from path: String) -> String {
    let file = path.split(separator: "/").last ?? ""
    let words = file.prefix { $0 != "." }
      .split { !$0.isLetter && !$0.isNumber }.map(String.init)
    guard var last = words.last else { return "Object" }
    last = singular(last)
    let name = (words.dropLast() + [last])
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    guard let first = name.first, first.isLetter else { return "Object" + name }
    return name
  }

  /// The singular of an English plural, as far as its ending tells.
  private static func singular(_ word: String) -> String {
    let lower = word.lowercased()
    if let irregular = ["people": "erson", "children": "hild"][lower] {
      return word.prefix(1) + irregular
    }
    if ["series", "species", "news"].contains(lower) { return word }
    if lower == "movies" || lower == "cookies" { return String(word.dropLast()) }
    if lower.hasSuffix("ies"), lower.count > 4 { return String(word.dropLast(3)) + "y" }
    if ["sses", "xes", "ches", "shes"].contains(where: lower.hasSuffix) {
      return String(word.dropLast(2))
    }
    if lower.hasSuffix("s"), lower.count > 2, !["ss", "us", "is"].contains(where: lower.hasSuffix) {
      return String(word.dropLast())
    }
    return word
  }
}
