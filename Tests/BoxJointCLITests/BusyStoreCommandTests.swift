import BoxModel
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Commands beside programs that write to the store.
@Suite(.enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"))
struct BusyStoreCommandTests {
  /// Every command that opens a store, with the store `s`; `N` is a number that no other run has.
  static let commands: [[String]] = [
    ["store", "info", "s"], ["store", "get", "s", "Counter", "100"], ["store", "verify", "s"],
    ["store", "put", "s", "Padding", "{}"],
    ["store", "set", "s", "Padding", "--all", "text='a'", "--yes"],
    ["store", "remove", "s", "Padding", "--where", "id < 3", "--yes"],
    ["store", "link", "s", "Entry.counters", "1", "100", "--dry-run"],
    ["store", "unlink", "s", "Entry.counters", "1", "100", "--dry-run"],
    ["store", "backup", "s", "copy-N"], ["store", "backup", "s", "copy-N", "--pages"],
    ["store", "compact", "s"], ["store", "repair", "s"], ["query", "s", "Counter", "--count"],
    ["query", "s", "Entry", "--where", "number > 3"], ["query", "s", "Entry", "--explain"],
    ["export", "--store", "s"], ["export", "--store", "s", "--output", "dump-N.ndjson"],
    ["export", "--store", "s", "--salvage"],
    ["import", "--store", "s", "--entity", "Padding", "p.ndjson"],
    ["show", "store:s"], ["check", "store:s"], ["diff", "store:s", "model.json"],
    ["diagram", "store:s"],
    ["plan", "store:s", "model.json"],
    ["migrate", "--store", "s", "--to", "model.json", "--dry-run"],
    ["dump", "diff", "store:s", "store:s"],
    ["converters", "scan", "--store", "s", "--catalogue", "c.yml"],
    ["shell", "s"], ["recover", "."],
  ]

  /// A user who may only read cannot announce that in the table of readers: beside a writer the command is
  /// refused, and without one it reads.
  @Test(.enabled(if: geteuid() == 0, "needs root"))
  func aUserWhoMayOnlyReadIsRefusedBesideAWriter() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(TestModel.ledger.document().bytes, to: "model.json")
    let child = try #require(builtProgram("EngineFaultsChild"))
    let script = #"""
      "$child" contend s model.json 20 > /dev/null
      chmod 755 . s; chmod 644 s/*; cp "$tool" boxjoint; chmod 755 boxjoint
      reader() { setpriv --reuid 65534 --regid 65534 --clear-groups ./boxjoint "$@"; }
      reader query s Counter --count 2> /dev/null; echo "status $?"
      "$child" hold s model.json 0 > /dev/null & holder=$!
      sleep 0.5
      for command in "store verify s" "export --store s" "query s Counter"; do
        reader $command > /dev/null; echo "status $?"
      done
      kill -9 $holder
      """#
    let run = try await ProcessRun.of(
      "bash", ["-c", script], in: directory.path,
      environment: ["child": child, "tool": Tool.path, "CI": nil])
    #expect(
      run.text == "8\nstatus 0\nstatus 2\nstatus 2\nstatus 2\n", "\(run.text) \(run.messages)")
    #expect(!run.messages.contains("damage"))
    #expect(run.messages.contains("this user cannot write to the lock file s/lock.mdb"))
  }

  /// Beside writers whose syncs take 0.2 seconds and beside some that commit as fast as they can, no
  /// command speaks of damage; what ends with another status than 0 says that the store is in use, or
  /// that an object is missing.
  @Test(
    .enabled("needs a C compiler, and Linux", SlowSyncs.isAvailable),
    arguments: [(1, true), (4, true), (1, false), (4, false)])
  func noCommandSpeaksOfDamage(writers: Int, isSlow: Bool) async throws {
    let rounds = max(1, TestSeed.count("BOXJOINT_SOAK_BUSY_COMMANDS", default: 4) / 4)
    let directory = try TemporaryDirectory()
    try directory.write(TestModel.ledger.document().bytes, to: "model.json")
    try directory.write("{\"text\":\"b\"}\n", to: "p.ndjson")
    try directory.write("query Counter --count\ninfo\n", to: "lines")
    try directory.write("properties: {}\n", to: "c.yml")
    let slow = try await SlowSyncs(directory)
    let child = try #require(builtProgram("EngineFaultsChild"))
    let lines = Self.commands.map { words in words.map { "'\($0.replacing("'", with: "'\\''"))'" } }
    try directory.write(
      lines.map { $0.joined(separator: " ").replacing("N", with: "'$n'") + "\n" }.joined(),
      to: "commands")
    // A process group of its own, so that no writer outlives the test.
    let script = #"""
      set -m
      "$child" contend s model.json 20 > /dev/null || exit 9
      (
        for w in $(seq "$writers"); do
          if [ "$slow" = true ]; then
            LD_PRELOAD=$library BOXJOINT_SYNC_DELAY=200000 exec "$child" contend s model.json 0
          else
            exec "$child" contend s model.json 0
          fi > /dev/null 2>> writers.err &
        done
        wait
      ) &
      group=$!
      trap 'kill -9 -- -$group 2> /dev/null' EXIT
      n=0
      for round in $(seq "$rounds"); do
        while IFS= read -r line; do
          n=$((n + 1))
          eval "timeout 60 \"\$tool\" $line" > out 2> err < lines
          status=$?
          # Two looks at a store that others write to differ.
          case "$status $line" in
            '0 '* | '2 '* | "1 'dump'"*) ;;
            *) echo "$line: status $status: $(head -c 300 err) $(head -c 300 out)" ;;
          esac
          if grep -qiE 'damag|restore|BOX7' err out; then echo "$line: $(grep -ihE 'damag|restore|BOX7' err out | head -n 2)"; fi
        done < commands
        rm -rf copy-* dump-*
      done
      if [ -s writers.err ]; then echo "writers: $(head -c 300 writers.err)"; fi
      echo "$n commands" >&2
      """#
    let run = try await ProcessRun.of(
      "bash", ["-c", script], in: directory.path,
      environment: [
        "child": child, "tool": Tool.path,
        "library": slow.environment["LD_PRELOAD"], "writers": "\(writers)", "slow": "\(isSlow)",
        "rounds": "\(rounds)", "CI": nil,
      ])
    #expect(run.text.isEmpty, "\(run.text)")
    print("\(run.messages.split(separator: "\n").last ?? "") beside \(writers) writers")
  }
}
