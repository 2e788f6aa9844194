internal import BoxGenerateTool
internal import BoxReport
internal import BoxSources
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The writing of a new package, in a directory of its own, that stores objects.
package struct NewPackageRequest: Sendable {
  /// The name of the package, its directory, its target and its module.
  package var name: String
  /// The directory of this library, for a package that depends on its files; nil for a dependency by address.
  package var library: String?

  /// Creates a request for a package that depends on an address.
  package init(_ name: String) { self.name = name }

  /// Writes the package.
  ///
  /// The files are written in a directory beside, which gets the name of the package when all of them are there.
  ///
  /// - Parameter place: The place whose directory gets the package.
  /// - Returns: The files.
  /// - Throws: ``CommandFailure`` of the kind `usage` if no module can have the name, if the name is in use, or if
  ///   ``library`` is not this library, `inputOutput` if something cannot be written. Then nothing is written.
  package func run(in place: Workspace) async throws(CommandFailure) -> NewPackageReport {
    let name = try NewPackageName(name).text
    let target = PathArithmetic.join(place.directory, name)
    try requireUnused(name, in: place.directory)
    let dependency = try dependency(from: target)
    try AtomicFile.requireWritable(target)
    let beside = try TemporaryTree(in: place.directory, prefix: ".boxjoint-")
    let directory = joinPath(beside.path, name)
    do throws(CommandFailure) {
      var paths = try write(NewPackageFiles(name, dependency).all, in: directory)
      paths += try await generate(name, in: directory)
      try move(directory, to: target)
      return NewPackageReport(
        name: name, paths: paths.sorted(), needsAddress: library == nil)
    } catch {
      var failure = error
      // The reader knows the package by its name.
      if let path = failure.path, path.hasPrefix(directory + "/") {
        failure.path = target + path.dropFirst(directory.count)
      }
      throw failure
    }
  }

  /// Refuses a name that a file or a target of the directory has.
  private func requireUnused(_ name: String, in directory: String) throws(CommandFailure) {
    func path(_ relative: String) -> String { PathArithmetic.join(directory, relative) }
    func exists(_ relative: String) throws(CommandFailure) -> Bool {
      do throws(SystemError) {
        return try entryExists(at: path(relative))
      } catch {
        throw CommandFailure(.inputOutput, error.reason, path: path(relative))
      }
    }
    if try exists(name) { throw Self.existing(path(name)) }
    for relative in ["Sources/\(name)", "Tests/\(name)Tests", "model-\(name).json"]
    where try exists(relative) {
      throw CommandFailure(
        .usage, "a target has the name '\(name)' here already; pass another name",
        path: path(relative))
    }
    if try manifest(in: directory)?.contains(Self.declaration(of: name)) ?? false {
      throw CommandFailure(
        .usage, "the package has the name '\(name)' in it already; pass another name",
        path: path("Package.swift"))
    }
  }

  private static func existing(_ path: String) -> CommandFailure {
    CommandFailure(
      .usage, "it exists already, and is not overwritten; pass another name", path: path)
  }

  /// The text of the manifest of a directory; nil without a manifest.
  private func manifest(in directory: String) throws(CommandFailure) -> String? {
    let path = PathArithmetic.join(directory, "Package.swift")
    guard ((try? fileAttributes(at: path)) ?? nil)?.isRegularFile ?? false else { return nil }
    return String(decoding: try SourceFile.read(path).bytes, as: UTF8.self)
  }

  /// The words by which a manifest gives a package or a target a name.
  private static func declaration(of name: String) -> String { "name: \"\(name)\"" }

  /// The dependency as the manifest of a directory has it.
  private func dependency(
    from directory: String
  ) throws(CommandFailure) -> NewPackageFiles.Dependency {
    guard let library else { return .address }
    guard try manifest(in: library)?.contains(Self.declaration(of: "BoxJoint")) ?? false else {
      throw CommandFailure(
        .usage, "it is not the directory of BoxJoint, whose Package.swift has its name",
        path: library)
    }
    let isAbsolute = library.hasPrefix("/")
    return .path(
      isAbsolute
        ? PathArithmetic.join("/", library)
        : PathArithmetic.path(library, from: directory, here: workingDirectory()))
  }

  private func write(
    _ files: [NewPackageFiles.File], in directory: String
  ) throws(CommandFailure) -> [String] {
    for file in files {
      let path = joinPath(directory, file.path)
      do throws(CreatedDirectories.Failure) {
        _ = try CreatedDirectories(parentDirectory(of: path), mode: 0o777)
      } catch {
        throw AtomicFile.failure(error.error, path: error.path)
      }
      try AtomicFile.write(Array(file.text.utf8), to: path)
    }
    return files.map(\.path)
  }

  /// Writes the model file and the bindings, as a run of the generator in the package would.
  private func generate(
    _ name: String, in directory: String
  ) async throws(CommandFailure) -> [String] {
    let layout = try TargetLayout(
      target: name, sources: [joinPath(directory, "Sources/\(name)")], excluded: [], output: nil,
      model: joinPath(directory, "model-\(name).json"), catalogue: nil)
    let result = try await GenerationRun(layout, module: name).write()
    if let error = result.findings.first(where: { $0.severity == .error }) {
      throw CommandFailure(.impossible, error.message, path: error.path)
    }
    return result.changes.map { String($0.path.dropFirst(directory.count + 1)) }
  }

  /// Gives the directory its name, unless another program was faster.
  private func move(_ directory: String, to target: String) throws(CommandFailure) {
    // The system replaces an empty directory, and no other one.
    guard mkdir(target, 0o777) == 0 else {
      let error = SystemError.last
      throw error.code == EEXIST ? Self.existing(target) : AtomicFile.failure(error, path: target)
    }
    if rename(directory, target) != 0 {
      let error = SystemError.last
      rmdir(target)
      throw AtomicFile.failure(error, path: target)
    }
  }
}

/// The files of a package that was written.
package struct NewPackageReport: Hashable, Sendable {
  /// The name of the package.
  package var name: String
  /// The paths of the files in the directory of the package, sorted.
  package var paths: [String]
  /// Whether the manifest has no address of this library yet.
  package var needsAddress: Bool

  /// The text for a terminal: the files, and what to do next.
  package var text: String {
    let lines = paths.map { "wrote \(name)/\($0)\n" }.joined()
    let address =
      needsAddress
      ? "write the address of BoxJoint into \(name)/Package.swift, in place of "
        + "\(NewPackageFiles.address); then " : ""
    return lines + "next: \(address)cd \(name) && swift test\n"
  }
}
