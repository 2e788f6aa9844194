import BoxEngine
import BoxModel
import BoxStorage
import BoxStoreTool
import BoxWorkspace

@testable import BoxBrowse

/// The pages of a store with a few objects, in the directory of the run.
private let pages: BrowseServer = {
  let model = #"""
    {"entities":[{"id":"1:10","lastPropertyId":"5:15","name":"Film","properties":[
    {"id":"1:11","name":"id","type":6,"flags":1},{"id":"2:12","name":"title","type":9},
    {"id":"3:13","name":"year","type":5,"flags":8,"indexId":"1:31"},{"id":"4:14","name":"tags","type":30},
    {"id":"5:15","name":"score","type":8}],
    "relations":[{"id":"1:41","name":"cast","targetId":"2:20"}]},
    {"id":"2:20","lastPropertyId":"2:22","name":"odd na/me","properties":[
    {"id":"1:21","name":"id","type":6,"flags":1},{"id":"2:22","name":"na.me","type":9}],"relations":[]}],
    "lastEntityId":"2:20","lastIndexId":"1:31","lastRelationId":"1:41","modelVersion":5,
    "modelVersionParserMinimum":5,"version":1}
    """#
  do {
    let store = try ObjectStore.open(
      .directory(FuzzFile.directory), model: ModelDocument(parsing: Array(model.utf8)))
    let film = try store.entity(named: "Film")
    try store.write { transaction in
      for number in 1...60 {
        var object = DynamicObject(film)
        object["title"] = .string("<i>\(number)")
        object["year"] = .integer(Int64(number % 7))
        object["tags"] = .strings(["a", ""])
        object["score"] = .double(number == 3 ? .nan : Double(number))
        _ = try transaction.put(object)
      }
    }
  } catch {
    fatalError("cannot make the store: \(error)")
  }
  let store = BrowseStore(
    name: "data", path: FuzzFile.directory, isTrusted: true, isReadOnly: false)
  let server = BrowseServer(
    [store], CatalogueChoice(), hosts: [], key: BrowseKey(3, 4),
    // No process is started for an input.
    in: Workspace(
      git: GitClient(in: FuzzFile.directory, environment: ["PATH": ""]),
      directory: FuzzFile.directory))
  let request = BrowseRequest("GET", server.path + "Film", [("Host", "127.0.0.1")])
  expect(
    server.answer(request, BrowseCancellation()).status == 200, "the pages of the store are shown")
  return server
}()

/// A request: the method, the target after the key, and the fields, with line feeds between them.
func fuzzRequests(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
    String(decoding: $0, as: UTF8.self)
  }
  guard lines.count > 1 else { return }
  let fields = lines.dropFirst(2).map { line in
    let name = line.prefix { $0 != ":" }
    return (name: String(name), value: String(line.dropFirst(name.count + 1)))
  }
  let host = [(name: "Host", value: "127.0.0.1")]
  let request = BrowseRequest(lines[0], "/" + pages.key.text + lines[1], host + fields)
  let answer = pages.answer(request, BrowseCancellation())
  expect((200..<600).contains(answer.status), "an answer has a status")
  expect(
    answer.fields.contains { $0.name == BrowseAnswer.policyName }, "an answer has the policy")
  expect(answer.body.count < 4 << 20, "a page has a size that can be shown")
  // The keys differ in one letter.
  let foreign = BrowseRequest(lines[0], "/" + String(pages.key.text.dropLast()) + "z" + lines[1])
  expect(pages.answer(foreign, BrowseCancellation()).status == 403, "another key is refused")

  let path = lines[1].prefix { $0 != "?" }
  if let address = BrowseAddress(path: path) {
    expect(BrowseAddress(path: address.path) == address, "an address is read as it was written")
  }
  if let parameters = try? TableParameters(lines[1].dropFirst(path.count + 1)) {
    expect(
      (try? TableParameters(parameters.text.dropFirst())) == parameters,
      "parameters are read as they were written")
  }
}
