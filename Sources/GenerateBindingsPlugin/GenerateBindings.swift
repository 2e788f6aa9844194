import Foundation
import PackagePlugin

/// Runs `boxjoint-generate` on the targets of a package.
@main
struct GenerateBindings: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    var extractor = ArgumentExtractor(arguments)
    let names = extractor.extractOption(named: "target")
    let forwarded = extractor.remainingArguments.filter { $0 != "--" }
    let tool = try context.tool(named: "BoxGenerateCLI").url
    let targets =
      names.isEmpty ? context.package.targets : try context.package.targets(named: names)
    let modules = targets.compactMap { $0 as? SwiftSourceModuleTarget }.filter {
      !names.isEmpty || $0.kind != .test && hasEntities($0)
    }
    if modules.isEmpty {
      Diagnostics.error("no target has an entity; name a target by --target")
    }
    for module in modules {
      try run(
        tool, ["--target", module.name, "--sources", path(of: module, context)] + forwarded,
        for: module, in: context.package.directoryURL)
    }
  }

  /// The directory of a target, relative to the package directory if it is inside.
  private func path(of module: SwiftSourceModuleTarget, _ context: PluginContext) -> String {
    let path = module.directoryURL.path(percentEncoded: false)
    let package = context.package.directoryURL.path(percentEncoded: false)
    let root = package.hasSuffix("/") ? package : package + "/"
    return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
  }

  /// Whether a file of a target may declare an entity.
  private func hasEntities(_ module: SwiftSourceModuleTarget) -> Bool {
    module.sourceFiles(withSuffix: ".swift").contains { file in
      guard let text = try? String(contentsOf: file.url, encoding: .utf8) else { return false }
      return text.contains("Entity") || text.lowercased().contains("objectbox:")
    }
  }

  private func run(
    _ tool: URL, _ arguments: [String], for module: SwiftSourceModuleTarget, in directory: URL
  ) throws {
    let process = Process()
    let errors = Pipe()
    process.executableURL = tool
    process.arguments = arguments
    process.currentDirectoryURL = directory
    process.standardError = errors
    try process.run()
    let message = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    if process.terminationStatus == 0 {
      FileHandle.standardError.write(message)
    } else {
      // The reason itself is the error: the package manager may print a line of the plugin before what the tool says.
      let text = String(decoding: message, as: UTF8.self)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      Diagnostics.error(
        text.isEmpty ? "the bindings of \(module.name) were not generated" : text)
    }
  }
}
