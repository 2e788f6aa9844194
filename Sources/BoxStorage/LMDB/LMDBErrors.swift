internal import BoxSystem
internal import CLMDB

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Throws unless a function of LMDB succeeded.
///
/// - Parameters:
///   - code: The return value of the function.
///   - doing: The attempted operation, to complete "cannot …".
/// - Throws: ``StorageError`` for the code.
@inline(__always)
func check(_ code: Int32, _ doing: @autoclosure () -> String) throws(StorageError) {
  if code != MDB_SUCCESS { throw storageError(code, doing()) }
}

/// Whether a lookup found something; throws where it failed otherwise.
@inline(__always)
func found(_ code: Int32, _ doing: @autoclosure () -> String) throws(StorageError) -> Bool {
  if code == MDB_SUCCESS { return true }
  if code == MDB_NOTFOUND { return false }
  throw storageError(code, doing())
}

/// The error for a code of LMDB or of the system.
func storageError(_ code: Int32, _ doing: String) -> StorageError {
  let text = unsafe String(cString: mdb_strerror(code))
  func error(_ kind: StorageError.Kind, _ hint: String? = nil) -> StorageError {
    let explained = hint.map { "; \($0)" } ?? ""
    return StorageError(kind, "cannot \(doing): \(text)\(explained)", code: code)
  }
  switch code {
  case MDB_MAP_FULL:
    // Removing writes the changed pages elsewhere first, which a full store may lack the space for.
    return error(
      .sizeLimit, "open the store with a larger maximum size; to remove objects takes space too")
  case MDB_READERS_FULL:
    return error(
      .tooManyReaders,
      "end transactions and programs that read it, or open the store with more readers")
  case MDB_MAP_RESIZED:
    return error(
      .largerLimitElsewhere,
      "another process opened it with a larger maximum size; open it with the same here")
  case MDB_BAD_VALSIZE:
    return error(.tooLarge, "a key has 1 to 511 bytes, and a value less than 4 GiB")
  case MDB_INVALID:
    return error(.notAStore, "the file is not an LMDB data file")
  case MDB_VERSION_MISMATCH:
    return error(.notAStore, "another version of LMDB wrote it")
  case MDB_CORRUPTED, MDB_PAGE_NOTFOUND:
    return error(.damaged, "restore a backup")
  case MDB_INCOMPATIBLE, MDB_BAD_DBI:
    // LMDB's names for these describe misuse of its functions. Here only pages that contradict each other
    // cause them, for example if a copy without free pages needs another number of pages than were counted.
    return StorageError(
      .damaged, "cannot \(doing): the pages of the file contradict each other; restore a backup",
      code: code)
  case MDB_BAD_TXN:
    return error(
      .other, "an earlier call in the transaction failed, so nothing that it wrote is kept")
  case MDB_PANIC:
    return error(.other, "an earlier write failed; close the store and open it again")
  case ENOSPC, EDQUOT, EFBIG:
    return error(.noSpace, remedy(code))
  case EACCES, EPERM, EROFS:
    return error(.noPermission, remedy(code))
  case ENOMEM:
    return error(
      .other,
      "the address space of the process is used up; raise its limit, or open the store with a "
        + "smaller maximum size")
  default:
    return error(.other)
  }
}

/// Whether access is denied although the files may be read and written: on macOS LMDB locks with named
/// semaphores, and the sandbox allows only names of an App Group.
func isDeniedSemaphore(_ code: Int32, filesAreAccessible: Bool) -> Bool {
  (code == EPERM || code == EACCES) && filesAreAccessible
}

/// The error for a store whose semaphores the sandbox denies.
func sandboxError(_ path: String, _ code: Int32) -> StorageError {
  StorageError(
    .sandboxed,
    "cannot open \(path): the sandbox denies the semaphores that it needs; add an App Group to the "
      + "app's entitlements, with an identifier of at most 20 characters, and put the store in it",
    code: code)
}

/// The error for the last failed call of the system.
func systemError(_ kind: StorageError.Kind, _ doing: String) -> StorageError {
  systemError(.last, kind, doing)
}

/// The error for a failed call of the system.
func systemError(
  _ error: SystemError, _ kind: StorageError.Kind, _ doing: String
) -> StorageError {
  let code = error.code
  let kind: StorageError.Kind =
    switch code {
    case EACCES, EPERM, EROFS: .noPermission
    case ENOSPC, EDQUOT, EFBIG: .noSpace
    default: kind
    }
  let explained = remedy(code).map { "; \($0)" } ?? ""
  return StorageError(kind, "cannot \(doing): \(error.reason)\(explained)", code: code)
}

/// Advice on an error of the system; nil if it depends on the circumstances.
private func remedy(_ code: Int32) -> String? {
  switch code {
  case EACCES, EPERM: "change the permissions, or run as a user who has them"
  case ELOOP: "replace the symbolic link with its target"
  case EROFS: "open the store read-only, or use one on a writable disk"
  case ENOSPC, EDQUOT, EFBIG: "make room and try again"
  default: nil
  }
}
