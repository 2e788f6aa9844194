/// Checks that a dump is whole and as it was written.
public enum DumpVerifier {
  /// The result of a check.
  public struct Report: Hashable, Sendable {
    /// The header of the dump.
    public var header: DumpHeader
    /// The numbers of the objects and entries that were found.
    public var totals: DumpTotals
    /// The bytes that were checked, uncompressed.
    public var bytes: Int
    /// The problems; empty for a valid dump.
    public var problems: [DumpError]
  }

  /// Checks the counts and the checksums of a dump.
  ///
  /// - Parameters:
  ///   - path: The file or the directory.
  ///   - isDirectory: Whether the path is a directory.
  ///   - limits: The limits of the decompressed size of a file.
  ///   - progress: Called from time to time with the number of objects and entries counted so far.
  /// - Returns: The counts and the problems.
  /// - Throws: ``DumpError`` if the file is not a dump or cannot be read, and of kind `impossible` if
  ///   its layout was changed, so that its checksum cannot be compared.
  /// - Complexity: O(*n*) in its size; one element is in memory at a time.
  public static func verify(
    _ path: String, isDirectory: Bool, limits: DecompressionLimits = DecompressionLimits(),
    progress: (Int) -> Void = { _ in }
  ) throws -> Report {
    let (input, header) = try DumpInput.dump(path, isDirectory: isDirectory, limits)
    let problems = Problems()
    let elements = try DumpElements(
      input, DumpSections(header, try header.parsedModel(path))
    ) { problems.list.append($0) }
    while true {
      do throws(DumpError) {
        try count(elements, progress)
        break
      } catch {
        // The other files of a directory can still be checked.
        if !elements.skipFile() && error.kind != .cutOff { throw error }
        problems.list.append(error)
        if !isDirectory { break }
      }
    }
    if elements.hasOtherLayout && problems.list.isEmpty {
      throw DumpError(
        "the layout of the dump was changed, so its checksum cannot be compared; import reads it",
        kind: .impossible, path: path)
    }
    return Report(
      header: header, totals: elements.counts.totals(as: elements.totals),
      bytes: elements.totals == nil ? elements.text.offset : elements.checkedBytes,
      problems: problems.list)
  }

  private final class Problems {
    var list: [DumpError] = []
  }

  /// Counts all elements, and the targets of elements of relations.
  private static func count(
    _ elements: DumpElements, _ progress: (Int) -> Void
  ) throws(DumpError) {
    let entries = EntryScanner()
    var count = 0
    while true {
      switch try elements.next() {
      case .element(let section):
        if section.isRelation {
          do throws(ScanFailure) {
            let targets = try unsafe entries.scan(elements).targets.count / 8
            elements.counts.count(section, targets: targets)
          } catch {
            let (message, _) = error.message(elements.text, elements.range)
            throw elements.text.error("\(section.name): \(message)", at: error.index)
          }
        }
        count += 1
        if count % 65_536 == 0 { progress(count) }
      case .invalid(let message, _, let index): throw elements.text.error(message, at: index)
      case .end: return
      }
    }
  }
}
