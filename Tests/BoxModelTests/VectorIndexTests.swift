import BoxModel
import Testing

/// The parameters of vector indexes, as model files have them.
struct VectorIndexTests {
  @Test func aDocumentedIndexIsServed() {
    let index = VectorIndex(
      parsing: #"{"dimensions": 3, "distance-type": "DotProduct", "neighbors-per-node": 12}"#)
    #expect(index.failureReason == nil)
    #expect(index.distance == .dotProduct)
    #expect(index.dimensions == 3)
    #expect(index.neighborsPerNode == 12)
  }

  @Test(arguments: [
    (#"{}"#, "the number of dimensions is missing; write dimensions"),
    (#"{"dimensions": null}"#, "the number of dimensions is missing; write dimensions"),
    (#"{"dimensions": "3"}"#, #"dimensions is "3"; write a whole number"#),
    (#"{"dimensions": 1.5}"#, "dimensions is 1.5; write a whole number"),
    (#"{"dimensions": 0}"#, "dimensions is 0; write a number from 1 to 32768"),
    (#"{"dimensions": 3, "distance-type": 2}"#, "distance-type is 2; write its name"),
    (
      #"{"dimensions": 3, "distance-type": "Geo"}"#,
      "dimensions is 3, and a place has a latitude and a longitude; write 2"
    ),
    (
      #"{"dimensions": 3, "neighbors-per-node": true}"#,
      "neighbors-per-node is true; write a whole number"
    ),
    (
      #"{"dimensions": 3, "indexing-search-count": 0}"#,
      "indexing-search-count is 0; write a number from 1 to 65536"
    ),
  ])
  func parametersThatNoGraphServes(_ text: String, _ reason: String) {
    #expect(VectorIndex(parsing: text).failureReason == reason)
  }
}
