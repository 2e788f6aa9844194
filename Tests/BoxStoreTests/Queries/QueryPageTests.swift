import BoxStore
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Parts of the results, and all values of a property.
struct QueryPageTests {
  @Test func aLimitThatIsNilIsNone() throws {
    let box = try QueryStore.people(ages: 1, 2, 3)
    let query = try box.query().build()
    let limits: [Int?] = [nil, 0, 2, 5]
    #expect(try limits.map { try query.find(limit: $0).count } == [3, 3, 2, 3])
    #expect(try limits.map { try query.findContiguous(limit: $0).count } == [3, 3, 2, 3])
    #expect(try limits.map { try query.findIds(offset: 1, limit: $0).count } == [2, 2, 2, 2])
    #expect(try limits.map { try box.count(limit: $0) } == [3, 3, 2, 3])
    #expect(thrownCase { _ = try query.find(offset: -1, limit: nil) } == "illegalArgument")
    #expect(thrownCase { _ = try query.find(limit: -1) } == "illegalArgument")
  }

  @Test func pagesByAnIDHaveAllObjectsOnce() throws {
    let box = try QueryStore.people()
    try box.put((1...100).map { Person("\($0)", age: $0 % 7) })
    let query = try box.query { Person.age < 5 }.build()
    let expected = try query.findIds().map(\.value)
    var found: [Id] = []
    var last: Id?
    repeat {
      let page = try query.find(after: last, limit: 9)
      found += page.map(\.id)
      last = page.last?.id
      // What is behind the page does not move the next one.
      if let first = page.first { try box.remove(first.id) }
    } while last != nil
    #expect(found == expected)
  }

  @Test func aPageNeedsTheOrderOfTheIDs() throws {
    let box = try QueryStore.people(ages: 1, 2)
    let ordered = try box.query().ordered(by: Person.age).build()
    #expect(thrownCase { _ = try ordered.find(after: nil, limit: 1) } == "illegalArgument")
    let query = try box.query().build()
    #expect(thrownCase { _ = try query.find(after: 1, limit: -1) } == "illegalArgument")
    #expect(try query.find(after: .max, limit: 1).isEmpty)
  }

  @Test func theValuesOfEveryTypeAreFound() throws {
    let box: Box<Everything> = try QueryStore.sample().box()
    var object = Everything()
    (object.bool, object.int16, object.uint64, object.char) = (true, -3, .max, 9)
    (object.float, object.double, object.string) = (0.5, 1.5, "x")
    (object.date, object.dateNano) = (
      Date(timeIntervalSince1970: 1.5), Date(timeIntervalSince1970: 2)
    )
    (object.data, object.flex) = (Data([1]), [2, 3])
    (object.bools, object.int16s, object.chars) = ([true, false], [-1], [65])
    (object.int32s, object.int64s, object.floats) = ([1], [2], [0.25])
    (object.doubles, object.strings) = ([0.75], ["a", "b"])
    try box.put([Everything(), object, object])
    let query = try box.query().build()
    #expect(try query.property(Everything.bool).find() == [true, true])
    #expect(try query.property(Everything.int16).find() == [-3, -3])
    #expect(try query.property(Everything.uint64).find() == [.max, .max])
    #expect(try query.property(Everything.float).find() == [0.5, 0.5])
    #expect(try query.property(Everything.double).find() == [1.5, 1.5])
    #expect(try query.property(Everything.string).find() == ["x", "x"])
    #expect(try query.property(Everything.date).find() == [object.date, object.date])
    #expect(try query.property(Everything.dateNano).distinct().findUnique() == object.dateNano)
    #expect(try query.property(Everything.data).find() == [Data([1]), Data([1])])
    #expect(try query.property(Everything.flex).distinct().find() == [[2, 3]])
    #expect(try query.property(Everything.bools).find() == [[true, false], [true, false]])
    #expect(try query.property(Everything.int16s).distinct().find() == [[-1]])
    #expect(try query.property(Everything.chars).distinct().find() == [[65]])
    #expect(try query.property(Everything.int32s).distinct().find() == [[1]])
    #expect(try query.property(Everything.int64s).distinct().find() == [[2]])
    #expect(try query.property(Everything.floats).distinct().find() == [[0.25]])
    #expect(try query.property(Everything.doubles).distinct().find() == [[0.75]])
    #expect(try query.property(Everything.strings).distinct().find() == [["a", "b"]])
    #expect(
      thrownCase { _ = try query.property(Everything.double).findUnique() } == "uniqueViolation")
  }
}
