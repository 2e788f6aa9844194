import BoxConvert
import BoxMigration
import BoxModel
import BoxRecovery

@testable import BoxGenerator
@testable import BoxModelTool
@testable import BoxSources

/// A catalogue of converters, or settings, in YAML.
func fuzzCatalogues(_ bytes: [UInt8]) {
  guard let node = try? YAMLReader.read(bytes) else { return }
  guard let catalogue = try? Catalogue(node.catalogueNode) else { return }
  // Without the places in the file.
  guard let again = try? Catalogue(catalogue.json) else {
    return expect(false, "the JSON of a catalogue is read")
  }
  expect(
    again.bindings.map(\.name) == catalogue.bindings.map(\.name)
      && (try? Catalogue(again.json))?.bindings == again.bindings,
    "a catalogue comes back from its JSON")
}

/// The mappings of a migration, a lock of released versions, and approvals.
func fuzzMappings(_ bytes: [UInt8]) {
  if let lock = try? LockFile(parsing: bytes) {
    expect(
      (try? LockFile(parsing: Array(lock.text.utf8))) == lock, "a lock comes back from its text")
  }
  if let list = try? ApprovalList(parsing: bytes) {
    let again = try? ApprovalList(parsing: Array(list.text.utf8))
    expect(again == list, "approvals come back from their text")
  }
  guard let node = try? YAMLReader.read(bytes) else { return }
  _ = try? ModelMapping.read(node.catalogueNode)
}

/// Swift with annotated types: each comment, the declarations, and their outlines.
func fuzzAnnotations(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  for line in text.split(separator: "\n").prefix(100) {
    _ = AnnotationParser.parse(
      comment: String(line), prefix: "objectbox",
      place: SourcePlace(path: "A.swift", line: 1, column: 1))
  }
  _ = ParsedFile(SwiftFile(path: "A.swift", bytes: bytes), prefix: "objectbox")
  _ = SourceDeclarations(of: bytes, prefix: "objectbox").outlines
}

/// Generated code, from which a lost model is read; the first byte chooses the language.
func fuzzCode(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let path = ["a.dart", "a.swift", "A.java", "a.go", "a.h", "a.kt"][Int(choice) % 6]
  let file = CodeScan.File(path: path, bytes: Array(bytes.dropFirst()))
  _ = CodeScan.isGenerated(file)
  _ = CodeScan.evidence(in: [file])
}
