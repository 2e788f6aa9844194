import BoxGenerator
import BoxModelTool
import BoxReport
import TestSupport
import Testing

/// The rules of `boxjoint`, and their page.
struct RuleCatalogueTests {
  private let catalogue = RuleCatalogue.boxjoint

  @Test func thePageIsAsWritten() throws {
    let page = try RepositoryFile.text(of: "docs/rules.md")
    let written = catalogue.markdown + "\n" + GeneratorRule.section.markdown
    #expect(page.hasSuffix("from the rules in the sources. -->\n\n" + written))
  }

  @Test func idsAreUnique() {
    let ids = (catalogue.sections + [GeneratorRule.section]).flatMap(\.rules).map(\.id)
    #expect(Set(ids).count == ids.count)
  }

  @Test func rulesAreFoundByIDAndName() {
    #expect(catalogue.entries(of: "box204").map(\.rule.name) == ["id-changed"])
    #expect(catalogue.entries(of: "id-changed").map(\.rule.id) == ["BOX204"])
    // One of the model, and one of converters.
    #expect(catalogue.entries(of: "retirement-lost").map(\.rule.id) == ["BOX208", "BOX825"])
    #expect(catalogue.entries(of: "BOX999").isEmpty)
    #expect(catalogue.nearest(to: "id-chagned") == "id-changed")
  }

  @Test func theTextForATerminalHasNoLinks() throws {
    let entry = try #require(catalogue.entries(of: "BOX502").first)
    #expect(
      entry.text(width: 60) == """
        BOX502 remove-edit
        One side removed what the other changed. Severity: error.
        See merging.md. If the side also made it again under another
        UID, which the other may have retired, the answers are the
        two UIDs.

        """)
  }
}
