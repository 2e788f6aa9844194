// swift-tools-version:6.2
import PackageDescription

// Publishers with OpenCombine, as an app on Linux asks for them. scripts/check-examples runs the tests.
let package = Package(
  name: "Publishers",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "BoxJoint", path: "../../..", traits: ["OpenCombine"]),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
  ],
  targets: [
    .testTarget(
      name: "PublisherTests",
      dependencies: [
        .product(name: "BoxStore", package: "BoxJoint"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
