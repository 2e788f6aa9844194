import BoxModel

/// Edits a model as a code generator does: ids count up, what goes is retired, names follow.
struct ModelTool: Sendable {
  var model = Model()

  /// Carries out a script on a model.
  static func run(_ edits: [ToolEdit], on model: Model = Model()) -> Model {
    var tool = ModelTool(model: model)
    for edit in edits { tool.apply(edit) }
    return tool.model
  }

  mutating func apply(_ edit: ToolEdit) {
    switch edit {
    case .addEntity, .removeEntity, .renameEntity, .setSync, .setEntityExternalName:
      entityEdit(edit)
    case .addProperty(let entity, let uid, let name, let type):
      append(Property(pair: .unset, name: name, type: type), uid, to: entity)
    case .removeProperty(let uid):
      if let (e, p) = property(uid), !model.entities[e].properties[p].flags.contains(.id) {
        removeProperty(e, p)
      }
    case .renameProperty(let uid, let name):
      if let (e, p) = property(uid), isFree(name, e, except: uid) {
        model.entities[e].properties[p].name = name
      }
    case .toggleFlag(let uid, let flag): toggle(flag, uid)
    case .setExternalName(let uid, let name):
      if let (e, p) = property(uid) { model.entities[e].properties[p].externalName = name }
    case .addIndex, .removeIndex, .changeIndex: indexEdit(edit)
    case .reset(let uid, let newUID, let index, let type): reset(uid, newUID, index, type)
    case .retype(let uid, let type):
      if let (e, p) = property(uid), isPlain(model.entities[e].properties[p]) {
        model.entities[e].properties[p].type = type
      }
    case .addToOne(let entity, let uid, let index, let name, let target):
      guard let t = self.entity(target) else { return }
      var property = Property(
        pair: .unset, name: name, type: .relation, flags: [.indexed, .indexPartialSkipZero])
      property.relationTarget = model.entities[t].name
      append(property, uid, to: entity, index: index)
    case .retargetToOne(let uid, let target):
      if let (e, p) = property(uid), let t = self.entity(target),
        model.entities[e].properties[p].type == .relation
      {
        let name = model.entities[t].name
        model.entities[e].properties[p].relationTarget = name
      }
    case .addRelation, .removeRelation, .renameRelation, .retargetRelation: relationEdit(edit)
    case .offer(let uid):
      if isUnknown(uid) { model.newUIDPool = (model.newUIDPool ?? []) + [uid] }
    case .takeOffer(let uid): model.newUIDPool?.removeAll { $0 == uid }
    case .setVersion(let version): model.version = version
    case .renumber(let kind, let uid): renumber(kind, uid)
    case .setOther(let key, let text): set(&model.otherMembers, key, text)
    case .setEntityOther(let uid, let key, let text):
      if let e = entity(uid) { set(&model.entities[e].otherMembers, key, text) }
    case .reorder(let shift):
      guard model.entities.count > 1 else { return }
      let k = shift % model.entities.count
      model.entities = Array(model.entities[k...] + model.entities[..<k])
    case .move(let uid, let target): move(uid, to: target)
    case .setFormat(let version): model.modelVersion = version
    case .addBareRelation(let entity, let uid, let name):
      guard model.modelVersion == 4, let e = self.entity(entity), isUnknown(uid),
        isFreeForRelation(name, e, except: uid)
      else { return }
      let relation = Relation(pair: next(.relation, uid), name: name, target: .unset)
      model.entities[e].relations = (model.entities[e].relations ?? []) + [relation]
    case .forget(let uid): forget(uid)
    case .rollBack: rollBack()
    }
  }
}

/// Edits that generators do not make: by people, and by merges of commits that lack each other's.
extension ModelTool {
  private mutating func move(_ uid: UID, to target: UID) {
    guard let (e, p) = property(uid), let t = entity(target), t != e,
      isFree(model.entities[e].properties[p].name, t, except: uid),
      model.entities[e].lastPropertyID?.uid != uid,
      model.entities[e].properties[p].flags.isDisjoint(with: [.id, .syncClock])
    else { return }
    var property = model.entities[e].properties.remove(at: p)
    property.pair = next(.property(entity: target), uid)
    model.entities[t].properties.append(property)
  }

