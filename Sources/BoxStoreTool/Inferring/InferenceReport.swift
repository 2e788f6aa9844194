package import BoxDump
package import BoxJSON
package import BoxModel
internal import BoxReport

/// The output of `boxjoint model infer`.
package struct InferenceReport: Sendable {
  /// The model, with everything that was guessed.
  package let inferred: InferredModel
  /// The model as a file.
  package let document: ModelDocument
  /// The file of the model; nil if it was not written.
  package internal(set) var modelPath: String?
  /// The file of the catalogue, if any.
  package internal(set) var cataloguePath: String?

  /// Lines for people: a table for each entity, the notes, and the files.
  package var text: String {
    var blocks = inferred.entities.map(Self.text)
    var written: [String] = []
    if let modelPath { written.append("model: \(modelPath.escapedForDisplay)") }
    if let cataloguePath { written.append("catalogue: \(cataloguePath.escapedForDisplay)") }
    if !written.isEmpty { blocks.append(written.joined(separator: "\n") + "\n") }
    return blocks.joined(separator: "\n")
  }

  private static func text(_ entity: InferredModel.Entity) -> String {
    var lines = [
      entity.origin.isEmpty
        ? "\(NamePath.quoted(entity.name)): the targets of a relation"
        : "\(NamePath.quoted(entity.name)): \(counted(entity.objects, "object", "objects")) in "
          + entity.origin.map(\.escapedForDisplay).joined(separator: ", "),
      "",
    ]
    var table = TextTable([["NAME", "TYPE", "VALUES", "REASON", "PLACE"]])
    table.rightAligned = [2]
    table.rows += entity.members.map { member in
      [
        NamePath.quoted(member.name), member.type, grouped(member.values),
        member.reason, member.places.first.map { "\($0)" } ?? "",
      ].map(\.escapedForDisplay)
    }
    lines += table.lines()
    lines += entity.notes.map { note in
      "note: " + note.message.escapedForDisplay
        + (note.place.map { " (\($0))".escapedForDisplay } ?? "")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The inference as `Schemas/inference.schema.json` describes it.
  package var json: JSONValue { inferred.json(model: modelPath, catalogue: cataloguePath) }
}

extension InferredModel.Entity {
  /// The inputs, or the member, that the objects are in.
  fileprivate var origin: [String] {
    nestedIn.map { [$0] } ?? inputs.map { $0 == "-" ? "standard input" : $0 }
  }
}
