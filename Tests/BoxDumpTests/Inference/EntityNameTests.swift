import Testing

@testable import BoxDump

/// The names of entities of files.
struct EntityNameTests {
  @Test func namesAreSingular() {
    for (path, name) in [
      ("films.json", "Film"), ("/data/countries.json.gz", "Country"),
      ("movies-2010s.json", "Movies2010"),
      ("order_items.ndjson", "OrderItem"), ("addresses.json", "Address"), ("series.json", "Series"),
      ("movies.json", "Movie"), ("people.json", "Person"), ("-", "Object"),
      ("2020.json", "Object2020"), ("status.json", "Status"),
    ] {
      #expect(EntityName.derived(from: path) == name)
    }
  }
}
