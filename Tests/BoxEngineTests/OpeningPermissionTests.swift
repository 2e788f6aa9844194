import BoxReport

#if os(Linux)
  import BoxModel
  import BoxStorage
  import Glibc
  import TestSupport
  import Testing

  @testable import BoxEngine

  /// Actions that a user is not permitted, in a process that gives up being root.
  @Suite(.enabled(if: getuid() == 0, "needs to become another user"))
  struct OpeningPermissionTests {
    private func filled() throws -> StoreFixture {
      let fixture = try StoreFixture()
      try fixture.with(try PeopleModel.document()) { try PeopleModel.fill($0) }
      chmod(fixture.directory.path, 0o755)
      try requireOthers(mayReach: fixture.directory.path)
      return fixture
    }

    /// Stops a test whose other user would be refused above the store, which says nothing about the store.
    private func requireOthers(mayReach path: String) throws {
      for end in path.utf8.indices.dropFirst() where path.utf8[end] == UInt8(ascii: "/") {
        let parent = String(path[..<end])
        var attributes = stat()
        try #require(stat(parent, &attributes) == 0)
        let isOpen = attributes.st_mode & S_IXOTH != 0
        try #require(isOpen, "TMPDIR lies in \(parent), which is closed to others")
      }
    }

    @Test func aDirectoryThatCannotBeReadIsAnError() async throws {
      let fixture = try filled()
      let path = fixture.path
      await #expect(processExitsWith: .exitCode(13)) { [path = path as String] in
        _ = setgid(65534)
        _ = setuid(65534)
        do throws(any Error) {
          _ = try ObjectStore.open(.directory(path))
        } catch StoreError.storage(let error) where error.kind == .noPermission {
          exit(error.code == EACCES ? 13 : 1)
        } catch StoreError.noStore {
          exit(2)
        }
      }
    }

    /// Without permission to write, a store can still be read, and nothing is made in its directory.
    @Test func aDirectoryThatCannotBeWrittenIsReadWithoutLocks() async throws {
      let fixture = try filled()
      let path = fixture.path
      unlink(path + "/lock.mdb")
      unlink(path + "/store.lock")
      chmod(path, 0o755)
      chmod(path + "/data.mdb", 0o644)
      let before = try fixture.dataFile()
      await #expect(processExitsWith: .exitCode(36)) { [path = path as String] in
        _ = setgid(65534)
        _ = setuid(65534)
        var options = StoreOptions()
        options.storage.isReadOnly = true
        let store = try ObjectStore.open(.directory(path), options: options)
        if store.warnings.map(\.rule.id) != ["BOX653"] { exit(2) }
        guard case .integer(let age) = try store.value("Person", 1, "age") else { exit(1) }
        exit(Int32(age))
      }
      await #expect(processExitsWith: .exitCode(13)) { [path = path as String] in
        _ = setgid(65534)
        _ = setuid(65534)
        do throws(any Error) {
          _ = try ObjectStore.open(.directory(path))
        } catch StoreError.storage(let error) where error.kind == .noPermission {
          exit(13)
        }
      }
      #expect(try fixture.dataFile() == before)
      #expect(fixture.directory.names(in: "store") == ["data.mdb"])
    }
  }

  /// The same for those who are not root, and so cannot become another user.
  @Suite(.enabled(if: getuid() != 0, "root may do everything"))
  struct OpeningOwnPermissionTests {
    private func filled() throws -> StoreFixture {
      let fixture = try StoreFixture()
      try fixture.with(try PeopleModel.document()) { try PeopleModel.fill($0) }
      return fixture
    }

    @Test func aDirectoryThatCannotBeReadIsAnError() throws {
      let fixture = try filled()
      chmod(fixture.path, 0)
      defer { chmod(fixture.path, 0o700) }
      do throws(any Error) {
        _ = try fixture.open()
        Issue.record("the store was opened")
      } catch StoreError.storage(let error) {
        #expect(error.kind == .noPermission)
        #expect(error.code == EACCES)
      }
    }

    @Test func aDirectoryThatCannotBeWrittenIsReadWithoutLocks() throws {
      let fixture = try filled()
      unlink(fixture.path + "/lock.mdb")
      unlink(fixture.path + "/store.lock")
      chmod(fixture.path, 0o500)
      defer { chmod(fixture.path, 0o700) }
      var options = StoreOptions()
      options.storage.isReadOnly = true
      try fixture.with(nil, options) { (store) throws in
        #expect(store.warnings.map(\.rule.id) == ["BOX653"])
        #expect(try store.read { try $0.value("Person", 1, "age") } == 36)
      }
      #expect(fixture.directory.names(in: "store") == ["data.mdb"])
    }
  }
#endif
