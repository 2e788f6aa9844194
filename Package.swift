// swift-tools-version:6.2
import PackageDescription

let common: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
]

/// A target with the settings that every target of the package has.
///
/// Where `marksUnsafe` is set, the compiler requires `unsafe` wherever memory is not checked.
func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], marksUnsafe: Bool = false
) -> Target {
  let settings = marksUnsafe ? common + [.strictMemorySafety()] : common
  return .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// Tests of targets.
///
/// What they test is optimised in a release build, and they are not: this takes a third of the time to compile.
/// A model or a generator that runs long belongs to a target beside them, such as `TestSupport`. For scripts/soak
/// and scripts/bench all of them are optimised.
func tests(
  _ name: String, _ dependencies: [Target.Dependency],
  isOptimised: Bool = Context.environment["BOXJOINT_BUILD_OPTIMISED"] != nil
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies,
    swiftSettings: isOptimised ? common : common + [.unsafeFlags(["-Onone"])])
}

let package = Package(
  name: "BoxJoint",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "boxjoint", targets: ["BoxJointCLI"]),
    .executable(name: "boxjoint-generate", targets: ["BoxGenerateCLI"]),
    .plugin(name: "GenerateBindings", targets: ["GenerateBindings"]),
    .plugin(name: "CheckEntities", targets: ["CheckEntities"]),
    .library(name: "BoxModel", targets: ["BoxModel"]),
    .library(name: "BoxConvert", targets: ["BoxConvert"]),
    .library(name: "BoxFoundation", targets: ["BoxFoundation"]),
    .library(name: "BoxReport", targets: ["BoxReport"]),
    .library(name: "BoxStorage", targets: ["BoxStorage"]),
    .library(name: "BoxEngine", targets: ["BoxEngine"]),
    .library(name: "BoxStore", targets: ["BoxStore"]),
    .library(name: "BoxDump", targets: ["BoxDump"]),
    .library(name: "BoxMigration", targets: ["BoxMigration"]),
    .library(name: "BoxStoreMigration", targets: ["BoxStoreMigration"]),
    .library(name: "BoxStoreTesting", targets: ["BoxStoreTesting"]),
  ],
  traits: [
    // One alone: the package manager names several to the compiler in an order that differs from run to run,
    // and each order compiles everything again.
    .default(enabledTraits: ["CommandLine"]),
    .trait(
      name: "Generator",
      description:
        "Deprecated: changes nothing, as the generator needs no packages of its own. Removed in 0.3.0."
    ),
    .trait(
      name: "CommandLine",
      description: "The program boxjoint and the tests; an app that needs a library leaves it out."),
    .trait(
      name: "OpenCombine",
      description: "Publishers of boxes and queries where there is no Combine."),
    .trait(
      name: "Logging",
      description: "A logger of stores that sends messages to swift-log."),
    .trait(
      name: "Vectors",
      description: "Graphs for nearest neighbours; without them every vector is compared."),
  ],
  dependencies: [
    // Ranges, as apps take other versions than we do: docs/decisions/0018.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // Without traits: the one of them would link all of Foundation.
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/OpenCombine/OpenCombine", .upToNextMinor(from: "0.14.0")),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .systemLibrary(
      name: "CJSONC", pkgConfig: "json-c",
      providers: [.apt(["libjson-c-dev"]), .brew(["json-c"])]),
    .systemLibrary(
      name: "CEdit", pkgConfig: "libedit",
      providers: [.apt(["libedit-dev"]), .brew(["libedit"])]),
    .systemLibrary(
      name: "CYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),

    .systemLibrary(
      name: "CLMDB", pkgConfig: "lmdb",
      providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .systemLibrary(name: "CChecksum"),
    .systemLibrary(name: "CDistance"),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(
      name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"]), .brew(["nettle"])]),
    // macOS has it in its SDK.
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

    library("BoxJSON", ["CJSONC"], marksUnsafe: true),
    library("BoxHash"),
    library("BoxReport", ["BoxHash", "BoxJSON"]),
    library("BoxModel", ["BoxJSON", "BoxReport"]),
    library("BoxMerge", ["BoxModel", "BoxReport", "BoxJSON"]),
    library("BoxConvert", ["BoxModel", "BoxReport", "BoxJSON"]),
    library("BoxRecovery", ["BoxModel", "BoxReport", "BoxJSON"]),
    library("BoxFoundation", ["BoxConvert", "BoxModel", "BoxJSON"]),
    library("BoxSystem", marksUnsafe: true),
    library("BoxStorage", ["BoxSystem", "CLMDB"], marksUnsafe: true),
    library(
      "BoxEngine",
      ["BoxStorage", "BoxModel", "BoxReport", "BoxJSON", "CChecksum", "CDistance"],
      marksUnsafe: true),
    library("BoxSync", ["BoxEngine", "BoxStorage", "BoxModel", "BoxHash"]),
    library(
      "BoxVector", ["BoxEngine", "BoxStorage", "BoxModel", "CDistance"], marksUnsafe: true),
    library(
      "BoxStore",
      [
        "BoxEngine", "BoxStorage", "BoxConvert", "BoxModel", "BoxReport", "BoxJSON",
        .target(name: "BoxVector", condition: .when(traits: ["Vectors"])),
        .product(
          name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
        .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
      ], marksUnsafe: true),
    library(
      "BoxDump",
      [
        "BoxEngine", "BoxStorage", "BoxSystem", "BoxConvert", "BoxModel", "BoxReport", "BoxJSON",
        "CChecksum", "CZlib", "CZstd", "CNettle",
      ], marksUnsafe: true),
    // Not a part of BoxDump: an app that exports dumps links no SQLite.
    library(
      "BoxSQLite",
      ["BoxDump", "BoxEngine", "BoxSystem", "BoxModel", "BoxReport", "BoxJSON", "CSQLite"],
      marksUnsafe: true),
    library(
      "BoxMigration",
      ["BoxEngine", "BoxStorage", "BoxConvert", "BoxModel", "BoxReport", "BoxJSON", "CNettle"]),

    library(
      "BoxStoreMigration", ["BoxStore", "BoxMigration", "BoxEngine", "BoxStorage", "BoxModel"]),

    // Only targets of tests depend on it, as it links the library of tests.
    library(
      "BoxStoreTesting",
      [
        "BoxStore", "BoxDump", "BoxEngine", "BoxStorage", "BoxSystem", "BoxModel", "BoxReport",
        "BoxJSON",
      ]),

    library(
      "BoxGenerator",
      ["BoxSources", "BoxRecovery", "BoxConvert", "BoxModel", "BoxSystem", "BoxReport", "BoxJSON"]),
    library(
      "BoxGenerateTool",
      [
        "BoxWorkspace", "BoxGenerator", "BoxHash", "BoxSources", "BoxSystem", "BoxConvert",
        "BoxModel", "BoxReport",
      ]),

    library("BoxWorkspace", ["BoxRecovery", "BoxSystem", "BoxModel", "BoxReport", "BoxJSON"]),
    library(
      "BoxModelTool",
      [
        "BoxWorkspace", "BoxJSON", "BoxReport", "BoxModel", "BoxMerge", "BoxConvert",
        "BoxRecovery", "BoxSystem", "BoxStorage", "BoxEngine", "BoxDump", "BoxMigration",
        "BoxSources", "BoxGenerator", "BoxGenerateTool", "CYAML",
      ]),
    library(
      "BoxStoreTool",
      [
        "BoxModelTool", "BoxWorkspace", "BoxJSON", "BoxReport", "BoxModel", "BoxConvert",
        "BoxSystem", "BoxStorage", "BoxEngine", "BoxDump", "BoxMigration",
        .target(name: "BoxSQLite", condition: .when(traits: ["CommandLine"])),
      ]),

    library(
      "BoxBrowse",
      [
        "BoxStoreTool", "BoxModelTool", "BoxWorkspace", "BoxHash", "BoxJSON", "BoxReport",
        "BoxModel", "BoxConvert", "BoxMigration", "BoxStorage", "BoxEngine", "BoxDump",
      ]),
    // The only target that opens a port.
    library(
      "BoxServer",
      [
        "BoxBrowse", "BoxDump", "BoxSystem",
        .product(
          name: "NIOCore", package: "swift-nio", condition: .when(traits: ["CommandLine"])),
        .product(
          name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["CommandLine"])),
        .product(
          name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["CommandLine"])),
      ]),

    library("BoxSources", ["BoxHash", "BoxSystem"]),
    .executableTarget(
      name: "BoxEntityCheck", dependencies: ["BoxSources", "BoxSystem"], swiftSettings: common),
    .executableTarget(
      name: "BoxGenerateCLI",
      dependencies: [
        "BoxTerminal", "BoxGenerateTool", "BoxWorkspace", "BoxGenerator", "BoxSources",
        "BoxSystem", "BoxReport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: common),
    .plugin(
      name: "GenerateBindings",
      capability: .command(
        intent: .custom(
          verb: "objectbox-generator",
          description: "Write the model file and the bindings of annotated Swift types."),
        permissions: [
          .writeToPackageDirectory(reason: "The model file and the bindings are sources.")
        ]),
      dependencies: ["BoxGenerateCLI"], path: "Sources/GenerateBindingsPlugin"),
    .plugin(
      name: "CheckEntities", capability: .buildTool(), dependencies: ["BoxEntityCheck"],
      path: "Sources/CheckEntitiesPlugin"),

    .target(
      name: "BoxTerminal",
      dependencies: [
        "BoxWorkspace", "BoxReport", "BoxSystem",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: common),

    .executableTarget(
      name: "BoxJointCLI",
      dependencies: [
        "BoxTerminal", "BoxStoreTool", "BoxModelTool", "BoxWorkspace", "BoxJSON", "BoxReport",
        "BoxModel", "BoxMerge", "BoxConvert", "BoxRecovery", "BoxBrowse", "BoxServer",
        "BoxSystem", "BoxStorage", "BoxEngine", "BoxDump", "BoxMigration", "CEdit",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["CommandLine"])),
      ],
      swiftSettings: common),

    .target(
      name: "TestSupport",
      dependencies: [
        "BoxModel", "BoxReport", "BoxStorage", "BoxJSON",
        .product(
          name: "Subprocess", package: "swift-subprocess",
          condition: .when(traits: ["CommandLine"])),
      ],
      path: "Tests/TestSupport", swiftSettings: common),
    tests("BoxJSONTests", ["BoxJSON", "CJSONC", "TestSupport"]),
    tests("BoxReportTests", ["BoxHash", "BoxReport", "BoxJSON", "TestSupport"]),
    tests("BoxModelTests", ["BoxModel", "BoxJSON", "BoxReport", "TestSupport"]),
    tests("BoxMergeTests", ["BoxMerge", "BoxModel", "BoxJSON", "BoxReport", "TestSupport"]),
    tests(
      "BoxConvertTests",
      ["BoxConvert", "BoxFoundation", "BoxModel", "BoxReport", "BoxJSON", "TestSupport"]),
    tests("BoxRecoveryTests", ["BoxRecovery", "BoxModel", "BoxReport", "BoxJSON", "TestSupport"]),
    tests("BoxSourcesTests", ["BoxSources", "TestSupport"]),
    tests(
      "BoxSyncTests",
      ["BoxSync", "BoxEngine", "BoxStorage", "BoxModel", "BoxReport", "TestSupport"]),
    // Nearly all of it is the simulator, which runs thousands of seeds.
    tests(
      "SyncSimulation",
      ["BoxSync", "BoxEngine", "BoxStorage", "BoxModel", "BoxReport", "TestSupport"],
      isOptimised: true),
    tests("BoxSystemTests", ["BoxSystem", "TestSupport"]),
    .executableTarget(
      name: "StorageWriter", dependencies: ["BoxStorage", "TestSupport"],
      path: "Tests/StorageWriter", swiftSettings: common),
    tests(
      "BoxStorageTests", ["BoxStorage", "BoxSystem", "CLMDB", "StorageWriter", "TestSupport"]),
    .executableTarget(
      name: "EngineFaultsChild", dependencies: ["BoxEngine", "BoxModel", "BoxStorage"],
      path: "Tests/EngineFaultsChild", swiftSettings: common),
    tests(
      "BoxEngineTests",
      [
        "BoxEngine", "BoxStorage", "BoxConvert", "BoxModel", "BoxReport", "BoxJSON",
        "EngineFaultsChild",
        "TestSupport",
      ]),
    .executableTarget(
      name: "VectorFaultsChild",
      dependencies: ["BoxVector", "BoxEngine", "BoxModel", "BoxStorage"],
      path: "Tests/VectorFaultsChild", swiftSettings: common),
    tests(
      "BoxVectorTests",
      [
        "BoxVector", "BoxEngine", "BoxStorage", "BoxSystem", "BoxModel", "CDistance",
        "VectorFaultsChild", "TestSupport",
      ]),
    // Measured by scripts/bench vectors.
    .executableTarget(
      name: "VectorPeer", dependencies: ["BoxVector", "BoxEngine", "BoxModel", "BoxStorage"],
      path: "scripts/benchmarks/vectors/peer", swiftSettings: common),
    tests("BoxStoreTests", ["BoxStore", "BoxEngine", "BoxStorage", "BoxConvert", "TestSupport"]),
    .testTarget(
      name: "BoxStoreIsolationTests", dependencies: ["BoxStore", "TestSupport"],
      // As in the apps that Xcode makes.
      swiftSettings: common + [.defaultIsolation(MainActor.self)]),
    .executableTarget(
      name: "ImportFaultsChild",
      dependencies: ["BoxDump", "BoxEngine", "BoxModel", "BoxStorage"],
      path: "Tests/ImportFaultsChild", swiftSettings: common),
    tests(
      "BoxDumpTests",
      [
        "BoxDump", "BoxEngine", "BoxStorage", "BoxConvert", "BoxModel", "BoxReport", "BoxJSON",
        "ImportFaultsChild", "TestSupport",
        .target(name: "BoxSQLite", condition: .when(traits: ["CommandLine"])),
      ]),
    .executableTarget(
      name: "MigrationFaultsChild", dependencies: ["BoxMigration", "BoxModel"],
      path: "Tests/MigrationFaultsChild", swiftSettings: common),
    tests(
      "BoxMigrationTests",
      [
        "BoxMigration", "BoxEngine", "BoxStorage", "BoxConvert", "BoxMerge", "BoxModel",
        "BoxReport", "BoxJSON", "MigrationFaultsChild", "TestSupport",
      ]),
    tests(
      "BoxStoreMigrationTests",
      [
        "BoxStoreMigration", "BoxMigration", "BoxStore", "BoxEngine", "BoxStorage", "BoxModel",
        "TestSupport",
      ]),
    tests(
      "BoxStoreTestingTests",
      [
        "BoxStoreTesting", "BoxStore", "BoxEngine", "BoxStorage", "BoxModel", "TestSupport",
      ]),
    tests(
      "BoxGeneratorTests",
      [
        "BoxGenerator", "BoxSources", "BoxConvert", "BoxFoundation", "BoxModel", "BoxReport",
        "BoxStore",
        "BoxStoreMigration", "TestSupport",
      ]),
    tests(
      "BoxGenerateCLITests",
      ["BoxGenerateCLI", "BoxEntityCheck", "BoxSources", "BoxSystem", "BoxModel", "TestSupport"]),
    .target(
      name: "ToolTestSupport", dependencies: ["BoxWorkspace", "BoxSystem", "TestSupport"],
      path: "Tests/ToolTestSupport", swiftSettings: common),
    tests(
      "BoxWorkspaceTests",
      ["BoxWorkspace", "BoxSystem", "BoxReport", "BoxJSON", "TestSupport", "ToolTestSupport"]),
    tests(
      "BoxModelToolTests",
      [
        "BoxModelTool", "BoxWorkspace", "BoxSystem", "BoxJSON", "BoxReport", "BoxModel", "BoxMerge",
        "BoxConvert", "BoxEngine", "BoxMigration", "BoxRecovery", "BoxGenerator",
        "BoxGenerateTool", "BoxSources", "TestSupport", "ToolTestSupport",
      ]),
    tests(
      "BoxStoreToolTests",
      [
        "BoxStoreTool", "BoxModelTool", "BoxWorkspace", "BoxSystem", "BoxJSON", "BoxReport",
        "BoxModel", "BoxConvert", "BoxStorage", "BoxEngine", "BoxDump", "BoxMigration",
        "BoxRecovery", "TestSupport", "ToolTestSupport",
      ]),
    tests(
      "BoxBrowseTests",
      [
        "BoxBrowse", "BoxServer", "BoxStoreTool", "BoxModelTool", "BoxWorkspace", "BoxJSON",
        "BoxReport", "BoxModel", "BoxMigration", "BoxStorage", "BoxEngine", "BoxDump",
        "TestSupport",
      ]),
    tests(
      "BoxJointCLITests",
      [
        "BoxJSON", "BoxReport", "BoxModel", "BoxMerge", "BoxConvert", "BoxStorage", "BoxEngine",
        "BoxMigration", "BoxDump", "BoxStoreTool", "BoxModelTool", "BoxWorkspace", "BoxTerminal",
        "BoxJointCLI",
        "TestSupport",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["CommandLine"])),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// The targets of scripts/fuzz, which link with libFuzzer alone.
if Context.environment["BOXJOINT_BUILD_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "BoxModel", "BoxMerge", "BoxConvert", "BoxStorage", "BoxEngine", "BoxDump", "BoxMigration",
        "BoxRecovery", "BoxSources", "BoxGenerator", "BoxModelTool", "BoxStoreTool", "BoxWorkspace",
        "BoxBrowse", "BoxSync",
      ],
      path: "Tests/Fuzz", swiftSettings: common))
}

// The tests of concurrency, which scripts/test --sanitize thread builds, and no others.
if Context.environment["BOXJOINT_BUILD_SANITIZED"] != nil {
  package.targets.removeAll {
    $0.isTest && !["BoxEngineTests", "BoxStorageTests", "BoxStoreTests"].contains($0.name)
  }
}

// Some of the tests or programs, by their names, with what they need, for those who work on few targets.
if let names = Context.environment["BOXJOINT_BUILD_TESTS"]?.split(separator: ",").map(String.init) {
  var (kept, waiting) = (Set<String>(), names)
  while let name = waiting.popLast() {
    guard kept.insert(name).inserted else { continue }
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _): waiting.append(name)
      default: break
      }
    }
  }
  package.targets.removeAll { !kept.contains($0.name) }
  package.products = []
}

// Rules of data sync that tests can leave out, for scripts/soak sync-sim --planted.
if Context.environment["BOXJOINT_BUILD_PLANTED"] != nil {
  for target in package.targets where ["BoxSync", "SyncSimulation"].contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.define("PLANTED")]
  }
}
