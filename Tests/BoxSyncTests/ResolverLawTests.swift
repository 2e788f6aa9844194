import BoxModel
import TestSupport
import Testing

@testable import BoxSync

/// Laws of the resolver over generated transactions.
@Suite struct ResolverLawTests {
  /// The transactions of some stores, on a few objects and names.
  private struct Generator {
    var random: SplitMix64
    var lasts: [UInt64: UInt64] = [:]

    mutating func submission(_ number: UInt64, objects: ClosedRange<Int>) -> Submission {
      lasts[number, default: 0] += 1
      let operations = (0..<(1 + random.below(4))).map { _ in operation(objects) }
      return Submission(
        number: number, n: lasts[number] ?? 1, mark: random.next(), operations: operations)
    }

    private mutating func id(_ objects: ClosedRange<Int>) -> GlobalID {
      GlobalID(number: 1, id: UInt64(objects.lowerBound + random.below(objects.count)))
    }

    private mutating func operation(_ objects: ClosedRange<Int>) -> SyncOperation<GlobalID> {
      let entity = random.pick([SyncScene.note, SyncScene.tag, SyncScene.seat])
      let key = GlobalKey(entity: entity, id: id(objects))
      let life = UInt32(1 + 2 * random.below(2))
      switch random.below(6) {
      case 0: return SyncOperation(.remove, key, life: life)
      case 1, 2:
        let pair = GlobalPair(
          relation: SyncScene.tags, source: id(objects), target: id(objects))
        return SyncOperation(random.oneIn(3) ? .unlink : .link, pair)
      default:
        var fields = Fields<GlobalID>()
        fields[entity + 1] = .value(.integer(Int64(random.below(9))))
        if entity == SyncScene.tag {
          // Some clocks are ahead, and the space's clock replaces them.
          fields[22] = .value(.integer(Int64(random.below(random.oneIn(4) ? 1 << 40 : 1 << 28))))
        } else {
          // Names of their own for each range of objects.
          fields[entity + 2] = .value(
            random.oneIn(3) ? .null : .string("\(objects.lowerBound) \(random.below(3))"))
        }
        return SyncOperation(random.oneIn(2) ? .insert : .update, key, life: life, fields: fields)
      }
    }
  }

  private static let now: UInt64 = 1_000

  private func resolve(_ submission: Submission, _ space: inout MemorySpace)
    -> Resolver<MemorySpace>.Answer
  {
    var resolver = Resolver(space, model: SyncScene.model, access: OpenAccess())
    let writer = Writer(model: SyncScene.model, rules: SessionRules())
    let answer = resolver.apply(submission, as: writer, now: Self.now)
    space.apply(resolver.changes)
    return answer
  }

  @Test func `Independent transactions commute`() {
    var generator = Generator(random: TestSeed.next())
    for _ in 0..<300 {
      var before = MemorySpace(start: 1)
      generator.lasts = [:]
      for number: UInt64 in [1, 2, 3, 1, 2, 3, 1, 2] {
        _ = resolve(generator.submission(number, objects: number < 2 ? 1...4 : 5...8), &before)
      }
      let pair = [
        generator.submission(1, objects: 1...4), generator.submission(2, objects: 5...8),
      ]
      var spaces = [before, before]
      for submission in pair { _ = resolve(submission, &spaces[0]) }
      for submission in pair.reversed() { _ = resolve(submission, &spaces[1]) }
      // Clocks that the space gave follow from the order; everything else does not.
      #expect(withoutClocks(spaces[0]) == withoutClocks(spaces[1]))
      #expect(spaces[0].pairs == spaces[1].pairs)
      let codes = spaces.map { space in
        Dictionary(uniqueKeysWithValues: space.log.map { ($0.mark, $0.code) })
      }
      #expect(codes[0] == codes[1])
    }
  }

  private func withoutClocks(_ space: MemorySpace) -> [GlobalKey: ObjectState<GlobalID>] {
    space.objects.mapValues { state in
      var state = state
      state.fields[22] = nil
      return state
    }
  }

  @Test func `A replay changes nothing and has the same codes`() {
    var generator = Generator(random: TestSeed.next())
    for _ in 0..<300 {
      var space = MemorySpace(start: 1)
      generator.lasts = [:]
      let submissions = (0..<20).map { n in
        generator.submission(UInt64(1 + n % 3), objects: 1...5)
      }
      for submission in submissions { _ = resolve(submission, &space) }
      let before = space
      for (entry, submission) in zip(before.log, submissions) {
        let answer = resolve(submission, &space)
        #expect(answer == .known(entry.code, position: entry.position))
      }
      #expect(space.objects == before.objects)
      #expect(space.pairs == before.pairs)
      #expect(space.space == before.space)
      #expect(space.log == before.log)
    }
  }

  @Test func `Lives never decrease, and objects that are gone have neither values nor pairs`() {
    var generator = Generator(random: TestSeed.next())
    for _ in 0..<100 {
      var space = MemorySpace(start: 1)
      generator.lasts = [:]
      for n in 0..<60 {
        let before = space
        _ = resolve(generator.submission(UInt64(1 + n % 3), objects: 1...4), &space)
        for (key, state) in before.objects { #expect(space.object(key).life >= state.life) }
        for (key, state) in space.objects where !state.isAlive {
          #expect(state.fields.isEmpty)
          #expect(space.pairs(of: key).isEmpty)
        }
      }
    }
  }

  @Test func `A rejected transaction leaves everything but the log`() {
    var generator = Generator(random: TestSeed.next())
    var rejected = 0
    for _ in 0..<100 {
      var space = MemorySpace(start: 1)
      generator.lasts = [:]
      for n in 0..<60 {
        let before = space
        _ = resolve(generator.submission(UInt64(1 + n % 3), objects: 1...6), &space)
        guard space.log.last?.code != .ok else { continue }
        rejected += 1
        #expect(space.objects == before.objects)
        #expect(space.pairs == before.pairs)
        #expect(space.space.hlc == before.space.hlc)
        #expect(space.log.last?.effects == [])
      }
    }
    #expect(rejected > 100)
  }
}
