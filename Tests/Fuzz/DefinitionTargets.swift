import BoxConvert
import BoxMigration
import BoxRecovery

@testable import BoxGenerator
@testable import BoxSources
@testable import BoxTool

/// A catalogue of converters, or settings, in YAML.
func fuzzCatalogues(_ bytes: [UInt8]) {
  guard let node = try? YAMLReader.read(bytes) else { return }
  guard let catalogue = try? Catalogue(node.catalogueNode) else { return }
  expect(
    (try? Catalogue(catalogue.json).bindings) == catalogue.bindings,
    "a catalogue comes back from its JSON")
}

/// The mappings of a migration, a lock of released versions, and approvals.
func fuzzMappings(_ bytes: [UInt8]) {
  _ = try? LockFile(parsing: bytes)
  _ = try? ApprovalList(parsing: bytes)
  guard let node = try? YAMLReader.read(bytes) else { return }
  _ = try? ModelMapping.read(node.catalogueNode)
}

/// Swift with annotated types: each comment, and the outlines of the declarations.
func fuzzAnnotations(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  for line in text.split(separator: "\n").prefix(100) {
    _ = AnnotationParser.parse(
      comment: String(line), prefix: "objectbox",
      place: SourcePlace(path: "A.swift", line: 1, column: 1))
  }
  _ = OutlineReader(SwiftLexer.tokens(of: bytes, prefix: "objectbox")).declarations
}

/// Generated code, from which a lost model is read; the first byte chooses the language.
func fuzzCode(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let path = ["a.dart", "a.swift", "A.java", "a.go", "a.h", "a.kt"][Int(choice) % 6]
  let file = CodeScan.File(path: path, bytes: Array(bytes.dropFirst()))
  _ = CodeScan.isGenerated(file)
  _ = CodeScan.evidence(in: [file])
}
