/// The effect of a model change on the stores in the field.
public enum ChangeClass: String, Hashable, Sendable, CaseIterable {
  /// Nothing is lost, nothing takes long, and both releases can open the result.
  case safe
  /// Opening takes work in proportion to the data.
  case cost
  /// Data is no longer visible, and comes back with its UID.
  case dataHidden = "data-hidden"
  /// Data is lost.
  case dataLoss = "data-loss"
  /// Stored bytes get another meaning.
  case reinterpretation
  /// The store does not open.
  case openFailure = "open-failure"
  /// The previous release cannot open the result.
  case noRollback = "no-rollback"
  /// Nothing happens on opening, but some data can make a later operation fail.
  case latent
}

extension ChangeClass: Comparable {
  /// The classes from the least to the most severe.
  public static let byGravity: [ChangeClass] = [
    .safe, .cost, .noRollback, .dataHidden, .latent, .openFailure, .reinterpretation, .dataLoss,
  ]

  private var gravity: Int { Self.byGravity.firstIndex(of: self) ?? 0 }

  /// Whether the first class is less severe than the second.
  public static func < (a: ChangeClass, b: ChangeClass) -> Bool { a.gravity < b.gravity }
}

extension ChangeClass {
  /// The classes that block a change by default.
  public static let gatedByDefault: Set<ChangeClass> = [.dataLoss, .reinterpretation, .openFailure]
}
