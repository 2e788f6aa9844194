internal import ArgumentParser
internal import BoxJSON
internal import BoxReport
internal import BoxTerminal
internal import BoxWorkspace
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The display of progress: the value of `--progress`.
enum ProgressChoice: String, CaseIterable, ExpressibleByArgument {
  /// A bar, if standard error is a terminal.
  case auto
  /// Nothing.
  case none
  /// A line of JSON on standard error for each step, for other programs.
  case json
}

/// Shows the progress of long work on standard error, from any thread.
final class Progress: WorkObserver {
  fileprivate struct State {
    var stepStart = ContinuousClock.now
    var lastShown: ContinuousClock.Instant?
    var step = ""
    var isShown = false
    var isComplete = false
  }

  private let choice: ProgressChoice
  private let width: Int?
  private let state = Mutex(State())

  /// The interval between updates: longer than the eye needs, and short enough to look alive.
  fileprivate static let interval = Duration.milliseconds(100)

  init(_ choice: ProgressChoice) {
    self.choice = choice
    width = choice == .auto ? Terminal.width(of: .error) : nil
  }

  /// Prints a notice on a line of its own.
  func receive(_ notice: Notice) {
    finish()
    StandardError.writeLine(notice.line)
  }

  /// Records the progress of a step.
  func update(_ step: String, _ done: Int, of total: Int, unit: String) {
    if choice == .none || (choice == .auto && width == nil) { return }
    state.withLock { $0.update(step, done, of: total, unit: unit, width: width) }
  }

  /// Clears the bar, so that the next output starts on a line of its own.
  func finish() {
    state.withLock { state in
      if state.isShown { StandardError.writeControl("\r" + ANSI.eraseToEnd) }
      state.isShown = false
    }
  }
}

extension Progress.State {
  fileprivate mutating func update(
    _ step: String, _ done: Int, of total: Int, unit: String, width: Int?
  ) {
    let now = ContinuousClock.now
    if step != self.step {
      self.step = step
      stepStart = now
      lastShown = nil
      isComplete = false
    }
    // Before a total is known, nothing is complete.
    let isLast = total > 0 && done >= total
    if let lastShown, now - lastShown < Progress.interval, !isLast || isComplete { return }
    lastShown = now
    isComplete = isLast
    let state = ProgressState(
      step: step, done: done, total: total, unit: unit, elapsed: now - stepStart)
    if let width {
      StandardError.writeControl(
        "\r" + state.line(width: width).escapedForDisplay + ANSI.eraseToEnd)
      isShown = true
    } else {
      StandardError.write(state.json.text(indent: 0) + "\n")
    }
  }
}

/// The progress of a step of long work.
struct ProgressState {
  var step: String
  var done: Int
  var total: Int
  var unit: String
  var elapsed: Duration

  private var seconds: Double {
    let parts = elapsed.components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }

  private var fraction: Double { total > 0 ? min(1, Double(done) / Double(total)) : 1 }

  /// Done each second; nil before there is anything to tell from.
  private var rate: Double? { seconds >= 0.2 && done > 0 ? Double(done) / seconds : nil }

  private var secondsLeft: Int? {
    rate.map { Int((Double(max(0, total - done)) / $0).rounded(.up)) }
  }

  /// The progress in one line of at most a number of columns; only the name of the step if the
  /// total is unknown.
  func line(width: Int) -> String {
    if total == 0 { return String(step.prefix(max(0, width - 1))) }
    let percent = String(Int(fraction * 100))
    let padding = String(repeating: " ", count: max(0, 3 - percent.count))
    var text = "\(step) \(padding)\(percent)%"
    var tail = "  \(grouped(done)) of \(grouped(total)) \(unit)"
    if let rate { tail += ", \(grouped(Int(rate)))/s" }
    if let secondsLeft, done < total { tail += ", \(duration(secondsLeft)) left" }
    let room = width - text.count - tail.count - 4
    if room >= 10 {
      let filled = Int(Double(min(room, 30)) * fraction)
      let empty = min(room, 30) - filled
      text +=
        " [" + String(repeating: "#", count: filled) + String(repeating: ".", count: empty)
        + "]"
    }
    return String((text + tail).prefix(max(0, width - 1)))
  }

  /// The state for another program.
  var json: JSONValue {
    [
      "step": .string(step), "done": .int(done), "total": .int(total), "unit": .string(unit),
      "seconds": .double((seconds * 1000).rounded() / 1000),
      "rate": rate.map { .double($0.rounded()) } ?? .null,
    ]
  }

  private func duration(_ seconds: Int) -> String {
    let rest = String(seconds % 60)
    if seconds < 60 { return "\(rest) s" }
    return "\(seconds / 60):\(rest.count < 2 ? "0" : "")\(rest)"
  }
}
