// swift-format-ignore-file

// Uses of the public names of ObjectBox Swift, with their labels, results and throws, written by a program.
// 921 uses; 40 declarations are left out, as docs/porting.md says,
// and 19 of publishers are used in Tests/Packages/Traits.

import BoxStore
import Dispatch
import Foundation

// MARK: - AsyncBox.swift

func use1() { _ = AsyncBox<Book>.self }
func use2() { let _: Book.Type = AsyncBox<Book>.EntityType.self }
func use3(_ a0: Box<Book>, _ a1: TimeInterval) {
  _ = AsyncBox<Book>(box: a0, enqueueTimeout: a1)
}
func use4(_ s: AsyncBox<Book>, _ a0: Book, _ a1: PutMode) throws {
  let _: EntityId<Book> = try s.put(a0, mode: a1)
  let _: EntityId<Book> = try s.put(a0)
}
func use5(_ s: AsyncBox<Book>, _ a0: ArraySlice<Book>, _ a1: PutMode) throws {
  let _: [EntityId<Book>] = try s.put(a0, mode: a1)
  let _: [EntityId<Book>] = try s.put(a0)
}
func use6(_ s: AsyncBox<Book>, _ a0: [Book], _ a1: PutMode) throws {
  let _: [EntityId<Book>] = try s.put(a0, mode: a1)
  let _: [EntityId<Book>] = try s.put(a0)
}
func use7(_ s: AsyncBox<Book>, _ a0: ContiguousArray<Book>, _ a1: PutMode) throws {
  let _: ContiguousArray<EntityId<Book>> = try s.put(a0, mode: a1)
  let _: ContiguousArray<EntityId<Book>> = try s.put(a0)
}
func use8(_ s: AsyncBox<Book>, _ a0: Book, _ a1: PutMode) throws {
  let _: [EntityId<Book>] = try s.put(a0, a0, mode: a1)
  let _: [EntityId<Book>] = try s.put(a0, a0)
}
func use9(_ s: AsyncBox<Book>, _ a0: EntityId<Book>) throws { try s.remove(a0) }
func use10(_ s: AsyncBox<Book>, _ a0: Int64) throws { try s.remove(a0) }
func use11(_ s: AsyncBox<Book>, _ a0: Book) throws { try s.remove(a0) }
func use12(_ s: AsyncBox<Book>, _ a0: ArraySlice<Book>) throws { try s.remove(a0) }
func use13(_ s: AsyncBox<Book>, _ a0: Book) throws { try s.remove(a0, a0) }
func use14(_ s: AsyncBox<Book>, _ a0: ArraySlice<EntityId<Book>>) throws { try s.remove(a0) }
func use15(_ s: AsyncBox<Book>, _ a0: ArraySlice<Int64>) throws { try s.remove(a0) }
func use16(_ s: AsyncBox<Book>, _ a0: EntityId<Book>) throws { try s.remove(a0, a0) }
func use17(_ s: AsyncBox<Book>, _ a0: Int64) throws { try s.remove(a0, a0) }
func use18(_ s: Store) { let _: Bool = s.awaitAsyncSubmitted() }
func use19(_ s: Store) { let _: Bool = s.awaitAsyncCompleted() }

// MARK: - Box.swift

func use20() { _ = Box<Book>.self }
func use21() {
  func f<T: CustomDebugStringConvertible>(_: T.Type) {}
  f(Box<Book>.self)
}
func use22() { let _: Book.Type = Box<Book>.EntityType.self }
func use23(_ s: Box<Book>) throws { let _: Bool = try s.isEmpty() }
func use24(_ s: Box<Book>) { let _: AsyncBox<Book> = s.async }
func use25(_ s: Box<Book>, _ a0: Int) throws {
  let _: Int = try s.count(limit: a0)
  let _: Int = try s.count()
}
func use26(_ s: Box<Book>, _ a0: Id) throws { let _: Bool = try s.contains(a0) }
func use27(_ s: Box<Book>, _ a0: [Id]) throws { let _: Bool = try s.contains(a0) }
func use28(_ s: Box<Book>, _ a0: Id) throws { let _: Bool = try s.contains(a0, a0) }
func use29(_ s: Box<Book>, _ a0: inout Book, _ a1: PutMode) throws {
  let _: Id = try s.put(&a0, mode: a1)
  let _: Id = try s.put(&a0)
}
func use30(_ s: Box<Book>, _ a0: Book, _ a1: PutMode) throws {
  let _: Id = try s.put(a0, mode: a1)
  let _: Id = try s.put(a0)
}
func use31(_ s: Box<Book>, _ a0: ArraySlice<Book>, _ a1: PutMode) throws {
  let _: [Id] = try s.putAndReturnIDs(a0, mode: a1)
  let _: [Id] = try s.putAndReturnIDs(a0)
}
func use32(_ s: Box<Book>, _ a0: ArraySlice<Book>, _ a1: PutMode) throws {
  try s.put(a0, mode: a1)
  try s.put(a0)
}
func use33(_ s: Box<Book>, _ a0: [Book], _ a1: PutMode) throws {
  try s.put(a0, mode: a1)
  try s.put(a0)
}
func use34(_ s: Box<Book>, _ a0: ContiguousArray<Book>, _ a1: PutMode) throws {
  try s.put(a0, mode: a1)
  try s.put(a0)
}
func use35(_ s: Box<Book>, _ a0: inout [Book], _ a1: PutMode) throws {
  try s.put(&a0, mode: a1)
  try s.put(&a0)
}
func use36(_ s: Box<Book>, _ a0: Book, _ a1: PutMode) throws {
  let _: [Id] = try s.putAndReturnIDs(a0, a0, mode: a1)
  let _: [Id] = try s.putAndReturnIDs(a0, a0)
}
func use37(_ s: Box<Book>, _ a0: Book, _ a1: PutMode) throws {
  try s.put(a0, a0, mode: a1)
  try s.put(a0, a0)
}
func use38(_ s: Box<Book>, _ a0: Int64) throws { let _: Book? = try s.get(a0) }
func use39(_ s: Box<Book>, _ a0: EntityId<Book>) throws { let _: Book? = try s.get(a0) }
func use40(_ s: Box<Book>, _ a0: ArraySlice<Id>, _ a1: Int) throws {
  let _: [Book] = try s.get(a0, maxCount: a1)
  let _: [Book] = try s.get(a0)
}
func use41(_ s: Box<Book>, _ a0: ArraySlice<EntityId<Book>>) throws {
  let _: [EntityId<Book>: Book] = try s.getAsDictionary(a0)
}
func use42(_ s: Box<Book>, _ a0: ArraySlice<Int64>) throws {
  let _: [Int64: Book] = try s.getAsDictionary(a0)
}
func use43(_ s: Box<Book>) throws { let _: [Book] = try s.all() }
func use44(_ s: Box<Book>) throws { let _: ContiguousArray<Book> = try s.allContiguous() }
func use45(_ s: Box<Book>, _ a0: Bool, _ a1: @escaping (Book) throws -> Bool) throws {
  try s.visit(writable: a0, visitor: a1)
  try s.visit(visitor: a1)
}
func use46(_ s: Box<Book>, _ a0: Bool, _ a1: @escaping (Book) throws -> Void) throws {
  try s.forEach(writable: a0, a1)
  try s.forEach(a1)
}
func use47(_ s: Box<Book>, _ a0: Bool, _ a1: ArraySlice<Id>, _ a2: @escaping (Book?) throws -> Void) throws {
  try s.for(writable: a0, a1, in: a2)
  try s.for(a1, in: a2)
}
func use48(_ s: Box<Book>, _ a0: Bool, _ a1: ArraySlice<Id>, _ a2: @escaping (Book?) throws -> Bool) throws {
  try s.visit(writable: a0, a1, in: a2)
  try s.visit(a1, in: a2)
}
func use49(_ s: Box<Book>, _ a0: Int64) throws { let _: Bool = try s.remove(a0) }
func use50(_ s: Box<Book>, _ a0: EntityId<Book>) throws { let _: Bool = try s.remove(a0) }
func use51(_ s: Box<Book>, _ a0: Book) throws { let _: Bool = try s.remove(a0) }
func use52(_ s: Box<Book>, _ a0: ArraySlice<Book>) throws { let _: UInt64 = try s.remove(a0) }
func use53(_ s: Box<Book>, _ a0: [Book]) throws { let _: UInt64 = try s.remove(a0) }
func use54(_ s: Box<Book>, _ a0: ContiguousArray<Book>) throws {
  let _: UInt64 = try s.remove(a0)
}
func use55(_ s: Box<Book>, _ a0: Book) throws { let _: UInt64 = try s.remove(a0, a0) }
func use56(_ s: Box<Book>, _ a0: [Id]) throws { let _: UInt64 = try s.remove(a0) }
func use57(_ s: Box<Book>, _ a0: ArraySlice<Int64>) throws { let _: UInt64 = try s.remove(a0) }
func use58(_ s: Box<Book>, _ a0: Int64) throws { let _: UInt64 = try s.remove(a0, a0) }
func use59(_ s: Box<Book>, _ a0: Id) throws { let _: UInt64 = try s.remove(a0, a0) }
func use60(_ s: Box<Book>, _ a0: [EntityId<Book>]) throws { let _: UInt64 = try s.remove(a0) }
func use61(_ s: Box<Book>, _ a0: ArraySlice<EntityId<Book>>) throws {
  let _: UInt64 = try s.remove(a0)
}
func use62(_ s: Box<Book>, _ a0: EntityId<Book>) throws { let _: UInt64 = try s.remove(a0, a0) }
func use63(_ s: Box<Book>) throws { let _: UInt64 = try s.removeAll() }
func use64(_ s: Box<Book>) { let _: String = s.debugDescription }

// MARK: - Combine.swift


// MARK: - Entities/Entity.swift

func use65() { _ = (any Entity).self }
func use66() { _ = (any EntityInspectable).self }
func use67() { _ = Book.EntityBindingType.self }
func use68() { let _: EntityInfo = Book.entityInfo }
func use69() { let _: BookBinding = Book.entityBinding }
func use70() { _ = (any __EntityRelatable).self }
func use71() { _ = Book.EntityType.self }
func use72(_ s: Book) { let _: EntityId<Book> = s._id }

// MARK: - Entities/EntityBuilder.swift

func use73() { _ = EntityBuilder<Book>.self }
func use74(_ s: EntityBuilder<Book>, _ a0: EntityFlags) throws { try s.flags(a0) }
func use75(_ s: EntityBuilder<Book>, _ a0: [EntityFlags]) throws { try s.flags(a0) }
func use76(_ s: EntityBuilder<Book>, _ a0: String) throws { try s.externalName(a0) }
func use77(_ s: EntityBuilder<Book>, _ a0: String, _ a1: PropertyType, _ a2: PropertyFlags, _ a3: UInt32, _ a4: UInt64, _ a5: UInt32, _ a6: UInt64) throws {
  let _: PropertyBuilder = try s.addProperty(name: a0, type: a1, flags: a2, id: a3, uid: a4, indexId: a5, indexUid: a6)
  let _: PropertyBuilder = try s.addProperty(name: a0, type: a1, flags: a2, id: a3, uid: a4)
}
func use78(_ s: EntityBuilder<Book>, _ a0: String, _ a1: PropertyType, _ a2: [PropertyFlags], _ a3: UInt32, _ a4: UInt64, _ a5: UInt32, _ a6: UInt64) throws {
  let _: PropertyBuilder = try s.addProperty(name: a0, type: a1, flags: a2, id: a3, uid: a4, indexId: a5, indexUid: a6)
  let _: PropertyBuilder = try s.addProperty(name: a0, type: a1, id: a3, uid: a4)
}
func use79(_ s: EntityBuilder<Book>, _ a0: String, _ a1: EntityInfo, _ a2: [PropertyFlags], _ a3: UInt32, _ a4: UInt64, _ a5: UInt32, _ a6: UInt64) throws {
  try s.addToOneRelation(name: a0, targetEntityInfo: a1, flags: a2, id: a3, uid: a4, indexId: a5, indexUid: a6)
  try s.addToOneRelation(name: a0, targetEntityInfo: a1, id: a3, uid: a4, indexId: a5, indexUid: a6)
}
func use80(_ s: EntityBuilder<Book>, _ a0: obx_schema_id, _ a1: obx_uid, _ a2: obx_schema_id, _ a3: obx_uid) throws {
  try s.addToManyRelation(id: a0, uid: a1, targetId: a2, targetUid: a3)
}
func use81(_ s: EntityBuilder<Book>, _ a0: String) throws { try s.relationExternalName(a0) }
func use82(_ s: EntityBuilder<Book>, _ a0: UInt32) throws { try s.relationExternalType(a0) }
func use83(_ s: EntityBuilder<Book>, _ a0: UInt32, _ a1: UInt64) throws {
  try s.lastProperty(id: a0, uid: a1)
}

// MARK: - Entities/EntityFlags.swift

func use84() { _ = EntityFlags.self }
func use85(_ a0: UInt32) { let _: EntityFlags? = EntityFlags(rawValue: a0) }
func use86() {
  let v: EntityFlags = .useNoArgConstructor
  precondition(v.rawValue == 1)
}
func use87() {
  let v: EntityFlags = .syncEnabled
  precondition(v.rawValue == 2)
}
func use88() {
  let v: EntityFlags = .sharedGlobalIds
  precondition(v.rawValue == 4)
}

// MARK: - Entities/EntityInfo.swift

func use89() { _ = EntityInfo.self }
func use90() {
  func f<T: Sendable>(_: T.Type) {}
  f(EntityInfo.self)
}
func use91(_ s: EntityInfo) { let _: String = s.entityName }
func use92(_ s: EntityInfo) { let _: UInt32 = s.entitySchemaId }
func use93(_ a0: String, _ a1: UInt32) { _ = EntityInfo(name: a0, id: a1) }

// MARK: - Entities/EntityPropertyType.swift

func use94() { _ = (any EntityPropertyTypeConvertible).self }
func use95() { let _: PropertyType = Int.entityPropertyType }

// MARK: - Entities/EntityPropertyTypeImplementations.swift

