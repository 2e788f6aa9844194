internal import BoxSources
internal import BoxSystem

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The program of the plugin `CheckEntities`: fails if the bindings of a target are out of date.
///
/// Arguments: the name of the target, the path of an empty Swift file that is written if all is well, and the
/// Swift files of the target.
@main
enum EntityCheck {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count >= 2 else { end("usage: BoxEntityCheck TARGET STAMP FILE...", 64) }
    let (target, stamp) = (arguments[1], arguments[2])
    let command =
      "swift package --allow-writing-to-package-directory objectbox-generator --target \(target)"
    do throws(SourceTree.Failure) {
      switch try await BindingCheck.verdict(on: Array(arguments.dropFirst(2))) {
      case .upToDate: write(stamp)
      case .missing:
        end("error: the target \(target) has no bindings of its entities; run `\(command)`", 1)
      case .outOfDate(let path, let reason):
        end("\(path):1:1: error: \(reason); run `\(command)`", 1)
      }
    } catch {
      end("\(error.path): error: \(error.message)", 74)
    }
  }

  private static func end(_ message: String, _ status: Int32) -> Never {
    try? writeAll(Array((message + "\n").utf8), to: STDERR_FILENO)
    exit(status)
  }

  /// Writes the empty file that tells the build that the check was made.
  private static func write(_ stamp: String) {
    let file = open(stamp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    if file < 0 { end("\(stamp): error: cannot be written: \(SystemError.last.reason)", 74) }
    close(file)
  }
}
