internal import BoxModel

/// The models of two versions of an app, whose entity `Card` gets properties in the second one.
public enum EvolvedSample {
  /// The text of the model file of a version.
  ///
  /// - Throws: `ModelError` if the model is not valid.
  public static func text(isLater: Bool) throws -> String {
    let early: [TestModel.Property] = [.id(), .init(name: "text", type: .string)]
    let later: [TestModel.Property] = [
      .init(name: "isPinned", type: .bool), .init(name: "count", type: .long),
      .init(name: "title", type: .string), .init(name: "kind", type: .long),
      .init(name: "mood", type: .long),
    ]
    return try TestModel(
      .init(name: "Card", uid: 101, properties: isLater ? early + later : early)
    ).text
  }
}
