internal import ArgumentParser
internal import BoxDump
internal import BoxWorkspace

/// The options for how much compressed input may decompress to.
struct DecompressionArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The maximum decompressed size beyond 64 MiB, as a multiple of the compressed size; "
        + "or 'none'.",
      valueName: "n|none"))
  var maxRatio: RatioChoice = .times(DecompressionLimits.defaultRatio)

  @Option(
    help: ArgumentHelp(
      "The maximum decompressed size of a file, in MiB; by default without limit.", valueName: "MiB"
    ))
  var maxSize: Int?

  var limits: DecompressionLimits {
    DecompressionLimits(ratio: maxRatio.ratio, size: maxSize.map { $0 << 20 })
  }

  func validate() throws {
    if let maxSize, !(1...1 << 30).contains(maxSize) {
      throw ValidationError("--max-size must be from 1 to \(1 << 30) MiB.")
    }
  }
}

/// A ratio or the word `none`: the value of `--max-ratio`.
enum RatioChoice: Hashable, ExpressibleByArgument {
  case times(Int)
  case unlimited

  init?(argument: String) {
    if argument == "none" {
      self = .unlimited
    } else if let ratio = Int(argument), ratio > 0 {
      self = .times(ratio)
    } else {
      return nil
    }
  }

  var defaultValueDescription: String { ratio.map { "\($0)" } ?? "none" }

  var ratio: Int? {
    switch self {
    case .times(let ratio): ratio
    case .unlimited: nil
    }
  }
}
