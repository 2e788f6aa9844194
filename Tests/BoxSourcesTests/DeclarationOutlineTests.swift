import Testing

@testable import BoxSources

struct DeclarationOutlineTests {
  private func outlines(_ source: String) -> [String: [String]] {
    let read = SourceDeclarations(of: Array(source.utf8), prefix: "objectbox")
    let pairs = read.outlines.map {
      ("\($0.keyword) \($0.path)", $0.lines + $0.initializers.map(\.text) + $0.properties)
    }
    return Dictionary(pairs) { $0 + $1 }
  }

  @Test func storedPropertiesAnnotationsAndInitializersStay() {
    let source = """
      import BoxStore
      // objectbox: entity
      public final class Book: Base, Codable {
        var id: Id = 0
        // objectbox: index
        @Trimmed(by: 3) var title: String = "a { b" { didSet { title += "x" } }
        private(set) var year = 0; var month = 1
        var tags: [String: Int] = [
          "a": 1,
        ]
        lazy var cache = { 3 }()
        static var shared = Book()
        var isOld: Bool { year < 1900 }
        var isNew: Bool {
          get { true }
          set { print("}") }
        }
        required init() {}
        convenience init<T: Sequence>(_ title: String, other: T) where T.Element == Int {
          self.init()
        }
        func lend(to reader: String) -> Bool { if true { return false } }
        class func make() -> Book { Book() }
        subscript(index: Int) -> Int { 3 }
        deinit { print("gone") }
        // objectbox: transient
        var isOpen = false // objectbox: convert
      }
      """
    #expect(
      outlines(source) == [
        "class Book": [
          "objectbox: entity public final class Book : Base , Codable", "required init ( )",
          "convenience init < T : Sequence > ( _ title : String , other : T ) where T . Element == Int"
            .replacing("==", with: "= ="), "var id : Id = 0",
          "objectbox: index @ Trimmed ( by : 3 ) var title : String = \"a { b\"",
          "private ( set ) var year = 0", "var month = 1",
          "var tags : [ String : Int ] = [ \"a\" : 1 , ]", "lazy var cache = { 3 } ( )",
          "objectbox: transient var isOpen = false objectbox: convert",
        ]
      ])
  }

  @Test func nestedTypesEnumsAndAliasesHaveTheirPaths() {
    let source = """
      enum Shop {
        struct Item: Entity { let id: Id; let name: String }
        enum Kind: Int { case big = 1, small = 2
          case huge
          var text: String { "" } }
        typealias Price = Double
      }
      extension Shop.Item { init(name: String) { self.init(id: 0, name: name) }; func f() {} }
      extension Shop { func nothing() {} }
      extension Later: Entity {}
      struct RoleConverter {
        static func convert(_ role: Role) -> Int { role.value }
        static func other() {}
      }
      """
    #expect(
      outlines(source) == [
        "enum Shop": ["enum Shop"],
        "struct Shop.Item": [
          "struct Item : Entity", "let id : Id", "let name : String",
        ],
        "enum Shop.Kind": ["enum Kind : Int", "case big = 1 , small = 2", "case huge"],
        "typealias Shop.Price": ["typealias Price = Double"],
        "extension Shop.Item": ["init ( name : String )"],
        "extension Later": ["extension Later : Entity"],
        "struct RoleConverter": [
          "struct RoleConverter", "static func convert ( _ role : Role ) - > Int",
        ],
      ])
  }

  @Test func valuesOnSeveralLinesAreOneProperty() {
    let source = """
      class A: Entity {
        var a: Int =
          3
        var b = Some
          .value
          .other(1)
        var c: String
          = "x"
        var d: ToMany<A>
        = nil
        var e = a
          ? 1 : 2
        var f: Int
        {
          didSet {}
        }
        var g: Int
      }
      """
    #expect(
      outlines(source)["class A"] == [
        "class A : Entity", "var a : Int = 3", "var b = Some . value . other ( 1 )",
        "var c : String = \"x\"", "var d : ToMany < A > = nil", "var e = a ? 1 : 2",
        "var f : Int", "var g : Int",
      ])
  }

  @Test func entitiesAreKnown() {
    func entities(_ source: String) -> [String] {
      SourceDeclarations(of: Array(source.utf8), prefix: "objectbox").outlines
        .filter(\.isEntity).map(\.path)
    }
    #expect(entities("class A: Entity {}\nclass B: Codable, BoxStore.Entity {}") == ["A", "B"])
    #expect(entities("// objectbox: entity\nstruct C {}\nstruct D { var entity = 1 }") == ["C"])
    #expect(
      entities("struct E<Entity> { }\nstruct F {\n // objectbox: index\n var a = 1 }") == ["F"])
    // A comment behind a brace belongs to no member.
    #expect(entities("struct F { // objectbox: index\n var a = 1 }").isEmpty)
    #expect(entities("extension G: Entity {}\nextension H {}") == ["G"])
  }
}
