package import BoxReport

extension ToolInfo {
  /// The name and the version of this program.
  package static let boxjoint = ToolInfo(version: ToolInfo.currentVersion)
}
