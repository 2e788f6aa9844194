import BoxEngine
import BoxJSON
import BoxModel
import BoxStorage
import TestSupport
import Testing

@testable import BoxDump

/// Import and verification agree about every dump.
struct VerdictLawTests {
  /// The verdict about a dump.
  private enum Verdict: Equatable {
    case whole
    /// Whole as far as that can be told, as the layout was changed.
    case otherLayout
    case refused
  }

  /// In each shape and compression, whatever was done to a dump.
  ///
  /// Half of the dumps have the right checksums of what they became, so that the grammar and the
  /// counts decide.
  @Test func importAndVerifyGiveOneVerdict() throws {
    var random = TestSeed.next()
    let fixture = try ImportFixture()
    let count = TestSeed.count("BOXJOINT_SOAK_TAMPERED_DUMPS", default: 600)
    var verdicts: [String: Int] = [:]
    var sample: [String: [UInt8]] = [:]
    var shape = DumpShape.lines
    for number in 0..<count {
      if number % 40 == 0 {
        shape = random.pick(DumpShape.allCases)
        sample = try dump(shape, fixture, &random)
      }
      var files = sample
      let isMended = random.oneIn(2)
      let action = isMended ? mend(&files, shape, &random) : damage(&files, shape, &random)
      let path = "dump\(number % 2)"
      fixture.directory.removeEverything(path)
      for (name, bytes) in files {
        try fixture.directory.write(bytes, to: name.isEmpty ? path : path + "/" + name)
      }
      let verified = verify(fixture.path(path), isDirectory: shape == .directory)
      let imported = try load(fixture.path(path))
      #expect(
        verified.verdict == imported.verdict,
        """
        dump \(number), \(shape), \(action): verify \(verified.reason ?? "accepts it"), import \
        \(imported.reason ?? "accepts it")
        """)
      if verified.verdict != imported.verdict { return }
      verdicts["\(isMended) \(verified.verdict)", default: 0] += 1
    }
    // Neither refuses everything, nor accepts everything.
    #expect((verdicts["true whole"] ?? 0) > count / 30, "\(verdicts)")
    #expect((verdicts["true refused"] ?? 0) > count / 30, "\(verdicts)")
    #expect((verdicts["false refused"] ?? 0) > count / 4, "\(verdicts)")
  }

  // MARK: - Verdicts

  private func verify(_ path: String, isDirectory: Bool) -> (verdict: Verdict, reason: String?) {
    do {
      let report = try DumpVerifier.verify(path, isDirectory: isDirectory)
      return (report.problems.isEmpty ? .whole : .refused, report.problems.first?.description)
    } catch let error as DumpError where error.kind == .impossible {
      return (.otherLayout, error.description)
    } catch {
      return (.refused, "\(error)")
    }
  }

  private func load(_ path: String) throws -> (verdict: Verdict, reason: String?) {
    let model = try ImportModel.document()
    var options = StoreOptions()
    options.storesCheckpoints = true
    let store = try ObjectStore.open(.memory(path), model: model, options: options)
    var settings = ImportOptions()
    settings.isDryRun = true
    do {
      let input = try DumpInput(path: path)
      if input.header == nil { return (.refused, "is not a dump") }
      let summary = try Importer(input, into: store, options: settings).run()
      return (summary.notes.isEmpty ? .whole : .otherLayout, nil)
    } catch {
      return (.refused, "\(error)")
    }
  }

  // MARK: - Dumps

  /// The files of a dump; one without a name for a dump that is a file.
  private func dump(
    _ shape: DumpShape, _ fixture: ImportFixture, _ random: inout SplitMix64
  ) throws -> [String: [UInt8]] {
    fixture.directory.removeEverything("store")
    fixture.directory.removeEverything("sample")
    var generated = GeneratedStore(
      store: try fixture.open("store"), random: SplitMix64(seed: random.next()))
    try generated.fill(objects: 2 + random.below(6))
    var options = ExportOptions()
    options.shape = shape
    try fixture.export(generated.store, to: "sample", options)
    if shape != .directory { return ["": try fixture.directory.bytes(of: "sample")] }
    var files: [String: [UInt8]] = [:]
    for name in fixture.directory.names(in: "sample") {
      files[name] = try fixture.directory.bytes(of: "sample/" + name)
    }
    return files
  }

  // MARK: - Damage

  /// Changes bytes or lines, and leaves the checksums as they were.
  private func damage(
    _ files: inout [String: [UInt8]], _ shape: DumpShape, _ random: inout SplitMix64
  ) -> String {
    let name = random.pick(files.keys.sorted())
    var bytes = files[name] ?? []
    defer { files[name] = bytes }
    if bytes.isEmpty {
      bytes = [UInt8(random.below(256))]
      return "a byte in the empty \(name)"
    }
    let place = random.below(bytes.count)
    switch random.below(6) {
    case 0:
      let bit = random.below(8)
      bytes[place] ^= 1 << UInt8(bit)
      return "bit \(bit) of byte \(place) of \(name)"
    case 1:
      bytes.removeSubrange(place...)
      return "\(name) cut at \(place)"
    case 2:
      bytes.insert(random.pick(Array(" \n,{}[]\":0x".utf8)), at: place)
      return "a byte more at \(place) of \(name)"
    case 3:
      bytes.remove(at: place)
      return "a byte less at \(place) of \(name)"
    case 4:
      bytes += Array(
        random.pick(["\n", " ", "x", "{}", "\n\n", "\n{\"Person\":{\"id\":99}}\n"]).utf8)
      return "an end of \(name)"
    default:
      var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
      let action = change(&lines, 0..<lines.count, &random)
      bytes = Array(lines.joined(separator: [0x0A]))
      return action + " of \(name)"
    }
  }

  /// Removes, repeats, swaps, adds or clears a line.
  private func change(
    _ lines: inout [[UInt8]], _ range: Range<Int>, _ random: inout SplitMix64
  ) -> String {
    if range.isEmpty { return "nothing" }
    let line = range.lowerBound + random.below(range.count)
    let other = range.lowerBound + random.below(range.count)
    switch random.below(6) {
    case 0:
      lines.remove(at: line)
      return "line \(line) removed"
    case 1:
      lines.insert(lines[line], at: other)
      return "line \(line) repeated at \(other)"
    case 2:
      lines.swapAt(line, other)
      return "lines \(line) and \(other) swapped"
    case 3:
      lines.insert([], at: line)
      return "an empty line at \(line)"
    case 4:
      lines[line] = [0x20] + lines[line] + [0x20, 0x09]
      return "spaces round line \(line)"
    default: return "nothing"
    }
  }

  // MARK: - Changes that are covered up

  /// Changes lines, names or totals of a dump, and makes its checksums right again.
  private func mend(
    _ files: inout [String: [UInt8]], _ shape: DumpShape, _ random: inout SplitMix64
  ) -> String {
    switch shape {
    case .lines: mendLines(&files, &random)
    case .document: mendDocument(&files, &random)
    case .directory: mendDirectory(&files, &random)
    }
  }

  private func text(_ files: [String: [UInt8]], _ name: String = "") -> String {
    String(decoding: files[name] ?? [], as: UTF8.self)
  }

  private func checksum(_ text: some StringProtocol) -> String {
    var checksum = DumpChecksum()
    checksum.update(text.utf8)
    return checksum.text
  }

  /// Replaces the eight digits after a key, the last that there is.
  private func setDigits(_ digits: String, of key: String, in text: inout String) {
    guard let range = text.ranges(of: "\"\(key)\":\"").last else { return }
    let end = text.index(range.upperBound, offsetBy: 8)
    text.replaceSubrange(range.upperBound..<end, with: digits)
  }

  /// The member of the totals with the numbers of an entity or a relation, changed.
  private func changeTotals(_ end: inout String, _ random: inout SplitMix64) -> String {
    let key = random.pick(["objects", "sources", "targets", "lastId"])
    guard let range = end.ranges(of: "\"\(key)\":").randomElement(using: &random) else {
      return "nothing"
    }
    end.insert("1", at: range.upperBound)
    return "another \(key)"
  }

  private func changeLine(
    _ lines: inout [String], _ range: Range<Int>, _ random: inout SplitMix64
  ) -> String {
    if !range.isEmpty, random.oneIn(3) {
      let line = range.lowerBound + random.below(range.count)
      let (old, new) = random.pick([
        ("\"Person\"", "\"Persom\""), ("\"Person\"", "\"Pers\\u006fn\""), ("{\"", "{ \""),
        ("\"source\"", "\"sauce\""), ("\"targets\":[", "\"targets\":[1,"), ("\":{", "\" : {"),
        ("Person.friends", "Person.enemies"), ("\"Person.friends\":", "\"Person\":"),
      ])
      lines[line] = lines[line].replacing(old, with: new, maxReplacements: 1)
      return "\(new) in line \(line)"
    }
    var bytes = lines.map { Array($0.utf8) }
    let action = change(&bytes, range, &random)
    lines = bytes.map { String(decoding: $0, as: UTF8.self) }
    return action
  }

  private func mendLines(_ files: inout [String: [UInt8]], _ random: inout SplitMix64) -> String {
    var lines = text(files).split(separator: "\n").map(String.init)
    var end = lines.removeLast()
    let action: String
    if random.oneIn(3) {
      action = changeTotals(&end, &random)
    } else {
      action = changeLine(&lines, 1..<lines.count, &random)
    }
    let body = lines.map { $0 + "\n" }.joined()
    setDigits(checksum(body), of: "crc32c", in: &end)
    let header = (lines.first ?? "").dropFirst("{\"@boxjoint\":".count).dropLast()
    setDigits(check(header, end), of: "check", in: &end)
    files[""] = Array((body + end + "\n").utf8)
    return action + ", covered up"
  }

  private func mendDocument(
    _ files: inout [String: [UInt8]], _ random: inout SplitMix64
  ) -> String {
    let whole = text(files)
    guard let start = whole.ranges(of: "\n\"end\":").last else { return "nothing" }
    var lines = whole[..<start.lowerBound].split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    var end = String(whole[start.upperBound...])
    let action: String
    if random.oneIn(3) {
      action = changeTotals(&end, &random)
    } else {
      action = changeLine(&lines, 1..<lines.count, &random)
    }
    let body = lines.joined(separator: "\n") + "\n"
    setDigits(checksum(body), of: "crc32c", in: &end)
    let header = (lines.first ?? "").dropFirst("{\"boxjoint\":".count).dropLast()
    setDigits(check(header, end), of: "check", in: &end)
    let key = random.oneIn(6) ? " \"end\":" : "\"end\":"
    files[""] = Array((body + key + end).utf8)
    return action + ", covered up"
  }

  /// The check of the header and of the totals in the end of a dump.
  private func check(_ header: some StringProtocol, _ end: String) -> String {
    guard let start = end.firstRange(of: "\"entities\":"),
      let relations = end.firstRange(of: ",\"relations\":"),
      let crc = end.ranges(of: ",\"crc32c\":").last
    else { return "00000000" }
    let digits = end[crc.upperBound...].prefix(10)
    return checksum(
      header + end[start.upperBound..<relations.lowerBound]
        + end[relations.upperBound..<crc.lowerBound] + digits)
  }

  private func mendDirectory(
    _ files: inout [String: [UInt8]], _ random: inout SplitMix64
  ) -> String {
    var manifest = text(files, "manifest.json")
    let data = files.keys.filter { $0 != "manifest.json" }.sorted()
    guard let name = data.randomElement(using: &random) else { return "nothing" }
    var action = changeTotals(&manifest, &random)
    if random.oneIn(8) {
      files[name] = nil
      action += ", \(name) removed"
    } else if !random.oneIn(3) {
      manifest = text(files, "manifest.json")
      var lines = text(files, name).split(
        separator: "\n", omittingEmptySubsequences: false
      ).map(String.init)
      action = changeLine(&lines, 0..<max(0, lines.count - 1), &random) + " of \(name)"
      files[name] = Array(lines.joined(separator: "\n").utf8)
      guard let start = manifest.firstRange(of: "{\"file\":\"\(name)\""),
        let bytes = manifest[start.upperBound...].firstRange(of: "\"bytes\":"),
        let close = manifest[bytes.upperBound...].firstIndex(of: "}")
      else { return "nothing" }
      manifest.replaceSubrange(
        bytes.lowerBound..<close,
        with: "\"bytes\":\(files[name]?.count ?? 0),\"crc32c\":\"\(checksum(text(files, name)))\"")
    }
    if let head = manifest.firstRange(of: "{\"boxjoint\":"),
      let list = manifest.firstRange(of: ",\n\"files\":"),
      let end = manifest.ranges(of: ",\n\"check\":").last
    {
      let listed = manifest[list.upperBound..<end.lowerBound].replacing("\n", with: "")
      setDigits(
        checksum(manifest[head.upperBound..<list.lowerBound] + listed), of: "check", in: &manifest)
    }
    files["manifest.json"] = Array(manifest.utf8)
    return action + ", covered up"
  }
}
