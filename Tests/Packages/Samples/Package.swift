// swift-tools-version:6.2
import PackageDescription

// The code samples of ObjectBox's documents, which scripts/check-samples cuts out of the documents where
// they are there, and those of CoreStore's document in BoxStore's form. Samples has hand-written bindings;
// the other modules have the entities of the documents, which declare several of one name, and generated
// bindings.
let modules = [
  "Animals", "Annotations", "Converters", "Directions", "Identifiers", "Names", "People",
  "Relations",
]
let library: Target.Dependency = .product(name: "BoxStore", package: "BoxJoint")
let migration = ["BoxMigration", "BoxStoreMigration"].map {
  Target.Dependency.product(name: $0, package: "BoxJoint")
}
let package = Package(
  name: "Samples",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "BoxJoint", path: "../../..", traits: [])],
  targets: modules.map { .target(name: $0, dependencies: [library]) } + [
    .target(name: "Versions", dependencies: [library] + migration),
    .executableTarget(
      name: "Samples",
      dependencies: [library, "Versions"] + modules.map { .target(name: $0) }),
  ],
  swiftLanguageModes: [.v6]
)
