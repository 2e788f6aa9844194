package import BoxConvert
package import BoxModel

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
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if it is missing or cannot be read,
  ///   `badConfiguration` if it is not a catalogue.
  package func load(in place: Workspace) throws -> CatalogueFile {
    guard
      let file = try CatalogueFile.load(path, configuration: configurationPath, in: place)
    else { throw CatalogueFile.missing }
    return file
  }

  /// Reads the catalogue that is in force and has converters, and checks that it fits a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - place: The place of the files, whose observer gets a warning where a catalogue that was not named
  ///     does not fit.
  /// - Returns: The catalogue, if any.
  /// - Throws: As ``CatalogueFile/load(_:configuration:in:)`` and
  ///   ``CatalogueFile/requireFit(for:isNamed:_:)``.
  package func load(fitting model: Model, in place: Workspace) throws -> Catalogue? {
    guard let file = try CatalogueFile.load(path, configuration: configurationPath, in: place),
      !file.catalogue.bindings.isEmpty
    else { return nil }
    try file.requireFit(for: model, isNamed: path != nil, place.observer)
    return file.catalogue
  }
}
