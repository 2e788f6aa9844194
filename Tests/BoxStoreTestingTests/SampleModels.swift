import BoxModel
import BoxStore
import TestSupport

extension StoreModel {
  /// The sample model; a text that is not a model would fail each test.
  static var sample: StoreModel { StoreModel(json: (try? StoreSample.text) ?? "") }

  /// A model of one entity that has objects with a number, a text and other objects.
  static var items: StoreModel {
    let model = TestModel(
      .init(
        name: "Item", uid: 7,
        properties: [
          .id(), .init(name: "count", type: .long), .init(name: "name", type: .string),
        ], relations: [.init("others", to: "Item")]))
    return StoreModel(json: (try? model.text) ?? "")
  }

  /// The model of the examples in docs/testing.md.
  static var library: StoreModel {
    let model = TestModel(
      .init(name: "Author", uid: 1, properties: [.id(), .init(name: "name", type: .string)]),
      .init(
        name: "Book", uid: 2,
        properties: [
          .id(), .init(name: "title", type: .string),
          .init(
            name: "author", type: .relation, flags: [.indexed, .indexPartialSkipZero],
            target: "Author"),
        ]),
      .init(name: "Person", uid: 3, properties: [.id(), .init(name: "name", type: .string)]))
    return StoreModel(json: (try? model.text) ?? "")
  }
}

/// The text of settings, as `contents()` has it.
func lines(_ settings: (id: Int, key: String, count: Int)...) -> String {
  settings.map { #"{"Setting":{"id":\#($0.id),"key":"\#($0.key)","count":\#($0.count)}}"# + "\n" }
    .joined()
}

/// The case of an error of the library; the message of others.
func caseName(_ error: (any Error)?) -> String {
  guard let error else { return "none" }
  guard let error = error as? ObjectBoxError else { return "\(error)" }
  return "\(Mirror(reflecting: error).children.first?.label ?? "")"
}
