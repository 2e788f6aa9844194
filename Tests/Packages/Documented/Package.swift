// swift-tools-version:6.2
import PackageDescription

// A package as a user has it: it depends on BoxJoint by its products alone. scripts/check-examples
// writes the examples of docs/ into it and builds it.
let package = Package(
  name: "Documented",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "BoxJoint", path: "../../..", traits: [])],
  targets: [
    .target(
      name: "Documented",
      dependencies: [
        .product(name: "BoxConvert", package: "BoxJoint"),
        .product(name: "BoxDump", package: "BoxJoint"),
        .product(name: "BoxEngine", package: "BoxJoint"),
        .product(name: "BoxFoundation", package: "BoxJoint"),
        .product(name: "BoxMigration", package: "BoxJoint"),
        .product(name: "BoxModel", package: "BoxJoint"),
        .product(name: "BoxReport", package: "BoxJoint"),
        .product(name: "BoxStorage", package: "BoxJoint"),
        .product(name: "BoxStore", package: "BoxJoint"),
        .product(name: "BoxStoreMigration", package: "BoxJoint"),
      ],
      // In milliseconds; scripts/check-examples asks for it.
      swiftSettings: [.unsafeFlags(["-Xfrontend", "-warn-long-expression-type-checking=1000"])]),
    // An app with bindings of ObjectBox's generator, and a copy of it in the older mode of the language.
    .executableTarget(
      name: "Ported", dependencies: [.product(name: "BoxStore", package: "BoxJoint")]),
    .executableTarget(
      name: "PortedInSwift5", dependencies: [.product(name: "BoxStore", package: "BoxJoint")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ]
)
