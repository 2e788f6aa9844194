@testable import BoxDump

/// A dump, or JSON of any other layout: checked as a dump, and read for a model.
func fuzzDump(_ bytes: [UInt8]) {
  let file = FuzzFile("dump.ndjson")
  file.write(bytes)
  _ = try? DumpVerifier.verify(file.path, isDirectory: false, limits: DecompressionLimits())
  var inference = ModelInference()
  inference.options.nesting = .entities
  _ = try? inference.run([file.path])
}

/// CSV; the first byte chooses quotes and delimiter.
func fuzzCSV(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let file = FuzzFile("table.csv")
  file.write(Array(bytes.dropFirst()))
  var inference = ModelInference()
  inference.options.form.format = .csv
  inference.options.form.delimiter = [nil, ";", "\t", "|"][Int(choice & 3)]
  inference.options.form.null = choice & 4 == 0 ? nil : "NULL"
  _ = try? inference.run([file.path])
}
