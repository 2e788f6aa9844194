import SwiftSyntax

/// A Swift type as it is spelled, without regard to white space.
indirect enum TypeShape: Hashable, Sendable {
  /// A name with its arguments; `Swift.`, `Foundation.` and the names of the library are left out.
  case named(String, [TypeShape])
  case optional(TypeShape)
  case array(TypeShape)
  /// A type that no property of an entity can have.
  case other(String)

  private static let modules: Set<String> = [
    "Swift", "Foundation", "FoundationEssentials", "ObjectBox", "BoxStore",
  ]

  init(_ type: TypeSyntax) {
    if let type = type.as(OptionalTypeSyntax.self) {
      self = .optional(TypeShape(type.wrappedType))
    } else if let type = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      self = .optional(TypeShape(type.wrappedType))
    } else if let type = type.as(ArrayTypeSyntax.self) {
      self = .array(TypeShape(type.element))
    } else if let type = type.as(IdentifierTypeSyntax.self) {
      self = Self.generic(type.name.text, type.genericArgumentClause)
    } else if let type = type.as(MemberTypeSyntax.self) {
      self = Self.member(type)
    } else if let type = type.as(TupleTypeSyntax.self), type.elements.count == 1,
      let element = type.elements.first, element.firstName == nil
    {
      self = TypeShape(element.type)
    } else {
      self = .other(type.trimmedDescription)
    }
  }

  private static func member(_ type: MemberTypeSyntax) -> TypeShape {
    let owner = type.baseType.trimmedText.filter { !$0.isWhitespace }
    let name = modules.contains(owner) ? type.name.text : owner + "." + type.name.text
    return generic(name, type.genericArgumentClause)
  }

  private static func generic(
    _ name: String, _ clause: GenericArgumentClauseSyntax?
  ) -> TypeShape {
    let arguments = (clause?.arguments).map { list in
      list.map { argument -> TypeShape in
        guard let type = argument.argument.as(TypeSyntax.self) else {
          return .other(argument.argument.trimmedDescription)
        }
        return TypeShape(type)
      }
    }
    switch (name, arguments?.count) {
    case ("Optional", 1): return .optional((arguments ?? [])[0])
    case ("Array", 1): return .array((arguments ?? [])[0])
    default: return .named(name, arguments ?? [])
    }
  }

  /// The type of an expression whose type can be read from its text; nil for others.
  init?(of expression: ExprSyntax) {
    if expression.is(StringLiteralExprSyntax.self) {
      self = .named("String", [])
    } else if expression.is(BooleanLiteralExprSyntax.self) {
      self = .named("Bool", [])
    } else if expression.is(IntegerLiteralExprSyntax.self) {
      self = .named("Int", [])
    } else if expression.is(FloatLiteralExprSyntax.self) {
      self = .named("Double", [])
    } else if let prefixed = expression.as(PrefixOperatorExprSyntax.self) {
      self.init(of: prefixed.expression)
    } else if let array = expression.as(ArrayExprSyntax.self) {
      let shapes = Set(array.elements.map { TypeShape(of: $0.expression) })
      guard shapes.count == 1, let element = shapes.first.flatMap(\.self) else { return nil }
      self = .array(element)
    } else if let call = expression.as(FunctionCallExprSyntax.self) {
      self.init(ofCall: call.calledExpression)
    } else if let member = expression.as(MemberAccessExprSyntax.self), let base = member.base {
      // `Genre.other`: a case, or a constant of its own type.
      self.init(ofName: base)
    } else if let cast = expression.as(AsExprSyntax.self) {
      self = TypeShape(cast.type)
    } else {
      return nil
    }
  }

  /// The type that a call makes: `Date()`, `[String]()`, `ToOne<Author>(nil)`, `Genre.init(3)`.
  private init?(ofCall called: ExprSyntax) {
    if let member = called.as(MemberAccessExprSyntax.self), let base = member.base {
      let name = member.declName.baseName.text
      if name == "init" || name.first?.isLowercase == true {
        self.init(ofName: base)
      } else {
        self.init(ofName: called)
      }
    } else {
      self.init(ofName: called)
    }
  }

  /// The type that an expression names.
  private init?(ofName expression: ExprSyntax) {
    if let array = expression.as(ArrayExprSyntax.self), array.elements.count == 1,
      let element = array.elements.first.flatMap({ TypeShape(ofName: $0.expression) })
    {
      self = .array(element)
      return
    }
    if let optional = expression.as(OptionalChainingExprSyntax.self),
      let wrapped = TypeShape(ofName: optional.expression)
    {
      self = .optional(wrapped)
      return
    }
    let name = expression.as(GenericSpecializationExprSyntax.self)?.expression ?? expression
    let parts = name.trimmedText.split(separator: ".").map(String.init)
    guard let last = parts.last, last.first?.isUppercase == true else { return nil }
    let clause = expression.as(GenericSpecializationExprSyntax.self)?.genericArgumentClause
    let path = parts.count > 1 && Self.modules.contains(parts[0]) ? Array(parts.dropFirst()) : parts
    self = Self.generic(path.joined(separator: "."), clause)
  }

  /// The spelling in Swift.
  var spelling: String {
    switch self {
    case .named(let name, let arguments):
      arguments.isEmpty ? name : "\(name)<\(arguments.map(\.spelling).joined(separator: ", "))>"
    case .optional(let shape): shape.spelling + "?"
    case .array(let shape): "[\(shape.spelling)]"
    case .other(let text): text
    }
  }
}

extension TypeShape {
  /// The names in the type.
  var names: [String] {
    switch self {
    case .named(let name, let arguments): [name] + arguments.flatMap(\.names)
    case .optional(let shape), .array(let shape): shape.names
    case .other: []
    }
  }
}
