// swift-tools-version:6.2
import PackageDescription

// Publishers, messages to swift-log and graphs of vectors, as an app on Linux asks for them.
// scripts/check-examples runs the tests.
let package = Package(
  name: "Traits",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "BoxJoint", path: "../../..", traits: ["OpenCombine", "Logging", "Vectors"]),
    .package(url: "https://github.com/OpenCombine/OpenCombine", .upToNextMinor(from: "0.14.0")),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .testTarget(
      name: "PublisherTests",
      dependencies: [
        .product(name: "BoxStore", package: "BoxJoint"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .testTarget(
      name: "VectorsTests", dependencies: [.product(name: "BoxStore", package: "BoxJoint")]),
  ],
  swiftLanguageModes: [.v6]
)
