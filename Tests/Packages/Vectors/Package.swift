// swift-tools-version:6.2
import PackageDescription

// Graphs for nearest neighbours, as an app asks for them. scripts/check-examples runs the tests.
let package = Package(
  name: "Vectors",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "BoxJoint", path: "../../..", traits: ["Vectors"])],
  targets: [
    .testTarget(
      name: "VectorsTests", dependencies: [.product(name: "BoxStore", package: "BoxJoint")])
  ],
  swiftLanguageModes: [.v6]
)
