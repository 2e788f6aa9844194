import BoxModel

extension TestModel {
  /// The model of the stores that the child processes of tests write.
  public static var ledger: TestModel {
    TestModel(
      .init(
        name: "Counter", uid: 500,
        properties: [
          .id(.idSelfAssignable), .init(name: "total", type: .long, flags: .indexed),
        ]),
      .init(
        name: "Entry", uid: 600,
        properties: [
          .id(), .init(name: "number", type: .long, flags: .indexed),
          .init(name: "text", type: .string, flags: .indexHash),
          .init(
            name: "counter", type: .relation, flags: [.indexed, .indexPartialSkipZero],
            target: "Counter"),
        ], relations: [.init("counters", to: "Counter")]),
      .init(name: "Padding", uid: 700, properties: [.id(), .init(name: "text", type: .string)]))
  }
}
