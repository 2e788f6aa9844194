// swift-tools-version:6.2
import PackageDescription

// The code samples of ObjectBox's documents, which scripts/check-samples cuts out of the documents where
// they are there, beside hand-written bindings.
let package = Package(
  name: "Samples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "BoxJoint", path: "../../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Samples", dependencies: [.product(name: "BoxStore", package: "BoxJoint")])
  ],
  swiftLanguageModes: [.v6]
)
