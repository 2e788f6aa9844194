internal import ArgumentParser
internal import BoxDump
internal import BoxStoreTool
internal import BoxTerminal
internal import BoxWorkspace

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// `boxjoint store watch`: tells the changes of objects while programs make them.
struct StoreWatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Tell the changes of objects while programs make them.",
    discussion: """
      Each change is a line of JSON with the number of the commit, the kind and the id, and with the \
      object as it is by then: inserted, updated, removed, or left for one that does not meet the \
      condition any more. Where very much was changed at once, one line of the kind whole stands for \
      all: read again what you need. Several commits can come as one. A condition is asked about \
      objects that changed themselves, not where its path leads to one that did.

      While it runs, it keeps a reader of the last state that it has told. If it is stopped, as by \
      Ctrl-Z, the file grows by what others write.

      Examples:
        boxjoint store watch data Person
        boxjoint store watch data Person --where 'age > 40' --until-idle 5s

      Exit status:
        0   ended by Ctrl-C, SIGTERM, a time, or as nobody reads on
        2   the store cannot be opened now, or has another model by now
        64  wrong usage, an entity that does not exist, or a condition that cannot
            be read
        65  not a store, a damaged store, or a value that cannot be shown
        74  something cannot be read or written
        78  the catalogue of converters is wrong, or does not fit the model
      """)

  @OptionGroup var place: EntityArguments

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Tell only the objects that meet this condition.", valueName: "condition"))
  var conditions: [String] = []

  @Flag(help: "Tell the ids, and not the objects.")
  var ids = false

  @Option(
    help: ArgumentHelp("End when nothing has changed for this time, such as 5s.", valueName: "time")
  )
  var untilIdle: TimeSpan?

  @Option(
    help: ArgumentHelp(
      "End after this time, such as 90s or 10m; in seconds without a unit.", valueName: "time"))
  var timeout: TimeSpan?

  @OptionGroup var shown: ValueFormatOptions
  @OptionGroup var trust: StoreTrust

  func validate() throws { _ = try conditions.onlyCondition() }

  func run() throws {
    ShellInterrupt.catchEnd()
    if let timeout {
      ShellInterrupt.endAfter(UInt32(clamping: timeout.duration.components.seconds + 2))
    }
    var request = WatchRequest(place.store, place.entity, to: ResultDestination())
    request.condition = conditions.first
    request.isOfIDs = ids
    (request.idle, request.timeout) = (untilIdle?.duration, timeout?.duration)
    request.isEnded = { ShellInterrupt.consumePress() || !StandardOutput.hasReader }
    (request.values.integers, request.values.dates) = (shown.integers.word, shown.dates.word)
    request.catalogue = shown.catalogue
    request.access = trust.access
    do { try request.run(in: .console) } catch let failure as CommandFailure
      where failure.isBrokenPipe
    {}
  }
}
