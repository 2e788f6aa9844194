import BoxStore
import Dispatch
import TestSupport
import Testing

/// Random sequences over drafts, transactions, imports and monitors at once, compared with a model in
/// memory.
struct DraftLawTests {
  @Test(.promise(295, 406)) func sequencesMatchAModelInMemory() async throws {
    var random = TestSeed.next()
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_DRAFTS", default: 300) {
      let sequence = try DraftSequence(round)
      for _ in 0..<30 { try sequence.step(&random) }
      try await sequence.finish()
    }
  }

  @Test func draftsOnSeveralThreadsCommitEachTheirOwn() async throws {
    let store = try SampleStore.inMemory()
    let shared = store.makeDraft()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<4 {
        group.addTask {
          let draft = store.makeDraft()
          let box = draft.box(for: Setting.self)
          for number in 0..<20 {
            try box.put(Setting("\(thread)-\(number)"))
            try shared.box(for: Setting.self).put(Setting("shared \(thread)-\(number)"))
            if number % 5 == 4 { try draft.commit() }
          }
        }
      }
      try await group.waitForAll()
    }
    let box: Box<Setting> = store.box()
    #expect(try box.count() == 80)
    #expect(shared.changes(of: Setting.self).inserted.count == 80)
    try shared.commit()
    #expect(try box.count() == 160)
  }
}

/// One sequence: a store with a monitor, three drafts, and what they have to be.
private final class DraftSequence {
  private let store: Store
  private let box: Box<Setting>
  private let drafts: [Draft]
  private let round: Int
  /// The steps so far.
  private var log: [String] = []
  private var trace: Comment { "round \(round): \(log.joined(separator: "; "))" }
  private var stored: [Id: SettingValue] = [:]
  private var models = [ModelDraft(), ModelDraft(), ModelDraft()]
  private var usedIDs: Set<Id> = []
  private let list = FollowedList<Setting>()
  private var subscription: MonitorSubscription?

  init(_ round: Int) throws {
    self.round = round
    store = try SampleStore.inMemory()
    box = store.box()
    drafts = [store.makeDraft(), store.makeDraft(), store.makeDraft()]
    let monitor = try box.query { Setting.count < 6 }.ordered(by: .ascending(Setting.count)).build()
      .monitor()
    let queue = DispatchQueue(label: "draft-law")
    subscription = monitor.subscribe(dispatchQueue: queue) { [list] in
      list.take($0, "round \(round)")
    }
  }

  func step(_ random: inout SplitMix64) throws {
    let draft = random.below(drafts.count)
    let action = random.below(14)
    log.append("\(action) of \(draft)")
    switch action {
    case 0...2: try writeToStore(&random)
    case 3: try change(draft, &random, isImport: true)
    case 4...6: try change(draft, &random, isImport: false)
    case 7: try read(draft, &random)
    case 8: try drafts[draft].flush(); models[draft].flush()
    case 9...10: #expect(try drafts[draft].undo() == models[draft].undo(), trace)
    case 11: #expect(try drafts[draft].redo() == models[draft].redo(), trace)
    case 12: try commit(draft, random.oneIn(3) ? .overwrite : .refuse)
    default: if random.oneIn(4) { try drafts[draft].rollback(); models[draft] = ModelDraft() }
    }
    try compare(draft)
  }

  /// The list of the monitor becomes that of the model.
  func finish() async throws {
    // An earlier state can be the same as the last one; it is the last that has this object.
    let last = try box.put(Setting(nil, 0))
    stored[last] = SettingValue(key: nil, count: 0)
    let expected = stored.filter { $0.value.count < 6 }
      .sorted { ($0.value.count, $0.key) < ($1.value.count, $1.key) }.map(\.key)
    let isLast = await settles { list.ids.contains(last) }
    #expect(isLast && list.ids == expected, "\(list.ids) is not \(expected); \(trace)")
    store.close()
    #expect(thrownCase { try drafts[0].commit() } == "illegalState")
  }

  // MARK: - Steps

  private func writeToStore(_ random: inout SplitMix64) throws {
    var table = SettingTable(stored)
    let isCancelled = random.oneIn(6)
    do {
      try store.runInTransaction { (transaction: Transaction) in
        try changeSome(&table, &random, transaction, isImport: random.oneIn(3))
        if isCancelled {
          log.append("cancel")
          try transaction.cancel()
        }
      }
      stored = table.values
    } catch is CancellationError {
      #expect(isCancelled)
    }
  }