func use96() { _ = (any EntityScalarPropertyType).self }
func use97() { _ = (any LongPropertyType).self }
func use98() {
  func f<T: LongPropertyType>(_: T.Type) {}
  f(Int64?.self)
}
func use99() {
  func f<T: EntityScalarPropertyType>(_: T.Type) {}
  f(Int64?.self)
}
func use100() { _ = (any LongPropertyQueryType).self }
func use101(_ s: Int64) { let _: Int64 = s.int64Value }
func use102() { _ = (any IntegerPropertyType).self }
func use103() { _ = (any IntegerPropertyQueryType).self }
func use104(_ s: Int32) { let _: Int64 = s.int64Value }
func use105(_ s: Int32) { let _: Int32 = s.int32Value }
func use106() {
  func f<T: IntegerPropertyQueryType>(_: T.Type) {}
  f(Int32.self)
}
func use107(_ s: Int32) { let _: Int64 = s.int64Value }
func use108(_ s: Int32) { let _: Int32 = s.int32Value }
func use109() {
  func f<T: LongPropertyQueryType>(_: T.Type) {}
  f(Int64.self)
}
func use110(_ s: Int64) { let _: Int64 = s.int64Value }
func use111() {
  func f<T: IntegerPropertyQueryType>(_: T.Type) {}
  f(Int.self)
}
func use112(_ s: Int) { let _: Int64 = s.int64Value }
func use113(_ s: Int) { let _: Int32 = s.int32Value }
func use114() {
  func f<T: LongPropertyQueryType>(_: T.Type) {}
  f(Int.self)
}
func use115(_ s: Int) { let _: Int64 = s.int64Value }
func use116() { _ = (any StringPropertyType).self }
func use117() {
  func f<T: StringPropertyType>(_: T.Type) {}
  f(String.self)
}
func use118() {
  func f<T: StringPropertyType>(_: T.Type) {}
  f(String?.self)
}
func use119() { _ = (any DatePropertyType).self }
func use120() {
  func f<T: DatePropertyType>(_: T.Type) {}
  f(Date.self)
}
func use121() {
  func f<T: DatePropertyType>(_: T.Type) {}
  f(Date?.self)
}
func use122() { _ = (any DataPropertyType).self }
func use123() {
  func f<T: DataPropertyType>(_: T.Type) {}
  f(Data.self)
}
func use124() {
  func f<T: DataPropertyType>(_: T.Type) {}
  f(Data?.self)
}
func use125() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f([UInt8].self)
}
func use126() { let _: PropertyType = [UInt8].entityPropertyType }
func use127() { _ = Int32ArrayPropertyType.self }
func use128() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(Int32ArrayPropertyType.self)
}
func use129() { let _: PropertyType = Int32ArrayPropertyType.entityPropertyType }
func use130() { _ = Int64ArrayPropertyType.self }
func use131() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(Int64ArrayPropertyType.self)
}
func use132() { let _: PropertyType = Int64ArrayPropertyType.entityPropertyType }
func use133() { _ = FloatArrayPropertyType.self }
func use134() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(FloatArrayPropertyType.self)
}
func use135() { let _: PropertyType = FloatArrayPropertyType.entityPropertyType }
func use136() { _ = HnswIndexPropertyType.self }
func use137() { _ = StringArrayPropertyType.self }
func use138() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(StringArrayPropertyType.self)
}
func use139() { let _: PropertyType = StringArrayPropertyType.entityPropertyType }
func use140() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(Bool.self)
}
func use141() {
  func f<T: EntityScalarPropertyType>(_: T.Type) {}
  f(Bool.self)
}
func use142() { let _: PropertyType = Bool.entityPropertyType }
func use143() { _ = Byte.self }
func use144() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(Int8.self)
}
func use145() {
  func f<T: EntityScalarPropertyType>(_: T.Type) {}
  f(Int8.self)
}
func use146() { let _: PropertyType = Int8.entityPropertyType }
func use147() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(Int16.self)
}
func use148() {
  func f<T: EntityScalarPropertyType>(_: T.Type) {}
  f(Int16.self)
}
func use149() { let _: PropertyType = Int16.entityPropertyType }
func use150() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(Int32.self)
}
func use151() {
  func f<T: EntityScalarPropertyType>(_: T.Type) {}
  f(Int32.self)
}
func use152() { let _: PropertyType = Int32.entityPropertyType }
func use153() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(Int64.self)
}
func use154() {
  func f<T: EntityScalarPropertyType>(_: T.Type) {}
  f(Int64.self)
}
func use155() { let _: PropertyType = Int64.entityPropertyType }
func use156() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(Int.self)
}
func use157() {
  func f<T: EntityScalarPropertyType>(_: T.Type) {}
  f(Int.self)
}
func use158() { let _: PropertyType = Int.entityPropertyType }
func use159() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(UInt8.self)
}
func use160() {
  func f<T: EntityScalarPropertyType>(_: T.Type) {}
  f(UInt8.self)
}
func use161() { let _: PropertyType = UInt8.entityPropertyType }
func use162() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(UInt16.self)
}
func use163() {
  func f<T: EntityScalarPropertyType>(_: T.Type) {}
  f(UInt16.self)
}
func use164() { let _: PropertyType = UInt16.entityPropertyType }
func use165() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(UInt32.self)
}
func use166() {
  func f<T: EntityScalarPropertyType>(_: T.Type) {}
  f(UInt32.self)
}
func use167() { let _: PropertyType = UInt32.entityPropertyType }
func use168() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(UInt64.self)
}
func use169() {
  func f<T: EntityScalarPropertyType>(_: T.Type) {}
  f(UInt64.self)
}
func use170() { let _: PropertyType = UInt64.entityPropertyType }
func use171() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(UInt.self)
}
func use172() {
  func f<T: EntityScalarPropertyType>(_: T.Type) {}
  f(UInt.self)
}
func use173() { let _: PropertyType = UInt.entityPropertyType }
func use174() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(Float.self)
}
func use175() {
  func f<T: EntityScalarPropertyType>(_: T.Type) {}
  f(Float.self)
}
func use176() { let _: PropertyType = Float.entityPropertyType }
func use177() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(Double.self)
}
func use178() {
  func f<T: EntityScalarPropertyType>(_: T.Type) {}
  f(Double.self)
}
func use179() { let _: PropertyType = Double.entityPropertyType }
func use180() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(String.self)
}
func use181() { let _: PropertyType = String.entityPropertyType }
func use182() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(Date.self)
}
func use183() {
  func f<T: EntityScalarPropertyType>(_: T.Type) {}
  f(Date.self)
}
func use184() { let _: PropertyType = Date.entityPropertyType }
func use185() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(Data.self)
}
func use186() { let _: PropertyType = Data.entityPropertyType }
func use187() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(Bool?.self)
}
func use188() { let _: PropertyType = Int?.entityPropertyType }
func use189() {
  func f<T: EntityPropertyTypeConvertible>(_: T.Type) {}
  f(EntityId<Book>.self)
}
func use190() { let _: PropertyType = EntityId<Book>.entityPropertyType }

// MARK: - Entities/EntityReader.swift

func use191() { _ = (EntityReader).self }
func use192(_ s: FlatBufferReader, _ a0: UInt16) { let _: Bool = s.read(at: a0) }
func use193(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int8 = s.read(at: a0) }
func use194(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int16 = s.read(at: a0) }
func use195(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int32 = s.read(at: a0) }
func use196(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int64 = s.read(at: a0) }
func use197(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt8 = s.read(at: a0) }
func use198(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt16 = s.read(at: a0) }
func use199(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt32 = s.read(at: a0) }
func use200(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt64 = s.read(at: a0) }
func use201(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int = s.read(at: a0) }
func use202(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt = s.read(at: a0) }
func use203(_ s: FlatBufferReader, _ a0: UInt16) { let _: Float = s.read(at: a0) }
func use204(_ s: FlatBufferReader, _ a0: UInt16) { let _: Double = s.read(at: a0) }
func use205(_ s: FlatBufferReader, _ a0: UInt16) { let _: Date = s.read(at: a0) }
func use206(_ s: FlatBufferReader, _ a0: UInt16) { let _: String = s.read(at: a0) }
func use207(_ s: FlatBufferReader, _ a0: UInt16) { let _: Data = s.read(at: a0) }
func use208(_ s: FlatBufferReader, _ a0: UInt16) { let _: [UInt8] = s.read(at: a0) }
func use209(_ s: FlatBufferReader, _ a0: UInt16) { let _: EntityId<Book> = s.read(at: a0) }
func use210(_ s: FlatBufferReader, _ a0: UInt16, _ a1: Store) {
  let _: ToOne<Author> = s.read(at: a0, store: a1)
}
func use211(_ s: FlatBufferReader, _ a0: UInt16) { let _: Bool? = s.read(at: a0) }
func use212(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int8? = s.read(at: a0) }
func use213(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int16? = s.read(at: a0) }
func use214(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int32? = s.read(at: a0) }
func use215(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int64? = s.read(at: a0) }
func use216(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt8? = s.read(at: a0) }
func use217(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt16? = s.read(at: a0) }
func use218(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt32? = s.read(at: a0) }
func use219(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt64? = s.read(at: a0) }
func use220(_ s: FlatBufferReader, _ a0: UInt16) { let _: Float? = s.read(at: a0) }
func use221(_ s: FlatBufferReader, _ a0: UInt16) { let _: Double? = s.read(at: a0) }
func use222(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int? = s.read(at: a0) }
func use223(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt? = s.read(at: a0) }
func use224(_ s: FlatBufferReader, _ a0: UInt16) { let _: Date? = s.read(at: a0) }
func use225(_ s: FlatBufferReader, _ a0: UInt16) { let _: String? = s.read(at: a0) }
func use226(_ s: FlatBufferReader, _ a0: UInt16) { let _: Data? = s.read(at: a0) }
func use227(_ s: FlatBufferReader, _ a0: UInt16) { let _: [UInt8]? = s.read(at: a0) }

// MARK: - Entities/HnswParams.swift

func use228() { _ = HnswDistanceType.self }
func use229(_ a0: UInt16) { let _: HnswDistanceType? = HnswDistanceType(rawValue: a0) }
func use230() {
  let v: HnswDistanceType = .unknown
  precondition(v.rawValue == 0)
}
func use231() {
  let v: HnswDistanceType = .euclidean
  precondition(v.rawValue == 1)
}
func use232() {
  let v: HnswDistanceType = .cosine
  precondition(v.rawValue == 2)
}
func use233() {
  let v: HnswDistanceType = .dotProduct
  precondition(v.rawValue == 3)
}
func use234() {
  let v: HnswDistanceType = .geo
  precondition(v.rawValue == 6)
}
func use235() {
  let v: HnswDistanceType = .dotProductNonNormalized
  precondition(v.rawValue == 10)
}
func use236() { _ = HnswFlags.self }
func use237(_ a0: UInt32) { let _: HnswFlags? = HnswFlags(rawValue: a0) }
func use238() {
  let v: HnswFlags = .debugLogs
  precondition(v.rawValue == 1)
}
func use239() {
  let v: HnswFlags = .debugLogsDetailed
  precondition(v.rawValue == 2)
}
func use240() {
  let v: HnswFlags = .vectorCacheSimdPaddingOff
  precondition(v.rawValue == 4)
}
func use241() {
  let v: HnswFlags = .reparationLimitCandidates
  precondition(v.rawValue == 8)
}

// MARK: - Entities/Id.swift

func use242() { _ = Id.self }
func use243() { _ = (any IdBase).self }
func use244(_ a0: Id) { _ = EntityId<Book>(a0) }
func use245(_ s: EntityId<Book>) { let _: Id = s.value }
func use246() { _ = (any UntypedIdBase).self }
func use247() {
  func f<T: UntypedIdBase>(_: T.Type) {}
  f(Id.self)
}
func use248(_ s: Id) { let _: Id = s.value }
func use249() {
  func f<T: UntypedIdBase>(_: T.Type) {}
  f(Int64.self)
}
func use250(_ a0: Id) { _ = Int64(a0) }
func use251(_ s: Int64) { let _: Id = s.value }
func use252() { _ = EntityId<Book>.self }
func use253() {
  func f<T: Hashable>(_: T.Type) {}
  f(EntityId<Book>.self)
}
func use254(_ s: EntityId<Book>) { let _: Id = s.value }
func use255(_ a0: Id) { _ = EntityId<Book>(a0) }
func use256(_ s: EntityId<Book>, _ a0: inout Hasher) { s.hash(into: &a0) }
func use257() {
  func f<T: ExpressibleByIntegerLiteral>(_: T.Type) {}
  f(EntityId<Book>.self)
}
func use258(_ a0: Id) { _ = EntityId<Book>(integerLiteral: a0) }
func use259() {
  func f<T: CustomStringConvertible>(_: T.Type) {}
  f(EntityId<Book>.self)
}
func use260(_ s: EntityId<Book>) { let _: String = s.description }

// MARK: - Entities/ModelBuilder.swift

func use261() { _ = ModelBuilder.self }
func use262() throws { _ = try ModelBuilder() }
func use263(_ s: ModelBuilder, _ a0: Author.Type, _ a1: UInt32, _ a2: UInt64) throws {
  let _: EntityBuilder<Author> = try s.entityBuilder(for: a0, id: a1, uid: a2)
  let _: EntityBuilder<Author> = try s.entityBuilder(id: a1, uid: a2)
}
func use264(_ s: ModelBuilder, _ a0: UInt32, _ a1: UInt64) { s.lastEntity(id: a0, uid: a1) }
func use265(_ s: ModelBuilder, _ a0: UInt32, _ a1: UInt64) { s.lastIndex(id: a0, uid: a1) }
func use266(_ s: ModelBuilder, _ a0: UInt32, _ a1: UInt64) { s.lastRelation(id: a0, uid: a1) }
func use267(_ s: ModelBuilder) { let _: OpaquePointer = s.finish() }

// MARK: - Entities/Property.swift

