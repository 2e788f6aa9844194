internal import BoxSources

/// A declaration of variables in a type.
struct VariableDeclaration: Sendable {
  /// One of the variables.
  struct Binding: Sendable {
    /// The name, in backticks where the sources write it so; the whole pattern of a tuple.
    var name: String
    /// Whether it is a name, and no tuple.
    var isName: Bool
    /// The type; in `var a, b: Int` only the last one has it.
    var shape: TypeShape?
    var hasType: Bool
    var hasValue: Bool
    var initialValue: InitialValue?
    var isComputed: Bool
    var place: SourcePlace
  }

  var bindings: [Binding]
  /// The annotations above it.
  var annotations: [Annotation]
  /// The annotations after it, on its line.
  var trailingAnnotations: [Annotation]
  var isConstant: Bool
  /// Whether objects do not have it, or not as a value: it is static, lazy, weak or unowned.
  var isLeftOut: Bool
  var isPrivate: Bool
  /// Whether only the type itself sets it.
  var isPrivatelySet: Bool
}

/// An initializer of a type.
struct InitializerDeclaration: Sendable {
  /// A parameter of it.
  struct Parameter: Sendable {
    /// The label; nil for `_`.
    var label: String?
    var name: String
    var hasDefault: Bool
  }

  var parameters: [Parameter]
  /// Whether bindings can call it: it neither fails nor throws, and is not private.
  var isCallable: Bool
}

/// The members of a type that matter to an entity, in the order of the sources.
struct MemberDeclarations: Sendable {
  /// A declaration of variables, or those between `#if` and `#endif`.
  enum Variables: Sendable {
    case always(VariableDeclaration)
    case conditional([VariableDeclaration])
  }

  var variables: [Variables] = []
  var initializers: [InitializerDeclaration] = []

  /// The names in the types of the variables that are annotated with `embedded`.
  var embeddedNames: Set<String> {
    var names: Set<String> = []
    for case .always(let variable) in variables
    where variable.annotations.contains(where: { $0.name == "embedded" }) {
      for binding in variable.bindings {
        if let shape = binding.shape { names.formUnion(shape.names.map(\.lastName)) }
      }
    }
    return names
  }

  /// The names in the types and the converters of its variables.
  var names: Set<String> {
    var names: Set<String> = []
    for case .always(let variable) in variables {
      for binding in variable.bindings {
        if let shape = binding.shape { names.formUnion(shape.names.map(\.lastName)) }
      }
      for annotation in variable.annotations {
        guard case .options(let options)? = annotation.value else { continue }
        for option in options where option.key == "converter" {
          names.insert(option.value.lastName)
        }
      }
    }
    return names
  }
}
