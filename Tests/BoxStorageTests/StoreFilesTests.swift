import TestSupport
import Testing

@testable import BoxStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files of a store: whose they are, what stands beside them, and what is none.
struct StoreFilesTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path(of: "store") }
  private var location: StorageLocation { .directory(path) }

  init() throws {
    directory = try TemporaryDirectory()
    let storage = try StorageLocation.directory(directory.path(of: "store")).open(StorageOptions())
    let transaction = try storage.beginWrite()
    _ = try transaction.openSpace("numbers", .records, create: true)
    try transaction.commit()
  }

  private func attributes(_ name: String) throws -> stat {
    var attributes = stat()
    if lstat(path + "/" + name, &attributes) != 0 { throw TestFailure("there is no \(name)") }
    return attributes
  }

  private func compact() throws {
    try StoreReplacement.replace(in: path, StorageOptions()) { storage, descriptor in
      try storage.copy(to: descriptor, compacting: true)
    }
  }

  /// Whoever may use the data file has to take the locks.
  @Test(arguments: [0o600, 0o640, 0o660, 0o666] as [mode_t])
  func lockFilesHaveTheModeOfTheDataFile(mode: mode_t) throws {
    chmod(path + "/data.mdb", mode)
    try compact()
    unlink(path + "/store.lock")
    var options = StorageOptions()
    options.isReadOnly = true
    let storage = try location.open(options)
    for name in ["data.mdb", "lock.mdb", "store.lock"] {
      #expect(try attributes(name).st_mode & 0o777 == mode, "\(name)")
    }
    withExtendedLifetime(storage) {}
  }

  @Test(arguments: [0o640, 0o660, 0o666, 0o600] as [mode_t])
  func lockFilesFollowTheModeOfTheDataFile(mode: mode_t) throws {
    for name in ["lock.mdb", "store.lock"] {
      #expect(try attributes(name).st_mode & 0o777 == 0o600, "\(name)")
    }
    chmod(path + "/data.mdb", mode)
    let storage = try location.open(StorageOptions())
    for name in ["lock.mdb", "store.lock"] {
      #expect(try attributes(name).st_mode & 0o777 == mode, "\(name)")
    }
    withExtendedLifetime(storage) {}
  }

  /// The other name may be that of a file that is none of the store.
  @Test func aLockFileOfTwoNamesKeepsItsMode() throws {
    try directory.write("", to: "other")
    chmod(directory.path(of: "other"), 0o600)
    unlink(path + "/store.lock")
    #expect(link(directory.path(of: "other"), path + "/store.lock") == 0)
    chmod(path + "/data.mdb", 0o666)
    let storage = try location.open(StorageOptions())
    #expect(try attributes("store.lock").st_mode & 0o777 == 0o600)
    withExtendedLifetime(storage) {}
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
  func theOwnerOfTheDataFileOwnsWhatIsMade() throws {
    chown(path + "/data.mdb", 65534, 65533)
    try compact()
    unlink(path + "/store.lock")
    let storage = try location.open(StorageOptions())
    for name in ["data.mdb", "lock.mdb", "store.lock"] {
      #expect(try attributes(name).st_uid == 65534, "\(name)")
      #expect(try attributes(name).st_gid == 65533, "\(name)")
    }
    withExtendedLifetime(storage) {}
  }

  /// Its own directory has another lock, so nobody knows whether it is open there.
  @Test func aLinkToADataFileIsNotReplaced() throws {
    mkdir(directory.path(of: "other"), 0o700)
    rename(path + "/data.mdb", directory.path(of: "other/data.mdb"))
    symlink("../other/data.mdb", path + "/data.mdb")
    let before = try directory.bytes(of: "other/data.mdb")
    let refused = try #require(try storageError { try compact() })
    #expect(refused.kind == .symbolicLink)
    #expect(refused.message.hasPrefix("\(path)/data.mdb is a symbolic link"))
    #expect(try attributes("data.mdb").st_mode & S_IFMT == S_IFLNK)
    #expect(try directory.bytes(of: "other/data.mdb") == before)
    #expect(!directory.exists("store/data.mdb.new"))
    // For the same reason it is not written.
    #expect(try storageError { _ = try location.open(StorageOptions()) }?.kind == .symbolicLink)
    let alone = try storageError { try StoreReplacement.alone(in: path, StorageOptions()) { _ in } }
    #expect(alone?.kind == .symbolicLink)
    var options = StorageOptions()
    options.isReadOnly = true
    #expect(try storageError { _ = try location.open(options) } == nil)
    #expect(try directory.bytes(of: "other/data.mdb") == before)
  }

  @Test func aFileIsOpenedOnceWhateverItIsCalled() throws {
    let first = try location.open(StorageOptions())
    symlink(path, directory.path(of: "link"))
    mkdir(directory.path(of: "second"), 0o700)
    link(path + "/data.mdb", directory.path(of: "second/data.mdb"))
    for name in ["link", "second", "link/../store"] {
      let other = try StorageLocation.directory(directory.path(of: name)).open(StorageOptions())
      #expect(first === other, "\(name)")
      var options = StorageOptions()
      options.maximumReaders = 3
      let refused = try storageError {
        _ = try StorageLocation.directory(directory.path(of: name)).open(options)
      }
      #expect(refused?.kind == .differentOptions)
    }
  }

  // MARK: - What is not a store

  @Test func directoriesThatAreNotStoresAreLeftAlone() throws {
    try directory.write("", to: "empty/data.mdb")
    try directory.write(String(repeating: "x", count: 9000), to: "noise/data.mdb")
    try directory.write("x", to: "file")
    try directory.write("x", to: "nothing/else")
    mkdir(directory.path(of: "directory"), 0o700)
    mkdir(directory.path(of: "directory/data.mdb"), 0o700)
    let expected = [
      ("empty", "data.mdb is empty", false), ("noise", "is not a data file of LMDB", false),
      ("file", "is a file; a store is a directory", false),
      ("directory", "is not a regular file", false), ("nothing", "there is no store in", true),
      ("nowhere", "there is no store in", true),
    ]
    let names = ["empty", "noise", "nothing", "directory"].map { directory.names(in: $0) }
    for (name, text, hasCode) in expected {
      let place = directory.path(of: name)
      var options = StorageOptions()
      options.isReadOnly = true
      let refusals = try [
        storageError { try StorageLocation.directory(place).requireStore() },
        storageError { _ = try StorageLocation.directory(place).open(options) },
        storageError { try StoreReplacement.replace(in: place, StorageOptions()) { _, _ in } },
        storageError { try StoreReplacement.alone(in: place, StorageOptions()) { _ in } },
      ]
      for refused in refusals {
        #expect(refused?.kind == .notAStore, "\(name)")
        #expect(refused?.message.contains(text) == true, "\(refused?.message ?? name)")
        #expect((refused?.code != nil) == hasCode, "\(name)")
      }
    }
    #expect(["empty", "noise", "nothing", "directory"].map { directory.names(in: $0) } == names)
    #expect(try directory.bytes(of: "empty/data.mdb").isEmpty)
    #expect(try directory.bytes(of: "noise/data.mdb").count == 9000)
    #expect(!directory.exists("nowhere"))
  }

  /// A pipe is not opened: opening would wait for the other end.
  @Test(arguments: [false, true]) func pathsThatAreNotFilesAreNotOpened(isPipe: Bool) throws {
    mkdir(directory.path(of: "other"), 0o700)
    let data = directory.path(of: "other/data.mdb")
    #expect((isPipe ? mkfifo(data, 0o600) : mkdir(data, 0o700)) == 0)
    for isReadOnly in [false, true] {
      var options = StorageOptions()
      options.isReadOnly = isReadOnly
      let refused = try storageError {
        _ = try StorageLocation.directory(directory.path(of: "other")).open(options)
      }
      #expect(refused?.kind == .notAStore)
      #expect(refused?.message.contains("is not a regular file") == true)
    }
    #expect(directory.names(in: "other") == ["data.mdb"])
  }

  /// One of the two heads is enough to say that it is a store: what is wrong is told by others.
  @Test(arguments: [0, 4096])
  func aStoreWithADamagedHeadIsAStore(head: Int) throws {
    var bytes = try directory.bytes(of: "store/data.mdb")
    for place in head..<head + 64 { bytes[place] = 0xAA }
    try directory.write(bytes, to: "store/data.mdb")
    #expect(try storageError { try location.requireStore() } == nil)
  }

  // MARK: - Numbers of the system

  /// The numbers are those of statfs(2).
  @Test(
    arguments: [
      (0x6969, true), (0x517B, true), (0xFF53_4D42, true), (0xFE53_4D42, true), (0x0102_1997, true),
      (0x0116_1970, true), (0x7461_636F, true), (0x786F_4256, true), (0x00C3_6400, true),
      (0xEF53, false), (0x5846_5342, false), (0x9123_683E, false), (0x0102_1994, false),
      (0x794C_7630, false), (0x6573_5546, false),
    ] as [(UInt32, Bool)])
  func fileSystemsOfNetworks(type: UInt32, isNetwork: Bool) {
    #expect(StoreDirectory.isNetwork(type: type) == isNetwork)
  }

  /// The numbers are those of lmdb.h.
  @Test(
    arguments: [
      (-30792, .sizeLimit), (-30790, .tooManyReaders), (-30785, .largerLimitElsewhere),
      (-30781, .tooLarge), (-30793, .notAStore), (-30794, .notAStore), (-30796, .damaged),
      (-30797, .damaged), (-30795, .other), (ENOSPC, .noSpace), (EDQUOT, .noSpace),
      (EFBIG, .noSpace), (EACCES, .noPermission), (EPERM, .noPermission), (EROFS, .noPermission),
      (ENOMEM, .other), (EIO, .other),
    ] as [(Int32, StorageError.Kind)])
  func codesOfLMDB(code: Int32, kind: StorageError.Kind) {
    let error = storageError(code, "read it")
    #expect(error.kind == kind)
    #expect(error.code == code)
    #expect(error.message.hasPrefix("cannot read it: "))
  }

  /// An error of the system has advice, whatever part of the storage called it.
  @Test(arguments: [(EACCES, "permissions"), (EROFS, "read-only"), (ENOSPC, "make room")])
  func refusalsOfTheSystem(code: Int32, advice: String) {
    errno = code
    let error = systemError(.other, "read it")
    #expect(error.message.contains(advice))
    #expect(storageError(code, "read it").message.contains(advice))
    #expect(error.kind == storageError(code, "read it").kind)
  }

  /// Files that may be used, and a refusal all the same: that is the sandbox of macOS.
  @Test(.promise(13)) func theSandboxIsNamed() {
    #expect(isDeniedSemaphore(EPERM, filesAreAccessible: true))
    #expect(isDeniedSemaphore(EACCES, filesAreAccessible: true))
    #expect(!isDeniedSemaphore(EPERM, filesAreAccessible: false))
    #expect(!isDeniedSemaphore(ENOENT, filesAreAccessible: true))
    let error = sandboxError("data", EPERM)
    #expect(error.kind == .sandboxed)
    #expect(error.code == EPERM)
    #expect(error.message.contains("App Group"))
  }
}
