import BoxMerge
import BoxModel
import BoxReport
import Foundation
import Testing

struct CorpusMergeTests {
  @Test func divergences() throws {
    for folder in ["divergences", "merges"] {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../shared/corpus/\(folder)")
      var counts: [String: Int] = [:]
      var ids: [String: Int] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: root.path).sorted() {
        func doc(_ part: String) -> ModelDocument? {
          (try? Data(contentsOf: root.appendingPathComponent("\(name)/\(part).json"))).flatMap { try? ModelDocument(parsing: Array($0)) }
        }
        guard let o = doc("ours"), let t = doc("theirs") else { counts["unreadable", default: 0] += 1; continue }
        let b = doc("base")
        func errs(_ d: ModelDocument) -> Set<String> { Set(d.check().filter { $0.severity == .error }.map(\.rule.id)) }
        let known = errs(o).union(errs(t)).union(b.map(errs) ?? [])
        do {
          let r = try MergeInput(base: b, ours: o, theirs: t).merged()
          let s = try MergeInput(base: b, ours: t, theirs: o).merged()
          counts[r.isClean ? "clean" : "conflicts", default: 0] += 1
          for c in Set(r.conflicts.map(\.rule.name)) { ids[c, default: 0] += 1 }
          if !r.isClean { print(name); for c in r.conflicts.prefix(4) { print("   ", c.rule.id, c.message) } }
          var all = [r.bytes]
          if !r.isClean { all.append(r.resolved[.theirs]!) }
          for bytes in all {
            let d = try ModelDocument(parsing: bytes)
            let e = errs(d).subtracting(known)
            #expect(e.isEmpty, "\(name) \(e)")
          }
          #expect(Set(r.conflicts.map(\.id)) == Set(s.conflicts.map(\.id)), "\(name) \(r.conflicts.map(\.id)) \(s.conflicts.map(\.id))")
          let mr = try ModelDocument(parsing: r.bytes).model
          let ms = try ModelDocument(parsing: r.isClean ? s.bytes : s.resolved[.theirs]!).model
          if mr != ms {
            let diff = ModelDifference(from: mr, to: ms)
            if !diff.changes.isEmpty || mr.entities.map(\.pair) != ms.entities.map(\.pair) { Issue.record("\(name) asymmetric \(diff.changes.count)") }
            else { counts["asymmetric-minor", default: 0] += 1 }
          }
        } catch { counts["\(error)", default: 0] += 1 }
      }
      print(folder, counts, ids)
    }
  }
}
