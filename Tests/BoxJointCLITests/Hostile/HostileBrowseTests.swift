import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// `boxjoint browse` on damaged stores: it refuses one, or answers every page of it and ends with a signal.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct HostileBrowseTests {
  private static let count = TestSeed.count("BOXJOINT_SOAK_HOSTILE_PAGES", default: 6)

  /// Follows the links from the first page, and requests the pages without a link.
  private static let script = #"""
    import http.client, re, signal, subprocess, sys
    from html import unescape
    from urllib.parse import urlsplit
    tool, limit = sys.argv[1], 80
    run = subprocess.Popen([tool, "browse", "S", "--model", "v2.json", "--port", "0"],
      stdout=subprocess.PIPE, stderr=open("messages", "wb"), text=True)
    first = run.stdout.readline().strip()
    def end(text):
      run.kill()
      sys.exit(text)
    if not first:
      status = run.wait(timeout=120)
      print("refused", status)
      sys.exit(0 if status in (2, 65, 74) else f"it ended with {status}")
    place = urlsplit(first)
    key = "/" + place.path.split("/")[1]
    names = ["-/state", "-/check", "-/model", "-/model.json", "-/model.svg", "-/change", "-/change.svg", "-/change.json",
      "-/change.html", "-/history", "Person?order-by=name", "Person?order-by=email+desc&before=end", "Person?explain=1",
      "Person?where=any(friends,id+%3E+0)&count=1", "Person?where=name+%3D%3D+nil", "Person.csv", "Person.html", "Order.ndjson",
      "Person?select=friends.name,id&zone=%2B02:00", "Person?nearest=name&of=1", "-/complete?entity=Person&text=n&at=1",
      "Person/1", "Person/18446744073709551615", "Person?raw=1&limit=500"]
    waiting, seen = [place.path] + [place.path + name for name in names], set()
    statuses = {}
    while waiting and len(seen) < limit:
      path = waiting.pop(0)
      if path in seen: continue
      seen.add(path)
      try:
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
        connection.request("GET", path)
        answer = connection.getresponse()
        status, body = answer.status, answer.read()
      except http.client.IncompleteRead:
        # An export that finds damage ends its connection.
        status, body = "cut", b""
      except Exception as error:
        end(f"{path}: {error!r}, status {run.poll()}")
      statuses[status] = statuses.get(status, 0) + 1
      if status not in (200, 302, 400, 404, 410, 500, 503, "cut"): end(f"{path}: status {status}")
      if answer.getheader("Content-Type", "").startswith("text/html"):
        found = [unescape(link) for link in re.findall(r'(?:href|src)="([^"]*)"', body.decode())]
        waiting += [link for link in found if link.startswith(key) and "wait=60" not in link]
    run.send_signal(signal.SIGINT)
    status = run.wait(timeout=60)
    if status != 0: sys.exit(f"it ended with {status}")
    print("answered", sorted(statuses, key=str))
    """#

  @Test func everyStoreIsShownOrRefused() async throws {
    let program = try #require(Tool.path)
    let samples = try await HostileSamples()
    let seed = TestSeed.value()
    var (answered, refused) = (0, 0)
    for number in 0..<Self.count {
      var random = SplitMix64(seed: seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
      let directory = try TemporaryDirectory()
      for name in ["S/data.mdb", "model.json", "v2.json"] {
        try directory.write(samples.files[name] ?? [], to: "work/" + name)
      }
      try HostileRun.damage(
        random.oneIn(3) ? .pages : .entries, "S/data.mdb", directory, samples, &random)
      let run = try await ProcessRun.of(
        "python3", ["-c", Self.script, program], in: directory.path(of: "work"))
      let messages = (try? directory.text(of: "work/messages")) ?? ""
      let isClean = !["Sanitizer", "Fatal error", "mdb.c"].contains { messages.contains($0) }
      #expect(
        run.status == 0 && isClean,
        "store \(number) (BOXJOINT_SEED=0x\(String(seed, radix: 16))): \(run.text)\(run.messages)\(messages.suffix(4000))"
      )
      if run.text.hasPrefix("answered") { answered += 1 } else { refused += 1 }
    }
    print("\(answered) stores were shown and \(refused) refused")
    if Self.count >= 100 { #expect(answered > 0 && refused > 0) }
  }
}
