extension ConfigurationReport {
  /// Reads the settings in force, and what they mean in the repository.
  ///
  /// The settings are read without git, too.
  ///
  /// - Throws: ``CommandFailure`` of the kind `inputOutput` if a file cannot be read,
  ///   `badConfiguration` if a value is wrong, `usage` if an option is. Another error if the settings
  ///   of converters cannot be read.
  package static func read(
    _ options: EffectiveConfiguration.Options, in place: Workspace
  ) async throws -> ConfigurationReport {
    let hasGit = (try? await place.git.version()) != nil
    let configuration = try await EffectiveConfiguration.load(
      options, in: place, readsGit: hasGit)
    var report = ConfigurationReport(configuration: configuration)
    if hasGit, try await place.git.repository() != nil {
      report.published = try await PublishedReferences.resolve(
        configuration[.published], git: place.git)
    }
    let named = options.configurationPath ?? place.variable("BOXJOINT_CONFIG")
    // A catalogue is not read from a revision.
    if case .revision? = named.map(SourceReference.init) { return report }
    report.converters = try CatalogueFile.path(
      configuration: options.configurationPath, in: place)
    return report
  }
}
