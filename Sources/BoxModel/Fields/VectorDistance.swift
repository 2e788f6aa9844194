internal import BoxJSON

extension Property {
  /// The distance that its vector index measures, as the model spells it: `Euclidean`, `Cosine`, …; nil
  /// if the model does not say.
  ///
  /// - Complexity: O(*n*) in the length of the parameters.
  package var vectorDistance: String? {
    guard let hnswParams, let document = try? JSONDocument(parsing: [UInt8](hnswParams.utf8)),
      let node = document.value(forKey: "distance-type", in: document.root),
      case .string(let name) = document.value(of: node)
    else { return nil }
    return name
  }
}
