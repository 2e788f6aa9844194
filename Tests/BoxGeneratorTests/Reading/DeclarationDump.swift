#if canImport(BoxGenerator)
  import BoxSources

  @testable import BoxGenerator
#endif

/// The declarations of a file as text, in which every field has a line of its own.
///
/// Dumps are equal if and only if the declarations are, apart from the texts of lines that places have. The oracle
/// in Tests/Packages/SyntaxOracle compiles this file too, with the declarations that swift-syntax finds.
struct DeclarationDump {
  private(set) var text = ""
  private var depth = 0

  init(_ declarations: Declarations) {
    for type in declarations.types { add(type) }
    for (name, enumeration) in declarations.enums.sorted(by: { $0.key < $1.key }) {
      add(enumeration, name)
    }
    for (name, converter) in declarations.converters.sorted(by: { $0.key < $1.key }) {
      add(converter, name)
    }
    for (name, shape) in declarations.aliases.sorted(by: { $0.key < $1.key }) {
      add("alias", Self.quoted(name), Self.text(of: shape))
    }
    for name in declarations.extendedEntities.sorted() {
      add("extended entity", Self.quoted(name))
    }
    for (name, initializers) in declarations.initializers.sorted(by: { $0.key < $1.key }) {
      add("initializers of extensions of", Self.quoted(name))
      indented { dump in for initializer in initializers { dump.add(initializer) } }
    }
  }

  // MARK: - Types

  private mutating func add(_ type: TypeDeclaration) {
    add("type", Self.quoted(type.path), "at", Self.text(of: type.place))
    indented { dump in
      dump.add("kind", Self.quoted(type.kind))
      dump.add("isGeneric", type.isGeneric)
      dump.add("isLocal", type.isLocal)
      dump.add("isConditional", type.isConditional)
      dump.add("isPrivate", type.isPrivate)
      dump.add("isPublic", type.isPublic)
      dump.add("prefix", Self.quoted(type.prefix))
      for name in type.inherited { dump.add("inherited", Self.quoted(name)) }
      for name in type.names.sorted() { dump.add("name", Self.quoted(name)) }
      dump.add(type.annotations, "annotation")
      for variables in type.members.variables {
        switch variables {
        case .always(let variable): dump.add(variable, "variable")
        case .conditional(let variables):
          dump.add("conditional")
          dump.indented { dump in
            for variable in variables { dump.add(variable, "variable") }
          }
        }
      }
      for initializer in type.members.initializers { dump.add(initializer) }
    }
  }

  private mutating func add(_ enumeration: EnumDeclaration, _ name: String) {
    add("enum", Self.quoted(name), "at", Self.text(of: enumeration.place))
    indented { dump in
      dump.add("path", Self.quoted(enumeration.path))
      dump.add("rawType", Self.text(of: enumeration.rawType))
      for element in enumeration.cases {
        dump.add(
          "case", Self.quoted(element.name), Self.quoted(element.rawValue), "at",
          Self.text(of: element.place))
      }
    }
  }

  private mutating func add(_ converter: ConverterDeclaration, _ name: String) {
    add("converter", Self.quoted(name))
    indented { dump in
      for parameter in converter.parameters { dump.add("parameter", Self.text(of: parameter)) }
      if let (actor, place) = converter.isolation {
        dump.add("isolation", Self.quoted(actor), "at", Self.text(of: place))
      }
    }
  }

  // MARK: - Members

  private mutating func add(_ variable: VariableDeclaration, _ word: String) {
    add(word)
    indented { dump in
      dump.add("isConstant", variable.isConstant)
      dump.add("isLeftOut", variable.isLeftOut)
      dump.add("isPrivate", variable.isPrivate)
      dump.add("isPrivatelySet", variable.isPrivatelySet)
      dump.add(variable.annotations, "annotation")
      dump.add(variable.trailingAnnotations, "annotation behind")
      for binding in variable.bindings { dump.add(binding) }
    }
  }

  private mutating func add(_ binding: VariableDeclaration.Binding) {
    add("binding", Self.quoted(binding.name), "at", Self.text(of: binding.place))
    indented { dump in
      dump.add("isName", binding.isName)
      dump.add("shape", Self.text(of: binding.shape))
      dump.add("hasType", binding.hasType)
      dump.add("hasValue", binding.hasValue)
      dump.add("isComputed", binding.isComputed)
      switch binding.initialValue {
      case nil: dump.add("initialValue nil")
      case .constant(let text)?: dump.add("initialValue constant", Self.quoted(text))
      case .member(let base, let name)?:
        dump.add("initialValue member", Self.quoted(base), Self.quoted(name))
      case .empty?: dump.add("initialValue empty")
      case .computed?: dump.add("initialValue computed")
      }
    }
  }

  private mutating func add(_ initializer: InitializerDeclaration) {
    add("initializer", initializer.isCallable ? "callable" : "not callable")
    indented { dump in
      for parameter in initializer.parameters {
        dump.add(
          "parameter", Self.quoted(parameter.label), Self.quoted(parameter.name),
          parameter.hasDefault ? "with default" : "without default")
      }
    }
  }

  private mutating func add(_ annotations: [Annotation], _ word: String) {
    for annotation in annotations {
      add(word, Self.quoted(annotation.name), "at", Self.text(of: annotation.place))
      indented { dump in
        switch annotation.value {
        case nil: break
        case .text(let text)?: dump.add("text", Self.quoted(text))
        case .malformed(let text)?: dump.add("malformed", Self.quoted(text))
        case .options(let options)?:
          dump.add("options", "\(options.count)")
          for option in options {
            dump.add("option", Self.quoted(option.key), Self.quoted(option.value))
          }
        }
      }
    }
  }

  // MARK: - Lines

  private mutating func add(_ words: String...) {
    text += String(repeating: "  ", count: depth) + words.joined(separator: " ") + "\n"
  }

  private mutating func add(_ name: String, _ flag: Bool) { add(name, flag ? "true" : "false") }

  private mutating func indented(_ body: (inout DeclarationDump) -> Void) {
    depth += 1
    body(&self)
    depth -= 1
  }

  private static func text(of place: SourcePlace) -> String { "\(place.line):\(place.column)" }

  private static func text(of shape: TypeShape?) -> String {
    switch shape {
    case nil: "nil"
    case .named(let name, let arguments)?:
      "named(" + ([quoted(name)] + arguments.map { text(of: $0) }).joined(separator: ", ") + ")"
    case .optional(let wrapped)?: "optional(\(text(of: wrapped)))"
    case .array(let element)?: "array(\(text(of: element)))"
    case .other(let spelling)?: "other(\(quoted(spelling)))"
    }
  }

  /// The text in quotes and in ASCII, so that it stays on its line.
  private static func quoted(_ text: String?) -> String {
    guard let text else { return "nil" }
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" || !(32..<127).contains(scalar.value) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
