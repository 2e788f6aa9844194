import BoxMigration
import BoxModel
import BoxReport
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The page of a plan, and drawings: what stands in names is never taken for anything else.
struct PlanPageTests {
  static let hostile = #"<script>alert(1)</script>"&`#;--> ]]> \"# + "\u{202E}\n\u{7}]}"

  private func hostilePlan() throws -> MigrationPlan {
    try PlanModels.plan { model in
      model.entities[0].name = Self.hostile
      model.entities[1].properties[1].name = Self.hostile
      model.entities[1].properties[4].type = .string
      model.entities[1].relations?[0].name = Self.hostile
      PlanModels.remove("flagged", of: 1, in: &model)
    }
  }

  private let tool = ToolInfo(version: "1.0")

  @Test func namesAreNeverMarkup() throws {
    let review = PlanReview(try hostilePlan())
    for format in PlanFormat.allCases {
      let text = review.render(format, tool: tool)
      #expect(text.hasSuffix("\n"))
      for hazard in ["\u{202E}", "\u{7}"] { #expect(!text.contains(hazard), "\(format)") }
      if [.html, .markdown].contains(format) { #expect(!text.contains("<script"), "\(format)") }
    }
    let diagram = SchemaDiagram(from: PlanModels.base(), to: review.plan.new.model)
    for text in [diagram.mermaid(), diagram.graphviz(), diagram.svg()] {
      #expect(!text.contains("<script") && !text.contains("\u{202E}") && !text.contains("\u{7}"))
    }
  }

  /// The page is sound XML, so nothing in it is read otherwise than it was meant.
  @Test func pagesAndDrawingsAreWellFormed() async throws {
    let review = PlanReview(try hostilePlan())
    let svg = SchemaDiagram(from: PlanModels.base(), to: review.plan.new.model).svg()
    let parse = "import sys, xml.dom.minidom as m; m.parse(sys.stdin.buffer)"
    let drawn = try await ProcessRun.of("python3", ["-c", parse], input: Array(svg.utf8))
    #expect(drawn.status == 0, "\(drawn.messages)")
    let check = """
      import sys
      from html.parser import HTMLParser
      void = {"meta", "input", "link", "br"}
      class P(HTMLParser):
          stack = []
          ids = set()
          def handle_starttag(self, tag, attrs):
              a = dict(attrs)
              assert tag not in {"script", "img", "iframe", "link"}, tag
              assert not any(k.startswith("on") or k == "src" for k in a), a
              if "id" in a:
                  assert a["id"] not in self.ids, a["id"]
                  self.ids.add(a["id"])
              if a.get("href", "#") and not a.get("href", "#").startswith("#"): sys.exit(a["href"])
              if tag not in void: self.stack.append(tag)
          def handle_endtag(self, tag):
              assert self.stack.pop() == tag, tag
      text = sys.stdin.buffer.read().decode()
      p = P(); p.feed(text); p.close()
      assert not p.stack, p.stack
      import re
      for target in re.findall(r'href="#([^"]+)"', text): assert target in p.ids, target
      """
    let page = review.render(.html, tool: tool)
    let read = try await ProcessRun.of("python3", ["-c", check], input: Array(page.utf8))
    #expect(read.status == 0, "\(read.messages)")
  }

  /// In a browser: the page shows its steps, and asks the network for nothing.
  @Test(.enabled(if: Browser.path != nil || Browser.isRequired, "there is no Chromium here"))
  func aBrowserShowsThePage() async throws {
    let browser = try #require(Browser.path, "CI has to have Chromium: see scripts/bootstrap")
    let folder = try TemporaryFolder()
    let review = PlanReview(try hostilePlan())
    let page = review.render(.html, tool: tool)
    try folder.write(page, to: "plan.html")
    let run = try await ProcessRun.of(
      browser,
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--user-data-dir=" + folder.path(of: "profile"), "--dump-dom",
        "file://" + folder.path(of: "plan.html"),
      ])
    #expect(run.status == 0, "\(run.messages)")
    for step in review.steps {
      #expect(run.text.contains(step.fingerprint))
    }
    #expect(run.text.contains("id=\"changed-only\""))
  }
}

/// The browser of the machine.
enum Browser {
  /// Whether it must be there.
  static let isRequired = getenv("CI").map { $0.pointee != 0 } ?? false

  /// Its path; nil where there is none.
  static let path: String? = {
    let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin"
    for name in ["chromium", "chromium-browser", "google-chrome"] {
      for folder in folders.split(separator: ":") {
        let path = "\(folder)/\(name)"
        if access(path, X_OK) == 0 { return path }
      }
    }
    return nil
  }()
}