  private func change(_ draft: Int, _ random: inout SplitMix64, isImport: Bool) throws {
    let view = models[draft].view(stored)
    var table = SettingTable(view)
    let isCancelled = random.oneIn(8)
    do {
      try drafts[draft].runInTransaction { transaction in
        try changeSome(&table, &random, transaction, isImport: isImport)
        if isCancelled {
          log.append("cancel")
          try? transaction.cancel()
        }
      }
      models[draft].take(table, from: view, stored)
    } catch is CancellationError {
      #expect(isCancelled)
    }
  }

  /// Makes some changes in an open transaction and in a table.
  private func changeSome(
    _ table: inout SettingTable, _ random: inout SplitMix64, _ transaction: Transaction,
    isImport: Bool
  ) throws {
    for _ in 0..<(1 + random.below(3)) {
      let key = random.oneIn(5) ? nil : "\(random.below(8))"
      let value = SettingValue(key: key, count: Int32(random.below(9)))
      if isImport {
        let source = SettingSource(key: key, count: value.count)
        let object = try transaction.importUniqueObject(Setting.self, from: source)
        guard let key else { continue }
        let id = object?.id ?? 0
        log.append("import \(id) \(key) \(value.count)")
        if let known = table.id(ofKey: key) { #expect(known == id) } else { requireFresh(id) }
        table.put(id, value)
      } else if let id = table.values.keys.sorted().randomElement(using: &random), !random.oneIn(3)
      {
        if random.oneIn(3) {
          log.append("remove \(id)")
          try box.remove(id)
          table.remove(id)
          // Put again at once, now and then.
          if !random.oneIn(3) { continue }
        }
        // Now and then as it is.
        let new = random.oneIn(5) ? table.values[id] ?? value : value
        log.append("put \(id) \(new.key ?? "-") \(new.count)")
        try box.put(Setting(new.key, new.count, id: id))
        table.put(id, new)
      } else {
        let id = try box.put(Setting(key, value.count))
        log.append("add \(id) \(key ?? "-") \(value.count)")
        requireFresh(id)
        table.put(id, value)
      }
    }
  }

  private func requireFresh(_ id: Id) {
    #expect(usedIDs.insert(id).inserted, trace)
  }

  private func read(_ draft: Int, _ random: inout SplitMix64) throws {
    let view = models[draft].view(stored)
    let objects = drafts[draft].box(for: Setting.self)
    let id = view.keys.sorted().randomElement(using: &random) ?? 1
    switch random.below(3) {
    case 0:
      let found = try objects.get(id)
      #expect(found.map { SettingValue(key: $0.key, count: $0.count) } == view[id])
      models[draft].read([id], stored)
    case 1:
      let query = try box.query { Setting.count < 5 }.ordered(by: .ascending(Setting.count)).build()
      let found = try objects.find(query).map(\.id)
      let expected = view.filter { $0.value.count < 5 }
        .sorted { ($0.value.count, $0.key) < ($1.value.count, $1.key) }.map(\.key)
      #expect(found == expected, trace)
      models[draft].read(found, stored)
    default:
      #expect(try objects.all().map(\.id) == view.keys.sorted())
      models[draft].read(view.keys, stored)
    }
  }

  private func commit(_ draft: Int, _ rule: DraftConflictRule) throws {
    let conflicts = rule == .overwrite ? [] : models[draft].conflicts(stored)
    do {
      try drafts[draft].commit(conflicts: rule)
      #expect(conflicts.isEmpty, trace)
      stored = models[draft].view(stored)
      models[draft].finish(stored)
    } catch let error as DraftConflictError {
      #expect(error.conflicts.map(\.id) == conflicts, trace)
    }
  }

  // MARK: - Comparing

  private func compare(_ number: Int) throws {
    let (draft, model) = (drafts[number], models[number])
    #expect(try contents() == stored, trace)
    let view = try draft.runInTransaction { _ in try contents() }
    #expect(view == model.view(stored), trace)
    #expect(draft.hasChanges == !model.changes.isEmpty, trace)
    let changes = draft.changes(of: Setting.self)
    func ids(_ isIncluded: (ModelDraft.Change) -> Bool) -> [EntityId<Setting>] {
      model.changes.filter { isIncluded($0.value) }.keys.sorted().map { EntityId($0) }
    }
    #expect(changes.removed == ids { $0.value == nil }, trace)
    #expect(changes.inserted == ids { $0.value != nil && $0.base == nil }, trace)
    #expect(changes.updated == ids { $0.value != nil && $0.base != nil }, trace)
  }

  private func contents() throws -> [Id: SettingValue] {
    let pairs = try box.all().map { ($0.id, SettingValue(key: $0.key, count: $0.count)) }
    return Dictionary(uniqueKeysWithValues: pairs)
  }
}
