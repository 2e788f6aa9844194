package import BoxReport
internal import SwiftParser
internal import SwiftSyntax

/// The entities that sources declare, and the violations of rules in them.
package struct SourceParsing: Sendable {
  /// The entities, by the names of their types.
  package private(set) var entities: [SourceEntity] = []
  package private(set) var findings: [Finding] = []

  /// Reads the files of a target.
  ///
  /// Only files with the words of an entity are parsed.
  ///
  /// - Complexity: O(*n*) in the size of the files.
  package init(_ files: [SourceFile]) {
    for file in files.sorted(by: { $0.path < $1.path }) { read(file) }
    entities.sort { $0.typeName < $1.typeName }
    for (first, second) in zip(entities, entities.dropFirst())
    where first.typeName == second.typeName {
      findings.append(
        Finding(
          GeneratorRule.duplicateType, at: second.place,
          "Two entity types have the name \"\(second.typeName)\"",
          advice: "Rename one of them; the other is in \"\(first.place.path)\""))
    }
  }

  private mutating func read(_ file: SourceFile) {
    let start = SourcePlace(path: file.path, line: 1, column: 1)
    guard let text = String(validating: file.bytes, as: UTF8.self) else {
      findings.append(
        Finding(
          GeneratorRule.notUTF8, at: start, "The file is not UTF-8",
          advice: "Save it as UTF-8, or exclude it"))
      return
    }
    guard text.contains("Entity") || text.contains("objectbox:") else { return }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if let line = lines.firstIndex(where: { $0.hasPrefix("<<<<<<< ") }) {
      findings.append(
        Finding(
          GeneratorRule.conflictMarkers,
          at: SourcePlace(path: file.path, line: line + 1, column: 1),
          "The file has conflict markers", advice: "Resolve the conflict, and generate again"))
      return
    }
    let tree = Parser.parse(source: text)
    let visitor = EntityVisitor(SourceLocationConverter(fileName: file.path, tree: tree))
    visitor.walk(tree)
    entities += visitor.entities
    findings += visitor.findings
  }
}
