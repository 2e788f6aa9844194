// swift-tools-version:6.2
import PackageDescription

let package = Package(
  name: "Bookshelf",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Without traits: the library alone.
    .package(name: "BoxJoint", path: "../../..", traits: [])
  ],
  targets: [
    .executableTarget(
      name: "Bookshelf", dependencies: [.product(name: "BoxStore", package: "BoxJoint")])
  ],
  swiftLanguageModes: [.v6]
)
