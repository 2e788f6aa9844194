import BoxStoreTool
import Testing

@testable import BoxBrowse

/// The files of the pages themselves.
struct BrowseAssetTests {
  private let script = String(decoding: BrowseScript.text.utf8, as: UTF8.self)

  @Test func theFilesAreSmall() {
    #expect(BrowseScript.text.utf8.count <= 30_000)
    #expect(BrowseScript.text.utf8.count + BrowseStyle.text.utf8.count <= 48 << 10)
  }

  @Test(arguments: [
    "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(",
    "setAttribute(\"on", "setAttribute(\"style", "https:", "http:", "import ",
  ])
  func theScriptMakesNoMarkup(_ call: String) { #expect(!script.contains(call)) }
}
