internal import ArgumentParser
internal import BoxBrowse
internal import BoxEngine
internal import BoxModelTool
internal import BoxReport
internal import BoxServer
internal import BoxStorage
internal import BoxSystem
internal import BoxTerminal
internal import BoxWorkspace

/// `boxjoint browse`: shows stores in the browser of this machine.
struct BrowseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Look into stores in a web page.",
    discussion: """
      The address that is printed shows the entities, the objects and the relations of the stores \
      in the browser of this machine. Nothing is written. Apps can write meanwhile: each page is \
      one state of the store.

      The pages about the model compare it with the model file that --model names, or else with \
      the only model of the repository, and list its versions in git.

      The address is a key: with it, the stores can be read until Ctrl-C ends the command. \
      docs/browsing.md describes the pages, and the way from another machine.

      Examples:
        boxjoint browse data
        boxjoint browse data --at 'Film?where=year == 2014'
        boxjoint browse data --model release:model.json
        boxjoint browse data backup/data --port 8080

      Exit status:
        0   ended by Ctrl-C or SIGTERM
        2   the port is in use, or a store cannot be opened now
        64  wrong usage, or a store is named twice
        65  no store, a damaged one, or a file of --model that is not a model
        74  a store, or the model of --model, cannot be read
        78  the catalogue of converters is wrong, or does not fit the model
      """)

  @Argument(
    help: ArgumentHelp("The directories of the stores.", valueName: "dir"), completion: .directory,
    transform: namedPath)
  var stores: [String]

  @Option(
    help: ArgumentHelp(
      "Print the address of this view of the first store, such as 'Film?where=year == 2014'.",
      valueName: "view"))
  var at: String?

  @Option(
    help: ArgumentHelp(
      "The model file to compare the stores with, or REF:PATH; defaults to the only model of the "
        + "repository.", valueName: "file"), transform: namedPath)
  var model: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The port; defaults to the first free one from 7355 to 7364, and 0 takes any.",
      valueName: "n"))
  var port: Int?

  @Option(
    help: ArgumentHelp(
      "A name under which browsers reach this machine, besides 127.0.0.1 and localhost. Repeatable.",
      valueName: "name"))
  var allowHost: [String] = []

  @Option(
    help: ArgumentHelp(
      "The catalogue of converters; defaults to the one in .boxjoint.yml, or converters.yml.",
      valueName: "path"), transform: namedPath)
  var converters: String?

  @OptionGroup var configuration: ConfigurationArguments
  @OptionGroup var trust: StoreTrust

  /// The ports that are tried without an option.
  private static let usualPorts = Array(7355...7364)

  func validate() throws {
    if let port, !(0...65_535).contains(port) {
      throw ValidationError("--port is a number from 0 to 65535.")
    }
    let wrong = allowHost.first { name in
      name.isEmpty || !name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !":/".utf8.contains($0) }
    }
    if let wrong {
      throw ValidationError("--allow-host \(wrong): pass the name alone, without a port.")
    }
  }

  func run() async throws {
    let place = Workspace.console
    try await requireModel(in: place)
    let opened = try openStores(in: place)
    defer { for store in opened { store.close() } }
    // The server has threads of its own, whose requests show no progress and print nothing.
    let pages = BrowseServer(
      opened, catalogue, model: model, hosts: allowHost, key: BrowseKey(), in: Workspace())
    let path =
      try at.map { try pages.path(ofView: $0) } ?? pages.path
    Signals.keepEnds()
    let server = try start(pages)
    for line in try summary(of: opened) { StandardError.writeLine(line) }
    try StandardOutput.write("http://127.0.0.1:\(server.port)\(path)\n")
    if place.variable("SSH_CONNECTION") != nil {
      StandardError.writeLine(
        "From your machine: ssh -L \(server.port):127.0.0.1:\(server.port) and the address of this one"
      )
    }
    StandardError.writeLine(
      "The address is a key: with it, the stores can be read. Ctrl-C ends.")
    // The connections end with the process; answers that are being made need not be waited for.
    withExtendedLifetime(server) { Signals.waitForEnd() }
  }

  private var catalogue: CatalogueChoice {
    CatalogueChoice(converters, configurationPath: configuration.configurationPath)
  }

  /// Refuses a model that the pages could not read, before anything listens.
  private func requireModel(in place: Workspace) async throws {
    guard let model else { return }
    let source = SourceReference(model)
    switch source {
    case .file, .revision: _ = try PlanSource.side(try await source.read(in: place))
    case .standardInput, .store:
      throw CommandFailure(.usage, "name a model file, or its version as REF:PATH", path: model)
    }
  }

  private func start(_ pages: BrowseServer) throws -> PageServer {
    do {
      return try PageServer(pages, ports: port.map { [$0] } ?? Self.usualPorts)
    } catch let error as PortsInUse {
      let first = error.ports.first.map { "\($0)" } ?? ""
      throw CommandFailure(
        .impossible,
        error.ports.count > 1
          ? "the ports from \(first) to \(error.ports.last ?? 0) are in use; pass --port 0 for any other"
          : "port \(first) is in use; pass another one, or --port 0 for any")
    } catch {
      throw CommandFailure(.impossible, "no port can be opened: \(error)")
    }
  }

  // MARK: - Stores

  private func openStores(in place: Workspace) throws -> [BrowseStore] {
    var opened: [BrowseStore] = []
    do {
      for (name, path) in zip(try names(), stores) {
        let store = BrowseStore(name: name, path: path, isTrusted: trust.trust)
        opened.append(store)
        try requireStore(path)
        // A catalogue that does not fit is better known before the first page.
        _ = try catalogue.load(fitting: try store.open(place.observer).model, in: place)
      }
      place.observer.finish()
      return opened
    } catch {
      for store in opened { store.close() }
      throw error
    }
  }

  /// Refuses a directory without a store before anything is opened.
  private func requireStore(_ path: String) throws(CommandFailure) {
    // One that cannot be looked at is another error, which the opening has.
    if isDirectory(at: path), (try? entryExists(at: path + "/" + StoreFiles.dataName)) == false {
      throw CommandFailure(
        .badInput,
        "there is no store in this directory; name the directory with the file \(StoreFiles.dataName)",
        path: path)
    }
    if let exists = try? entryExists(at: path), !exists {
      throw CommandFailure(
        .badInput, "there is no store here; name the directory of a store", path: path)
    }
  }

  /// The names of the stores in addresses: of their directories, with the one above where two are the same.
  private func names() throws -> [String] {
    let paths = stores.map { canonicalPath($0) ?? absolutePath($0) }
    if let twice = paths.indices.first(where: { paths[..<$0].contains(paths[$0]) }) {
      throw CommandFailure(.usage, "this store is named twice; name it once", path: stores[twice])
    }
    let parts = paths.map { $0.split(separator: "/").map(String.init) }
    return parts.map { own in
      var count = 1
      while count < own.count,
        parts.filter({ $0.suffix(count) == own.suffix(count) }).count > 1
      {
        count += 1
      }
      return own.isEmpty ? "/" : own.suffix(count).joined(separator: "/")
    }
  }

  private func summary(of stores: [BrowseStore]) throws -> [String] {
    try stores.map { store in
      try store.use {
        let open = try store.open(SilentObserver())
        let objects = try open.read { transaction in
          try open.entities.reduce(0) { $0 + (try transaction.count($1)) }
        }
        let size = bytesText(StoreFiles(store.path).dataSize)
        return
          "\(store.name): \(counted(open.entities.count, "entity", "entities")), "
          + "\(counted(objects, "object")), \(size); read only"
      }
    }
  }
}
