import Foundation
import PackagePlugin

/// Fails a build whose bindings are out of date with the annotated types of the target.
@main
struct CheckEntities: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target.sourceModule else { return [] }
    let files = module.sourceFiles(withSuffix: ".swift").map(\.url)
    let stamp = context.pluginWorkDirectoryURL.appending(path: "BindingsOf\(target.name).swift")
    return [
      .buildCommand(
        displayName: "Checking the bindings of \(target.name)",
        executable: try context.tool(named: "BoxEntityCheck").url,
        arguments: [target.name, stamp.path(percentEncoded: false)]
          + files.map { $0.path(percentEncoded: false) },
        inputFiles: files + inputs(of: files), outputFiles: [stamp])
    ]
  }

  /// The other inputs of the bindings beside the files of the target: the model file, and Swift files
  /// elsewhere.
  private func inputs(of files: [URL]) -> [URL] {
    files.filter { $0.lastPathComponent.hasSuffix(".generated.swift") }.flatMap { file in
      guard let text = try? String(contentsOf: file, encoding: .utf8),
        let line = text.split(separator: "\n", maxSplits: 8).first(where: {
          $0.hasPrefix("// Inputs: ")
        })
      else { return [URL]() }
      // Each path is quoted.
      let paths = line.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }
        .map { String($0.element) }
      let directory = file.deletingLastPathComponent()
      return paths.map { directory.appending(path: $0).standardizedFileURL }.filter {
        !$0.hasDirectoryPath
          && FileManager.default.fileExists(atPath: $0.path(percentEncoded: false))
          && !isDirectory($0)
      }
    }
  }

  private func isDirectory(_ url: URL) -> Bool {
    (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
  }
}
