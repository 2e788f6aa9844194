// swift-tools-version:6.2
import PackageDescription

let package = Package(
  name: "BookshelfServer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "BoxJoint", path: "../../..", traits: []),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
  ],
  targets: [
    .executableTarget(
      name: "BookshelfServer",
      dependencies: [
        .product(name: "BoxStore", package: "BoxJoint"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
