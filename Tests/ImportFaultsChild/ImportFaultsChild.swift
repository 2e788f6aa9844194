import BoxDump
import BoxEngine

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A process that imports a dump, or goes on with it, and kills itself after some time.
///
/// Its arguments are the directory of the store, the dump, the elements of a batch, how ids are given, the
/// microseconds that it has, and the steps that it takes in the building of indexes; 0 for as many as
/// it takes.
@main
struct ImportFaultsChild {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 7, let batch = Int(arguments[3]),
      let ids = ImportIDs(rawValue: arguments[4]), let time = UInt32(arguments[5]),
      let maximumSteps = Int(arguments[6])
    else { exit(64) }
    if time > 0 { killLater(time) }
    let input = try DumpInput(path: arguments[2])
    var settings = StoreOptions()
    // A transaction for every few entries.
    settings.indexBytes = 512
    settings.indexChunk = 8
    var options = ImportOptions()
    options.batch = batch
    options.ids = ids
    options.resumes = true
    let session = try ImportSession(input, into: arguments[1], options: options, store: settings)
    var steps = 0
    _ = try session.run(
      indexing: { _, _, _ in
        steps += 1
        if steps == maximumSteps { kill(getpid(), SIGKILL) }
      })
  }

  private static func killLater(_ time: UInt32) {
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let argument = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    argument.initialize(to: time)
    pthread_create(
      &thread, nil,
      { (argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? in
        if let argument { usleep(argument.load(as: UInt32.self)) }
        kill(getpid(), SIGKILL)
        return nil
      }, argument)
  }
}
