import BoxStore
import Foundation

// Stores and reads objects of each type, and prints what differs from what was put.
func check(_ isRight: Bool, _ what: @autoclosure () -> String, line: UInt = #line) {
  if !isRight { fatalError("line \(line): \(what())") }
}

struct Missing: Error {}

func required<T>(_ object: T?) throws -> T {
  guard let object else { throw Missing() }
  return object
}

let store = try Store(directoryPath: "memory:ported")

let moment = Date(timeIntervalSince1970: 1_700_000_000.123)
let nanoseconds = Date(timeIntervalSince1970: 0.000_000_25)

let missing: any Error = ObjectBoxError.notFound(message: "there is no such object")
check(missing.localizedDescription == "there is no such object", missing.localizedDescription)

let everything = Everything()
(everything.bool, everything.int8, everything.int16, everything.int32) = (true, -1, .min, .max)
(everything.int64, everything.int) = (.min, .max)
(everything.uint8, everything.uint16, everything.uint32) = (.max, .max, .max)
(everything.uint64, everything.uint) = (.max, .max - 1)
(everything.float, everything.double, everything.string) = (0.1, 0.1, "ß")
(everything.date, everything.nanos) = (moment, nanoseconds)
(everything.data, everything.bytes) = (Data([1, 2]), [3])
(everything.int32s, everything.int64s) = ([.min, 4], [.max])
(everything.floats, everything.strings) = ([0.5, -1], ["a", ""])
let everythings = store.box(for: Everything.self)
try everythings.put(everything)
let read = try required(everythings.get(everything.id))
check(read.bool && read.int8 == -1 && read.int16 == .min && read.int32 == .max, "small integers")
check(read.int64 == .min && read.int == .max, "large integers")
check(read.uint8 == .max && read.uint16 == .max && read.uint32 == .max, "small unsigned integers")
check(read.uint64 == .max && read.uint == .max - 1, "large unsigned integers")
check(read.float == 0.1 && read.double == 0.1 && read.string == "ß", "fractions and texts")
check(abs(read.date.timeIntervalSince(moment)) < 0.000_5, "\(read.date)")
check(abs(read.nanos.timeIntervalSince(nanoseconds)) < 1e-9, "\(read.nanos)")
check(read.data == Data([1, 2]) && read.bytes == [3], "bytes")
check(read.int32s == [.min, 4] && read.int64s == [.max], "vectors of integers")
check(read.floats == [0.5, -1] && read.strings == ["a", ""], "other vectors")
check(
  try everythings.query { Everything.uint8 > 254 && .string == "ß" }.build().count() == 1, "query")

let anythings: ObjectBox.Box<Anything> = store.box()
let (nothing, something) = (Anything(), Anything())
(something.bool, something.uint16, something.int) = (false, 0, 0)
(something.string, something.nanos, something.date) = ("", nanoseconds, moment)
(something.bytes, something.data, something.strings) = ([], Data(), [])
(something.int32s, something.int64s, something.floats) = ([], [], [])
try anythings.put([nothing, something])
let empty = try required(anythings.get(nothing.id))
check(empty.bool == nil && empty.int8 == nil && empty.int == nil && empty.uint64 == nil, "nil")
check(empty.float == nil && empty.double == nil && empty.string == nil, "nil")
check(empty.date == nil && empty.nanos == nil && empty.data == nil && empty.bytes == nil, "nil")
check(empty.int32s == nil && empty.floats == nil && empty.strings == nil, "nil")
let full = try required(anythings.get(something.id))
check(full.bool == false && full.uint16 == 0 && full.int == 0 && full.string == "", "zero")
check(full.bytes == [] && full.data == Data() && full.strings == [] && full.floats == [], "empty")
check(full.nanos.map { abs($0.timeIntervalSince(nanoseconds)) < 1e-9 } ?? false, "nanoseconds")
check(try anythings.query { Anything.bool.isNil() }.build().findIds() == [nothing.id], "isNil")

let boxes = store.box(for: Box2.self)
let (owner, box) = (Owner(), Box2())
(owner.name, box.label, box.level, box.color) = ("o", "l", .high, .green)
(box.size, box.place) = (Size(width: 3, height: 4), [1, 2])
box.owner.target = owner
let tag = Tag()
tag.text = "t"
box.tags.append(tag)
try boxes.put(box)
let found = try required(
  boxes.query { Box2.label == "l" && Box2.level == Level.high.rawValue }
    .link(Box2.owner) { Owner.name == "o" }.build().findUnique())
check(found.level == .high && found.color == .green, "enums")
check(found.size == Size(width: 3, height: 4) && found.place == [1, 2], "converter and vector")
check(found.owner.target?.name == "o" && found.tags.map(\.text) == ["t"], "relations")
check(try store.box(for: Owner.self).get(owner.id)?.boxes.map(\.label) == ["l"], "backlink")
check(try store.box(for: Tag.self).get(tag.id)?.boxes.map(\.label) == ["l"], "backlink")
check(
  try boxes.query { Box2.place.nearestNeighbors(queryVector: [1, 2], maxCount: 1) }.build()
    .findIdsWithScores().map(\.id) == [box.id], "neighbours")
// Another box with the label replaces it.
let second = Box2()
second.label = "l"
try boxes.put(second)
check(try boxes.all().map(\.id) == [second.id], "replaced")
// A relation that a stored object is given belongs to the store after the next put.
second.owner = ToOne(owner)
try boxes.put(second)
second.owner.reset()
check(second.owner.target?.name == "o", "a relation that was replaced")
second.owner = nil
second.owner.targetId = owner.id
try boxes.put(second)
check(second.owner.target?.name == "o", "a relation of an id")
second.owner.target = nil
try boxes.put(second)
// The bits of optional unsigned numbers, which the model calls signed.
let maximum = Anything()
(maximum.uint16, maximum.uint64) = (.max, .max)
try anythings.put(maximum)
let bits = try anythings.query { Anything.uint64 > 1 }.build()
let row = try required(
  bits.select(.value(Anything.uint16), .value(Anything.uint64)).find().first)
check(row.0 == .max && row.1 == .max, "\(row)")
let limits = try required(bits.select(.max(Anything.uint16), .sum(Anything.uint16)).find().first)
check(limits.0 == .max && limits.1 == 65_535, "\(limits)")
owner.boxes.append(second)
try owner.boxes.applyToDb()
check(try boxes.get(second.id)?.owner.target?.name == "o", "backlink that was appended to")

let authors = store.box(for: Author.self)
let lem = try authors.put(struct: Author(id: 0, name: "Lem", works: nil))
check(lem.id.value == 1, "\(lem.id)")
let works = store.box(for: Work.self)
var eden = Work(id: 0, title: "Eden", pages: nil, author: ToOne(lem))
try works.put(&eden)
let more = try works.put(structs: [
  Work(id: 0, title: "Fiasco", pages: 300, author: ToOne(lem)),
  Work(id: eden.id, title: "Eden", pages: 200, author: eden.author),
])
check(more.map(\.id) == [2, 1] && eden.id == 1, "ids")
check(try authors.get(lem.id)?.works.map(\.title) == ["Eden", "Fiasco"], "backlink of structs")
check(try works.get(1 as Id)?.author.target?.name == "Lem", "relation of structs")
check(try works.query { Work.pages > 250 }.build().findIds() == [2], "query of structs")

print("everything that was put is read")
