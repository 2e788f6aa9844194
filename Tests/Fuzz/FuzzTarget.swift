#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A reader of bytes from strangers.
///
/// A target may refuse its input, but must not trap, hang, or break what it checks on accepted input.
enum FuzzTarget: String, CaseIterable {
  case model, merge, markers, dump, csv, records, pages
  case conditions, catalogues, mappings, annotations, code, requests
  case syncMessage = "sync-message"

  /// The target that the environment names.
  static let current = getenv("BOXJOINT_FUZZ").flatMap { FuzzTarget(rawValue: String(cString: $0)) }

  func run(_ bytes: [UInt8]) {
    switch self {
    case .model: fuzzModel(bytes)
    case .merge: fuzzMerge(bytes)
    case .markers: fuzzMarkers(bytes)
    case .dump: fuzzDump(bytes)
    case .csv: fuzzCSV(bytes)
    case .records: fuzzRecords(bytes)
    case .pages: fuzzPages(bytes)
    case .conditions: fuzzConditions(bytes)
    case .catalogues: fuzzCatalogues(bytes)
    case .mappings: fuzzMappings(bytes)
    case .annotations: fuzzAnnotations(bytes)
    case .code: fuzzCode(bytes)
    case .requests: fuzzRequests(bytes)
    case .syncMessage: fuzzSyncMessage(bytes)
    }
  }
}

/// Ends the process, so that libFuzzer keeps the input.
func expect(_ condition: Bool, _ law: String) {
  if !condition { fatalError("broken: \(law)") }
}

/// A file of this process, which is written again for each input.
struct FuzzFile {
  let path: String

  init(_ name: String, in directory: String = FuzzFile.directory) { path = directory + "/" + name }

  /// The directory of the run, which scripts/fuzz makes and removes.
  static let directory = getenv("BOXJOINT_FUZZ_DIRECTORY").map { String(cString: $0) } ?? "."

  func write(_ bytes: [UInt8]) {
    guard let file = fopen(path, "w") else { fatalError("cannot write '\(path)'") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }
}