func use268() { _ = Property<Book, Int, Void>.self }
func use269() { let _: Book.Type = Property<Book, Int, Void>.EntityType.self }
func use270() { let _: Int.Type = Property<Book, Int, Void>.ValueType.self }
func use271() { let _: Void.Type = Property<Book, Int, Void>.ReferencedType.self }
func use272(_ a0: UInt32, _ a1: Bool) {
  _ = Property<Book, Int, Void>(propertyId: a0, isPrimaryKey: a1)
  _ = Property<Book, Int, Void>(propertyId: a0)
}
func use273(_ s: Property<Book, Int, Void>) { let _: Bool = s.isPrimaryKey }
func use274(_ s: Property<Book, Int, Void>) { let _: UInt32 = s.propertyId }
func use275() { _ = ValueProperty<Book, Int>.self }

// MARK: - Entities/PropertyBuilder.swift

func use276() { _ = PropertyBuilder.self }
func use277(_ s: PropertyBuilder, _ a0: Int, _ a1: UInt32?, _ a2: UInt32?, _ a3: [HnswFlags]?, _ a4: HnswDistanceType?, _ a5: Float?, _ a6: Int?) throws {
  let _: PropertyBuilder = try s.hnswParams(dimensions: a0, neighborsPerNode: a1, indexingSearchCount: a2, flags: a3, distanceType: a4, reparationBacklinkProbability: a5, vectorCacheHintSizeKB: a6)
}
func use278(_ s: PropertyBuilder, _ a0: String) throws {
  let _: PropertyBuilder = try s.externalName(a0)
}
func use279(_ s: PropertyBuilder, _ a0: UInt32) throws {
  let _: PropertyBuilder = try s.externalType(a0)
}

// MARK: - Entities/PropertyDescriptor.swift


// MARK: - Entities/PropertyType.swift

func use280() { _ = PropertyType.self }
func use281(_ a0: UInt16) { let _: PropertyType? = PropertyType(rawValue: a0) }
func use282() {
  let v: PropertyType = .unknown
  precondition(v.rawValue == 0)
}
func use283() {
  let v: PropertyType = .bool
  precondition(v.rawValue == 1)
}
func use284() {
  let v: PropertyType = .byte
  precondition(v.rawValue == 2)
}
func use285() {
  let v: PropertyType = .short
  precondition(v.rawValue == 3)
}
func use286() {
  let v: PropertyType = .char
  precondition(v.rawValue == 4)
}
func use287() {
  let v: PropertyType = .int
  precondition(v.rawValue == 5)
}
func use288() {
  let v: PropertyType = .long
  precondition(v.rawValue == 6)
}
func use289() {
  let v: PropertyType = .float
  precondition(v.rawValue == 7)
}
func use290() {
  let v: PropertyType = .double
  precondition(v.rawValue == 8)
}
func use291() {
  let v: PropertyType = .string
  precondition(v.rawValue == 9)
}
func use292() {
  let v: PropertyType = .date
  precondition(v.rawValue == 10)
}
func use293() {
  let v: PropertyType = .relation
  precondition(v.rawValue == 11)
}
func use294() {
  let v: PropertyType = .dateNano
  precondition(v.rawValue == 12)
}
func use295() {
  let v: PropertyType = .flex
  precondition(v.rawValue == 13)
}
func use296() {
  let v: PropertyType = .reserved3
  precondition(v.rawValue == 14)
}
func use297() {
  let v: PropertyType = .reserved4
  precondition(v.rawValue == 15)
}
func use298() {
  let v: PropertyType = .reserved5
  precondition(v.rawValue == 16)
}
func use299() {
  let v: PropertyType = .reserved6
  precondition(v.rawValue == 17)
}
func use300() {
  let v: PropertyType = .reserved7
  precondition(v.rawValue == 18)
}
func use301() {
  let v: PropertyType = .reserved8
  precondition(v.rawValue == 19)
}
func use302() {
  let v: PropertyType = .reserved9
  precondition(v.rawValue == 20)
}
func use303() {
  let v: PropertyType = .reserved10
  precondition(v.rawValue == 21)
}
func use304() {
  let v: PropertyType = .boolVector
  precondition(v.rawValue == 22)
}
func use305() {
  let v: PropertyType = .byteVector
  precondition(v.rawValue == 23)
}
func use306() {
  let v: PropertyType = .shortVector
  precondition(v.rawValue == 24)
}
func use307() {
  let v: PropertyType = .charVector
  precondition(v.rawValue == 25)
}
func use308() {
  let v: PropertyType = .intVector
  precondition(v.rawValue == 26)
}
func use309() {
  let v: PropertyType = .longVector
  precondition(v.rawValue == 27)
}
func use310() {
  let v: PropertyType = .floatVector
  precondition(v.rawValue == 28)
}
func use311() {
  let v: PropertyType = .doubleVector
  precondition(v.rawValue == 29)
}
func use312() {
  let v: PropertyType = .stringVector
  precondition(v.rawValue == 30)
}
func use313() {
  let v: PropertyType = .dateVector
  precondition(v.rawValue == 31)
}
func use314() {
  let v: PropertyType = .dateNanoVector
  precondition(v.rawValue == 32)
}
func use315() { _ = ExternalPropertyType.self }
func use316(_ a0: UInt16) { let _: ExternalPropertyType? = ExternalPropertyType(rawValue: a0) }
func use317() {
  let v: ExternalPropertyType = .unknown
  precondition(v.rawValue == 0)
}
func use318() {
  let v: ExternalPropertyType = .int128
  precondition(v.rawValue == 100)
}
func use319() {
  let v: ExternalPropertyType = .reserved1
  precondition(v.rawValue == 101)
}
func use320() {
  let v: ExternalPropertyType = .uuid
  precondition(v.rawValue == 102)
}
func use321() {
  let v: ExternalPropertyType = .decimal128
  precondition(v.rawValue == 103)
}
func use322() {
  let v: ExternalPropertyType = .uuidString
  precondition(v.rawValue == 104)
}
func use323() {
  let v: ExternalPropertyType = .uuidV4
  precondition(v.rawValue == 105)
}
func use324() {
  let v: ExternalPropertyType = .uuidV4String
  precondition(v.rawValue == 106)
}
func use325() {
  let v: ExternalPropertyType = .flexMap
  precondition(v.rawValue == 107)
}
func use326() {
  let v: ExternalPropertyType = .flexVector
  precondition(v.rawValue == 108)
}
func use327() {
  let v: ExternalPropertyType = .json
  precondition(v.rawValue == 109)
}
func use328() {
  let v: ExternalPropertyType = .bson
  precondition(v.rawValue == 110)
}
func use329() {
  let v: ExternalPropertyType = .javaScript
  precondition(v.rawValue == 111)
}
func use330() {
  let v: ExternalPropertyType = .jsonToNative
  precondition(v.rawValue == 112)
}
func use331() {
  let v: ExternalPropertyType = .reserved6
  precondition(v.rawValue == 113)
}
func use332() {
  let v: ExternalPropertyType = .reserved7
  precondition(v.rawValue == 114)
}
func use333() {
  let v: ExternalPropertyType = .reserved8
  precondition(v.rawValue == 115)
}
func use334() {
  let v: ExternalPropertyType = .int128Vector
  precondition(v.rawValue == 116)
}
func use335() {
  let v: ExternalPropertyType = .reserved9
  precondition(v.rawValue == 117)
}
func use336() {
  let v: ExternalPropertyType = .uuidVector
  precondition(v.rawValue == 118)
}
func use337() {
  let v: ExternalPropertyType = .reserved10
  precondition(v.rawValue == 119)
}
func use338() {
  let v: ExternalPropertyType = .reserved11
  precondition(v.rawValue == 120)
}
func use339() {
  let v: ExternalPropertyType = .reserved12
  precondition(v.rawValue == 121)
}
func use340() {
  let v: ExternalPropertyType = .reserved13
  precondition(v.rawValue == 122)
}
func use341() {
  let v: ExternalPropertyType = .mongoId
  precondition(v.rawValue == 123)
}
func use342() {
  let v: ExternalPropertyType = .mongoIdVector
  precondition(v.rawValue == 124)
}
func use343() {
  let v: ExternalPropertyType = .mongoTimestamp
  precondition(v.rawValue == 125)
}
func use344() {
  let v: ExternalPropertyType = .mongoBinary
  precondition(v.rawValue == 126)
}
func use345() {
  let v: ExternalPropertyType = .mongoRegex
  precondition(v.rawValue == 127)
}
func use346() { _ = PropertyFlags.self }
func use347(_ a0: UInt32) { let _: PropertyFlags? = PropertyFlags(rawValue: a0) }
func use348() {
  let v: PropertyFlags = .id
  precondition(v.rawValue == 1)
}
func use349() {
  let v: PropertyFlags = .nonPrimitiveType
  precondition(v.rawValue == 2)
}
func use350() {
  let v: PropertyFlags = .notNull
  precondition(v.rawValue == 4)
}
func use351() {
  let v: PropertyFlags = .indexed
  precondition(v.rawValue == 8)
}
func use352() {
  let v: PropertyFlags = .reserved
  precondition(v.rawValue == 16)
}
func use353() {
  let v: PropertyFlags = .unique
  precondition(v.rawValue == 32)
}
func use354() {
  let v: PropertyFlags = .idMonotonicSequence
  precondition(v.rawValue == 64)
}
func use355() {
  let v: PropertyFlags = .idSelfAssignable
  precondition(v.rawValue == 128)
}
func use356() {
  let v: PropertyFlags = .indexPartialSkipNull
  precondition(v.rawValue == 256)
}
func use357() {
  let v: PropertyFlags = .indexPartialSkipZero
  precondition(v.rawValue == 512)
}
func use358() {
  let v: PropertyFlags = .virtual
  precondition(v.rawValue == 1024)
}
func use359() {
  let v: PropertyFlags = .indexHash
  precondition(v.rawValue == 2048)
}
func use360() {
  let v: PropertyFlags = .indexHash64
  precondition(v.rawValue == 4096)
}
func use361() {
  let v: PropertyFlags = .unsigned
  precondition(v.rawValue == 8192)
}
func use362() {
  let v: PropertyFlags = .idCompanion
  precondition(v.rawValue == 16384)
}
func use363() {
  let v: PropertyFlags = .uniqueOnConflictReplace
  precondition(v.rawValue == 32768)
}
func use364() {
  let v: PropertyFlags = .syncClock
  precondition(v.rawValue == 131072)
}
func use365() {
  let v: PropertyFlags = .syncPrecedence
  precondition(v.rawValue == 262144)
}

// MARK: - Entities/ToManyProperty.swift

func use366() { _ = ToManyProperty<Book>.self }
func use367() { _ = ToManyProperty<Book>.ToManyId.self }
func use368(_ a0: obx_schema_id) { let _: ToManyProperty<Book>.ToManyId = .valuePropertyId(a0) }
func use369(_ a0: obx_schema_id) { let _: ToManyProperty<Book>.ToManyId = .relationId(a0) }
func use370(_ a0: obx_schema_id) {
  let _: ToManyProperty<Book>.ToManyId = .backlinkRelationId(a0)
}
func use371(_ a0: ToManyProperty<Book>.ToManyId) { _ = ToManyProperty<Book>(a0) }

// MARK: - Errors.swift

func use372() { _ = ObjectBoxError.self }
func use373(_ a0: Int32, _ a1: String) {
  let _: ObjectBoxError = .unknown(code: a0, message: a1)
}
func use374(_ a0: String) { let _: ObjectBoxError = .cannotWriteWhileReading(message: a0) }
func use375(_ a0: String) { let _: ObjectBoxError = .uniqueViolation(message: a0) }
func use376(_ a0: String) { let _: ObjectBoxError = .notFound(message: a0) }
func use377(_ a0: String) { let _: ObjectBoxError = .illegalState(message: a0) }
func use378(_ a0: String) { let _: ObjectBoxError = .illegalArgument(message: a0) }
func use379(_ a0: String) { let _: ObjectBoxError = .allocation(message: a0) }
func use380(_ a0: String) { let _: ObjectBoxError = .featureNotAvailable(message: a0) }
func use381(_ a0: String) { let _: ObjectBoxError = .noErrorInfo(message: a0) }
func use382(_ a0: String) { let _: ObjectBoxError = .general(message: a0) }
func use383(_ a0: String) { let _: ObjectBoxError = .dbFull(message: a0) }
func use384(_ a0: String) { let _: ObjectBoxError = .maxReadersExceeded(message: a0) }
func use385(_ a0: String) { let _: ObjectBoxError = .storeMustShutdown(message: a0) }
func use386(_ a0: String) { let _: ObjectBoxError = .storageGeneral(message: a0) }
func use387(_ a0: String) { let _: ObjectBoxError = .nonUniqueResult(message: a0) }
func use388(_ a0: String) { let _: ObjectBoxError = .propertyTypeMismatch(message: a0) }
func use389(_ a0: String) { let _: ObjectBoxError = .constraintViolated(message: a0) }
func use390(_ a0: String) { let _: ObjectBoxError = .stdIllegalArgument(message: a0) }
func use391(_ a0: String) { let _: ObjectBoxError = .stdOutOfRange(message: a0) }
func use392(_ a0: String) { let _: ObjectBoxError = .stdLength(message: a0) }
func use393(_ a0: String) { let _: ObjectBoxError = .stdBadAlloc(message: a0) }
func use394(_ a0: String) { let _: ObjectBoxError = .stdRange(message: a0) }
func use395(_ a0: String) { let _: ObjectBoxError = .stdOverflow(message: a0) }
func use396(_ a0: String) { let _: ObjectBoxError = .stdOther(message: a0) }
func use397(_ a0: String) { let _: ObjectBoxError = .schema(message: a0) }
func use398(_ a0: String) { let _: ObjectBoxError = .fileCorrupt(message: a0) }
func use399(_ a0: String) { let _: ObjectBoxError = .filePagesCorrupt(message: a0) }
func use400(_ a0: String) { let _: ObjectBoxError = .cannotRelateToUnsavedEntities(message: a0) }
func use401(_ a0: String) { let _: ObjectBoxError = .cannotAttachToStore(message: a0) }
func use402(_ a0: any Error) { let _: ObjectBoxError = .unexpected(error: a0) }
func use403(_ a0: String) { let _: ObjectBoxError = .sync(message: a0) }

// MARK: - GeneratedStoreInitializer.swift

