/// The place of a catalogue, as a user names it.
package struct CatalogueChoice: Hashable, Sendable {
  /// The file of the catalogue; nil for the one that the settings name, or `converters.yml`.
  package var path: String?
  /// The configuration file; nil for the one in force.
  package var configurationPath: String?

  /// Creates a choice; by default the catalogue that is in force.
  package init(_ path: String? = nil, configurationPath: String? = nil) {
    self.path = path
    self.configurationPath = configurationPath
  }

  /// Reads the catalogue.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if there is none or it cannot be read,
  ///   `badConfiguration` if it is not a catalogue.
  func load(in place: Workspace) throws -> CatalogueFile {
    guard
      let file = try CatalogueFile.load(path, configuration: configurationPath, in: place)
    else { throw CatalogueFile.missing }
    return file
  }
}
