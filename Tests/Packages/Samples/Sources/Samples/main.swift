import Annotations
import Converters
import Directions
import Foundation
import Identifiers
import Names
import Relations

// Runs the samples of all modules.

let results = [
  runSamples(), Annotations.runSamples(), Converters.runSamples(), Directions.runSamples(),
  Identifiers.runSamples(), Names.runSamples(), Relations.runSamples(),
]
let failed = results.flatMap(\.failures)
for failure in failed { print("samples: \(failure)") }
// A trap would lose what was printed to a pipe.
if !failed.isEmpty { exit(1) }
print("check-samples: \(results.map(\.count).reduce(0, +)) samples run as the documents say")
