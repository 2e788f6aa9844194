/// The targets that model files belong to, as the heads of generated bindings say.
package struct BindingOwners: Hashable, Sendable {
  /// The bindings of one target.
  package struct Owner: Hashable, Sendable {
    /// The file with the bindings.
    package var bindings: String
    /// The model file.
    package var model: String
    /// The directories and files of the sources.
    package var roots: [String]
  }

  /// The bindings whose heads can be read.
  package private(set) var owners: [Owner] = []

  /// Reads the heads of bindings.
  ///
  /// - Parameter files: The bindings. All paths are those from one directory.
  /// - Complexity: O(*n*) in the number of files.
  package init(_ files: [SwiftFile]) {
    for file in files {
      guard let head = BindingHead(parsing: file.bytes) else { continue }
      let parts = file.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      let directory = parts.isEmpty ? "." : parts.joined(separator: "/")
      owners.append(
        Owner(
          bindings: file.path, model: PathArithmetic.join(directory, head.modelPath),
          roots: head.roots.map { PathArithmetic.join(directory, $0) }))
    }
  }

  /// The bindings of a model file.
  package func owners(of model: String) -> [Owner] { owners.filter { $0.model == model } }

  /// Whether a model file has a target other than the given one.
  ///
  /// Bindings that were moved together with their target name it by its new directory, so they do not count.
  ///
  /// - Parameters:
  ///   - model: The model file.
  ///   - roots: The sources of the other target.
  ///   - isThere: Whether there is something at a path.
  /// - Returns: Whether bindings name the model file, and other existing sources.
  package func hasTarget(
    _ model: String, besides roots: [String], isThere: (String) -> Bool
  ) -> Bool {
    owners(of: model).contains { owner in
      owner.roots.contains(where: isThere)
        && !owner.roots.contains { root in roots.contains { Self.overlap(root, $0) } }
    }
  }

  /// Whether one of two paths is in the other, or is the same.
  package static func overlap(_ first: String, _ second: String) -> Bool {
    first == second || first == "." || second == "." || first.hasPrefix(second + "/")
      || second.hasPrefix(first + "/")
  }
}
