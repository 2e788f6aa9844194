import BoxStore
import TestSupport
import Testing

/// Random changes of objects and their relations in a draft, compared with sets in memory.
struct DraftRelationLawTests {
  /// Students with their teachers, and teachers, by name.
  private struct School: Equatable {
    var students: [String: Set<String>] = [:]
    var teachers: Set<String> = []
  }

  private let store: Store
  private let students: Box<Student>
  private let teachers: Box<Teacher>

  init() throws {
    store = try SampleStore.inMemory()
    students = store.box()
    teachers = store.box()
  }

  @Test func relationsAreUndoneAndCommittedWithTheirObjects() throws {
    var random = TestSeed.next()
    for round in 0..<TestSeed.count("BOXJOINT_SOAK_DRAFT_RELATIONS", default: 60) {
      try store.runInTransaction {
        try students.removeAll()
        try teachers.removeAll()
      }
      let draft = store.makeDraft()
      var (stored, now) = (School(), School())
      var (done, open, undone): ([School], School?, [School]) = ([], nil, [])
      for _ in 0..<25 {
        switch random.below(10) {
        case 0:
          try draft.flush()
          if let begin = open { done.append(begin) }
          open = nil
        case 1...2:
          if let begin = open { done.append(begin) }
          open = nil
          #expect(try draft.undo() == !done.isEmpty, "round \(round)")
          if let before = done.popLast() {
            undone.append(now)
            now = before
          }
        case 3:
          #expect(try draft.redo() == !undone.isEmpty, "round \(round)")
          if let after = undone.popLast() {
            done.append(now)
            now = after
          }
        case 4:
          try draft.commit()
          (stored, done, open, undone) = (now, [], nil, [])
        default:
          let before = now
          try draft.runInTransaction { _ in
            for _ in 0..<(1 + random.below(3)) { try change(&now, &random) }
          }
          // An object that is replaced by an equal one is a change too; each step has to be one.
          let mark = "t\(random.next())"
          try draft.box(for: Teacher.self).put(Teacher(mark))
          now.teachers.insert(mark)
          if open == nil { open = before }
          undone = []
        }
        #expect(try school() == stored, "round \(round)")
        #expect(try draft.runInTransaction { _ in try school() } == now, "round \(round)")
        #expect(try backlinks() == stored && draft.runInTransaction { _ in try backlinks() } == now)
      }
    }
  }

  private func change(_ school: inout School, _ random: inout SplitMix64) throws {
    let names = school.students.keys.sorted()
    let others = school.teachers.sorted()
    let name = names.isEmpty ? "" : random.pick(names)
    let other = others.isEmpty ? "" : random.pick(others)
    switch random.below(8) {
    case 0...1:
      let new = "s\(random.next())"
      let student = Student(new)
      school.students[new] = []
      if let teacher = try teacher(other), random.oneIn(2) {
        student.teachers.append(teacher)
        school.students[new] = [other]
      }
      try students.put(student)
    case 2:
      let new = "t\(random.next())"
      try teachers.put(Teacher(new))
      school.teachers.insert(new)
    case 3:
      guard let teacher = try teacher(other) else { return }
      try teachers.remove(teacher)
      for name in names { school.students[name]?.remove(other) }
      if random.oneIn(2) { school.teachers.remove(other) } else { try putAgain(teacher) }
    case 4:
      guard let student = try student(name) else { return }
      try students.remove(student)
      school.students[name] = nil
      if random.oneIn(2) {
        let again = Student(name)
        again.id = student.id
        try students.put(again)
        school.students[name] = []
      }
    default:
      guard let student = try student(name), let teacher = try teacher(other) else { return }
      let isLinked = school.students[name]?.contains(other) ?? false
      if isLinked {
        student.teachers.removeAll { $0.id == teacher.id }
        school.students[name]?.remove(other)
      } else {
        student.teachers.append(teacher)
        school.students[name]?.insert(other)
      }
      try student.teachers.applyToDb()
    }
  }

  private func putAgain(_ teacher: Teacher) throws {
    let again = Teacher(teacher.name)
    again.id = teacher.id
    try teachers.put(again)
  }

  private func student(_ name: String) throws -> Student? {
    try students.query { Student.name == name }.build().findFirst()
  }

  private func teacher(_ name: String) throws -> Teacher? {
    try teachers.query { Teacher.name == name }.build().findFirst()
  }

  private func school() throws -> School {
    let pairs = try students.all().map { ($0.name, Set($0.teachers.map(\.name))) }
    return School(
      students: Dictionary(uniqueKeysWithValues: pairs),
      teachers: Set(try teachers.all().map(\.name)))
  }

  /// The same, seen from the teachers.
  private func backlinks() throws -> School {
    var school = School()
    for student in try students.all() { school.students[student.name] = [] }
    for teacher in try teachers.all() {
      school.teachers.insert(teacher.name)
      for student in teacher.students { school.students[student.name]?.insert(teacher.name) }
    }
    return school
  }
}
