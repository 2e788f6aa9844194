internal import BoxDump
internal import BoxSystem
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that is written in pieces next to its destination, and replaces the destination when it
/// is complete and synced.
///
/// A file that is not regular, such as a pipe or a device, is written to directly.
///
/// `@unchecked Sendable` holds because one thread at a time uses it.
package final class AtomicFileStream: DumpStream, @unchecked Sendable {
  private let path: String
  /// The destination; nil for a file that is written to directly.
  private let target: WriteTarget?
  private let existing: stat?
  private let temporary: TemporaryPath?
  private let file: OpenFile
  private var written = 0
  /// The offset of the first byte that was not passed to a sync yet.
  private var syncedFrom = 0
  private let isSyncing = Atomic(false)
  private let syncs = DispatchGroup()

  /// The number of bytes that are synced at a time, while the next ones are made.
  private static let syncing = 16 << 20

  /// Opens the file, which is readable for its owner only unless another is replaced.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - shownPath: The path in messages; nil for the same.
  /// - Throws: ``CommandFailure`` with status 74 if it cannot be written.
  init(_ path: String, shownAs shownPath: String? = nil) throws(CommandFailure) {
    self.path = shownPath ?? path
    do throws(SystemError) {
      existing = try fileAttributes(at: path)
    } catch {
      throw AtomicFile.failure(error, path: self.path)
    }
    if let existing, !existing.isRegularFile, !existing.isDirectory {
      try WriteTarget.resolve(path)
      target = nil
      temporary = nil
      do throws(SystemError) {
        file = try OpenFile(path: path, flags: O_WRONLY)
      } catch {
        throw AtomicFile.failure(error, path: self.path)
      }
      return
    }
    let target = try WriteTarget(path, shownAs: shownPath)
    try target.requireWritable(existing: existing)
    var temporary = TemporaryPath(in: target.directoryPath, prefix: UnfinishedExport.prefix)
    do throws(SystemError) {
      var file = try target.create(temporary, mode: 0o600)
      while !UnfinishedExport.lock(file, at: temporary.path) {
        temporary.remove()
        temporary = TemporaryPath(in: target.directoryPath, prefix: UnfinishedExport.prefix)
        file = try target.create(temporary, mode: 0o600)
      }
      self.file = file
    } catch {
      temporary.remove()
      throw AtomicFile.failure(error, path: self.path)
    }
    self.temporary = temporary
    self.target = consume target
  }

  /// The path of the file until it replaces the destination; nil for one that is written to directly.
  ///
  /// A library that writes files by their paths is given it in place of ``write(_:)``.
  var temporaryPath: String? { temporary?.path }

  /// Removes what exports that were killed left beside the file.
  func removeLeftovers() {
    if let temporary { UnfinishedExport.removeAll(in: parentDirectory(of: temporary.path)) }
  }

  deinit {
    syncs.wait()
    temporary?.remove()
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    do throws(SystemError) {
      try writeAll(bytes, to: file.descriptor)
    } catch {
      throw AtomicFile.failure(error, path: path)
    }
    written += bytes.count
    if temporary != nil, written - syncedFrom >= Self.syncing { startSyncing() }
  }

  /// Syncs the bytes written so far on another thread, so that little is left for the last sync.
  ///
  /// The last sync finds any error again.
  private func startSyncing() {
    if isSyncing.exchange(true, ordering: .acquiring) { return }
    let (descriptor, start, count) = (file.descriptor, syncedFrom, written - syncedFrom)
    syncedFrom = written
    DispatchQueue.global().async(group: syncs) {
      #if canImport(Glibc)
        // A sync would write the journal of the file system too, and hold up who writes on.
        _ = posix_fadvise(descriptor, start, count, POSIX_FADV_DONTNEED)
      #else
        _ = (start, count, fsync(descriptor))
      #endif
      self.isSyncing.store(false, ordering: .releasing)
    }
  }

  package func finish() throws {
    guard let temporary else { return }
    syncs.wait()
    do throws(SystemError) {
      if let existing { try AtomicFile.applyAttributes(existing, on: file.descriptor) }
      let descriptor = file.descriptor
      _ = try retryingInterrupts { fsync(descriptor) }
      try target?.replace(with: temporary)
    } catch {
      throw AtomicFile.failure(error, path: path)
    }
  }
}