func use404(_ a0: String, _ a1: UInt64, _ a2: UInt32, _ a3: UInt32, _ a4: Bool) throws {
  _ = try Store(directoryPath: a0, maxDbSizeInKByte: a1, fileMode: a2, maxReaders: a3, readOnly: a4)
  _ = try Store(directoryPath: a0)
}

// MARK: - Observer.swift

func use405() { _ = Observer.self }
func use406() { _ = Observer.Flags.self }
func use407(_ s: Observer.Flags) { let _: Int = s.rawValue }
func use408() { _ = Observer.Flags.sendInitial }
func use409() { _ = Observer.Flags.dontSubscribe }
func use410(_ a0: Int) { _ = Observer.Flags(rawValue: a0) }
func use411(_ s: Observer) { s.unsubscribe() }
func use412(_ s: Box<Book>, _ a0: DispatchQueue, _ a1: Observer.Flags, _ a2: @escaping @Sendable () -> Void) {
  let _: Observer = s.subscribe(dispatchQueue: a0, flags: a1, changeHandler: a2)
  let _: Observer = s.subscribe(changeHandler: a2)
}
func use413(_ s: Box<Book>, _ a0: DispatchQueue, _ a1: Observer.Flags, _ a2: @escaping @Sendable ([Book], ObjectBoxError?) -> Void) {
  let _: Observer = s.subscribe(dispatchQueue: a0, flags: a1, resultHandler: a2)
  let _: Observer = s.subscribe(resultHandler: a2)
}
func use414(_ s: Box<Book>, _ a0: DispatchQueue, _ a1: Observer.Flags, _ a2: @escaping @Sendable (ContiguousArray<Book>, ObjectBoxError?) -> Void) {
  let _: Observer = s.subscribeContiguous(dispatchQueue: a0, flags: a1, resultHandler: a2)
  let _: Observer = s.subscribeContiguous(resultHandler: a2)
}
func use415(_ s: Query<Book>, _ a0: DispatchQueue, _ a1: Observer.Flags, _ a2: @escaping @Sendable () -> Void) {
  let _: Observer = s.subscribe(dispatchQueue: a0, flags: a1, changeHandler: a2)
  let _: Observer = s.subscribe(changeHandler: a2)
}
func use416(_ s: Query<Book>, _ a0: DispatchQueue, _ a1: Observer.Flags, _ a2: @escaping @Sendable ([Book], ObjectBoxError?) -> Void) {
  let _: Observer = s.subscribe(dispatchQueue: a0, flags: a1, resultHandler: a2)
  let _: Observer = s.subscribe(resultHandler: a2)
}
func use417(_ s: Query<Book>, _ a0: DispatchQueue, _ a1: Observer.Flags, _ a2: @escaping @Sendable (ContiguousArray<Book>, ObjectBoxError?) -> Void) {
  let _: Observer = s.subscribeContiguous(dispatchQueue: a0, flags: a1, resultHandler: a2)
  let _: Observer = s.subscribeContiguous(resultHandler: a2)
}

// MARK: - PropertyCollector+SwiftRefinedAPI.swift