  private mutating func forget(_ uid: UID) {
    if let e = entity(uid), model.entities.count > 1 {
      let gone = model.entities.remove(at: e)
      for e in model.entities.indices {
        model.entities[e].properties.removeAll { $0.relationTarget == gone.name }
        let relations = model.entities[e].relations?.filter { $0.target.uid != uid }
        model.entities[e].relations = relations
      }
    } else if let (e, p) = property(uid), !model.entities[e].properties[p].flags.contains(.id) {
      model.entities[e].properties.remove(at: p)
    } else if let (e, r) = relation(uid) {
      model.entities[e].relations?.remove(at: r)
    } else {
      for e in model.entities.indices {
        for p in model.entities[e].properties.indices
        where model.entities[e].properties[p].indexID?.uid == uid
          && model.entities[e].properties[p].type != .relation
        {
          model.entities[e].properties[p].indexID = nil
          model.entities[e].properties[p].flags.subtract(
            [.indexed, .indexHash, .indexHash64, .unique, .uniqueOnConflictReplace])
        }
      }
    }
  }

  private mutating func rollBack() {
    func highest(_ pairs: [IDPair]) -> IDPair { pairs.max { $0.id < $1.id } ?? .unset }
    model.lastEntityID = highest(model.entities.map(\.pair))
    model.lastIndexID = highest(
      model.entities.flatMap { $0.properties.compactMap(\.indexID) })
    model.lastRelationID = highest(
      model.entities.flatMap { ($0.relations ?? []).map(\.pair) })
    for e in model.entities.indices {
      model.entities[e].lastPropertyID = highest(model.entities[e].properties.map(\.pair))
    }
  }
}

/// Finding.
extension ModelTool {
  func entity(_ uid: UID) -> Int? { model.entities.firstIndex { $0.pair.uid == uid } }

  func property(_ uid: UID) -> (Int, Int)? {
    for (e, entity) in model.entities.enumerated() {
      if let p = entity.properties.firstIndex(where: { $0.pair.uid == uid }) { return (e, p) }
    }
    return nil
  }

  func relation(_ uid: UID) -> (Int, Int)? {
    for (e, entity) in model.entities.enumerated() {
      if let r = (entity.relations ?? []).firstIndex(where: { $0.pair.uid == uid }) {
        return (e, r)
      }
    }
    return nil
  }

  func isUnknown(_ uid: UID) -> Bool {
    var isKnown = (model.newUIDPool ?? []).contains(uid)
    for kind in ElementKind.allCases where model[retired: kind]?.contains(uid) ?? false {
      isKnown = true
    }
    model.forEachElement { _, pair in if pair.uid == uid { isKnown = true } }
    return !isKnown
  }

  func isPlain(_ property: Property) -> Bool {
    property.flags.isDisjoint(with: [.id, .indexed, .indexHash, .indexHash64, .syncClock])
      && property.type != .relation && !property.flags.contains(.unsigned)
      && !property.flags.contains(.expirationTime)
  }

  func isFree(_ name: String, _ e: Int, except uid: UID) -> Bool {
    !model.entities[e].properties.contains {
      $0.pair.uid != uid && $0.name.lowercased() == name.lowercased()
    }
  }

  func isFreeForRelation(_ name: String, _ e: Int, except uid: UID) -> Bool {
    !(model.entities[e].relations ?? []).contains {
      $0.pair.uid != uid && $0.name.lowercased() == name.lowercased()
    }
  }

  func isFreeForEntity(_ name: String, except uid: UID) -> Bool {
    !model.entities.contains {
      $0.pair.uid != uid && $0.name.lowercased() == name.lowercased()
    }
  }
}

/// Counting and retiring.
extension ModelTool {
  private mutating func next(_ counter: Counter, _ uid: UID) -> IDPair {
    let pair = IDPair(id: (model[last: counter]?.id ?? 0) + 1, uid: uid)
    model[last: counter] = pair
    model.newUIDPool?.removeAll { $0 == uid }
    return pair
  }

  private mutating func retire(_ kind: ElementKind, _ uid: UID) {
    model[retired: kind] = (model[retired: kind] ?? []) + [uid]
  }

