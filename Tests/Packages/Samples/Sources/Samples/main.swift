import Animals
import Annotations
import Converters
import Directions
import Foundation
import Identifiers
import Names
import People
import Relations
import Versions

// Runs the samples of all modules.

let results = [
  await runSamples(), await Annotations.runSamples(), await Converters.runSamples(),
  await Directions.runSamples(), await Identifiers.runSamples(), await Names.runSamples(),
  await Relations.runSamples(), await People.runSamples(), await Animals.runSamples(),
  await Versions.runSamples(),
]
let failed = results.flatMap(\.failures)
for failure in failed { Swift.print("samples: \(failure)") }
// A trap would lose what was printed to a pipe.
if !failed.isEmpty { exit(1) }
Swift.print(
  "check-samples: \(results.map(\.count).reduce(0, +)) samples run as the documents say")
