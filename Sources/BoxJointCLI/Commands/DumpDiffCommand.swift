internal import ArgumentParser
internal import BoxDump
internal import BoxEngine
internal import BoxJSON
internal import BoxReport
internal import BoxStorage
internal import BoxSystem
internal import BoxTool

/// `boxjoint dump diff`: compares dumps and stores.
struct DumpDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two dumps or stores.",
    discussion: """
      Objects are matched by entity and id. Entities and properties are matched by UID, so a new \
      name is not a difference. Name a store as store:DIR; a directory without store: is a dump.

      Examples:
        boxjoint dump diff monday.ndjson.zst tuesday.ndjson.zst
        boxjoint dump diff backup.ndjson store:data/ --format json

      Exit status:
        0   no differences
        1   differences
        2   the two cannot be compared
        65  one of them is not a dump or store
        74  one of them cannot be read
      """)

  @Argument(help: ArgumentHelp("The older version: a dump or store:DIR.", valueName: "a"))
  var a: String

  @Argument(help: ArgumentHelp("The newer version: a dump or store:DIR.", valueName: "b"))
  var b: String

  @OptionGroup var decompression: DecompressionArguments
  @OptionGroup var trust: StoreTrust

  @Option(help: "The output format.")
  var format: TextOrJSON = .text

  @Option(help: "Print at most this many differences; all of them are counted.")
  var limit = 1000

  func validate() throws {
    if [a, b].contains(where: DescriptorPath.isStream) {
      throw ValidationError("A dump is read twice, so a pipe cannot be compared; name a file.")
    }
    if limit < 0 { throw ValidationError("--limit is at least 0.") }
  }

  func run() throws {
    var items: [DumpDifference.Item] = []
    let bar = Progress(.auto)
    let (first, second) = (try side(a, bar), try side(b, bar))
    let difference = try onDump(first.path) {
      defer { bar.finish() }
      do {
        return try DumpDifference.between(first, second, limits: decompression.limits) { item in
          if items.count < limit { items.append(item) }
        }
      } catch let failure as DumpDifference.StoreFailure {
        return try onStore(failure.path) { throw failure.error }
      }
    }
    try StandardOutput.write(
      format == .text ? text(difference, items) : json(difference, items).displayText)
    if !difference.isSame { throw ExitStatus.findings.exitCode }
  }

  private func side(
    _ argument: String, _ bar: Progress
  ) throws -> DumpDifference.Side {
    if let directory = SourceReference(argument).storeDirectory {
      // Of a store in which two halves of a relation differ, neither "the same" nor a difference is
      // an answer.
      try requireStoreInWorkTree(directory)
      try onStore(directory) {
        try ObjectStore.requireWhole(directory, options: trust.options(isReadOnly: true, bar))
      }
      return .init(directory, .store, trust.storage(bar))
    }
    guard isFolder(argument) else { return .init(argument, .file) }
    let manifest = joinPath(argument, DumpManifest.fileName)
    if StoreFiles(argument).hasData, ((try? fileAttributes(at: manifest)) ?? nil) == nil {
      throw CommandFailure(
        .badInput, "this is not a dump; \(SourceReference.hint(argument))", path: argument)
    }
    return .init(argument, .folder)
  }

  private func text(_ difference: DumpDifference, _ items: [DumpDifference.Item]) -> String {
    var lines = difference.notes.map(\.escapedForDisplay)
    for item in items {
      let sign = ["added": "+", "removed": "-"][item.kind.rawValue] ?? "~"
      lines.append("\(sign) \(item.section) \(item.id)".escapedForDisplay)
      for field in item.fields {
        lines.append(
          "    \(field.name): \(shortened(field.before)) -> \(shortened(field.after))"
            .escapedForDisplay)
      }
    }
    let changes = difference.sections.reduce(0) { $0 + $1.added + $1.removed + $1.changed }
    if changes > items.count { lines.append("and \(grouped(changes - items.count)) more") }
    for section in difference.sections where !section.isSame {
      lines.append(
        "\(section.name.escapedForDisplay): \(grouped(section.added)) added, \(grouped(section.removed)) removed, "
          + "\(grouped(section.changed)) changed, \(grouped(section.same)) the same")
    }
    if difference.isSame { lines.append("no differences") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func shortened(_ text: String) -> String {
    text.count > 60 ? text.prefix(60) + "…" : text
  }

  private func json(_ difference: DumpDifference, _ items: [DumpDifference.Item]) -> JSONValue {
    [
      "schemaVersion": 1, "a": .string(a), "b": .string(b),
      "notes": .array(difference.notes.map { .string($0) }),
      "sections": .array(
        difference.sections.map {
          [
            "name": .string($0.name), "added": .int($0.added), "removed": .int($0.removed),
            "changed": .int($0.changed), "same": .int($0.same),
          ]
        }),
      "differences": .array(
        items.map { item in
          [
            "name": .string(item.section), "id": .uint(item.id),
            "kind": .string(item.kind.rawValue),
            "fields": .array(
              item.fields.map {
                [
                  "name": .string($0.name), "before": .string($0.before),
                  "after": .string($0.after),
                ]
              }),
          ]
        }),
    ]
  }
}
