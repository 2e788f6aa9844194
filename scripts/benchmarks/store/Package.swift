// swift-tools-version:6.2
import PackageDescription

// A package of its own, so that the peers that it measures are nobody's dependency.
let package = Package(
  name: "StoreBenchmark",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "BoxJoint", path: "../../.."),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .target(name: "CWorkload"),
    .executableTarget(
      name: "EnginePeer",
      dependencies: [
        "CWorkload",
        .product(name: "BoxEngine", package: "BoxJoint"),
        .product(name: "BoxModel", package: "BoxJoint"),
      ]),
    .executableTarget(
      name: "APIPeer",
      dependencies: [
        "CWorkload",
        .product(name: "BoxEngine", package: "BoxJoint"),
        .product(name: "BoxStore", package: "BoxJoint"),
      ]),
    .executableTarget(
      name: "QueryPeer",
      dependencies: [
        "CWorkload",
        .product(name: "BoxEngine", package: "BoxJoint"),
        .product(name: "BoxModel", package: "BoxJoint"),
      ]),
    .executableTarget(
      name: "GRDBPeer",
      dependencies: ["CWorkload", .product(name: "GRDB", package: "GRDB.swift")]),
  ],
  swiftLanguageModes: [.v6]
)
