// swift-tools-version:6.2
import PackageDescription

// What the generator's reader is compared with: the declarations of sources as swift-syntax sees them.
// scripts/check-reader builds it.
let package = Package(
  name: "SyntaxOracle",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1")],
  targets: [
    .executableTarget(
      name: "SyntaxOracle",
      dependencies: [
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
