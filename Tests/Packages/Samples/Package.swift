// swift-tools-version:6.2
import PackageDescription

// The code samples of ObjectBox's documents, which scripts/check-samples cuts out of the documents where
// they are there. Samples has hand-written bindings; the other modules have the entities of the documents,
// which declare several of one name, and generated bindings.
let modules = ["Annotations", "Converters", "Directions", "Identifiers", "Names", "Relations"]
let library: Target.Dependency = .product(name: "BoxStore", package: "BoxJoint")
let package = Package(
  name: "Samples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "BoxJoint", path: "../../..", traits: [])],
  targets: modules.map { .target(name: $0, dependencies: [library]) } + [
    .executableTarget(
      name: "Samples", dependencies: [library] + modules.map { .target(name: $0) })
  ],
  swiftLanguageModes: [.v6]
)
