// swift-tools-version:6.2
import PackageDescription

// Publishers with OpenCombine and messages to swift-log, as an app on Linux asks for them. scripts/check-examples runs the tests.
let package = Package(
  name: "Publishers",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "BoxJoint", path: "../../..", traits: ["OpenCombine", "Logging"]),
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
      ])
  ],
  swiftLanguageModes: [.v6]
)