  private mutating func append(_ property: Property, _ uid: UID, to entity: UID, index: UID? = nil)
  {
    guard let e = self.entity(entity), isUnknown(uid) || (model.newUIDPool ?? []).contains(uid),
      isFree(property.name, e, except: uid)
    else { return }
    var property = property
    if let index {
      guard isUnknown(index), index != uid else { return }
      property.indexID = next(.index, index)
    }
    property.pair = next(.property(entity: entity), uid)
    model.entities[e].properties.append(property)
  }

  private mutating func removeProperty(_ e: Int, _ p: Int) {
    let property = model.entities[e].properties.remove(at: p)
    if let index = property.indexID { retire(.index, index.uid) }
    retire(.property, property.pair.uid)
  }

  private mutating func removeRelation(_ e: Int, _ r: Int) {
    if let relation = model.entities[e].relations?.remove(at: r) {
      retire(.relation, relation.pair.uid)
    }
  }

  private func set(_ members: inout [OtherMember], _ key: String, _ text: String?) {
    members.removeAll { $0.key == key }
    if let text { members.append(OtherMember(key: key, text: text)) }
  }
}

/// The edits of each kind.
extension ModelTool {
  private mutating func entityEdit(_ edit: ToolEdit) {
    switch edit {
    case .addEntity(let uid, let name, let idProperty):
      guard isUnknown(uid), isUnknown(idProperty), uid != idProperty,
        isFreeForEntity(name, except: uid)
      else { return }
      var entity = Entity(pair: next(.entity, uid), name: name)
      entity.relations = []
      model.entities.append(entity)
      append(Property(pair: .unset, name: "id", type: .long, flags: .id), idProperty, to: uid)
    case .removeEntity(let uid):
      guard let e = entity(uid), model.entities.count > 1 else { return }
      removeUses(of: model.entities[e])
      while !model.entities[e].properties.isEmpty { removeProperty(e, 0) }
      while !(model.entities[e].relations ?? []).isEmpty { removeRelation(e, 0) }
      model.entities.remove(at: e)
      retire(.entity, uid)
    case .renameEntity(let uid, let name):
      guard let e = entity(uid), isFreeForEntity(name, except: uid) else { return }
      let old = model.entities[e].name
      model.entities[e].name = name
      for e in model.entities.indices {
        for p in model.entities[e].properties.indices
        where model.entities[e].properties[p].relationTarget == old {
          model.entities[e].properties[p].relationTarget = name
        }
      }
    case .setSync(let uid, let isOn):
      guard let e = entity(uid) else { return }
      if isOn {
        model.entities[e].flags.insert(.syncEnabled)
      } else if !model.entities[e].properties.contains(where: { $0.flags.contains(.syncClock) }) {
        model.entities[e].flags.remove(.syncEnabled)
      }
    case .setEntityExternalName(let uid, let name):
      if let e = entity(uid) { model.entities[e].externalName = name }
    default: break
    }
  }

  /// Sources that name a removed type do not compile: what led to it goes too.
  private mutating func removeUses(of target: Entity) {
    for e in model.entities.indices where model.entities[e].pair != target.pair {
      while let p = model.entities[e].properties.firstIndex(where: {
        $0.relationTarget == target.name
      }) { removeProperty(e, p) }
      while let r = model.entities[e].relations?.firstIndex(where: {
        $0.target.uid == target.pair.uid
      }) { removeRelation(e, r) }
    }
  }

  private mutating func toggle(_ flag: PropertyFlags, _ uid: UID) {
    guard let (e, p) = property(uid) else { return }
    let entity = model.entities[e]
    let property = entity.properties[p]
    if property.flags.contains(flag) {
      model.entities[e].properties[p].flags.remove(flag)
      if flag == .unique { model.entities[e].properties[p].flags.remove(.uniqueOnConflictReplace) }
      return
    }
    switch flag {
    case .unsigned where !(property.type?.isInteger ?? false) || property.flags.contains(.id):
      return
    case .expirationTime where property.type != .date: return
    case .unique where property.indexID == nil || property.type == .relation: return
    case .uniqueOnConflictReplace where !property.flags.contains(.unique): return
    case .syncClock
    where !entity.flags.contains(.syncEnabled) || property.type != .long
      || property.flags.contains(.id)
      || entity.properties.contains { $0.flags.contains(.syncClock) }:
      return
    default: model.entities[e].properties[p].flags.insert(flag)
    }
  }

