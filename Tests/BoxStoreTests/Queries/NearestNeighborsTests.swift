import BoxStore
import TestSupport
import Testing

/// Searches for the nearest vectors.
struct NearestNeighborsTests {
  private func books(_ vectors: [Float]?...) throws -> Box<Book> {
    let box = try QueryStore.sample().box(for: Book.self)
    try box.put(
      vectors.enumerated().map { position, vector in
        let book = Book("\(position)")
        book.embedding = vector
        book.price = Double(position)
        return book
      })
    return box
  }

  @Test(.promise(187)) func theNearestOfThoseThatFulfilTheOtherConditionsAreFound() throws {
    let box = try books([0, 0], [3, 4], nil, [1, 0], [1], [0, 2])
    let query = try box.query {
      Book.embedding.nearestNeighbors(queryVector: [0, 0], maxCount: 2) && Book.price > 0
    }.build()
    #expect(try query.find().map(\.id) == [4, 6])
    #expect(try query.findIdsWithScores().map(\.id) == [4, 6])
    #expect(try query.findIdsWithScores().map(\.score) == [1, 4])
    #expect(try query.count() == 2)
    query.setParameter(Book.embedding, to: [3, 4])
    #expect(try query.findWithScores().map(\.object.id) == [2, 6])
    #expect(try query.findWithScores().map(\.score) == [0, 13])
    #expect(try query.findWithScores(offset: 1).map(\.object.id) == [6])
    #expect(try query.find().map(\.id) == [2, 6])
    query.setParameter(Book.embedding, to: 3)
    #expect(try query.findIds().map(\.value) == [2, 4, 6])
    #expect(try query.find(offset: 1, limit: 1).map(\.id) == [4])
    #expect(try query.property(Book.price).max() == 5)
    #expect(try query.explain().contains("nearest 3 by embedding"))
    #expect(try query.remove() == 3)
    #expect(try box.query().build().findIds().map(\.value) == [1, 3, 5])
  }

  @Test func anOrderAppliesToTheNearest() throws {
    let box = try books([0], [1], [2], [3])
    let query = try box.query {
      "near" .= Book.embedding.nearestNeighbors(queryVector: [0], maxCount: 3)
    }
    .ordered(by: Book.price, flags: .descending).build()
    #expect(try query.find().map(\.id) == [3, 2, 1])
    query.setParameter("near", to: [3])
    #expect(try query.findFirst()?.id == 4)
  }

  @Test func itIsFoundBesideOthersAndAlone() throws {
    let box = try books([0])
    let near: QueryCondition<Book> = Book.embedding.nearestNeighbors(queryVector: [0], maxCount: 1)
    let refused: [QueryCondition<Book>] = [
      near || Book.price > 1, !near, near && near,
      .link(Book.related) { near }, Book.embedding.nearestNeighbors(queryVector: [0], maxCount: -1),
      Book.embedding.nearestNeighbors(queryVector: [.nan], maxCount: 1),
      Book.embedding.nearestNeighbors(queryVector: [], maxCount: 1),
    ]
    for condition in refused {
      #expect(thrownCase { _ = try box.query { condition }.build() } == "illegalArgument")
    }
    #expect(thrownCase { _ = try box.query().build().findWithScores() } == "illegalState")
  }

  /// The model says which distance is measured; the nearest by one is not the nearest by another.
  @Test(
    .promise(187),
    arguments: [
      (#"{"distance-type": "Euclidean"}"#, [2, 1, 3], [1, 2, 9]),
      (#"{"distance-type": "Cosine"}"#, [3, 2, 1], [0, 0.292893219, 1]),
      (#"{"distance-type": "DotProduct"}"#, [3, 2, 1], [-3, 0, 1]),
      (#"{"distance-type": "DotProductNonNormalized"}"#, [3, 2, 1], [0.2, 0.5, 1]),
    ] as [(String, [Id], [Double])])
  func theModelChoosesTheDistance(_ index: String, _ ids: [Id], _ scores: [Double]) throws {
    let box = try QueryStore.open(StoreSample.text(vectorIndex: index)).box(for: Book.self)
    try box.put(
      [[0, 1], [1, 1], [4, 0]].map { (vector: [Float]) in
        let book = Book("")
        book.embedding = vector
        return book
      })
    let query = try box.query {
      Book.embedding.nearestNeighbors(queryVector: [1, 0], maxCount: 3)
    }.build()
    let found = try query.findIdsWithScores()
    #expect(found.map(\.id) == ids)
    #expect(zip(found, scores).allSatisfy { abs($0.score - $1) < 1e-9 })
  }

  @Test func placesOnEarthAreMeasuredInKilometers() throws {
    let index = #"{"dimensions": 2, "distance-type": "Geo"}"#
    let box = try QueryStore.open(StoreSample.text(vectorIndex: index)).box(for: Book.self)
    try box.put(
      [[0, 1], [0, -179.5], [0, 179]].map { (place: [Float]) in
        let book = Book("")
        book.embedding = place
        return book
      })
    let query = try box.query {
      Book.embedding.nearestNeighbors(queryVector: [0, 180], maxCount: 2)
    }.build()
    let found = try query.findIdsWithScores()
    #expect(found.map(\.id) == [2, 3])
    #expect(abs(found[1].score - 111.19492664) < 1e-6)
    #expect(try query.findWithScores().map(\.score) == found.map(\.score))
    #expect(try query.find().map(\.id) == [2, 3])
    let error = #expect(throws: ObjectBoxError.self) {
      try box.query { Book.embedding.nearestNeighbors(queryVector: [1, 2, 3], maxCount: 2) }.build()
    }
    #expect(error.map(caseName) == "illegalArgument")
    #expect(error?.message.contains("3 elements") == true)
  }
}
