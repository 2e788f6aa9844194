/// A kind of file that somebody else may have made, and the commands that read it.
struct HostileKind: Sendable {
  /// The kind of damage to the file.
  enum Damage: Sendable {
    case text, pages, entries
  }

  let name: String
  /// The file that is damaged; one of several.
  let subjects: [String]
  var damage = Damage.text
  /// The files and directories beside it.
  var needs: [String] = []
  /// The commands, one of which is run; `%` stands for the file that is damaged.
  let commands: [String]
  /// The paths that a command may create or change, by their beginnings in the working directory.
  var writes: [String] = []
  /// The number of files of the kind among about a hundred.
  let share: Int

  private static let formats = ["text", "json", "github", "sarif", "junit", "markdown"]

  static let all: [HostileKind] = [
    HostileKind(
      name: "model", subjects: ["model.json", "v2.json", "other.json"],
      needs: ["released.json"],
      commands: formats.map { "check % --format \($0)" } + [
        "show %", "diff released.json %", "diff % released.json", "plan released.json %",
        "plan % released.json --format json", "plan released.json % --format html --details",
        "diagram %", "diagram released.json % --format graphviz",
        "merge --base released.json --ours % --theirs released.json",
        "merge --base % --ours released.json --theirs other.json --output merged.json",
        "merge --base released.json --ours other.json --theirs % --rematch",
        "check --fix %", "lock write % --lock versions.lock", "converters check %",
      ], writes: ["model.json", "v2.json", "other.json", "merged.json", "versions.lock"], share: 25),
    HostileKind(
      name: "settings", subjects: [".boxjoint.yml"], needs: ["model.json", "converters.yml"],
      commands: [
        "config", "config --format json", "check model.json", "converters check",
        "plan model.json model.json",
      ], share: 8),
    HostileKind(
      name: "catalogue", subjects: ["converters.yml", "films.yml"],
      needs: ["users.json", "users.ndjson", "U", "films.json"],
      commands: [
        "converters check users.json --catalogue %", "converters lock --catalogue % --lock c.lock",
        "converters scan --store U --catalogue %", "export --store U --converters % --output out",
        "import --store new --model users.json --converters % users.ndjson",
        "import --store new --model films.json --entity Film --converters % films.ndjson",
      ], writes: ["c.lock", "U/", "out", "new"], share: 10),
    HostileKind(
      name: "lock of converters", subjects: ["converters.lock"],
      needs: ["users.json", "converters.yml"],
      commands: [
        "converters check users.json", "converters lock", "converters lock --force",
      ], writes: ["converters.lock"], share: 4),
    HostileKind(
      name: "lock of versions", subjects: [".boxjoint-lock.json"], needs: ["model.json"],
      commands: ["lock check", "lock check --format json", "lock write model.json"],
      writes: [".boxjoint-lock.json"], share: 4),
    HostileKind(
      name: "approvals", subjects: [".boxjoint-approvals.json"],
      needs: ["model.json", "v2.json", ".git"],
      commands: [
        "plan approve 0123456789abcdef0123 --reason r --author a --until 2999-01-01 model.json v2.json",
        "plan approve 0123456789abcdef0123 --reason r --author a",
      ], writes: [".boxjoint-approvals.json"], share: 2),
    HostileKind(
      name: "mapping", subjects: ["mapping.yml", "mapping.json"],
      needs: ["S/data.mdb", "model.json", "v2.json"],
      commands: [
        "migrate --store S --to v2.json --mapping % --dry-run",
        "migrate --store S --to v2.json --mapping % --yes --format json",
      ], writes: ["S/"], share: 5),
    HostileKind(
      name: "dump", subjects: ["dump.ndjson", "dump.json", "dump.ndjson.gz", "dump.ndjson.zst"],
      needs: ["S/data.mdb", "model.json"],
      commands: [
        "dump verify %", "dump diff % %", "dump diff % store:S", "import --store new %",
        "import --store S --mode upsert --dry-run %",
        "import --store new --on-error skip --rejects rejected %",
      ], writes: ["S/", "new", "rejected"], share: 14),
    HostileKind(
      name: "dump in a directory", subjects: ["D/manifest.json", "D/Person.ndjson"],
      needs: ["D", "model.json"],
      commands: ["dump verify D", "dump diff D D", "import --store new D"], writes: ["new"],
      share: 6),
    HostileKind(
      name: "foreign JSON", subjects: ["people.ndjson", "people.json"], needs: ["model.json"],
      commands: [
        "import --store new --model model.json --entity Person %",
        "import --store new --model model.json --entity Person --on-error skip --rejects rejected %",
        "import --store new --model model.json --entity Person --mode upsert --match Person.email %",
      ], writes: ["new", "rejected"], share: 8),
    HostileKind(
      name: "store", subjects: ["S/data.mdb"], damage: .pages, needs: ["model.json", "v2.json"],
      commands: stores, writes: ["S/", "out", "copy", "new"], share: 16),
    HostileKind(
      name: "store with sound pages", subjects: ["S/data.mdb"], damage: .entries,
      needs: ["model.json", "v2.json"], commands: stores, writes: ["S/", "out", "copy", "new"],
      share: 10),
  ]

  private static let stores = [
    "store info S", "store info S --format json", "store verify S --format json", "store compact S",
    "store compact S --purge", "store repair S --dry-run", "store repair S", "store backup S copy",
    "export --store S --output out",
    "import --store S --mode upsert dump.ndjson", "migrate --store S --to v2.json --yes --purge",
    "migrate --store S --to model.json --dry-run", "plan store:S v2.json",
    "plan store:S model.json",
    "dump diff store:S dump.ndjson", "converters scan --store S --catalogue empty.yml",
    "query S Person --order-by name --format csv", "query S Person --group-by email --explain",
    "query S Person --group-by email --max id", "store info S Person",
    "store get S Person 1 2 3", "store set S Person --all --yes age=1",
    "store remove S Person --where id>1 --yes", "store put S Person {}",
    "store link S Person.friends 1 2", "store unlink S Person.friends 1 2",
    "store orphans S", "store duplicates S Person.email",
    "store duplicates S Person.age --repoint --remove --yes",
    "import --store S --mode replace dump.ndjson --dry-run",
  ]

  /// A kind for a number, so that each has its share.
  static func of(_ number: Int) -> HostileKind {
    var rest = number % all.reduce(0) { $0 + $1.share }
    for kind in all {
      rest -= kind.share
      if rest < 0 { return kind }
    }
    return all[0]
  }
}