  private mutating func indexEdit(_ edit: ToolEdit) {
    switch edit {
    case .addIndex(let uid, let index, let kind, let unique):
      guard let (e, p) = property(uid), model.entities[e].properties[p].indexID == nil,
        !model.entities[e].properties[p].flags.contains(.id), isUnknown(index),
        kind == .value || model.entities[e].properties[p].type == .string
      else { return }
      let pair = next(.index, index)
      model.entities[e].properties[p].indexID = pair
      model.entities[e].properties[p].flags.formUnion(kind.flags)
      if unique { model.entities[e].properties[p].flags.insert(.unique) }
    case .removeIndex(let uid):
      guard let (e, p) = property(uid), let index = model.entities[e].properties[p].indexID,
        model.entities[e].properties[p].type != .relation
      else { return }
      model.entities[e].properties[p].indexID = nil
      model.entities[e].properties[p].flags.subtract(
        [.indexed, .indexHash, .indexHash64, .unique, .uniqueOnConflictReplace])
      retire(.index, index.uid)
    case .changeIndex(let uid, let kind):
      guard let (e, p) = property(uid), model.entities[e].properties[p].indexID != nil,
        model.entities[e].properties[p].type == .string
      else { return }
      model.entities[e].properties[p].flags.subtract(.indexKind)
      model.entities[e].properties[p].flags.formUnion(kind.flags)
    default: break
    }
  }

  private mutating func reset(_ uid: UID, _ newUID: UID, _ index: UID, _ type: PropertyType) {
    guard let (e, p) = property(uid),
      isUnknown(newUID) || (model.newUIDPool ?? []).contains(newUID),
      isUnknown(index), newUID != index, model.entities[e].properties[p].type != .relation,
      !model.entities[e].properties[p].flags.contains(.id)
    else { return }
    let old = model.entities[e].properties[p]
    let owner = model.entities[e].pair.uid
    removeProperty(e, p)
    let isIndexed = old.indexID != nil
    append(
      Property(pair: .unset, name: old.name, type: type, flags: isIndexed ? .indexed : []), newUID,
      to: owner, index: isIndexed ? index : nil)
  }

  private mutating func relationEdit(_ edit: ToolEdit) {
    switch edit {
    case .addRelation(let entity, let uid, let name, let target):
      guard let e = self.entity(entity), let t = self.entity(target), isUnknown(uid),
        isFreeForRelation(name, e, except: uid)
      else { return }
      let relation = Relation(
        pair: next(.relation, uid), name: name, target: model.entities[t].pair)
      let relations = (model.entities[e].relations ?? []) + [relation]
      model.entities[e].relations = relations
    case .removeRelation(let uid):
      if let (e, r) = relation(uid) { removeRelation(e, r) }
    case .renameRelation(let uid, let name):
      if let (e, r) = relation(uid), isFreeForRelation(name, e, except: uid) {
        model.entities[e].relations?[r].name = name
      }
    case .retargetRelation(let uid, let target):
      if let (e, r) = relation(uid), let t = self.entity(target) {
        let pair = model.entities[t].pair
        model.entities[e].relations?[r].target = pair
      }
    default: break
    }
  }

  private mutating func renumber(_ kind: ElementKind, _ uid: UID) {
    switch kind {
    case .entity:
      guard let e = entity(uid) else { return }
      let pair = next(.entity, uid)
      model.entities[e].pair = pair
      for e in model.entities.indices {
        for r in model.entities[e].relations?.indices ?? 0..<0
        where model.entities[e].relations?[r].target.uid == uid {
          model.entities[e].relations?[r].target = pair
        }
      }
    case .property:
      guard let (e, p) = property(uid) else { return }
      let pair = next(.property(entity: model.entities[e].pair.uid), uid)
      model.entities[e].properties[p].pair = pair
    case .index:
      guard let (e, p) = property(uid), let index = model.entities[e].properties[p].indexID else {
        return
      }
      let pair = next(.index, index.uid)
      model.entities[e].properties[p].indexID = pair
    case .relation:
      guard let (e, r) = relation(uid) else { return }
      let pair = next(.relation, uid)
      model.entities[e].relations?[r].pair = pair
    }
  }
}
