internal import BoxGenerator
internal import BoxReport

/// The files of a new package that people edit; the generator writes the others.
struct NewPackageFiles {
  /// A file of the package.
  struct File {
    /// The path in the directory of the package.
    var path: String
    /// The content.
    var text: String
  }

  /// The place of this library.
  enum Dependency: Hashable {
    /// The placeholder of an address.
    case address
    /// A directory, as the manifest names it.
    case path(String)
  }

  /// The placeholder of the documentation for the address of the repository of this library.
  static let address = "https://example.org/BoxJoint.git"

  private let name: String
  private let dependency: Dependency

  /// Creates the files of a package.
  init(_ name: String, _ dependency: Dependency) {
    self.name = name
    self.dependency = dependency
  }

  /// The files.
  var all: [File] {
    [
      File(path: "Package.swift", text: manifest),
      File(path: "README.md", text: readme),
      File(path: "Sources/\(name)/Entities.swift", text: Self.entities),
      File(path: "Sources/\(name)/main.swift", text: Self.program),
      File(path: "Tests/\(name)Tests/\(name)Tests.swift", text: test),
      File(path: ".gitattributes", text: attributes),
      File(path: ".gitignore", text: ".build/\ndata/\n*.bak\n"),
      File(path: ".github/workflows/model.yml", text: workflow),
    ]
  }

  private var attributes: String {
    let block = AttributesBlock(patterns: FilePattern.standard)
    return String(decoding: block.installed(in: nil), as: UTF8.self)
  }

  /// The line of the manifest that names this library.
  private var dependencyLine: String {
    switch dependency {
    case .address: ".package(url: \(Self.address.swiftLiteral), branch: \"main\", traits: [])"
    // By its name, as the last part of the path may be another one.
    case .path(let path): ".package(name: \"BoxJoint\", path: \(path.swiftLiteral), traits: [])"
    }
  }

  private var manifest: String {
    """
    // swift-tools-version:6.2
    import PackageDescription

    let package = Package(
      name: "\(name)",
      platforms: [.macOS(.v15)],
      dependencies: [
        \(dependencyLine)
      ],
      targets: [
        .executableTarget(
          name: "\(name)",
          dependencies: [.product(name: "BoxStore", package: "BoxJoint")],
          plugins: [.plugin(name: "CheckEntities", package: "BoxJoint")]),
        .testTarget(
          name: "\(name)Tests",
          dependencies: ["\(name)", .product(name: "BoxStore", package: "BoxJoint")]),
      ]
    )

    """
  }

  private static let entities = """
    import BoxStore

    final class Note: Entity {
      var id: Id = 0
      // objectbox: index
      var title: String = ""
      var text: String = ""
      var folder: ToOne<Folder> = nil

      required init() {}

      convenience init(_ title: String, in folder: Folder) {
        self.init()
        self.title = title
        self.folder.target = folder
      }
    }

    final class Folder: Entity {
      var id: Id = 0
      var name: String = ""
      // objectbox: backlink = "folder"
      var notes: ToMany<Note> = nil

      required init() {}

      convenience init(_ name: String) {
        self.init()
        self.name = name
      }
    }

    """

  private static let program = #"""
    import BoxStore

    let store = try Store(directoryPath: "data")
    let notes = store.box(for: Note.self)
    let folders = store.box(for: Folder.self)

    if try folders.isEmpty() {
      let home = Folder("Home")
      let work = Folder("Work")
      try notes.put([Note("Milk and bread", in: home), Note("Call Ann", in: work), Note("Bread", in: home)])
    }
    for folder in try folders.all() {
      print("\(folder.name): \(folder.notes.map(\.title).sorted().joined(separator: ", "))")
    }
    let found = try notes.query { Note.title.contains("bread", caseSensitive: false) }.build().find()
    print("with bread: \(found.map(\.title).sorted().joined(separator: ", "))")

    """#

  private var test: String {
    #"""
    import BoxStore
    import Testing

    @testable import \#(name)

    struct \#(name)Tests {
      @Test func aNoteIsPutWithItsFolder() throws {
        let store = try Store(directoryPath: "memory:\#(name)Tests")
        try store.box(for: Note.self).put([Note("Milk", in: Folder("Home"))])
        let folder = try #require(try store.box(for: Folder.self).all().first)
        #expect(folder.name == "Home")
        #expect(folder.notes.map(\.title) == ["Milk"])
      }
    }

    """#
  }

  private var readme: String {
    """
    # \(name)

    Stores notes in folders, with BoxStore.

    ```sh
    swift test
    swift run \(name)  # stores in the directory data
    swift package --allow-writing-to-package-directory objectbox-generator  # after a change of the types
    ```

    | file | what it has |
    |---|---|
    | `Sources/\(name)/Entities.swift` | the types of the stored objects |
    | `model-\(name).json` | the UIDs by which stores know them; commit it |
    | `Sources/\(name)/generated` | the code between types and stores; commit it |
    | `.gitattributes` | the merge driver, which `boxjoint git install` switches on in each clone |
    | `.github/workflows/model.yml` | the check and the plan of a pull request; fill in what is in `<…>` |

    """
  }

  private var workflow: String {
    #"""
    # What is in <…> is explained in docs/ci.md of BoxJoint.
    name: model
    on: pull_request
    permissions:
      contents: read
    jobs:
      model:
        runs-on: ubuntu-latest
        steps:
          - uses: actions/checkout@<commit>
            with:
              fetch-depth: 0
          - name: install boxjoint
            run: |
              curl --fail --silent --show-error --location --output "$RUNNER_TEMP/archive" "$ARCHIVE"
              echo "$SHA256  $RUNNER_TEMP/archive" | sha256sum --check
              sudo tar -xzf "$RUNNER_TEMP/archive" -C /usr/local --strip-components=1
            env:
              ARCHIVE: https://example.org/boxjoint-\#(ToolInfo.currentVersion)-linux-x86_64.tar.gz
              SHA256: <the sum in SHA256SUMS>
          - name: check
            run: boxjoint check --against "refs/remotes/origin/$BASE" --format github
            env:
              BASE: ${{ github.base_ref }}
          - name: plan
            run: boxjoint plan --against "refs/remotes/origin/$BASE" --format github model-\#(name).json
            env:
              BASE: ${{ github.base_ref }}

    """#
  }
}
