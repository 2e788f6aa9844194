package import BoxEngine
internal import BoxStorage
internal import BoxSystem

/// A store in place of a model file: its model is the one that it was last opened with.
package enum StoredModel {
  /// Reads the model of a store, as `store:DIR`, and its rules about removals.
  ///
  /// - Throws: ``CommandFailure``, as ``onStore(_:_:)`` does; all pages are checked before the store is
  ///   opened.
  static func read(
    _ directory: String, _ observer: any WorkObserver
  ) throws(CommandFailure) -> SourceFile {
    do {
      let store = try open(directory, StoreAccess(), observer)
      defer { store.close() }
      var source = SourceFile(
        path: SourceReference.store(directory).argument,
        bytes: try onStore(directory) { try store.read { try $0.modelText() } })
      source.declarations = store.declarations
      return source
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(.inputOutput, "\(error)", path: directory)
    }
  }

  /// Opens a store for reading, or takes the open one of the session for it.
  ///
  /// - Throws: ``CommandFailure``, as ``onStore(_:_:)`` does.
  package static func open(
    _ directory: String, _ access: StoreAccess, _ observer: any WorkObserver
  ) throws -> ObjectStore {
    defer { observer.finish() }
    if let session = access.session, session.path == directory {
      return try onStore(directory) { try session.store(observer) }
    }
    return try onExistingStore(directory) {
      let opened = try ObjectStore.open(
        .directory(directory), options: access.options(isReadOnly: true, observer))
      observer.warn(opened.warnings, of: directory)
      return opened
    }
  }

  /// Whether a directory may be opened as a store without being named as one.
  ///
  /// A change of a repository can replace a file by a directory with a data file in it. So a directory in a
  /// work tree, or one that a symbolic link in it reaches, has to be named as a store.
  static func isUnnamedStore(_ path: String) -> Bool {
    guard isDirectory(at: path), hasData(path),
      let resolved = try? ResolvedPath(path)
    else { return false }
    let places = [path, resolved.path] + resolved.links
    return !places.contains { isInWorkTree($0) }
  }

  /// Whether a directory has the data file of a database, which may be a store.
  static func hasData(_ directory: String) -> Bool { StoreFiles(directory).hasData }

  /// Whether a path has the name of the data file of a database.
  static func isDataFile(_ path: String) -> Bool { lastComponent(of: path) == StoreFiles.dataName }

  private static func isInWorkTree(_ path: String) -> Bool {
    let working = RepositoryLocation.working
    if working.isRepository,
      RepositoryLocation.path(absolutePath(path), from: working.directory) != nil
    {
      return true
    }
    return [path, parentDirectory(of: path)].contains {
      RepositoryLocation.containing($0).isRepository
    }
  }
}
