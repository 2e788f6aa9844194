// Runs the samples, each with a store of its own.

for (name, run) in samples {
  do {
    try run()
  } catch {
    failures.append("\(name) throws \(error)")
  }
}
for failure in failures { print("samples: \(failure)") }
if failures.isEmpty { print("check-samples: \(samples.count) samples run as the documents say") }
precondition(failures.isEmpty, "a sample does not do what the documents say")
