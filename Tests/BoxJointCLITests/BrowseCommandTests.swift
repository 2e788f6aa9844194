import BoxModel
import TestSupport
import Testing

/// `boxjoint browse` as a program: its address, its end and its mistakes.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct BrowseCommandTests {
  private static let script = #"""
    import http.client, os, re, signal, subprocess, sys
    tool = sys.argv[1]
    def start(*arguments):
      run = subprocess.Popen([tool, "browse", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
      line = run.stdout.readline()
      return run, re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/[0-9a-z]{26}/(\S*))\n", line)
    def get(port, path, **fields):
      connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=30)
      connection.request("GET", path, headers=fields)
      answer = connection.getresponse()
      return answer.status, answer.read().decode()
    for number in (signal.SIGINT, signal.SIGTERM):
      run, address = start("data", "--port", "0")
      status, page = get(address[1], address[2])
      print(address[3], status, "<bdi>Entry</bdi>" in page, get(address[1], "/")[0])
      run.send_signal(number)
      print(run.wait(timeout=30), run.stdout.read() == "")
    run, address = start("data", "copy/data", "--port", "0", "--at", "Entry?where=number > 3 && number < 9")
    print(address[3], get(address[1], address[2])[0])
    print(subprocess.run([tool, "browse", "data", "--port", address[1]], stderr=subprocess.PIPE).returncode)
    run.kill()
    run, address = start("data", "--port", "0", "--model", "model.json")
    status, page = get(address[1], address[2] + "-/change")
    print(status, "Nothing changes" in page, get(address[1], address[2] + "-/history")[0])
    run.kill()
    for arguments in (["none.json"], ["e.ndjson"], ["-"], ["store:data"], ["HEAD:model.json"]):
      run = subprocess.run([tool, "browse", "data", "--model", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
      print(run.returncode, len(run.stdout))
    for arguments in (["none"], ["empty"], ["other"], ["data", "./data"], ["data", "--at", "Entry?x=1"]):
      run = subprocess.run([tool, "browse", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
      print(run.returncode, len(run.stdout))
    """#

  @Test func theCommandAnswersUntilItIsEnded() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(TestModel.ledger.document().bytes, to: "model.json")
    try directory.write("{\"number\":7}\n", to: "e.ndjson")
    try directory.write("x", to: "copy/note")
    for store in ["data", "copy/data"] {
      let made = try await runTool(
        ["import", "--store", store, "--model", "model.json", "--entity", "Entry", "e.ndjson"],
        in: directory.path)
      #expect(made.status == 0, "\(made.messages)")
    }
    try directory.write("x", to: "empty/note")
    try directory.write(String(repeating: "x", count: 20_000), to: "other/data.mdb")
    let run = try await ProcessRun.of(
      "python3", ["-c", Self.script, Tool.path ?? ""], in: directory.path)
    #expect(
      run.text == """
        data/ 200 True 403
        0 True
        data/ 200 True 403
        0 True
        \(directory.path.split(separator: "/").last ?? "")%2Fdata/Entry?where=number+%3E+3+%26%26+number+%3C+9 200
        2
        200 True 200
        74 0
        65 0
        64 0
        64 0
        74 0
        65 0
        65 0
        65 0
        64 0
        64 0

        """, "\(run.text) \(run.messages)")
  }
}
