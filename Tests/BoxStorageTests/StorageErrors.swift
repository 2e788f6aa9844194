import BoxStorage

/// The error of the storage that a function throws; nil if it throws none.
func storageError(_ body: () throws -> Void) throws -> StorageError? {
  do {
    try body()
    return nil
  } catch let error as StorageError {
    return error
  }
}
