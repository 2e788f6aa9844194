/// A repository whose model is about to lose an entity, a name and a type.
public struct PlanSample: Sendable {
  /// The repository, in which the change is not committed.
  public let repository: TemporaryRepository
  /// The name of the model.
  public static let file = "model.json"

  /// Note and Tag, released as `v1`.
  public static let released = SmallModel([
    SmallModel.note(adding: [
      SmallModel.Property(id: 3, uid: 1003, name: "created", type: 10),
      SmallModel.Property(id: 4, uid: 1004, name: "rank", type: 5),
    ]), SmallModel.Entity(id: 2, uid: 2000, name: "Tag"),
  ])

  /// Tag is gone, `created` is called otherwise without its UID, and `rank` has another type.
  public static let changed: SmallModel = {
    var model = SmallModel([
      SmallModel.note(adding: [
        SmallModel.Property(id: 4, uid: 1004, name: "rank", type: 6),
        SmallModel.Property(id: 5, uid: 1005, name: "createdAt", type: 10),
      ])
    ])
    model.lastEntity = (2, 2000)
    model.retiredEntities = [2000]
    model.retiredProperties = [1003, 2001]
    return model
  }()

  /// Makes the repository.
  ///
  /// - Throws: ``TestFailure`` if git refuses.
  public init() async throws {
    repository = try await TemporaryRepository()
    try await repository.commit([Self.file: Self.released.text])
    try await repository.git("tag", "v1")
    try repository.write(Self.changed.text, to: Self.file)
  }
}
