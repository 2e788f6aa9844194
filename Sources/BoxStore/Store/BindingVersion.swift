/// The versions of the interface between bindings and the library.
enum BindingVersion {
  /// 1 is what ObjectBox's generator writes, 2 what this library's does.
  static let supported = 1...2

  /// The message about a binding of another version; nil if the version is supported.
  static func refusal(_ type: (some EntityInspectable).Type) -> String? {
    let version = type.entityBinding.generatorBindingVersion()
    if supported.contains(version) { return nil }
    return
      "the binding of \(type.entityInfo.entityName) has version \(version), and this library reads "
      + "\(supported.lowerBound) to \(supported.upperBound); "
      + "generate the bindings again with the generator of this library's version"
  }

  /// Traps for a binding of another version.
  static func require(_ type: (some EntityInspectable).Type) {
    if let refusal = refusal(type) { fatalError(refusal) }
  }
}
