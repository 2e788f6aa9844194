internal import BoxEngine
internal import BoxJSON

/// The files of an import, as its messages and its notes in the store name them.
final class ImportedFiles {
  /// The name of the whole input.
  let path: String
  private let names: [String]
  /// The relative paths, which an import that continues must have too; empty for a single file.
  private let relativePaths: [String]
  private var isWritten = false

  init(_ input: DumpInput) {
    path = input.path
    names = (0..<input.fileCount).map { input.fileName($0) }
    relativePaths = input.relativePaths
  }

  /// The name of a file; the name of the input if that is one file.
  func name(_ number: Int) -> String { names.indices.contains(number) ? names[number] : path }

  /// Writes the list of several files into the store, once.
  ///
  /// - Throws: ``StoreError``.
  func writeList(_ transaction: Transaction) throws {
    if isWritten || relativePaths.isEmpty { return }
    let list = JSONValue.array(relativePaths.map { .string($0) })
    try transaction.setCheckpoint(CheckpointKey.files, Array(list.text(indent: 0).utf8))
    isWritten = true
  }
}

extension DumpInput {
  /// The relative paths of several files that are not a dump; empty for any other input.
  fileprivate var relativePaths: [String] {
    guard case .files = content, files.files.count > 1 else { return [] }
    return files.relativePaths
  }

  /// Requires the files of an interrupted import, as far as they were imported.
  ///
  /// - Parameters:
  ///   - place: The place at which the import continues.
  ///   - transaction: A transaction of the store.
  /// - Returns: The files before the place.
  /// - Throws: ``DumpError`` of kind `impossible` if the list differs, or a file that was imported;
  ///   `inputOutput` if such a file cannot be read; ``StoreError``.
  /// - Complexity: O(*n*) in the size of the files before the place.
  func requireFiles(
    before place: InputPlace, _ transaction: Transaction
  ) throws -> [InputIdentity] {
    try requireList(transaction)
    guard case .files = content else { return [] }
    if !files.files.indices.contains(place.file) {
      throw DumpError(
        "is not the input of the interrupted import, which had several files", kind: .impossible,
        path: path)
    }
    var identities: [InputIdentity] = []
    for number in 0..<place.file {
      guard let note = try transaction.checkpoint(CheckpointKey.file(number)),
        let known = InputIdentity(note: note)
      else {
        throw DumpError(
          "the notes of an interrupted import in the store cannot be read", remedy: .restart)
      }
      let identity = try InputIdentity.read(files, number)
      if identity != known {
        throw DumpError(
          "is not the file that the interrupted import has read: it was changed",
          kind: .impossible, path: fileName(number), remedy: .restart)
      }
      bytesRead.add(identity.bytes)
      identities.append(identity)
    }
    return identities
  }

  private func requireList(_ transaction: Transaction) throws {
    var before: [String] = []
    if let note = try transaction.checkpoint(CheckpointKey.files) {
      let document = try JSONDocument(parsing: note)
      before = document.elementNodes(of: document.root).map { document.key($0) }
    }
    let now = relativePaths
    if before == now { return }
    let position = zip(before, now).prefix { $0 == $1 }.count
    func name(_ paths: [String]) -> String {
      paths.indices.contains(position) ? paths[position].quotedForDisplay : "none"
    }
    let difference =
      before.isEmpty || now.isEmpty
      ? "it had \(max(1, before.count)) and not \(max(1, now.count))"
      : "file \(position + 1) was \(name(before)), and is \(name(now)) now"
    throw DumpError(
      "the import that was interrupted had other files, or the same in another order: \(difference); "
        + "name the same files", kind: .impossible, remedy: .restart)
  }
}

extension InputIdentity {
  /// The identity as it is noted in the store.
  var note: [UInt8] { CheckpointKey.bytes(UInt64(bytes)) + CheckpointKey.bytes(UInt64(checksum)) }

  /// Reads a note; nil for other bytes.
  fileprivate init?(note: [UInt8]) {
    guard note.count == 16, let bytes = Int(exactly: CheckpointKey.integer(note[..<8])),
      let checksum = UInt32(exactly: CheckpointKey.integer(note[8...]))
    else { return nil }
    self.init(bytes: bytes, checksum: checksum)
  }
}
