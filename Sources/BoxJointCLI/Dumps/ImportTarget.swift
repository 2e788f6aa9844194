internal import BoxDump
internal import BoxEngine
internal import BoxModel
internal import BoxStorage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The store that an import goes to.
final class ImportTarget {
  let store: ObjectStore
  /// The folder of a copy that is removed at the end; nil for the store itself.
  private let copy: String?

  /// Opens or creates the store; what can be built at the end of the import is left aside.
  ///
  /// For a dry run it is a copy, or a new store in memory: nothing in the folder is touched, not even
  /// by taking a model over.
  ///
  /// - Throws: ``CommandFailure``, ``DumpError``, or what opening throws.
  init(
    _ directory: String, model path: String?, input: DumpInput, for importing: ImportOptions
  ) throws {
    let exists = access(directory + "/data.mdb", F_OK) == 0
    var options = StoreOptions()
    var document = try path.map { path in
      options.modelPath = path
      return try Self.model(try SourceFile.read(path).bytes, path)
    }
    if document == nil && !exists {
      guard let header = input.header else {
        throw CommandFailure(
          .inputOutput, "there is no store; --model FILE creates it", path: directory)
      }
      document = try Self.model(header.model, input.path)
    }
    options.keepsWork = true
    if !importing.isDryRun {
      copy = nil
      options.leavesIndexesAside = true
      options.neededIndexes = importing.neededIndexes
      store = try ObjectStore.open(.directory(directory), model: document, options: options)
    } else if !exists {
      copy = nil
      store = try ObjectStore.open(.memory("dry run"), model: document, options: options)
    } else {
      let folder = try Self.copy(of: directory)
      copy = folder
      do {
        store = try ObjectStore.open(.directory(folder), model: document, options: options)
      } catch {
        Self.remove(folder)
        throw error
      }
    }
  }

  deinit {
    if let copy { Self.remove(copy) }
  }

  private static func model(_ bytes: [UInt8], _ path: String) throws -> ModelDocument {
    do throws(ModelError) {
      return try ModelDocument(parsing: bytes)
    } catch {
      throw CommandFailure(.badInput, "\(error)", path: path)
    }
  }

  /// Copies a store to a folder beside it.
  private static func copy(of directory: String) throws -> String {
    var trimmed = directory
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    var template = Array((trimmed + ".dry-run-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw CommandFailure(
        .inputOutput, "no folder for a copy can be made beside it: \(SystemError.last.reason)",
        path: directory)
    }
    let folder = template.withUnsafeBufferPointer {
      $0.baseAddress.map { String(cString: $0) } ?? ""
    }
    do {
      var options = StoreOptions()
      options.storage.isReadOnly = true
      let store = try ObjectStore.open(.directory(directory), options: options)
      let file = try OpenFile(
        path: folder + "/data.mdb", flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      try store.copy(to: file.descriptor, compacting: false)
    } catch let error as SystemError {
      remove(folder)
      throw CommandFailure(
        .inputOutput, "cannot be copied for a dry run: \(error.reason)", path: directory)
    } catch {
      remove(folder)
      throw error
    }
    return folder
  }

  private static func remove(_ folder: String) {
    for name in ["data.mdb", "lock.mdb", "store.lock"] { unlink(folder + "/" + name) }
    rmdir(folder)
  }
}
