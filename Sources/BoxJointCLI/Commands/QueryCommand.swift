internal import ArgumentParser
internal import BoxDump
internal import BoxEngine
internal import BoxReport
internal import BoxStoreTool
internal import BoxTerminal

/// `boxjoint query`: lists, counts and groups the objects of a store.
struct QueryCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "List, count and group the objects of a store.",
    discussion: """
      The answer is one state of the store, even if other programs write meanwhile. \
      docs/querying.md describes conditions, paths and plans.

      Examples:
        boxjoint query data Film --where 'year == 2019 && genres contains "Drama"' \\
          --order-by 'title ignoringCase' --select title,cast.name --limit 10
        boxjoint query data Film --where 'cast.name == "Liam Neeson"' --count
        boxjoint query data Film --group-by genres --order-by 'count desc' --limit 3
        boxjoint query data Order --sum total --avg total
        boxjoint query data Photo --nearest embedding=@vector.json --limit 5
        boxjoint query data Photo --nearest embedding --of 8
        boxjoint query data Film --where 'year > 2015' --explain

      A condition is that of `boxjoint export --where`. A path such as author.name follows \
      relations; over a relation to many, its column is an array. A relation to many is the array \
      of the ids. A name with blanks, commas or periods stands in backquotes, as in `first name`.

      A terminal gets a table of its width with the first 40 rows, unless --limit says how many. \
      A pipe and a file get all rows in full, a page of HTML the first 10,000. Rows are printed \
      while the store is read; an order without an index takes 32 bytes for each object, and its \
      strings beyond eight bytes.

      Exit status:
        0   answered, also without any rows
        2   the object of --after or --of does not exist, or the store cannot be
            opened now
        64  wrong usage, a name that does not exist, or a condition that cannot
            be read
        65  not a store, a damaged store, or a value that cannot be shown
        74  something cannot be read or written
        78  the catalogue of converters is wrong, or does not fit the model
      """)

  @Argument(
    help: ArgumentHelp("The directory of the store.", valueName: "dir"), completion: .directory,
    transform: namedPath)
  var store: String

  @Argument(help: ArgumentHelp("The entity whose objects are listed.", valueName: "entity"))
  var entity: String

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("List only the objects that meet this condition.", valueName: "condition"))
  var conditions: [String] = []

  @Option(
    help: ArgumentHelp(
      "The order, as 'title desc, name ignoringCase, year nulls last'; by id where it leaves that "
        + "open. With --group-by, of the groups: 'count desc'.", valueName: "order"))
  var orderBy: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Print at most this many rows.", valueName: "n"))
  var limit: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Skip this many rows first.", valueName: "n"))
  var offset = 0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Print the rows after the object with this id, in the order of the rows: the next page.",
      valueName: "id"), transform: objectID)
  var after: UInt64?

  @Option(
    name: [.customLong("select"), .customLong("fields")],
    help: ArgumentHelp(
      "Comma-separated properties, paths and relations to print; defaults to all properties. A name "
        + "that is not a plain word goes in backquotes.", valueName: "paths"))
  var select: [String] = []

  @Flag(help: "Print each row once.")
  var distinct = false

  @Flag(help: "Print the number of objects.")
  var count = false

  @Option(help: ArgumentHelp("Print the exact sum of a property. Repeatable.", valueName: "path"))
  var sum: [String] = []

  @Option(help: ArgumentHelp("Print the least value. Repeatable.", valueName: "path"))
  var min: [String] = []

  @Option(help: ArgumentHelp("Print the greatest value. Repeatable.", valueName: "path"))
  var max: [String] = []

  @Option(help: ArgumentHelp("Print the mean of the values. Repeatable.", valueName: "path"))
  var avg: [String] = []

  @Option(
    help: ArgumentHelp(
      "Print a row for each value of this property, or each element of a vector, with the number "
        + "of objects.", valueName: "path"))
  var groupBy: [String] = []

  @Option(
    help: ArgumentHelp(
      "List the objects whose vectors are nearest to this one, ten or as many as --limit says; with "
        + "--of, the property alone.",
      valueName: "property=@file"))
  var nearest: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The object whose vector --nearest takes.", valueName: "id"), transform: objectID)
  var of: UInt64?

  @Flag(help: "Print the plan of the query instead of its rows, as text or json.")
  var explain = false

  @Option(help: "The output format.")
  var format = WordChoice(QueryFormat.text)

  @Option(
    name: .customLong("output"),
    help: ArgumentHelp(
      "The file to write, or - for standard output, the default.", valueName: "path"),
    completion: .file(), transform: namedPath)
  var outputPath: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The zone of --dates iso: UTC, local, or an offset such as +02:00.", valueName: "zone"))
  var zone: String?

  @OptionGroup var shown: ValueFormatOptions
  @OptionGroup var trust: StoreTrust

  func validate() throws {
    _ = try conditions.onlyCondition()
    if let limit, limit < 0 { throw ValidationError("--limit must be at least 0.") }
    if offset < 0 { throw ValidationError("--offset must be at least 0.") }
    if !select.isEmpty && selected.isEmpty {
      throw ValidationError("--select needs at least one property.")
    }
    try validateRows()
    try validateZone()
    if let outputPath { try validateEnding(of: outputPath) }
    if explain && ![.text, .json].contains(format.word) {
      throw ValidationError("--explain prints text or json; pass --format json or leave it out.")
    }
  }

  private func validateZone() throws {
    guard let zone else { return }
    if DateZone(zone) == nil {
      throw ValidationError("--zone is UTC, local, or an offset such as +02:00, and not \(zone).")
    }
    if shown.dates.word != .iso { throw ValidationError("--zone needs --dates iso.") }
  }

  /// Refuses a file whose name promises another form than it gets.
  private func validateEnding(of path: String) throws {
    if Compression(endingOf: path) != .none {
      throw ValidationError("--output \(path): a result is not compressed; leave out .gz or .zst.")
    }
    let forms: [String: QueryFormat] = [
      ".csv": .csv, ".ndjson": .ndjson, ".json": .json, ".md": .markdown, ".html": .html,
    ]
    guard let named = forms.first(where: { path.hasSuffix($0.key) })?.value, named != format.word,
      !explain
    else { return }
    throw ValidationError(
      "--output \(path): pass --format \(named.rawValue), or name another file.")
  }

  private func validateRows() throws {
    if after != nil {
      try exclude(
        "--after",
        [
          ("--group-by", !groupBy.isEmpty), ("--distinct", distinct),
          ("--nearest", !nearest.isEmpty),
        ] + numbers.map { ("--\($0.word)", true) })
    }
    if distinct && select.isEmpty {
      throw ValidationError("--distinct needs --select: objects differ at least in their ids.")
    }
    if groupBy.count > 1 {
      throw ValidationError("--group-by takes one property; pass it once.")
    }
    if !groupBy.isEmpty {
      try exclude("--group-by", [("--select", !select.isEmpty), ("--distinct", distinct)])
    }
    if !numbers.isEmpty && groupBy.isEmpty {
      try exclude(
        "--\(numbers[0].word)",
        [
          ("--select", !select.isEmpty), ("--distinct", distinct), ("--order-by", orderBy != nil),
          ("--limit", limit != nil), ("--offset", offset != 0),
        ], "there is one row; leave out")
    }
    if nearest.count > 1 { throw ValidationError("--nearest can be given once.") }
    if of != nil && nearest.isEmpty {
      throw ValidationError("--of needs --nearest, which says the property of the vector.")
    }
    if !nearest.isEmpty {
      try exclude(
        "--nearest",
        [
          ("--group-by", !groupBy.isEmpty), ("--order-by", orderBy != nil),
          ("--distinct", distinct),
        ] + numbers.map { ("--\($0.word)", true) }, "the rows are ordered by distance; leave out")
    }
  }

  /// Refuses options beside another one.
  private func exclude(
    _ option: String, _ others: [(name: String, isGiven: Bool)], _ advice: String = "leave out"
  ) throws {
    guard let other = others.first(where: \.isGiven)?.name else { return }
    throw ValidationError("\(option) and \(other) exclude each other: \(advice) \(other).")
  }

  private var selected: [String] { select.flatMap(listedNames) }

  private var numbers: [QueryAggregate] {
    let functions: [(QueryAggregate.Function, [String])] = [
      (.sum, sum), (.min, min), (.max, max), (.avg, avg),
    ]
    return (count ? [.count] : [])
      + functions.flatMap { function, paths in paths.map { .of(function, $0) } }
  }

  func run(in session: StoreSession?) throws {
    var request = QueryRequest(store, entity)
    request.condition = conditions.first
    request.order = try orderBy.map { try [QueryOrder](order: $0) } ?? []
    request.nearest = try nearest.first.map { (text) throws(CommandFailure) in
      if let of { NearestVector(text, of: of) } else { try NearestVector(text) }
    }
    (request.after, request.offset, request.limit) = (after, offset, limit)
    if let groupBy = groupBy.first {
      request.rows = .groups(by: groupBy, [.count] + numbers.filter { $0 != .count })
    } else if !numbers.isEmpty {
      request.rows = .summary(numbers)
    } else {
      request.rows = .objects(select: select.isEmpty ? nil : selected, isDistinct: distinct)
    }
    request.format = format.word
    request.output = outputPath.flatMap { DescriptorPath.isStandardOutput($0) ? nil : $0 }
    request.stream = ResultDestination()
    request.screen = .console
    (request.values.integers, request.values.dates) = (shown.integers.word, shown.dates.word)
    request.values.zone = zone.flatMap { DateZone($0) } ?? .utc
    request.catalogue = shown.catalogue
    request.access = trust.access(in: session)
    let place = Workspace(observer: Progress(.auto))
    if explain { try printPlan(of: request, in: place) } else { try request.run(in: place) }
  }

  private func printPlan(of request: QueryRequest, in place: Workspace) throws {
    let plan = try request.explain(in: place)
    let text = format.word == .json ? plan.json.displayText : "\(plan)\n"
    if let output = request.output {
      try AtomicFile.write(Array(text.utf8), to: output)
    } else {
      try StandardOutput.write(text)
    }
  }
}

extension QueryAggregate {
  /// The word of its option.
  fileprivate var word: String {
    if case .of(let function, _) = self { function.rawValue } else { "count" }
  }
}
