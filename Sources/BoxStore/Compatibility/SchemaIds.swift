/// The number of an element in a model: of an entity, a property or a relation.
public typealias obx_schema_id = UInt32

/// The UID of an element in a model.
public typealias obx_uid = UInt64