func use418(_ s: FlatBufferBuilder, _ a0: Bool?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use419(_ s: FlatBufferBuilder, _ a0: Int?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use420(_ s: FlatBufferBuilder, _ a0: Int64?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use421(_ s: FlatBufferBuilder, _ a0: EntityId<Author>?, _ a1: UInt16) {
  s.collect(a0, at: a1)
}
func use422(_ s: FlatBufferBuilder, _ a0: Int32?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use423(_ s: FlatBufferBuilder, _ a0: Int16?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use424(_ s: FlatBufferBuilder, _ a0: Int8?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use425(_ s: FlatBufferBuilder, _ a0: Float?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use426(_ s: FlatBufferBuilder, _ a0: Double?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use427(_ s: FlatBufferBuilder, _ a0: String?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use428(_ s: FlatBufferBuilder, _ a0: ToOne<Book>, _ a1: UInt16, _ a2: Store) {
  s.collect(a0, at: a1, store: a2)
}

// MARK: - PropertyCollector.swift

func use429() { _ = (PropertyCollector).self }
func use430(_ s: FlatBufferBuilder, _ a0: Bool, _ a1: UInt16) { s.collect(a0, at: a1) }
func use431(_ s: FlatBufferBuilder, _ a0: Int8, _ a1: UInt16) { s.collect(a0, at: a1) }
func use432(_ s: FlatBufferBuilder, _ a0: Int16, _ a1: UInt16) { s.collect(a0, at: a1) }
func use433(_ s: FlatBufferBuilder, _ a0: Int32, _ a1: UInt16) { s.collect(a0, at: a1) }
func use434(_ s: FlatBufferBuilder, _ a0: Int64, _ a1: UInt16) { s.collect(a0, at: a1) }
func use435(_ s: FlatBufferBuilder, _ a0: UInt8, _ a1: UInt16) { s.collect(a0, at: a1) }
func use436(_ s: FlatBufferBuilder, _ a0: UInt16, _ a1: UInt16) { s.collect(a0, at: a1) }
func use437(_ s: FlatBufferBuilder, _ a0: UInt32, _ a1: UInt16) { s.collect(a0, at: a1) }
func use438(_ s: FlatBufferBuilder, _ a0: UInt64, _ a1: UInt16) { s.collect(a0, at: a1) }
func use439(_ s: FlatBufferBuilder, _ a0: Float, _ a1: UInt16) { s.collect(a0, at: a1) }
func use440(_ s: FlatBufferBuilder, _ a0: Double, _ a1: UInt16) { s.collect(a0, at: a1) }
func use441(_ s: FlatBufferBuilder, _ a0: Date?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use442(_ s: FlatBufferBuilder, _ a0: Int, _ a1: UInt16) { s.collect(a0, at: a1) }
func use443(_ s: FlatBufferBuilder, _ a0: UInt, _ a1: UInt16) { s.collect(a0, at: a1) }
func use444(_ s: FlatBufferBuilder, _ a0: OBXDataOffset, _ a1: UInt16) {
  s.collect(dataOffset: a0, at: a1)
}
func use445(_ s: FlatBufferBuilder, _ a0: String?, _ a1: UInt16) {
  let _: OBXDataOffset = s.prepare(string: a0, at: a1)
}
func use446(_ s: FlatBufferBuilder, _ a0: Data?, _ a1: UInt16) {
  let _: OBXDataOffset = s.prepare(bytes: a0, at: a1)
}
func use447(_ s: FlatBufferBuilder, _ a0: [UInt8]?, _ a1: UInt16) {
  let _: OBXDataOffset = s.prepare(bytes: a0, at: a1)
}

// MARK: - What generated code calls: Internal/FlatBufferBuilder.swift, Internal/FlatBufferReader.swift (added 2026-11-28)

func use448(_ s: FlatBufferBuilder, _ a0: Bool, _ a1: UInt16) { s.collect(a0, at: a1) }
func use449(_ s: FlatBufferBuilder, _ a0: Int8, _ a1: UInt16) { s.collect(a0, at: a1) }
func use450(_ s: FlatBufferBuilder, _ a0: Int16, _ a1: UInt16) { s.collect(a0, at: a1) }
func use451(_ s: FlatBufferBuilder, _ a0: Int32, _ a1: UInt16) { s.collect(a0, at: a1) }
func use452(_ s: FlatBufferBuilder, _ a0: Int64, _ a1: UInt16) { s.collect(a0, at: a1) }
func use453(_ s: FlatBufferBuilder, _ a0: UInt8, _ a1: UInt16) { s.collect(a0, at: a1) }
func use454(_ s: FlatBufferBuilder, _ a0: UInt16, _ a1: UInt16) { s.collect(a0, at: a1) }
func use455(_ s: FlatBufferBuilder, _ a0: UInt32, _ a1: UInt16) { s.collect(a0, at: a1) }
func use456(_ s: FlatBufferBuilder, _ a0: UInt64, _ a1: UInt16) { s.collect(a0, at: a1) }
func use457(_ s: FlatBufferBuilder, _ a0: Float, _ a1: UInt16) { s.collect(a0, at: a1) }
func use458(_ s: FlatBufferBuilder, _ a0: Double, _ a1: UInt16) { s.collect(a0, at: a1) }
func use459(_ s: FlatBufferBuilder, _ a0: Date?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use460(_ s: FlatBufferBuilder, _ a0: Date?, _ a1: UInt16) { s.collectNanos(a0, at: a1) }
func use461(_ s: FlatBufferBuilder, _ a0: Int, _ a1: UInt16) { s.collect(a0, at: a1) }
func use462(_ s: FlatBufferBuilder, _ a0: UInt, _ a1: UInt16) { s.collect(a0, at: a1) }
func use463(_ s: FlatBufferBuilder, _ a0: OBXDataOffset, _ a1: UInt16) {
  s.collect(dataOffset: a0, at: a1)
}
func use464(_ s: FlatBufferBuilder, _ a0: String?) {
  let _: OBXDataOffset = s.prepare(string: a0)
}
func use465(_ s: FlatBufferBuilder, _ a0: Data?) { let _: OBXDataOffset = s.prepare(bytes: a0) }
func use466(_ s: FlatBufferBuilder, _ a0: [UInt8]?) {
  let _: OBXDataOffset = s.prepare(bytes: a0)
}
func use467(_ s: FlatBufferBuilder, _ a0: [Int32]?) {
  let _: OBXDataOffset = s.prepare(values: a0)
}
func use468(_ s: FlatBufferBuilder, _ a0: [Int64]?) {
  let _: OBXDataOffset = s.prepare(values: a0)
}
func use469(_ s: FlatBufferBuilder, _ a0: [Float]?) {
  let _: OBXDataOffset = s.prepare(values: a0)
}
func use470(_ s: FlatBufferBuilder, _ a0: [String]?) {
  let _: OBXDataOffset = s.prepare(values: a0)
}
func use471(_ s: FlatBufferBuilder, _ a0: Int?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use472(_ s: FlatBufferBuilder, _ a0: Int64?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use473(_ s: FlatBufferBuilder, _ a0: Int32?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use474(_ s: FlatBufferBuilder, _ a0: Int16?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use475(_ s: FlatBufferBuilder, _ a0: Int8?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use476(_ s: FlatBufferBuilder, _ a0: UInt?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use477(_ s: FlatBufferBuilder, _ a0: UInt64?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use478(_ s: FlatBufferBuilder, _ a0: UInt32?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use479(_ s: FlatBufferBuilder, _ a0: UInt16?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use480(_ s: FlatBufferBuilder, _ a0: UInt8?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use481(_ s: FlatBufferBuilder, _ a0: Bool?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use482(_ s: FlatBufferBuilder, _ a0: Float?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use483(_ s: FlatBufferBuilder, _ a0: Double?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use484(_ s: FlatBufferBuilder, _ a0: String?, _ a1: UInt16) { s.collect(a0, at: a1) }
func use485(_ s: FlatBufferBuilder, _ a0: EntityId<Author>?, _ a1: UInt16) {
  s.collect(a0, at: a1)
}
func use486(_ s: FlatBufferBuilder, _ a0: ToOne<Book>, _ a1: UInt16, _ a2: Store) {
  s.collect(a0, at: a1, store: a2)
}
func use487() { _ = FlatBufferReader.self }
func use488(_ s: FlatBufferReader, _ a0: UInt16) { let _: Bool = s.read(at: a0) }
func use489(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int8 = s.read(at: a0) }
func use490(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int16 = s.read(at: a0) }
func use491(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int32 = s.read(at: a0) }
func use492(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int64 = s.read(at: a0) }
func use493(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt8 = s.read(at: a0) }
func use494(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt16 = s.read(at: a0) }
func use495(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt32 = s.read(at: a0) }
func use496(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt64 = s.read(at: a0) }
func use497(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int = s.read(at: a0) }
func use498(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt = s.read(at: a0) }
func use499(_ s: FlatBufferReader, _ a0: UInt16) { let _: Float = s.read(at: a0) }
func use500(_ s: FlatBufferReader, _ a0: UInt16) { let _: Double = s.read(at: a0) }
func use501(_ s: FlatBufferReader, _ a0: UInt16) { let _: Date = s.read(at: a0) }
func use502(_ s: FlatBufferReader, _ a0: UInt16) { let _: Date = s.readNanos(at: a0) }
func use503(_ s: FlatBufferReader, _ a0: UInt16) { let _: String = s.read(at: a0) }
func use504(_ s: FlatBufferReader, _ a0: UInt16) { let _: Data = s.read(at: a0) }
func use505(_ s: FlatBufferReader, _ a0: UInt16) { let _: [UInt8] = s.read(at: a0) }
func use506(_ s: FlatBufferReader, _ a0: UInt16) { let _: [Int32] = s.read(at: a0) }
func use507(_ s: FlatBufferReader, _ a0: UInt16) { let _: [Int64] = s.read(at: a0) }
func use508(_ s: FlatBufferReader, _ a0: UInt16) { let _: [Float] = s.read(at: a0) }
func use509(_ s: FlatBufferReader, _ a0: UInt16) { let _: [String] = s.read(at: a0) }
func use510(_ s: FlatBufferReader, _ a0: UInt16) { let _: EntityId<Book> = s.read(at: a0) }
func use511(_ s: FlatBufferReader, _ a0: UInt16, _ a1: Store) {
  let _: ToOne<Author> = s.read(at: a0, store: a1)
}
func use512(_ s: FlatBufferReader, _ a0: UInt16) { let _: Bool? = s.read(at: a0) }
func use513(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int8? = s.read(at: a0) }
func use514(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int16? = s.read(at: a0) }
func use515(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int32? = s.read(at: a0) }
func use516(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int64? = s.read(at: a0) }
func use517(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt8? = s.read(at: a0) }
func use518(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt16? = s.read(at: a0) }
func use519(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt32? = s.read(at: a0) }
func use520(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt64? = s.read(at: a0) }
func use521(_ s: FlatBufferReader, _ a0: UInt16) { let _: Float? = s.read(at: a0) }
func use522(_ s: FlatBufferReader, _ a0: UInt16) { let _: Double? = s.read(at: a0) }
func use523(_ s: FlatBufferReader, _ a0: UInt16) { let _: Int? = s.read(at: a0) }
func use524(_ s: FlatBufferReader, _ a0: UInt16) { let _: UInt? = s.read(at: a0) }
func use525(_ s: FlatBufferReader, _ a0: UInt16) { let _: Date? = s.read(at: a0) }
func use526(_ s: FlatBufferReader, _ a0: UInt16) { let _: Date? = s.readNanos(at: a0) }
func use527(_ s: FlatBufferReader, _ a0: UInt16) { let _: String? = s.read(at: a0) }
func use528(_ s: FlatBufferReader, _ a0: UInt16) { let _: Data? = s.read(at: a0) }
func use529(_ s: FlatBufferReader, _ a0: UInt16) { let _: [UInt8]? = s.read(at: a0) }
func use530(_ s: FlatBufferReader, _ a0: UInt16) { let _: [Int32]? = s.read(at: a0) }
func use531(_ s: FlatBufferReader, _ a0: UInt16) { let _: [Int64]? = s.read(at: a0) }
func use532(_ s: FlatBufferReader, _ a0: UInt16) { let _: [Float]? = s.read(at: a0) }
func use533(_ s: FlatBufferReader, _ a0: UInt16) { let _: [String]? = s.read(at: a0) }

// MARK: - PutMode.swift

func use534() { _ = PutMode.self }
func use535(_ a0: UInt32) { let _: PutMode? = PutMode(rawValue: a0) }
func use536() {
  let v: PutMode = .put
  precondition(v.rawValue == 1)
}
func use537() {
  let v: PutMode = .insert
  precondition(v.rawValue == 2)
}
func use538() {
  let v: PutMode = .update
  precondition(v.rawValue == 3)
}

// MARK: - Query/Box+Query.swift

func use539(_ s: Box<Book>) { let _: QueryBuilder<Book> = s.query() }
func use540(_ s: Box<Book>, _ a0: @escaping () -> QueryCondition<Book>) {
  let _: QueryBuilder<Book> = s.query(a0)
}

// MARK: - Query/IdWithScore.swift

func use541() { _ = IdWithScore.self }
func use542(_ s: IdWithScore) { let _: Id = s.id }
func use543(_ s: IdWithScore) { let _: Double = s.score }

// MARK: - Query/ObjectWithScore.swift

func use544() { _ = ObjectWithScore<Book>.self }
func use545(_ s: ObjectWithScore<Book>) { let _: Book = s.object }
func use546(_ s: ObjectWithScore<Book>) { let _: Double = s.score }

// MARK: - Query/OrderFlags.swift

func use547() { _ = OrderFlags.self }
func use548(_ a0: UInt32) { let _: OrderFlags? = OrderFlags(rawValue: a0) }
func use549() {
  let v: OrderFlags = .descending
  precondition(v.rawValue == 1)
}
func use550() {
  let v: OrderFlags = .caseSensitive
  precondition(v.rawValue == 2)
}
func use551() {
  let v: OrderFlags = .unsigned
  precondition(v.rawValue == 4)
}
func use552() {
  let v: OrderFlags = .nullsLast
  precondition(v.rawValue == 8)
}
func use553() {
  let v: OrderFlags = .nullsZero
  precondition(v.rawValue == 16)
}

// MARK: - Query/PropertyAlias.swift

func use554() { _ = PropertyAlias<Book, Int>.self }
func use555() { let _: Book.Type = PropertyAlias<Book, Int>.EntityType.self }
func use556() { let _: Int.Type = PropertyAlias<Book, Int>.ValueType.self }
func use557(_ s: PropertyAlias<Book, Int>) { let _: String = s.alias }
func use558(_ a0: String, _ a1: PropertyQueryCondition<Book, Int>) {
  let _: PropertyAlias<Book, Int> = a0 .= a1
}

// MARK: - Query/PropertyQuery.swift

func use559() { _ = PropertyQuery<Book, Int>.self }
func use560() { let _: Book.Type = PropertyQuery<Book, Int>.EntityType.self }
func use561() { let _: Int.Type = PropertyQuery<Book, Int>.ValueType.self }
func use562(_ s: PropertyQuery<Book, Int>) throws { let _: Int = try s.count() }
func use563(_ s: PropertyQuery<Book, Int>) throws {
  let _: PropertyQuery<Book, Int> = try s.distinct()
}
func use564(_ s: PropertyQuery<Book, Int>) throws { let _: Int64 = try s.sum() }
func use565(_ s: PropertyQuery<Book, UInt8>) throws { let _: Int64 = try s.sum() }
func use566(_ s: PropertyQuery<Book, Int>) throws { let _: Int = try s.sumInt() }
func use567(_ s: PropertyQuery<Book, UInt8>) throws { let _: Int = try s.sumInt() }
func use568(_ s: PropertyQuery<Book, Int>) throws { let _: UInt64 = try s.sumUnsigned() }
func use569(_ s: PropertyQuery<Book, UInt8>) throws { let _: UInt64 = try s.sumUnsigned() }
func use570(_ s: PropertyQuery<Book, Int>) throws { let _: Int = try s.max() }
func use571(_ s: PropertyQuery<Book, UInt8>) throws { let _: UInt8 = try s.max() }
func use572(_ s: PropertyQuery<Book, Int>) throws { let _: Int = try s.min() }
func use573(_ s: PropertyQuery<Book, UInt8>) throws { let _: UInt8 = try s.min() }
func use574(_ s: PropertyQuery<Book, Int>) throws { let _: Double = try s.average() }
func use575(_ s: PropertyQuery<Book, UInt8>) throws { let _: Double = try s.average() }
func use576(_ s: PropertyQuery<Book, Int>) throws { let _: Int = try s.averageInt() }
func use577(_ s: PropertyQuery<Book, UInt8>) throws { let _: UInt8 = try s.averageInt() }
func use578(_ s: PropertyQuery<Book, Int>) throws { let _: [Int] = try s.find() }
func use579(_ s: PropertyQuery<Book, UInt8>) throws { let _: [UInt8] = try s.find() }
func use580(_ s: PropertyQuery<Book, Int>) throws { let _: Int? = try s.findUnique() }
func use581(_ s: PropertyQuery<Book, UInt8>) throws { let _: UInt8? = try s.findUnique() }
func use582(_ s: PropertyQuery<Book, Int64>, _ a0: Int64) {
  let _: PropertyQuery<Book, Int64> = s.with(nullValue: a0)
}
func use583(_ s: PropertyQuery<Book, Int64?>, _ a0: Int64) {
  let _: PropertyQuery<Book, Int64?> = s.with(nullValue: a0)
}
func use584(_ s: PropertyQuery<Book, Double>) throws { let _: Double = try s.sum() }
func use585(_ s: PropertyQuery<Book, Double>) throws { let _: Double = try s.max() }
func use586(_ s: PropertyQuery<Book, Double>) throws { let _: Double = try s.min() }
func use587(_ s: PropertyQuery<Book, Double>) throws { let _: Double = try s.average() }
func use588(_ s: PropertyQuery<Book, Double>) throws { let _: [Double] = try s.findDoubles() }
func use589(_ s: PropertyQuery<Book, Double>) throws {
  let _: Double? = try s.findUniqueDouble()
}
func use590(_ s: PropertyQuery<Book, Double?>, _ a0: Double) {
  let _: PropertyQuery<Book, Double?> = s.with(nullValue: a0)
}
func use591(_ s: PropertyQuery<Book, Float>) throws { let _: Double = try s.sum() }
func use592(_ s: PropertyQuery<Book, Float>) throws { let _: Float = try s.max() }
func use593(_ s: PropertyQuery<Book, Float>) throws { let _: Float = try s.min() }
func use594(_ s: PropertyQuery<Book, Float>) throws { let _: Double = try s.average() }
func use595(_ s: PropertyQuery<Book, Float>) throws { let _: [Float] = try s.findFloats() }
func use596(_ s: PropertyQuery<Book, Float>) throws { let _: Float? = try s.findUniqueFloat() }
func use597(_ s: PropertyQuery<Book, Float?>, _ a0: Float) {
  let _: PropertyQuery<Book, Float?> = s.with(nullValue: a0)
}
func use598(_ s: PropertyQuery<Book, String>, _ a0: Bool) throws {
  let _: PropertyQuery<Book, String> = try s.distinct(caseSensitiveCompare: a0)
  let _: PropertyQuery<Book, String> = try s.distinct()
}
func use599(_ s: PropertyQuery<Book, String?>, _ a0: Bool) throws {
  let _: PropertyQuery<Book, String?> = try s.distinct(caseSensitiveCompare: a0)
  let _: PropertyQuery<Book, String?> = try s.distinct()
}
func use600(_ s: PropertyQuery<Book, String>) throws { let _: [String] = try s.findStrings() }
func use601(_ s: PropertyQuery<Book, String?>) throws { let _: [String] = try s.findStrings() }
func use602(_ s: PropertyQuery<Book, String>) throws { let _: String? = try s.findString() }
func use603(_ s: PropertyQuery<Book, String?>) throws { let _: String? = try s.findString() }
func use604(_ s: PropertyQuery<Book, String>) throws {
  let _: String? = try s.findUniqueString()
}
func use605(_ s: PropertyQuery<Book, String?>) throws {
  let _: String? = try s.findUniqueString()
}
func use606(_ s: PropertyQuery<Book, String?>, _ a0: String) {
  let _: PropertyQuery<Book, String?> = s.with(nullString: a0)
}

// MARK: - Query/Query+SetParameter.swift

func use607(_ s: Query<Book>, _ a0: Property<Book, Int, Void>, _ a1: Int) {
  s.setParameter(a0, to: a1)
}
func use608(_ s: Query<Book>, _ a0: Property<Book, Int?, Void>, _ a1: Int) {
  s.setParameter(a0, to: a1)
}
func use609(_ s: Query<Book>, _ a0: String, _ a1: Int) { s.setParameter(a0, to: a1) }
func use610(_ s: Query<Book>, _ a0: Property<Book, Int, Void>, _ a1: Int, _ a2: Int) {
  s.setParameters(a0, to: a1, a2)
}
func use611(_ s: Query<Book>, _ a0: Property<Book, Int?, Void>, _ a1: Int, _ a2: Int) {
  s.setParameters(a0, to: a1, a2)
}
func use612(_ s: Query<Book>, _ a0: String, _ a1: Int, _ a2: Int) {
  s.setParameters(a0, to: a1, a2)
}
func use613(_ s: Query<Book>, _ a0: Property<Book, Int, Void>, _ a1: [Int]) {
  s.setParameters(a0, to: a1)
}
func use614(_ s: Query<Book>, _ a0: Property<Book, Int?, Void>, _ a1: [Int]) {
  s.setParameters(a0, to: a1)
}
func use615(_ s: Query<Book>, _ a0: String, _ a1: [Int]) { s.setParameters(a0, to: a1) }
func use616(_ s: Query<Book>, _ a0: Property<Book, Bool, Void>, _ a1: Bool) {
  s.setParameter(a0, to: a1)
}
func use617(_ s: Query<Book>, _ a0: Property<Book, Bool?, Void>, _ a1: Bool) {
  s.setParameter(a0, to: a1)
}
func use618(_ s: Query<Book>, _ a0: String, _ a1: Bool) { s.setParameter(a0, to: a1) }
func use619(_ s: Query<Book>, _ a0: Property<Book, Double, Void>, _ a1: Double) {
  s.setParameter(a0, to: a1)
}
func use620(_ s: Query<Book>, _ a0: Property<Book, Double?, Void>, _ a1: Double) {
  s.setParameter(a0, to: a1)
}
func use621(_ s: Query<Book>, _ a0: Property<Book, Double, Void>, _ a1: Double, _ a2: Double) {
  s.setParameter(a0, toEqual: a1, tolerance: a2)
}
func use622(_ s: Query<Book>, _ a0: Property<Book, Double?, Void>, _ a1: Double, _ a2: Double) {
  s.setParameter(a0, toEqual: a1, tolerance: a2)
}
func use623(_ s: Query<Book>, _ a0: String, _ a1: Double, _ a2: Double) {
  s.setParameters(a0, toEqual: a1, tolerance: a2)
}
func use624(_ s: Query<Book>, _ a0: Property<Book, Double, Void>, _ a1: Double, _ a2: Double) {
  s.setParameters(a0, to: a1, a2)
}
func use625(_ s: Query<Book>, _ a0: Property<Book, Double?, Void>, _ a1: Double, _ a2: Double) {
  s.setParameters(a0, to: a1, a2)
}
func use626(_ s: Query<Book>, _ a0: Property<Book, FloatArrayPropertyType, Void>, _ a1: [Float]) {
  s.setParameter(a0, to: a1)
}
func use627(_ s: Query<Book>, _ a0: String, _ a1: [Float]) { s.setParameter(a0, to: a1) }
func use628(_ s: Query<Book>, _ a0: Property<Book, String, Void>, _ a1: String) {
  s.setParameter(a0, to: a1)
}
func use629(_ s: Query<Book>, _ a0: Property<Book, String?, Void>, _ a1: String) {
  s.setParameter(a0, to: a1)
}
func use630(_ s: Query<Book>, _ a0: Property<Book, String, Void>, _ a1: [String]) {
  s.setParameters(a0, to: a1)
}
func use631(_ s: Query<Book>, _ a0: Property<Book, String?, Void>, _ a1: [String]) {
  s.setParameters(a0, to: a1)
}
func use632(_ s: Query<Book>, _ a0: Property<Book, Date, Void>, _ a1: Date) {
  s.setParameter(a0, to: a1)
}
func use633(_ s: Query<Book>, _ a0: Property<Book, Date?, Void>, _ a1: Date) {
  s.setParameter(a0, to: a1)
}
func use634(_ s: Query<Book>, _ a0: String, _ a1: Date) { s.setParameter(a0, to: a1) }
func use635(_ s: Query<Book>, _ a0: Property<Book, Date, Void>, _ a1: [Date]) {
  s.setParameters(a0, to: a1)
}
func use636(_ s: Query<Book>, _ a0: Property<Book, Date?, Void>, _ a1: [Date]) {
  s.setParameters(a0, to: a1)
}
func use637(_ s: Query<Book>, _ a0: String, _ a1: [Date]) { s.setParameters(a0, to: a1) }
func use638(_ s: Query<Book>, _ a0: Property<Book, Date, Void>, _ a1: Date, _ a2: Date) {
  s.setParameters(a0, to: a1, a2)
}
func use639(_ s: Query<Book>, _ a0: Property<Book, Date?, Void>, _ a1: Date, _ a2: Date) {
  s.setParameters(a0, to: a1, a2)
}
func use640(_ s: Query<Book>, _ a0: String, _ a1: Date, _ a2: Date) {
  s.setParameters(a0, to: a1, a2)
}
func use641(_ s: Query<Book>, _ a0: Property<Book, Data, Void>, _ a1: Data) {
  s.setParameter(a0, to: a1)
}
func use642(_ s: Query<Book>, _ a0: Property<Book, Data?, Void>, _ a1: Data) {
  s.setParameter(a0, to: a1)
}
func use643(_ s: Query<Book>, _ a0: String, _ a1: Data) { s.setParameter(a0, to: a1) }

// MARK: - Query/Query.swift

func use644() { _ = Query<Book>.self }
func use645() {
  func f<T: CustomDebugStringConvertible>(_: T.Type) {}
  f(Query<Book>.self)
}
func use646() { let _: Book.Type = Query<Book>.EntityType.self }
func use647(_ s: Query<Book>, _ a0: Int, _ a1: Int) throws {
  let _: [Book] = try s.find(offset: a0, limit: a1)
  let _: [Book] = try s.find()
}
func use648(_ s: Query<Book>, _ a0: Int, _ a1: Int) throws {
  let _: ContiguousArray<Book> = try s.findContiguous(offset: a0, limit: a1)
  let _: ContiguousArray<Book> = try s.findContiguous()
}
func use649(_ s: Query<Book>, _ a0: Int, _ a1: Int) throws {
  let _: [EntityId<Book>] = try s.findIds(offset: a0, limit: a1)
  let _: [EntityId<Book>] = try s.findIds()
}
func use650(_ s: Query<Book>, _ a0: Int, _ a1: Int) throws {
  let _: [ObjectWithScore<Book>] = try s.findWithScores(offset: a0, limit: a1)
  let _: [ObjectWithScore<Book>] = try s.findWithScores()
}
func use651(_ s: Query<Book>, _ a0: Int, _ a1: Int) throws {
  let _: [IdWithScore] = try s.findIdsWithScores(offset: a0, limit: a1)
  let _: [IdWithScore] = try s.findIdsWithScores()
}
func use652(_ s: Query<Book>) throws { let _: UInt64 = try s.remove() }
func use653(_ s: Query<Book>) throws { let _: Book? = try s.findFirst() }
func use654(_ s: Query<Book>) throws { let _: Book? = try s.findUnique() }
func use655(_ s: Query<Book>) throws { let _: Int = try s.count() }
func use656(_ s: Query<Book>, _ a0: Property<Book, Int, Void>) {
  let _: PropertyQuery<Book, Int> = s.property(a0)
}
func use657(_ s: Query<Book>, _ a0: Property<Book, Int?, Void>) {
  let _: PropertyQuery<Book, Int> = s.property(a0)
}
func use658(_ s: Query<Book>, _ a0: Property<Book, Date, Void>) {
  let _: PropertyQuery<Book, Int64> = s.propertyInt64(a0)
}
func use659(_ s: Query<Book>, _ a0: Property<Book, Date?, Void>) {
  let _: PropertyQuery<Book, Int64> = s.propertyInt64(a0)
}
func use660(_ s: Query<Book>, _ a0: String, _ a1: String) { s.setParameter(a0, to: a1) }
func use661(_ s: Query<Book>, _ a0: String, _ a1: [String]) { s.setParameters(a0, to: a1) }
func use662(_ s: Query<Book>) { let _: String = s.debugDescription }

// MARK: - Query/QueryBuilder.swift

func use663() { _ = QueryBuilder<Book>.self }
func use664() { let _: Book.Type = QueryBuilder<Book>.EntityType.self }
func use665() { _ = QueryBuilder<Book>.QueryProperty<Int>.self }
func use666(_ s: QueryBuilder<Book>) throws { let _: Query<Book> = try s.build() }
func use667(_ s: QueryBuilder<Book>, _ a0: Property<Book, Int, Void>, _ a1: [OrderFlags]) {
  let _: QueryBuilder<Book> = s.ordered(by: a0, flags: a1)
  let _: QueryBuilder<Book> = s.ordered(by: a0)
}
func use668(_ s: QueryBuilder<Book>, _ a0: Property<Book, Int, Void>, _ a1: OrderFlags) {
  let _: QueryBuilder<Book> = s.ordered(by: a0, flags: a1)
}
func use669(_ s: QueryBuilder<Book>, _ a0: Property<Book, EntityId<Author>, Author>, _ a1: @escaping () -> QueryCondition<Author>) {
  let _: QueryBuilder<Book> = s.link(a0, conditions: a1)
}
func use670(_ s: QueryBuilder<Book>, _ a0: ToManyProperty<Book>, _ a1: @escaping () -> QueryCondition<Book>) {
  let _: QueryBuilder<Book> = s.link(a0, conditions: a1)
}

// MARK: - Query/QueryBuilderCondition.swift


// MARK: - Query/QueryConditions.swift

func use671() { _ = QueryCondition<Book>.self }
func use672() { let _: Book.Type = QueryCondition<Book>.EntityType.self }
func use673() { _ = PropertyQueryCondition<Book, Int>.self }
func use674() { let _: Book.Type = PropertyQueryCondition<Book, Int>.EntityType.self }
func use675() { let _: Int.Type = PropertyQueryCondition<Book, Int>.ValueType.self }
func use676(_ a0: QueryCondition<Book>, _ a1: QueryCondition<Book>) {
  let _: QueryCondition<Book> = a0 && a1
}
func use677(_ a0: QueryCondition<Book>, _ a1: QueryCondition<Book>) {
  let _: QueryCondition<Book> = a0 || a1
}
func use678(_ a0: Property<Book, EntityId<Author>, Author>, _ a1: EntityId<Author>) {
  let _: PropertyQueryCondition<Book, UInt64> = a0 == a1
}
func use679(_ s: Property<Book, EntityId<Author>, Author>, _ a0: Id) {
  let _: PropertyQueryCondition<Book, Id> = s.isEqual(to: a0)
}
func use680(_ s: Property<Book, Int, Void>) {
  let _: PropertyQueryCondition<Book, Int> = s.isNil()
}
func use681(_ s: Property<Book, Int, Void>) {
  let _: PropertyQueryCondition<Book, Int> = s.isNotNil()
}
func use682(_ a0: Property<Book, Bool, Void>, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, Bool> = a0 == a1
}
func use683(_ a0: Property<Book, Bool, Void>, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, Bool> = a0 != a1
}
func use684(_ a0: Property<Book, Bool?, Void>, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, Bool?> = a0 == a1
}
func use685(_ a0: Property<Book, Bool?, Void>, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, Bool?> = a0 != a1
}
func use686(_ s: Property<Book, Bool, Void>, _ a0: Bool) {
  let _: PropertyQueryCondition<Book, Bool> = s.isEqual(to: a0)
}
func use687(_ s: Property<Book, Bool, Void>, _ a0: Bool) {
  let _: PropertyQueryCondition<Book, Bool> = s.isNotEqual(to: a0)
}
func use688(_ s: Property<Book, Bool?, Void>, _ a0: Bool) {
  let _: PropertyQueryCondition<Book, Bool?> = s.isEqual(to: a0)
}
func use689(_ s: Property<Book, Bool?, Void>, _ a0: Bool) {
  let _: PropertyQueryCondition<Book, Bool?> = s.isNotEqual(to: a0)
}
func use690(_ a0: Property<Book, Int, Void>, _ a1: Int) {
  let _: PropertyQueryCondition<Book, Int> = a0 == a1
}
func use691(_ a0: Property<Book, Int, Void>, _ a1: Int) {
  let _: PropertyQueryCondition<Book, Int> = a0 != a1
}
func use692(_ a0: Property<Book, Int, Void>, _ a1: Int) {
  let _: PropertyQueryCondition<Book, Int> = a0 < a1
}
func use693(_ a0: Property<Book, Int, Void>, _ a1: Int) {
  let _: PropertyQueryCondition<Book, Int> = a0 > a1
}
func use694(_ a0: Property<Book, Int, Void>, _ a1: Int) {
  let _: PropertyQueryCondition<Book, Int> = a0 <= a1
}
func use695(_ a0: Property<Book, Int, Void>, _ a1: Int) {
  let _: PropertyQueryCondition<Book, Int> = a0 >= a1
}
func use696(_ a0: Property<Book, Int, Void>, _ a1: Range<Int>) {
  let _: PropertyQueryCondition<Book, Int> = a0 ∈ a1
}
func use697(_ a0: Property<Book, Int, Void>, _ a1: ClosedRange<Int>) {
  let _: PropertyQueryCondition<Book, Int> = a0 ∈ a1
}
func use698(_ a0: Property<Book, Int, Void>, _ a1: [Int]) {
  let _: PropertyQueryCondition<Book, Int> = a0 ∈ a1
}
func use699(_ a0: Property<Book, Int, Void>, _ a1: [Int]) {
  let _: PropertyQueryCondition<Book, Int> = a0 ∉ a1
}
func use700(_ s: Property<Book, Int, Void>, _ a0: Int) {
  let _: PropertyQueryCondition<Book, Int> = s.isEqual(to: a0)
}
func use701(_ s: Property<Book, UInt16, Void>, _ a0: UInt16) {
  let _: PropertyQueryCondition<Book, UInt16> = s.isEqual(to: a0)
}
func use702(_ s: Property<Book, Int, Void>, _ a0: Int) {
  let _: PropertyQueryCondition<Book, Int> = s.isNotEqual(to: a0)
}
func use703(_ s: Property<Book, UInt16, Void>, _ a0: UInt16) {
  let _: PropertyQueryCondition<Book, UInt16> = s.isNotEqual(to: a0)
}
func use704(_ s: Property<Book, Int, Void>, _ a0: Int) {
  let _: PropertyQueryCondition<Book, Int> = s.isLessThan(a0)
}
func use705(_ s: Property<Book, UInt16, Void>, _ a0: UInt16) {
  let _: PropertyQueryCondition<Book, UInt16> = s.isLessThan(a0)
}
func use706(_ s: Property<Book, Int, Void>, _ a0: Int) {
  let _: PropertyQueryCondition<Book, Int> = s.isGreaterThan(a0)
}
func use707(_ s: Property<Book, UInt16, Void>, _ a0: UInt16) {
  let _: PropertyQueryCondition<Book, UInt16> = s.isGreaterThan(a0)
}
func use708(_ s: Property<Book, Int, Void>, _ a0: Int) {
  let _: PropertyQueryCondition<Book, Int> = s.isGreaterOrEqual(a0)
}
func use709(_ s: Property<Book, UInt16, Void>, _ a0: UInt16) {
  let _: PropertyQueryCondition<Book, UInt16> = s.isGreaterOrEqual(a0)
}
func use710(_ s: Property<Book, Int, Void>, _ a0: Int) {
  let _: PropertyQueryCondition<Book, Int> = s.isLessOrEqual(a0)
}
func use711(_ s: Property<Book, UInt16, Void>, _ a0: UInt16) {
  let _: PropertyQueryCondition<Book, UInt16> = s.isLessOrEqual(a0)
}
func use712(_ s: Property<Book, Int, Void>, _ a0: Int, _ a1: Int) {
  let _: PropertyQueryCondition<Book, Int> = s.isBetween(a0, and: a1)
}
func use713(_ s: Property<Book, UInt16, Void>, _ a0: UInt16, _ a1: UInt16) {
  let _: PropertyQueryCondition<Book, UInt16> = s.isBetween(a0, and: a1)
}
func use714(_ s: Property<Book, Int, Void>, _ a0: ClosedRange<Int>) {
  let _: PropertyQueryCondition<Book, Int> = s.isIn(a0)
}
func use715(_ s: Property<Book, UInt16, Void>, _ a0: ClosedRange<UInt16>) {
  let _: PropertyQueryCondition<Book, UInt16> = s.isIn(a0)
}
func use716(_ s: Property<Book, Int, Void>, _ a0: Range<Int>) {
  let _: PropertyQueryCondition<Book, Int> = s.isIn(a0)
}
func use717(_ s: Property<Book, UInt16, Void>, _ a0: Range<UInt16>) {
  let _: PropertyQueryCondition<Book, UInt16> = s.isIn(a0)
}
func use718(_ s: Property<Book, Int, Void>, _ a0: [Int]) {
  let _: PropertyQueryCondition<Book, Int> = s.isIn(a0)
}
func use719(_ s: Property<Book, UInt16, Void>, _ a0: [UInt16]) {
  let _: PropertyQueryCondition<Book, UInt16> = s.isIn(a0)
}
func use720(_ s: Property<Book, Int, Void>, _ a0: [Int]) {
  let _: PropertyQueryCondition<Book, Int> = s.isNotIn(a0)
}
func use721(_ s: Property<Book, UInt16, Void>, _ a0: [UInt16]) {
  let _: PropertyQueryCondition<Book, UInt16> = s.isNotIn(a0)
}
func use722(_ a0: Property<Book, Int?, Void>, _ a1: Int) {
  let _: PropertyQueryCondition<Book, Int> = a0 == a1
}
func use723(_ a0: Property<Book, Int?, Void>, _ a1: Int) {
  let _: PropertyQueryCondition<Book, Int> = a0 != a1
}
func use724(_ a0: Property<Book, Int?, Void>, _ a1: Int) {
  let _: PropertyQueryCondition<Book, Int> = a0 < a1
}
func use725(_ a0: Property<Book, Int?, Void>, _ a1: Int) {
  let _: PropertyQueryCondition<Book, Int> = a0 > a1
}
func use726(_ a0: Property<Book, Int?, Void>, _ a1: Int) {
  let _: PropertyQueryCondition<Book, Int> = a0 <= a1
}
func use727(_ a0: Property<Book, Int?, Void>, _ a1: Int) {
  let _: PropertyQueryCondition<Book, Int> = a0 >= a1
}
func use728(_ a0: Property<Book, Int?, Void>, _ a1: Range<Int>) {
  let _: PropertyQueryCondition<Book, Int> = a0 ∈ a1
}
func use729(_ a0: Property<Book, Int?, Void>, _ a1: ClosedRange<Int>) {
  let _: PropertyQueryCondition<Book, Int> = a0 ∈ a1
}
func use730(_ a0: Property<Book, Int?, Void>, _ a1: [Int]) {
  let _: PropertyQueryCondition<Book, Int> = a0 ∈ a1
}
func use731(_ a0: Property<Book, Int?, Void>, _ a1: [Int]) {
  let _: PropertyQueryCondition<Book, Int> = a0 ∉ a1
}
func use732(_ a0: Property<Book, Double, Void>, _ a1: Double) {
  let _: PropertyQueryCondition<Book, Double> = a0 < a1
}
func use733(_ a0: Property<Book, Double, Void>, _ a1: Double) {
  let _: PropertyQueryCondition<Book, Double> = a0 > a1
}
func use734(_ a0: Property<Book, Double?, Void>, _ a1: Double) {
  let _: PropertyQueryCondition<Book, Double> = a0 < a1
}
func use735(_ a0: Property<Book, Double?, Void>, _ a1: Double) {
  let _: PropertyQueryCondition<Book, Double> = a0 > a1
}
func use736(_ a0: Property<Book, Double, Void>, _ a1: Double) {
  let _: PropertyQueryCondition<Book, Double> = a0 <= a1
}
func use737(_ a0: Property<Book, Double?, Void>, _ a1: Double) {
  let _: PropertyQueryCondition<Book, Double> = a0 <= a1
}
func use738(_ a0: Property<Book, Double, Void>, _ a1: Double) {
  let _: PropertyQueryCondition<Book, Double> = a0 >= a1
}
func use739(_ a0: Property<Book, Double?, Void>, _ a1: Double) {
  let _: PropertyQueryCondition<Book, Double> = a0 >= a1
}
func use740(_ s: Property<Book, Double, Void>, _ a0: Double, _ a1: Double) {
  let _: PropertyQueryCondition<Book, Double> = s.isEqual(to: a0, tolerance: a1)
}
func use741(_ s: Property<Book, Float, Void>, _ a0: Float, _ a1: Float) {
  let _: PropertyQueryCondition<Book, Float> = s.isEqual(to: a0, tolerance: a1)
}
func use742(_ s: Property<Book, Double, Void>, _ a0: Double) {
  let _: PropertyQueryCondition<Book, Double> = s.isLessThan(a0)
}
func use743(_ s: Property<Book, Float, Void>, _ a0: Float) {
  let _: PropertyQueryCondition<Book, Float> = s.isLessThan(a0)
}
func use744(_ s: Property<Book, Double, Void>, _ a0: Double) {
  let _: PropertyQueryCondition<Book, Double> = s.isGreaterThan(a0)
}
func use745(_ s: Property<Book, Float, Void>, _ a0: Float) {
  let _: PropertyQueryCondition<Book, Float> = s.isGreaterThan(a0)
}
func use746(_ s: Property<Book, Double, Void>, _ a0: Double) {
  let _: PropertyQueryCondition<Book, Double> = s.isLessOrEqual(a0)
}
func use747(_ s: Property<Book, Float, Void>, _ a0: Float) {
  let _: PropertyQueryCondition<Book, Float> = s.isLessOrEqual(a0)
}
func use748(_ s: Property<Book, Double, Void>, _ a0: Double) {
  let _: PropertyQueryCondition<Book, Double> = s.isGreaterOrEqual(a0)
}
func use749(_ s: Property<Book, Float, Void>, _ a0: Float) {
  let _: PropertyQueryCondition<Book, Float> = s.isGreaterOrEqual(a0)
}
func use750(_ s: Property<Book, Double, Void>, _ a0: Double, _ a1: Double) {
  let _: PropertyQueryCondition<Book, Double> = s.isBetween(a0, and: a1)
}
func use751(_ s: Property<Book, Float, Void>, _ a0: Float, _ a1: Float) {
  let _: PropertyQueryCondition<Book, Float> = s.isBetween(a0, and: a1)
}
func use752(_ a0: Property<Book, String, Void>, _ a1: String) {
  let _: PropertyQueryCondition<Book, String> = a0 == a1
}
func use753(_ a0: Property<Book, String, Void>, _ a1: String) {
  let _: PropertyQueryCondition<Book, String> = a0 != a1
}
func use754(_ a0: Property<Book, String, Void>, _ a1: String) {
  let _: PropertyQueryCondition<Book, String> = a0 < a1
}
func use755(_ a0: Property<Book, String, Void>, _ a1: String) {
  let _: PropertyQueryCondition<Book, String> = a0 > a1
}
func use756(_ a0: Property<Book, String, Void>, _ a1: [String]) {
  let _: PropertyQueryCondition<Book, String> = a0 ∈ a1
}
func use757(_ a0: Property<Book, String?, Void>, _ a1: String) {
  let _: PropertyQueryCondition<Book, String?> = a0 == a1
}
func use758(_ a0: Property<Book, String?, Void>, _ a1: String) {
  let _: PropertyQueryCondition<Book, String?> = a0 != a1
}
func use759(_ a0: Property<Book, String?, Void>, _ a1: String) {
  let _: PropertyQueryCondition<Book, String?> = a0 < a1
}
func use760(_ a0: Property<Book, String?, Void>, _ a1: String) {
  let _: PropertyQueryCondition<Book, String?> = a0 > a1
}
func use761(_ a0: Property<Book, String?, Void>, _ a1: [String]) {
  let _: PropertyQueryCondition<Book, String?> = a0 ∈ a1
}
func use762(_ s: Property<Book, String, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String> = s.isEqual(to: a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String> = s.isEqual(to: a0)
}
func use763(_ s: Property<Book, String?, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String?> = s.isEqual(to: a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String?> = s.isEqual(to: a0)
}
func use764(_ s: Property<Book, String, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String> = s.isNotEqual(to: a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String> = s.isNotEqual(to: a0)
}
func use765(_ s: Property<Book, String?, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String?> = s.isNotEqual(to: a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String?> = s.isNotEqual(to: a0)
}
func use766(_ s: Property<Book, String, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String> = s.isLessThan(a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String> = s.isLessThan(a0)
}
func use767(_ s: Property<Book, String?, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String?> = s.isLessThan(a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String?> = s.isLessThan(a0)
}
func use768(_ s: Property<Book, String, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String> = s.isGreaterThan(a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String> = s.isGreaterThan(a0)
}
func use769(_ s: Property<Book, String?, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String?> = s.isGreaterThan(a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String?> = s.isGreaterThan(a0)
}
func use770(_ s: Property<Book, String, Void>, _ a0: [String], _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String> = s.isIn(a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String> = s.isIn(a0)
}
func use771(_ s: Property<Book, String?, Void>, _ a0: [String], _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String?> = s.isIn(a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String?> = s.isIn(a0)
}
func use772(_ s: Property<Book, String, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String> = s.hasPrefix(a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String> = s.hasPrefix(a0)
}
func use773(_ s: Property<Book, String?, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String?> = s.hasPrefix(a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String?> = s.hasPrefix(a0)
}
func use774(_ s: Property<Book, String, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String> = s.startsWith(a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String> = s.startsWith(a0)
}
func use775(_ s: Property<Book, String?, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String?> = s.startsWith(a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String?> = s.startsWith(a0)
}
func use776(_ s: Property<Book, String, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String> = s.hasSuffix(a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String> = s.hasSuffix(a0)
}
func use777(_ s: Property<Book, String?, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String?> = s.hasSuffix(a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String?> = s.hasSuffix(a0)
}
func use778(_ s: Property<Book, String, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String> = s.endsWith(a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String> = s.endsWith(a0)
}
func use779(_ s: Property<Book, String?, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String?> = s.endsWith(a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String?> = s.endsWith(a0)
}
func use780(_ s: Property<Book, String, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String> = s.contains(a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String> = s.contains(a0)
}
func use781(_ s: Property<Book, String?, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, String?> = s.contains(a0, caseSensitive: a1)
  let _: PropertyQueryCondition<Book, String?> = s.contains(a0)
}
func use782(_ a0: Property<Book, Data, Void>, _ a1: Data) {
  let _: PropertyQueryCondition<Book, Data> = a0 == a1
}
func use783(_ a0: Property<Book, Data, Void>, _ a1: Data) {
  let _: PropertyQueryCondition<Book, Data> = a0 < a1
}
func use784(_ a0: Property<Book, Data, Void>, _ a1: Data) {
  let _: PropertyQueryCondition<Book, Data> = a0 <= a1
}
func use785(_ a0: Property<Book, Data, Void>, _ a1: Data) {
  let _: PropertyQueryCondition<Book, Data> = a0 > a1
}
func use786(_ a0: Property<Book, Data, Void>, _ a1: Data) {
  let _: PropertyQueryCondition<Book, Data> = a0 >= a1
}
func use787(_ a0: Property<Book, Data?, Void>, _ a1: Data) {
  let _: PropertyQueryCondition<Book, Data?> = a0 == a1
}
func use788(_ a0: Property<Book, Data?, Void>, _ a1: Data) {
  let _: PropertyQueryCondition<Book, Data?> = a0 < a1
}
func use789(_ a0: Property<Book, Data?, Void>, _ a1: Data) {
  let _: PropertyQueryCondition<Book, Data?> = a0 > a1
}
func use790(_ s: Property<Book, Data, Void>, _ a0: Data) {
  let _: PropertyQueryCondition<Book, Data> = s.isEqual(to: a0)
}
func use791(_ s: Property<Book, Data?, Void>, _ a0: Data) {
  let _: PropertyQueryCondition<Book, Data?> = s.isEqual(to: a0)
}
func use792(_ s: Property<Book, Data, Void>, _ a0: Data) {
  let _: PropertyQueryCondition<Book, Data> = s.isLessThan(a0)
}
func use793(_ s: Property<Book, Data?, Void>, _ a0: Data) {
  let _: PropertyQueryCondition<Book, Data?> = s.isLessThan(a0)
}
func use794(_ s: Property<Book, Data, Void>, _ a0: Data) {
  let _: PropertyQueryCondition<Book, Data> = s.isLessThanEqual(a0)
}
func use795(_ s: Property<Book, Data?, Void>, _ a0: Data) {
  let _: PropertyQueryCondition<Book, Data?> = s.isLessThanEqual(a0)
}
func use796(_ s: Property<Book, Data, Void>, _ a0: Data) {
  let _: PropertyQueryCondition<Book, Data> = s.isGreaterThan(a0)
}
func use797(_ s: Property<Book, Data?, Void>, _ a0: Data) {
  let _: PropertyQueryCondition<Book, Data?> = s.isGreaterThan(a0)
}
func use798(_ s: Property<Book, Data, Void>, _ a0: Data) {
  let _: PropertyQueryCondition<Book, Data> = s.isGreaterThanEqual(a0)
}
func use799(_ s: Property<Book, Data?, Void>, _ a0: Data) {
  let _: PropertyQueryCondition<Book, Data?> = s.isGreaterThanEqual(a0)
}
func use800(_ a0: Property<Book, Date, Void>, _ a1: Date) {
  let _: PropertyQueryCondition<Book, Date> = a0 == a1
}
func use801(_ a0: Property<Book, Date, Void>, _ a1: Date) {
  let _: PropertyQueryCondition<Book, Date> = a0 != a1
}
func use802(_ a0: Property<Book, Date, Void>, _ a1: Date) {
  let _: PropertyQueryCondition<Book, Date> = a0 < a1
}
func use803(_ a0: Property<Book, Date, Void>, _ a1: Date) {
  let _: PropertyQueryCondition<Book, Date> = a0 > a1
}
func use804(_ a0: Property<Book, Date, Void>, _ a1: Range<Date>) {
  let _: PropertyQueryCondition<Book, Date> = a0 ∈ a1
}
func use805(_ a0: Property<Book, Date, Void>, _ a1: ClosedRange<Date>) {
  let _: PropertyQueryCondition<Book, Date> = a0 ∈ a1
}
func use806(_ a0: Property<Book, Date, Void>, _ a1: [Date]) {
  let _: PropertyQueryCondition<Book, Date> = a0 ∈ a1
}
func use807(_ a0: Property<Book, Date, Void>, _ a1: [Date]) {
  let _: PropertyQueryCondition<Book, Date> = a0 ∉ a1
}
func use808(_ s: Property<Book, Date, Void>, _ a0: Date) {
  let _: PropertyQueryCondition<Book, Date> = s.isEqual(to: a0)
}
func use809(_ s: Property<Book, Date, Void>, _ a0: Date) {
  let _: PropertyQueryCondition<Book, Date> = s.isNotEqual(to: a0)
}
func use810(_ s: Property<Book, Date, Void>, _ a0: Date, _ a1: Date) {
  let _: PropertyQueryCondition<Book, Date> = s.isBetween(a0, and: a1)
}
func use811(_ s: Property<Book, Date, Void>, _ a0: Range<Date>) {
  let _: PropertyQueryCondition<Book, Date> = s.isIn(a0)
}
func use812(_ s: Property<Book, Date, Void>, _ a0: ClosedRange<Date>) {
  let _: PropertyQueryCondition<Book, Date> = s.isIn(a0)
}
func use813(_ s: Property<Book, Date, Void>, _ a0: [Date]) {
  let _: PropertyQueryCondition<Book, Date> = s.isIn(a0)
}
func use814(_ s: Property<Book, Date, Void>, _ a0: [Date]) {
  let _: PropertyQueryCondition<Book, Date> = s.isNotIn(a0)
}
func use815(_ s: Property<Book, Date, Void>, _ a0: Date) {
  let _: PropertyQueryCondition<Book, Date> = s.isBefore(a0)
}
func use816(_ s: Property<Book, Date, Void>, _ a0: Date) {
  let _: PropertyQueryCondition<Book, Date> = s.isAfter(a0)
}
func use817(_ a0: Property<Book, Date?, Void>, _ a1: Date) {
  let _: PropertyQueryCondition<Book, Date?> = a0 == a1
}
func use818(_ a0: Property<Book, Date?, Void>, _ a1: Date) {
  let _: PropertyQueryCondition<Book, Date?> = a0 != a1
}
func use819(_ a0: Property<Book, Date?, Void>, _ a1: Date) {
  let _: PropertyQueryCondition<Book, Date?> = a0 < a1
}
func use820(_ a0: Property<Book, Date?, Void>, _ a1: Date) {
  let _: PropertyQueryCondition<Book, Date?> = a0 > a1
}
func use821(_ a0: Property<Book, Date?, Void>, _ a1: Range<Date>) {
  let _: PropertyQueryCondition<Book, Date?> = a0 ∈ a1
}
func use822(_ a0: Property<Book, Date?, Void>, _ a1: ClosedRange<Date>) {
  let _: PropertyQueryCondition<Book, Date?> = a0 ∈ a1
}
func use823(_ a0: Property<Book, Date?, Void>, _ a1: [Date]) {
  let _: PropertyQueryCondition<Book, Date?> = a0 ∈ a1
}
func use824(_ a0: Property<Book, Date?, Void>, _ a1: [Date]) {
  let _: PropertyQueryCondition<Book, Date?> = a0 ∉ a1
}
func use825(_ s: Property<Book, Date?, Void>, _ a0: Date) {
  let _: PropertyQueryCondition<Book, Date?> = s.isEqual(to: a0)
}
func use826(_ s: Property<Book, Date?, Void>, _ a0: Date) {
  let _: PropertyQueryCondition<Book, Date?> = s.isNotEqual(to: a0)
}
func use827(_ s: Property<Book, Date?, Void>, _ a0: Date, _ a1: Date) {
  let _: PropertyQueryCondition<Book, Date?> = s.isBetween(a0, and: a1)
}
func use828(_ s: Property<Book, Date?, Void>, _ a0: Range<Date>) {
  let _: PropertyQueryCondition<Book, Date?> = s.isIn(a0)
}
func use829(_ s: Property<Book, Date?, Void>, _ a0: ClosedRange<Date>) {
  let _: PropertyQueryCondition<Book, Date?> = s.isIn(a0)
}
func use830(_ s: Property<Book, Date?, Void>, _ a0: [Date]) {
  let _: PropertyQueryCondition<Book, Date?> = s.isIn(a0)
}
func use831(_ s: Property<Book, Date?, Void>, _ a0: [Date]) {
  let _: PropertyQueryCondition<Book, Date?> = s.isNotIn(a0)
}
func use832(_ s: Property<Book, Date?, Void>, _ a0: Date) {
  let _: PropertyQueryCondition<Book, Date?> = s.isBefore(a0)
}
func use833(_ s: Property<Book, Date?, Void>, _ a0: Date) {
  let _: PropertyQueryCondition<Book, Date?> = s.isAfter(a0)
}
func use834(_ s: Property<Book, Int32ArrayPropertyType, Void>, _ a0: Int32) {
  let _: PropertyQueryCondition<Book, Int32ArrayPropertyType> = s.isEqual(to: a0)
}
func use835(_ s: Property<Book, Int32ArrayPropertyType, Void>, _ a0: Int32) {
  let _: PropertyQueryCondition<Book, Int32ArrayPropertyType> = s.isLessThan(a0)
}
func use836(_ s: Property<Book, Int32ArrayPropertyType, Void>, _ a0: Int32) {
  let _: PropertyQueryCondition<Book, Int32ArrayPropertyType> = s.isGreaterThan(a0)
}
func use837(_ s: Property<Book, Int32ArrayPropertyType, Void>, _ a0: Int32) {
  let _: PropertyQueryCondition<Book, Int32ArrayPropertyType> = s.isGreaterOrEqual(a0)
}
func use838(_ s: Property<Book, Int32ArrayPropertyType, Void>, _ a0: Int32) {
  let _: PropertyQueryCondition<Book, Int32ArrayPropertyType> = s.isLessOrEqual(a0)
}
func use839(_ s: Property<Book, Int64ArrayPropertyType, Void>, _ a0: Int64) {
  let _: PropertyQueryCondition<Book, Int64ArrayPropertyType> = s.isEqual(to: a0)
}
func use840(_ s: Property<Book, Int64ArrayPropertyType, Void>, _ a0: Int64) {
  let _: PropertyQueryCondition<Book, Int64ArrayPropertyType> = s.isLessThan(a0)
}
func use841(_ s: Property<Book, Int64ArrayPropertyType, Void>, _ a0: Int64) {
  let _: PropertyQueryCondition<Book, Int64ArrayPropertyType> = s.isGreaterThan(a0)
}
func use842(_ s: Property<Book, Int64ArrayPropertyType, Void>, _ a0: Int64) {
  let _: PropertyQueryCondition<Book, Int64ArrayPropertyType> = s.isGreaterOrEqual(a0)
}
func use843(_ s: Property<Book, Int64ArrayPropertyType, Void>, _ a0: Int64) {
  let _: PropertyQueryCondition<Book, Int64ArrayPropertyType> = s.isLessOrEqual(a0)
}
func use844(_ s: Property<Book, FloatArrayPropertyType, Void>, _ a0: Float) {
  let _: PropertyQueryCondition<Book, FloatArrayPropertyType> = s.isLessThan(a0)
}
func use845(_ s: Property<Book, FloatArrayPropertyType, Void>, _ a0: Float) {
  let _: PropertyQueryCondition<Book, FloatArrayPropertyType> = s.isGreaterThan(a0)
}
func use846(_ s: Property<Book, FloatArrayPropertyType, Void>, _ a0: Float) {
  let _: PropertyQueryCondition<Book, FloatArrayPropertyType> = s.isGreaterOrEqual(a0)
}
func use847(_ s: Property<Book, FloatArrayPropertyType, Void>, _ a0: Float) {
  let _: PropertyQueryCondition<Book, FloatArrayPropertyType> = s.isLessOrEqual(a0)
}
func use848(_ s: Property<Book, HnswIndexPropertyType, Void>, _ a0: [Float], _ a1: Int) {
  let _: PropertyQueryCondition<Book, HnswIndexPropertyType> = s.nearestNeighbors(queryVector: a0, maxCount: a1)
}
func use849(_ s: Property<Book, StringArrayPropertyType, Void>, _ a0: String, _ a1: Bool) {
  let _: PropertyQueryCondition<Book, StringArrayPropertyType> = s.containsElement(element: a0, caseSensitive: a1)
}

// MARK: - Relation/LazyProxyRelation.swift


// MARK: - Relation/ToMany.swift

func use850() { _ = ToMany<Book>.self }
func use851() {
  func f<T: ExpressibleByNilLiteral>(_: T.Type) {}
  f(ToMany<Book>.self)
}
func use852() { let _: Book.Type = ToMany<Book>.ReferencedType.self }
func use853(_ s: ToMany<Book>) { let _: Bool = s.resolved }
func use854(_ s: ToMany<Book>) { let _: Bool = s.hasPendingDbChanges }
func use855() { let _: ToMany<Book> = nil }
func use856(_ a0: Box<Book>, _ a1: Property<Book, EntityId<Author>, Author>, _ a2: EntityId<Author>) {
  let _: ToMany<Book> = ToMany<Book>.backlink(sourceBox: a0, sourceProperty: a1, targetId: a2)
}
func use857(_ a0: EntityId<Author>, _ a1: Box<Book>, _ a2: obx_schema_id) {
  let _: ToMany<Book> = ToMany<Book>.relation(sourceId: a0, targetBox: a1, relationId: a2)
}
func use858(_ a0: Box<Book>, _ a1: EntityId<Author>, _ a2: obx_schema_id) {
  let _: ToMany<Book> = ToMany<Book>.backlink(sourceBox: a0, targetId: a1, relationId: a2)
}
func use859(_ s: ToMany<Book>) { s.reset() }
func use860(_ s: ToMany<Book>) throws { try s.applyToDb() }
func use861(_ s: ToMany<Book>) { let _: Bool = s.canInteractWithDb }
func use862(_ s: ToMany<Book>) throws { try s.resolveFromDb() }
func use863(_ s: ToMany<Book>) throws { let _: [Book] = try s.getUncachedFromDb() }
func use864(_ s: ToMany<Book>) throws { let _: [Id] = try s.getUncachedIdsFromDb() }
func use865(_ s: ToMany<Book>, _ a0: ArraySlice<Book>) { s.replace(a0) }
func use866() {
  func f<T: RandomAccessCollection>(_: T.Type) {}
  f(ToMany<Book>.self)
}
func use867() { let _: Int.Type = ToMany<Book>.Index.self }
func use868(_ s: ToMany<Book>) { let _: Int = s.startIndex }
func use869(_ s: ToMany<Book>) { let _: Int = s.endIndex }
func use870(_ s: ToMany<Book>, _ a0: Int) { let _: Int = s.index(after: a0) }
func use871(_ s: ToMany<Book>, _ a0: Int) { let _: Int = s.index(before: a0) }
func use872(_ s: ToMany<Book>, _ a0: Int) { let _: Book = s[a0] }
func use873() {
  func f<T: RangeReplaceableCollection>(_: T.Type) {}
  f(ToMany<Book>.self)
}
func use874() { _ = ToMany<Book>() }
func use875(_ s: ToMany<Book>, _ a0: Range<Int>, _ a1: ArraySlice<Book>) {
  s.replaceSubrange(a0, with: a1)
}
func use876(_ s: ToMany<Book>, _ a0: Bool) {
  s.removeAll(keepingCapacity: a0)
  s.removeAll()
}
func use877(_ s: ToMany<Book>, _ a0: @escaping (Book) throws -> Bool) throws {
  try s.removeAll(where: a0)
}
func use878() {
  func f<T: CustomStringConvertible>(_: T.Type) {}
  f(ToMany<Book>.self)
}
func use879(_ s: ToMany<Book>) { let _: String = s.description }
func use880() {
  func f<T: CustomDebugStringConvertible>(_: T.Type) {}
  f(ToMany<Book>.self)
}
func use881(_ s: ToMany<Book>) { let _: String = s.debugDescription }

// MARK: - Relation/ToOne.swift

func use882() { _ = ToOne<Author>.self }
func use883() {
  func f<T: ExpressibleByNilLiteral>(_: T.Type) {}
  f(ToOne<Author>.self)
}
func use884() { let _: Author.Type = ToOne<Author>.Target.self }
func use885(_ s: ToOne<Author>) { let _: Bool = s.hasValue }
func use886(_ s: ToOne<Author>) { let _: Author? = s.target }
func use887(_ s: ToOne<Author>) { let _: EntityId<Author>? = s.targetId }
func use888() { let _: ToOne<Author> = nil }
func use889(_ a0: Author?) { _ = ToOne<Author>(a0) }
func use890(_ s: ToOne<Author>, _ a0: Box<Author>) { s.attach(to: a0) }
func use891(_ s: ToOne<Author>) { s.reset() }
func use892() {
  func f<T: CustomStringConvertible>(_: T.Type) {}
  f(ToOne<Author>.self)
}
func use893(_ s: ToOne<Author>) { let _: String = s.description }
func use894() {
  func f<T: CustomDebugStringConvertible>(_: T.Type) {}
  f(ToOne<Author>.self)
}
func use895(_ s: ToOne<Author>) { let _: String = s.debugDescription }

// MARK: - Store+SwiftRefinedAPI.swift

func use896(_ s: Store, _ a0: @escaping () throws -> Int) throws {
  let _: Int = try s.runInTransaction(a0)
}
func use897(_ s: Store, _ a0: @escaping () throws -> Void) throws { try s.runInTransaction(a0) }
func use898(_ s: Store, _ a0: @escaping () throws -> Int) throws {
  let _: Int = try s.runInReadOnlyTransaction(a0)
}
func use899(_ s: Store, _ a0: @escaping () throws -> Void) throws {
  try s.runInReadOnlyTransaction(a0)
}

// MARK: - Store.swift

func use900() { _ = Store.self }
func use901() {
  func f<T: CustomDebugStringConvertible>(_: T.Type) {}
  f(Store.self)
}
func use902(_ s: Store) { let _: String = s.directoryPath }
func use903() { _ = Store.version }
func use904() { _ = Store.inMemoryPrefix }
func use905() { let _: String = Store.versionAll }
func use906() { let _: String = Store.versionFullInfo }
func use907() { let _: String = Store.versionLib }
func use908() { let _: String = Store.versionCore }
func use909(_ a0: String) throws { let _: Store = try Store.attachTo(directory: a0) }
func use910(_ a0: String) throws { let _: Bool = try Store.isOpen(directory: a0) }
func use911(_ a0: OpaquePointer, _ a1: String, _ a2: UInt64, _ a3: UInt32, _ a4: UInt32, _ a5: Bool) throws {
  _ = try Store(model: a0, directory: a1, maxDbSizeInKByte: a2, fileMode: a3, maxReaders: a4, readOnly: a5)
  _ = try Store(model: a0)
}
func use912(_ s: Store) { s.close() }
func use913(_ s: Store) throws { let _: Store = try s.clone() }
func use914(_ s: Store, _ a0: Author.Type) {
  let _: Box<Author> = s.box(for: a0)
  let _: Box<Author> = s.box()
}
func use915(_ s: Store) throws { try s.closeAndDeleteAllFiles() }
func use916(_ s: Store, _ a0: String, _ a1: @escaping () -> Book) {
  let _: Book = s.lazyAttachedObject(key: a0, creationBlock: a1)
}
func use917(_ s: Store) { let _: String = s.debugDescription }
func use918(_ s: Store, _ a0: @escaping () throws -> Int) throws {
  let _: Int = try s.runInTransaction(a0)
}
func use919(_ s: Store, _ a0: @escaping () throws -> Void) throws { try s.runInTransaction(a0) }
func use920(_ s: Store, _ a0: @escaping () throws -> Int) throws {
  let _: Int = try s.runInReadOnlyTransaction(a0)
}
func use921(_ s: Store, _ a0: @escaping () throws -> Void) throws {
  try s.runInReadOnlyTransaction(a0)
}
