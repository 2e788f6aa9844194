#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// The program of scripts/fuzz: it hands the inputs that libFuzzer makes to the target that
// BOXJOINT_FUZZ names. SwiftPM names the entry point of a program itself, so that libFuzzer's own
// `main` cannot be linked; this is its function for such programs.

@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

guard FuzzTarget.current != nil else {
  print("the targets are: " + FuzzTarget.allCases.map(\.rawValue).joined(separator: " "))
  exit(64)
}
// libFuzzer's own limit is one of the clock, which says little on a busy machine; at this signal it ends
// as if its limit were reached.
if let seconds = getenv("BOXJOINT_FUZZ_SECONDS").flatMap({ Int(String(cString: $0)) }) {
  signal(SIGPROF) { _ in raise(SIGUSR1) }
  var timer = itimerval()
  timer.it_value.tv_sec = seconds
  setitimer(.init(ITIMER_PROF.rawValue), &timer, nil)
}
var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(
  runFuzzer(&count, &arguments) { bytes, count in
    FuzzTarget.current?.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  })
