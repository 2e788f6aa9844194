package import BoxDump
package import BoxJSON
internal import BoxReport
internal import BoxSystem

/// The result of a check of a dump's counts and checksum.
package struct DumpVerificationReport: Sendable {
  /// The dump as the user named it.
  package let path: String
  /// The contents and the problems.
  package let verified: DumpVerifier.Report

  /// Checks a dump.
  ///
  /// - Parameters:
  ///   - path: The file or the directory of the dump.
  ///   - limits: The limits for what compressed input may decompress to.
  ///   - observer: The receiver of progress.
  /// - Throws: ``CommandFailure`` of the kind `finding` for a dump that is cut off before the end of
  ///   its header: nothing is known of it, not even its shape. `DumpError` if the dump cannot be read.
  /// - Complexity: O(*n*) in the size of the dump.
  package init(
    of path: String, limits: DecompressionLimits, _ observer: any WorkObserver
  ) throws {
    defer { observer.finish() }
    self.path = path
    verified = try onDump(path) {
      do {
        return try DumpVerifier.verify(path, isDirectory: isDirectory(at: path), limits: limits) {
          observer.update("checking", $0, of: $0, unit: "objects")
        }
      } catch let error as DumpError where error.kind == .cutOff {
        throw CommandFailure(.finding, error.message, path: error.path, position: error.position)
      }
    }
  }

  /// Whether the dump is whole.
  package var isWhole: Bool { verified.problems.isEmpty }

  /// The problems for people, or the size of a dump that is whole.
  package var text: String {
    let problems = verified.problems.map { "\($0)".escapedForDisplay + "\n" }
    if !problems.isEmpty { return problems.joined() }
    let targets = verified.totals.relations.reduce(0) { $0 + $1.targets }
    var text =
      "\(path.escapedForDisplay) is complete: \(counted(verified.totals.objects, "object")) of "
      + counted(verified.totals.entities.count, "entity", "entities")
    if !verified.totals.relations.isEmpty {
      text +=
        ", \(counted(targets, "entry", "entries")) of "
        + counted(verified.totals.relations.count, "relation")
    }
    return text + ", \(bytesText(verified.bytes))\n"
  }

  /// The same for programs.
  package var json: JSONValue {
    [
      "schemaVersion": 1, "dump": .string(path),
      "shape": .string(verified.header.shape.rawValue), "bytes": .int(verified.bytes),
      "partial": .bool(verified.header.isPartial),
      "importable": .bool(verified.header.isImportable),
      "entities": .array(
        verified.totals.entities.map {
          [
            "name": .string($0.name), "objects": .int($0.objects), "lastId": .uint($0.lastID),
          ]
        }),
      "relations": .array(
        verified.totals.relations.map {
          [
            "name": .string($0.name), "sources": .int($0.sources), "targets": .int($0.targets),
          ]
        }),
      "problems": .array(
        verified.problems.map {
          [
            "path": $0.path.map { .string($0) } ?? .null, "message": .string($0.message),
            "line": $0.position.map { .int($0.line) } ?? .null,
          ]
        }),
    ]
  }
}
