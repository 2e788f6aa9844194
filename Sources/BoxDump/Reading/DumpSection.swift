internal import BoxJSON
internal import BoxModel

/// A part of an input whose elements are of one kind: the objects of an entity, or the entries of a
/// to-many relation.
final class DumpSection: Sendable {
  /// `Entity`, or `Entity.relation`.
  let name: String
  let isRelation: Bool
  /// The position among the sections of the input.
  let number: Int
  /// The bytes with which the line of an element begins, as dumps are written.
  let prefix: [UInt8]

  fileprivate init(_ name: String, isRelation: Bool, number: Int) {
    self.name = name
    self.isRelation = isRelation
    self.number = number
    prefix = Array("{\(JSONValue.string(name).text(indent: 0)):".utf8)
  }
}

/// The sections that an input may have.
struct DumpSections: Sendable {
  private(set) var all: [DumpSection] = []
  private var entities: [ExactText: DumpSection] = [:]
  private var relations: [ExactText: DumpSection] = [:]
  /// The entities by the names that exports give their tables.
  private var tables: [ExactText: DumpSection] = [:]

  init(entities: [String], relations: [String]) {
    for name in entities where self.entities[ExactText(name)] == nil {
      all.append(DumpSection(name, isRelation: false, number: all.count))
      self.entities[ExactText(name)] = all.last
      let stems = DumpManifest.File.stems(of: name, areTables: true)
      tables[ExactText(stems.second)] = tables[ExactText(stems.second)] ?? all.last
      tables[ExactText(stems.first)] = all.last
    }
    for name in relations where self.relations[ExactText(name)] == nil {
      all.append(DumpSection(name, isRelation: true, number: all.count))
      self.relations[ExactText(name)] = all.last
    }
  }

  /// The sections of a dump: its entities, and the to-many relations that they have in its model.
  init(_ header: DumpHeader, _ model: Model) {
    let exported = Set(header.entities.map { ExactText($0) })
    self.init(
      entities: header.entities,
      relations: model.entities.filter { exported.contains(ExactText($0.name)) }.flatMap { entity in
        (entity.relations ?? []).map { "\(entity.name).\($0.name)" }
      })
  }

  func entity(_ name: String) -> DumpSection? { entities[ExactText(name)] }
  func relation(_ name: String) -> DumpSection? { relations[ExactText(name)] }

  /// The entity whose table has a name, without a period and what follows it.
  func entity(ofTable stem: String) -> DumpSection? { tables[ExactText(stem)] }

  /// The section of a line with a name.
  func section(_ name: String) -> DumpSection? { entity(name) ?? relation(name) }

  /// The section of a file of a directory.
  func section(of file: DumpManifest.File) -> DumpSection? {
    switch file.content {
    case .entity(let total): entity(total.name)
    case .relation(let total): relation(total.name)
    }
  }
}

extension DumpHeader {
  /// The model of the dump.
  ///
  /// - Throws: ``DumpError`` if it is not a model.
  func parsedModel(_ path: String) throws(DumpError) -> Model { try modelDocument(path).model }

  /// The rules about removals, parsed; nil without any.
  ///
  /// - Throws: ``DumpError`` if they are not valid, or of a newer version.
  func declarations(_ path: String) throws(DumpError) -> Declarations? {
    guard let rules else { return nil }
    do throws(DeclarationsError) {
      return try DeclarationsDocument(parsing: rules).declarations
    } catch {
      throw DumpError("the rules in the header are wrong: \(error.message)", path: path)
    }
  }

  /// The same for a store with the model of the dump.
  ///
  /// - Throws: ``DumpError``, also if the rules do not fit the model.
  func fittingDeclarations(_ path: String) throws(DumpError) -> Declarations? {
    guard let declarations = try declarations(path) else { return nil }
    if let mismatch = declarations.mismatches(with: try parsedModel(path)).first {
      throw DumpError("the rules in the header are wrong: \(mismatch.message)", path: path)
    }
    return declarations
  }

  /// The text of the model, parsed.
  ///
  /// - Throws: ``DumpError`` if it is not the text of a model.
  func modelDocument(_ path: String) throws(DumpError) -> ModelDocument {
    do throws(ModelError) {
      return try ModelDocument(parsing: model)
    } catch {
      throw DumpError("the model in the header is wrong: \(error.message)", path: path)
    }
  }
}
