import BoxEngine
import BoxModel
import CWorkload

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The engine itself: EnginePeer slot|dynamic MODEL OPERATION DIRECTORY COUNT SEED, or
/// EnginePeer convert MODEL TARGET DIRECTORY COUNT SEED, where the model is that of the target, or
/// EnginePeer removal MODEL cascade|ids DIRECTORY COUNT SEED, which has a model of its own, or
/// EnginePeer hear MODEL write|pace|pace-heard|listen|differences DIRECTORY COUNT SEED.
@main
enum EnginePeer {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 7 else { exit(64) }
    // What is left are the arguments of every peer, after a name.
    let request = read_request(CommandLine.argc - 2, CommandLine.unsafeArgv + 2)
    let model = try ModelDocument(parsing: bytes(of: arguments[2]))
    if arguments[1] == "hear" {
      return try HearRun.run(
        String(cString: request.operation), String(cString: request.directory), model,
        count: Int(request.count))
    }
    if arguments[1] == "removal" {
      return try RemovalRun.run(
        String(cString: request.operation), String(cString: request.directory),
        count: Int(request.count))
    }
    let isConversion = arguments[1] == "convert"
    let store = try ObjectStore.open(
      .directory(String(cString: request.directory)), model: isConversion ? nil : model)
    let operation = String(cString: request.operation)
    let run =
      switch arguments[1] {
      case "convert": try Conversion(store, into: operation, model).run()
      case "slot": try runBySlot(operation, store, request)
      case "dynamic": try runDynamically(operation, store, request)
      default: exit(64)
      }
    withUnsafePointer(to: run.measurement) { print_measure($0, run.objects, run.checksum) }
  }

  static func runBySlot(_ operation: String, _ store: ObjectStore, _ request: request) throws
    -> Outcome
  {
    var run = try SlotRun(store, request)
    let all = request.count
    let batch = Int64(BATCH)
    switch operation {
    case "put-all": try run.put(1...all, batch: all)
    case "put-batches": try run.put(1...all, batch: batch)
    case "get": try run.get()
    case "get-singles": try run.getSingles()
    case "read-nothing": try run.readNothing()
    case "visit": try run.visit()
    case "look-up": try run.lookUp()
    case "rewrite-all": try run.rewrite(batch: all)
    case "rewrite-batches": try run.rewrite(batch: batch)
    case "put-singles": try run.put((all + 1)...(all + Int64(SINGLE_PUTS)), batch: 1)
    case "remove-all": try run.removeAll()
    default: exit(64)
    }
    return run.outcome
  }

  static func runDynamically(_ operation: String, _ store: ObjectStore, _ request: request) throws
    -> Outcome
  {
    var run = try DynamicRun(store, request)
    switch operation {
    case "put-all": try run.putAll()
    case "get": try run.get()
    case "visit": try run.visit()
    default: exit(64)
    }
    return run.outcome
  }

  static func bytes(of path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { exit(66) }
    defer { fclose(file) }
    return [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = fread(buffer.baseAddress, 1, buffer.count, file)
    }
  }
}

/// The measurement of a run, with the number of objects that it read and the sum of their values.
struct Outcome {
  var measurement = measure()
  var objects: Int64 = 0
  var checksum: UInt64 = 0

  mutating func add(_ sum: UInt64) {
    checksum &+= sum
    objects += 1
  }
}
