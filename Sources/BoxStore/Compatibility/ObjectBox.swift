/// The names of this library as code for ObjectBox writes them: `ObjectBox.Store`, `ObjectBox.Box<Note>`.
public enum ObjectBox {
  /// ``BoxStore/AsyncBox``.
  public typealias AsyncBox<E: EntityInspectable & __EntityRelatable> = BoxStore.AsyncBox<E>
  where E == E.EntityBindingType.EntityType
  /// ``BoxStore/Box``.
  public typealias Box<E: EntityInspectable & __EntityRelatable> = BoxStore.Box<E>
  where E == E.EntityBindingType.EntityType
  /// ``BoxStore/Byte``.
  public typealias Byte = BoxStore.Byte
  /// ``BoxStore/Entity``.
  public typealias Entity = BoxStore.Entity
  /// ``BoxStore/EntityBinding``.
  public typealias EntityBinding = BoxStore.EntityBinding
  /// ``BoxStore/EntityBuilder``.
  public typealias EntityBuilder<T> = BoxStore.EntityBuilder<T>
  /// ``BoxStore/EntityFlags``.
  public typealias EntityFlags = BoxStore.EntityFlags
  /// ``BoxStore/EntityId``.
  public typealias EntityId<R: BoxStore.Entity> = BoxStore.EntityId<R>
  /// ``BoxStore/EntityInfo``.
  public typealias EntityInfo = BoxStore.EntityInfo
  /// ``BoxStore/EntityInspectable``.
  public typealias EntityInspectable = BoxStore.EntityInspectable
  /// ``BoxStore/EntityPropertyTypeConvertible``.
  public typealias EntityPropertyTypeConvertible = BoxStore.EntityPropertyTypeConvertible
  /// ``BoxStore/EntityReader``.
  public typealias EntityReader = BoxStore.EntityReader
  /// ``BoxStore/ExternalPropertyType``.
  public typealias ExternalPropertyType = BoxStore.ExternalPropertyType
  /// ``BoxStore/FlatBufferBuilder``.
  public typealias FlatBufferBuilder = BoxStore.FlatBufferBuilder
  /// ``BoxStore/FlatBufferReader``.
  public typealias FlatBufferReader = BoxStore.FlatBufferReader
  /// ``BoxStore/HnswDistanceType``.
  public typealias HnswDistanceType = BoxStore.HnswDistanceType
  /// ``BoxStore/HnswFlags``.
  public typealias HnswFlags = BoxStore.HnswFlags
  /// ``BoxStore/HnswIndexPropertyType``.
  public typealias HnswIndexPropertyType = BoxStore.HnswIndexPropertyType
  /// ``BoxStore/FloatArrayPropertyType``.
  public typealias FloatArrayPropertyType = BoxStore.FloatArrayPropertyType
  /// ``BoxStore/Int32ArrayPropertyType``.
  public typealias Int32ArrayPropertyType = BoxStore.Int32ArrayPropertyType
  /// ``BoxStore/Int64ArrayPropertyType``.
  public typealias Int64ArrayPropertyType = BoxStore.Int64ArrayPropertyType
  /// ``BoxStore/StringArrayPropertyType``.
  public typealias StringArrayPropertyType = BoxStore.StringArrayPropertyType
  /// ``BoxStore/Id``.
  public typealias Id = BoxStore.Id
  /// ``BoxStore/IdBase``.
  public typealias IdBase = BoxStore.IdBase
  /// ``BoxStore/ModelBuilder``.
  public typealias ModelBuilder = BoxStore.ModelBuilder
  /// ``BoxStore/OBXDataOffset``.
  public typealias OBXDataOffset = BoxStore.OBXDataOffset
  /// ``BoxStore/ObjectBoxError``.
  public typealias ObjectBoxError = BoxStore.ObjectBoxError
  /// ``BoxStore/Property``.
  public typealias Property<
    E: EntityInspectable & __EntityRelatable, V: EntityPropertyTypeConvertible, R
  > = BoxStore.Property<E, V, R> where E == E.EntityBindingType.EntityType
  /// ``BoxStore/Observer``.
  public typealias Observer = BoxStore.Observer
  /// ``BoxStore/PropertyBuilder``.
  public typealias PropertyBuilder = BoxStore.PropertyBuilder
  /// ``BoxStore/PropertyCollector``.
  public typealias PropertyCollector = BoxStore.PropertyCollector
  /// ``BoxStore/PropertyFlags``.
  public typealias PropertyFlags = BoxStore.PropertyFlags
  /// ``BoxStore/PropertyType``.
  public typealias PropertyType = BoxStore.PropertyType
  /// ``BoxStore/PutMode``.
  public typealias PutMode = BoxStore.PutMode
  /// ``BoxStore/PropertyAlias``.
  public typealias PropertyAlias<
    E: EntityInspectable & __EntityRelatable, T: EntityPropertyTypeConvertible
  > = BoxStore.PropertyAlias<E, T> where E == E.EntityBindingType.EntityType
  /// ``BoxStore/PropertyQuery``.
  public typealias PropertyQuery<
    E: EntityInspectable & __EntityRelatable, T: EntityPropertyTypeConvertible
  > = BoxStore.PropertyQuery<E, T> where E == E.EntityBindingType.EntityType
  /// ``BoxStore/PropertyQueryCondition``.
  public typealias PropertyQueryCondition<
    E: EntityInspectable & __EntityRelatable, T: EntityPropertyTypeConvertible
  > = BoxStore.PropertyQueryCondition<E, T> where E == E.EntityBindingType.EntityType
  /// ``BoxStore/Query``.
  public typealias Query<E: EntityInspectable & __EntityRelatable> = BoxStore.Query<E>
  where E == E.EntityBindingType.EntityType
  /// ``BoxStore/QueryBuilder``.
  public typealias QueryBuilder<E: EntityInspectable & __EntityRelatable> = BoxStore.QueryBuilder<E>
  where E == E.EntityBindingType.EntityType
  /// ``BoxStore/QueryCondition``.
  public typealias QueryCondition<E: EntityInspectable & __EntityRelatable> =
    BoxStore.QueryCondition<E> where E == E.EntityBindingType.EntityType
  /// ``BoxStore/OrderFlags``.
  public typealias OrderFlags = BoxStore.OrderFlags
  /// ``BoxStore/IdWithScore``.
  public typealias IdWithScore = BoxStore.IdWithScore
  /// ``BoxStore/ObjectWithScore``.
  public typealias ObjectWithScore<T> = BoxStore.ObjectWithScore<T>
  /// ``BoxStore/Store``.
  public typealias Store = BoxStore.Store
  /// ``BoxStore/ToMany``.
  public typealias ToMany<S: EntityInspectable & __EntityRelatable> = BoxStore.ToMany<S>
  where S == S.EntityBindingType.EntityType
  /// ``BoxStore/ToManyProperty``.
  public typealias ToManyProperty<R> = BoxStore.ToManyProperty<R>
  /// ``BoxStore/ToOne``.
  public typealias ToOne<T: EntityInspectable & __EntityRelatable> = BoxStore.ToOne<T>
  where T == T.EntityBindingType.EntityType
  /// ``BoxStore/UntypedIdBase``.
  public typealias UntypedIdBase = BoxStore.UntypedIdBase
  /// ``BoxStore/ValueProperty``.
  public typealias ValueProperty<
    E: EntityInspectable & __EntityRelatable, V: EntityPropertyTypeConvertible
  > = BoxStore.ValueProperty<E, V> where E == E.EntityBindingType.EntityType
  // swift-format-ignore: NoLeadingUnderscores
  /// ``BoxStore/__EntityRelatable``.
  public typealias __EntityRelatable = BoxStore.__EntityRelatable
  /// ``BoxStore/obx_schema_id``.
  public typealias obx_schema_id = BoxStore.obx_schema_id
  /// ``BoxStore/obx_uid``.
  public typealias obx_uid = BoxStore.obx_uid
}
