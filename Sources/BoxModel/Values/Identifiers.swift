/// The identity of an element: 1 to 2^64-1, unique in a whole model; 0 means none.
public typealias UID = UInt64

/// The largest number that every generator accepts as a UID: that for Rust writes larger ones, and the others refuse
/// them.
public let maximumUID: UID = UID(Int64.max)

/// An `"id:uid"` pair: the number that addresses storage and the identity that it belongs to.
public struct IDPair: Hashable, Sendable {
  /// The number, from 1 in its kind and for properties in their entity; 0 means none.
  public var id: UInt32
  /// The identity of the element.
  public var uid: UID

  /// The pair of a counter that has given no number yet, written `"0:0"` or `""`.
  public static let unset = IDPair(id: 0, uid: 0)

  /// Creates a pair of a number and an identity.
  public init(id: UInt32, uid: UID) {
    self.id = id
    self.uid = uid
  }

  /// Reads `"<id>:<uid>"`, both decimal without padding; an empty text is ``unset``.
  ///
  /// The result is nil for anything else, and for numbers that do not fit.
  public init?(text: String) {
    var text = text
    guard let pair = text.withUTF8({ IDPair(utf8: $0) }) else { return nil }
    self = pair
  }

  /// Reads a pair from the bytes of its text.
  init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    if text.isEmpty {
      self = .unset
      return
    }
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")),
      let id: UInt32 = Self.number(text[..<colon]),
      let uid: UID = Self.number(text[(colon + 1)...])
    else { return nil }
    self.init(id: id, uid: uid)
  }

  private static func number<T: FixedWidthInteger>(
    _ digits: Slice<UnsafeBufferPointer<UInt8>>
  ) -> T? {
    guard let first = digits.first, digits.count == 1 || first != UInt8(ascii: "0") else {
      return nil
    }
    var result: T = 0
    for byte in digits {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      let (product, overflowed) = result.multipliedReportingOverflow(by: 10)
      let (sum, exceeded) = product.addingReportingOverflow(T(digit))
      if overflowed || exceeded { return nil }
      result = sum
    }
    return result
  }

  /// The number that a counter gives after another one, 0 if it has given none; nil after the highest
  /// that a pair can have.
  public static func nextID(after last: UInt32) -> UInt32? { last == .max ? nil : last + 1 }

  /// Whether the pair is unset.
  public var isUnset: Bool { id == 0 && uid == 0 }
}

extension IDPair: CustomStringConvertible {
  /// The pair as model files hold it.
  public var description: String { "\(id):\(uid)" }
}

/// The kind of a model's element that has a UID.
public enum ElementKind: String, Hashable, Sendable, CaseIterable, Comparable {
  case entity, property, index, relation

  /// Orders entities first, then their contents.
  public static func < (a: ElementKind, b: ElementKind) -> Bool { a.rank < b.rank }

  /// The position of the kind in the order.
  var rank: Int {
    switch self {
    case .entity: 0
    case .property: 1
    case .index: 2
    case .relation: 3
    }
  }

  /// The key of the model that lists the retired UIDs of this kind.
  public var retiredListKey: String {
    switch self {
    case .entity: "retiredEntityUids"
    case .property: "retiredPropertyUids"
    case .index: "retiredIndexUids"
    case .relation: "retiredRelationUids"
    }
  }

  /// The key that holds the pair given last: in the model, for properties in their entity.
  public var lastPairKey: String {
    switch self {
    case .entity: "lastEntityId"
    case .property: ElementField.lastPropertyID.key
    case .index: "lastIndexId"
    case .relation: "lastRelationId"
    }
  }
}

extension ElementKind: CustomStringConvertible {
  /// The kind in English.
  public var description: String { rawValue }

  /// The plural in English.
  public var plural: String {
    switch self {
    case .entity: "entities"
    case .property: "properties"
    case .index: "indexes"
    case .relation: "relations"
    }
  }
}

/// The kind and the identity of an element.
public struct ElementKey: Hashable, Sendable, Comparable {
  /// The kind of the element.
  public var kind: ElementKind
  /// Its identity.
  public var uid: UID

  /// Creates the key of an element.
  public init(_ kind: ElementKind, _ uid: UID) {
    self.kind = kind
    self.uid = uid
  }

  /// Whether both are of one kind and identity.
  public static func == (a: ElementKey, b: ElementKey) -> Bool {
    a.uid == b.uid && a.kind.rank == b.kind.rank
  }

  /// Adds the identity to a hash: hardly two kinds share one, and a kind would be hashed as a text.
  public func hash(into hasher: inout Hasher) { hasher.combine(uid) }

  /// Orders by kind, then by UID.
  public static func < (a: ElementKey, b: ElementKey) -> Bool {
    (a.kind, a.uid) < (b.kind, b.uid)
  }
}
