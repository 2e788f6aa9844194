import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One command on one damaged file, in a directory in which every write is seen.
struct HostileRun {
  let kind: HostileKind
  let command: String
  private let samples: HostileSamples
  private let directory: TemporaryDirectory
  private let before: DirectorySnapshot

  /// The longest that a command may take, on a busy machine and with an address sanitizer.
  private static let time = Duration.seconds(60)
  /// The most memory that it may have, in MiB; the sanitizer multiplies what a program needs.
  private static let memory = TestSeed.count("BOXJOINT_SOAK_HOSTILE_MEMORY", default: 1024)

  /// The most memory that this process had at once, in bytes.
  ///
  /// A process that is started counts with it until it runs its own program, so less is not known.
  private static var ownPeakMemory: Int {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return Int(usage.ru_maxrss)
    #else
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return Int(usage.ru_maxrss) << 10
    #endif
  }

  /// Writes the files.
  init(_ number: Int, seed: UInt64, _ samples: HostileSamples) throws {
    var random = SplitMix64(seed: seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
    self.samples = samples
    kind = HostileKind.of(number)
    let subject = random.pick(kind.subjects)
    command = random.pick(kind.commands).replacing("%", with: subject)
    directory = try TemporaryDirectory()
    for name in ["work", "home", "tmp", "log"] { mkdir(directory.path(of: name), 0o700) }
    try directory.write("precious", to: "outside/file")
    try directory.write("precious", to: "home/.profile")
    let words = command.split(separator: " ").map(String.init)
    for (name, bytes) in (kind.needs + words + [subject]).flatMap(samples.files) {
      try directory.write(bytes, to: "work/" + name)
    }
    if words.contains(where: { $0 == "S" || $0 == "store:S" }),
      let store = samples.files["S/data.mdb"]
    {
      try directory.write(store, to: "work/S/data.mdb")
    }
    try Self.damage(kind.damage, subject, directory, samples, &random)
    before = DirectorySnapshot(of: directory.path)
  }

  /// Damages a file of the directory `work`.
  static func damage(
    _ damage: HostileKind.Damage, _ subject: String, _ directory: TemporaryDirectory,
    _ samples: HostileSamples, _ random: inout SplitMix64
  ) throws {
    let place = "work/" + subject
    let bytes = try directory.bytes(of: place)
    switch damage {
    case .text:
      let others = [samples.files["model.json"], samples.files["dump.ndjson"]].compactMap(\.self)
      try directory.write(HostileText.damaged(bytes, with: others, &random), to: place)
    case .pages: try directory.write(HostilePages(bytes).damaged(&random), to: place)
    case .entries:
      try HostileEntries.damage(directory.path(of: "work/S"), &random)
      for name in ["lock.mdb", "store.lock"] { unlink(directory.path(of: "work/S/" + name)) }
    }
    guard damage != .text, random.oneIn(10) else { return }
    // Where a store has files of its own, links that lead out of its directory.
    let names = ["lock.mdb", "store.lock", "import.lock", "data.mdb.new", "rebuild.new"]
    let target = random.pick(["../../outside/file", "../../outside", "/dev/full", "loop"])
    symlink(target, directory.path(of: "work/S/" + random.pick(names)))
  }

  /// Runs the command.
  ///
  /// - Returns: The exit status, and what is wrong; nil if nothing is.
  func outcome(_ program: String) throws -> (status: Int32, problem: String?) {
    var environment = [
      "HOME": directory.path(of: "home"), "TMPDIR": directory.path(of: "tmp"),
      "GIT_CEILING_DIRECTORIES": directory.path, "GIT_CONFIG_NOSYSTEM": "1",
    ]
    for name in ["PATH", "ASAN_OPTIONS", "LD_LIBRARY_PATH"] {
      environment[name] = getenv(name).map { String(cString: $0) }
    }
    let run = try LimitedRun.of(
      [program] + command.split(separator: " ").map(String.init), in: directory.path(of: "work"),
      environment: environment, output: directory.path(of: "log/output"),
      messages: directory.path(of: "log/messages"), time: Self.time)
    return (run.status, try problem(run))
  }

  private func problem(_ run: LimitedRun) throws -> String? {
    let messages = try directory.bytes(of: "log/messages")
    let text = String(decoding: messages, as: UTF8.self)
    if run.isOverdue { return "takes longer than \(Self.time)" }
    if run.status < 0 { return "ended by signal \(-run.status): \(text.suffix(2000))" }
    for words in ["Sanitizer", "Fatal error", "mdb.c"] where text.contains(words) {
      return "\(words): \(text.suffix(4000))"
    }
    let documented = samples.statuses[HostileSamples.name(of: command)] ?? []
    if !documented.contains(run.status) {
      return "the help does not name the exit status \(run.status): \(text.suffix(500))"
    }
    if run.peakMemory > max(Self.memory << 20, Self.ownPeakMemory) {
      return "takes \(run.peakMemory >> 20) MiB"
    }
    if let byte = messages.first(where: { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 || $0 == 0x7F }) {
      return "writes the control character \(byte) to a terminal"
    }
    let written = before.changes(to: DirectorySnapshot(of: directory.path)).filter { path in
      !path.hasPrefix("log/") && !kind.writes.contains { path.hasPrefix("work/" + $0) }
    }
    return written.isEmpty ? nil : "writes \(written.joined(separator: ", "))"
  }

  /// Keeps the files, as the command left them.
  ///
  /// - Returns: The directory of the files.
  func keep(as name: String) -> String {
    let kept = directory.path + "-" + name
    return rename(directory.path, kept) == 0 ? kept : directory.path
  }
}
