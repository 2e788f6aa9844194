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

  @Test func theNearestOfThoseThatFulfilTheOtherConditionsAreFound() throws {
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

  @Test func itStandsBesideAndAlone() throws {
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
}
