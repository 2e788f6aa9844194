import BoxStore
import Hummingbird

/// The shelf of the program Bookshelf over HTTP: `swift run BookshelfServer [STORE [PORT]]`.
///
/// An empty store is filled first.
@main
enum BookshelfServer {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let store = try Store(directoryPath: arguments.first ?? "shelf")
    defer { store.close() }
    if try store.box(for: Book.self).isEmpty() { _ = try Shelf(store).fill() }
    let port = arguments.count > 1 ? Int(arguments[1]) ?? 8080 : 8080
    let application = Application(
      router: Routes(store).router(),
      configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: "Bookshelf"))
    // Until an interrupt: requests that have begun are answered first.
    try await application.runService()
  }
}
