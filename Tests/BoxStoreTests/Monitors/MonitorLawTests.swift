import BoxStore
import Dispatch
import TestSupport
import Testing

/// Random commits: the differences of monitors lead from each list to the next.
struct MonitorLawTests {
  private func change(_ box: Box<Person>, _ random: inout SplitMix64) throws {
    let ids = try box.query().build().findIds().map(\.value)
    try box.store.runInTransaction {
      for _ in 0..<(1 + random.below(4)) {
        let id = ids.isEmpty || random.oneIn(3) ? 0 : random.pick(ids)
        switch random.below(6) {
        case 0 where id != 0: try box.remove(id)
        case 1 where random.oneIn(30): try box.removeAll()
        default:
          let person = try id == 0 ? Person() : box.get(id) ?? Person()
          if person.id == 0 && ids.count > 60 { continue }
          switch random.below(3) {
          case 0: person.age = random.below(12)
          case 1: person.firstName = random.pick(["a", "B", "b", "abcdefghij", "abcdefghik"])
          default: person.nickname = random.oneIn(2) ? nil : "x"
          }
          try box.put(person)
        }
      }
    }
  }

  @Test(.promise(336, 337)) func differencesReplayToTheListThatAFetchGives() async throws {
    var random = TestSeed.next()
    let box = try QueryStore.people()
    let queue = DispatchQueue(label: "monitor-law")
    let byAge = try box.query { Person.age < 11 }
      .ordered(by: .descending(Person.age), .ascending(Person.firstName)).build()
    let byName = try box.query { Person.nickname.isNil() }
      .ordered(by: .ascending(Person.firstName), .descending(Person.nickname)).build()
    let monitors = [
      try byAge.monitor(sectionedBy: Person.age) { "\($0)" },
      try byAge.monitor(sectionedBy: Person.age) { "\($0 / 4)" }, try byAge.monitor(),
      try byName.monitor(),
    ]
    let queries = [byAge, byAge, byAge, byName]
    let copies = monitors.map { _ in FollowedList<Person>() }
    let subscriptions = zip(monitors, copies).map { monitor, copy in
      monitor.subscribe(dispatchQueue: queue) { copy.take($0) }
    }
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_MONITORS", default: 600) {
      try change(box, &random)
      // Now and then the subscribers may see several commits as one.
      if random.oneIn(4) { continue }
      for (query, copy) in zip(queries, copies) {
        let expected = try query.findIds().map(\.value)
        let isReached = await settles { copy.ids == expected }
        #expect(isReached, "round \(round): \(copy.sections) is not \(expected)")
      }
      let ages = try byAge.find().map(\.age)
      let expected = ages.reduce(into: [(age: Int, count: Int)]()) { runs, age in
        if runs.last?.age == age { runs[runs.count - 1].count += 1 } else { runs.append((age, 1)) }
      }
      .map(\.count)
      // The ids may be those of the list before, in other sections.
      let isDivided = await settles { copies[0].sections.map(\.count) == expected }
      #expect(isDivided, "round \(round): \(copies[0].sections) is not \(expected)")
    }
    #expect(copies.allSatisfy { $0.changes > 10 })
    withExtendedLifetime((monitors, subscriptions)) {}
  }

  @Test func writersOnSeveralThreadsAreFollowed() async throws {
    let box = try QueryStore.people()
    let query = try box.query().ordered(by: .ascending(Person.age)).build()
    let monitor = try query.monitor(sectionedBy: Person.age)
    let copies = [FollowedList<Person>(), FollowedList<Person>()]
    let seed = TestSeed.value()
    let subscription = monitor.subscribe(dispatchQueue: .global()) { result in
      if let change = try? result.get() { copies[0].apply(change) }
    }
    let reader = Task {
      for try await change in monitor.changes { copies[1].apply(change) }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<3 {
        group.addTask {
          var random = SplitMix64(seed: seed &+ UInt64(thread))
          for _ in 0..<100 {
            let person = Person(age: random.below(6))
            try box.put(person)
            if random.oneIn(2) { try box.remove(person) }
          }
        }
      }
      try await group.waitForAll()
    }
    let expected = try query.findIds().map(\.value)
    for copy in copies {
      #expect(await settles { copy.ids == expected })
    }
    monitor.stop()
    try await reader.value
    withExtendedLifetime(subscription) {}
  }
}
