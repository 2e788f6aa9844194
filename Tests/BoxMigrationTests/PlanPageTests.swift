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
      #expect(!text.contains("<script"))
      #expect(!text.contains("\u{202E}"))
      #expect(!text.contains("\u{7}"))
    }
  }

  /// A row names the first steps about it, by their numbers and not by how these are written.
  @Test func aRowNamesItsFirstSteps() throws {
    let plan = try PlanModels.plan { model in
      model.entities[1].properties[4].type = .string
      model.entities[0].properties[2].name = "years"
    }
    var review = PlanReview(plan)
    let about = try #require(review.steps.first { $0.step.rule.id == "BOX317" })
    let other = try #require(review.steps.first { $0.step.rule.id == "BOX315" })
    review.steps = (1...12).map { [2, 9, 10, 11].contains($0) ? about : other }
    let page = review.render(.html, tool: tool)
    let links = [2, 9, 10].map { "<a href=\"#s\($0)\">\($0)</a>" }.joined(separator: ", ")
    #expect(page.contains("ratio <small>step \(links)</small>"))
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
    let directory = try TemporaryDirectory()
    let review = PlanReview(try hostilePlan())
    let page = review.render(.html, tool: tool)
    try directory.write(page, to: "plan.html")
    let run = try await ProcessRun.of(
      browser,
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--user-data-dir=" + directory.path(of: "profile"), "--dump-dom",
        "file://" + directory.path(of: "plan.html"),
      ])
    #expect(run.status == 0, "\(run.messages)")
    for step in review.steps {
      #expect(run.text.contains(step.fingerprint))
    }
    #expect(run.text.contains("id=\"changed-only\""))
  }

  /// As a browser lays it out: every text can be read on its ground, and whatever can be operated is
  /// reached and operated by the keyboard, in the colours of a light system and of a dark one.
  @Test(
    .enabled(if: Browser.path != nil || Browser.isRequired, "there is no Chromium here"),
    arguments: [true, false])
  func thePageIsReadableAndNeedsNoMouse(_ isDark: Bool) async throws {
    let browser = try #require(Browser.path, "CI has to have Chromium: see scripts/bootstrap")
    let directory = try TemporaryDirectory()
    // Changes of every class that there is, an approval, and an entity that stayed as it was.
    let plan = try PlanModels.plan { model in
      model.entities[1].properties[4].type = .string
      model.entities[0].properties[3].flags = []
      model.entities[1].name = "Memo"
      PlanModels.remove("flagged", of: 1, in: &model)
      PlanModels.add(PlanModels.property(0, 5_000, "place", .string, [.indexed]), to: 1, in: &model)
    }
    let page = PlanReview(plan).render(.html, tool: tool)
    // The page itself runs no script; the measuring one is let in for this.
    let policy = #"<meta http-equiv="Content-Security-Policy""#
    let start = try #require(page.firstRange(of: policy)?.lowerBound)
    let end = try #require(page[start...].firstIndex(of: "\n"))
    let measured =
      page[..<start] + page[end...].replacing("</body>", with: Self.measuring + "</body>")
    try directory.write(String(measured), to: "plan.html")
    let run = try await ProcessRun.of(
      browser,
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--window-size=1200,900", "--virtual-time-budget=10000",
        "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)",
        "--user-data-dir=" + directory.path(of: "profile"), "--dump-dom",
        "file://" + directory.path(of: "plan.html"),
      ])
    #expect(run.status == 0, "\(run.messages)")
    let opening = #"<pre id="measured">"#
    let from = try #require(run.text.firstRange(of: opening)?.upperBound)
    let to = try #require(run.text[from...].firstRange(of: "</pre>")?.lowerBound)
    let lines = run.text[from..<to].split(separator: "\n").map(String.init)
    #expect(lines.first == "scheme \(isDark ? "dark" : "light")")
    // The ratio that WCAG 2.1 asks for at level AA.
    let contrasts = lines.filter { $0.hasPrefix("contrast ") }
    #expect(contrasts.count > 40)
    for line in contrasts {
      let ratio = Double(line.split(separator: " ")[1]) ?? 0
      #expect(ratio >= 4.5, "\(line)")
    }
    let stops = lines.filter { $0.hasPrefix("stop ") }
    #expect(stops.contains { $0.hasPrefix("stop A skip") })
    #expect(stops.count { $0.hasPrefix("stop SUMMARY") } == plan.steps.count)
    #expect(stops.contains { $0.hasPrefix("stop INPUT") })
    let problems = lines.filter { $0.hasPrefix("problem ") }
    #expect(problems.isEmpty, "\(problems)")
  }

  /// Writes what a browser makes of the page into it, a line for each thing.
  private static let measuring = #"""
    <script>
    const out = [];
    out.push("scheme " + (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
    const parse = (text) => {
      const numbers = text.match(/[\d.]+/g).map(Number);
      return numbers.length < 4 ? [...numbers.slice(0, 3), 1] : numbers;
    };
    const luminance = (color) => {
      const [r, g, b] = color.map((value) => {
        const part = value / 255;
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (element) => {
      for (let e = element; e; e = e.parentElement) {
        const color = parse(getComputedStyle(e).backgroundColor);
        if (color[3] === 1) return color;
        if (color[3] !== 0) out.push("problem half transparent " + e.outerHTML.slice(0, 80));
      }
      out.push("problem no ground");
      return [255, 255, 255, 1];
    };
    const measure = () => {
      if (!document.hasFocus()) out.push("problem the page has no focus");
      // All of it is to be seen.
      const changed = document.getElementById("changed-only");
      const same = [...document.querySelectorAll(".entity.same")];
      if (!same.length || same.some((e) => e.checkVisibility())) out.push("problem all are shown");
      changed.focus();
      changed.click();
      if (same.some((e) => !e.checkVisibility())) out.push("problem some stay hidden");
      const closed = [...document.querySelectorAll("details")].filter((e) => !e.open);
      for (const summary of document.querySelectorAll("summary")) {
        const details = summary.parentElement;
        const before = details.open;
        // What Enter and Space do to whatever has the focus.
        summary.focus();
        document.activeElement.click();
        if (details.open === before) out.push("problem summary does not open");
        details.open = true;
      }
      if (!closed.length) out.push("problem nothing was closed");
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        if (!node.data.trim() || element.closest("script") || !element.checkVisibility()) continue;
        const [a, b] = [luminance(parse(getComputedStyle(element).color)), luminance(ground(element))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        out.push("contrast " + ratio.toFixed(2) + " " + node.data.trim().slice(0, 40));
      }
      const operable = "a[href], button, input, select, textarea, summary, [onclick], [role=button]";
      for (const element of document.querySelectorAll(operable)) {
        element.focus();
        const style = getComputedStyle(element);
        const name = element.tagName + " " + element.className + " " + element.textContent.trim();
        out.push("stop " + name.replace(/\s+/g, " ").slice(0, 60));
        if (document.activeElement !== element) out.push("problem no focus: " + name);
        if (element.tabIndex < 0 || element.tabIndex > 0) out.push("problem tab order: " + name);
        const box = element.getBoundingClientRect();
        if (box.width < 1 || box.height < 1 || box.right < 0) out.push("problem not seen: " + name);
        if (!element.matches(":focus-visible") || style.outlineStyle === "none")
          out.push("problem no mark of the focus: " + name);
        const label = element.labels?.[0]?.textContent ?? element.textContent;
        if (!label.trim()) out.push("problem no name: " + element.outerHTML);
        const target = element.getAttribute("href");
        if (target && !document.getElementById(target.slice(1))) out.push("problem link: " + target);
      }
      // What scrolls by itself would need the focus to be scrolled by.
      for (const element of document.querySelectorAll("body *")) {
        const style = getComputedStyle(element);
        const scrolls = ["auto", "scroll"].some((v) => [style.overflowX, style.overflowY].includes(v));
        if (scrolls && element.tabIndex < 0) out.push("problem scrolls: " + element.tagName);
      }
      if (document.documentElement.scrollWidth > innerWidth) out.push("problem too wide");
      const result = document.createElement("pre");
      result.id = "measured";
      result.textContent = out.join("\n");
      document.body.append(result);
    };
    // The browser gives the page the focus after it is loaded.
    let waits = 0;
    const wait = () => document.hasFocus() || ++waits > 200 ? measure() : setTimeout(wait, 20);
    addEventListener("load", () => setTimeout(wait, 20));
    </script>
    """#
}

/// The browser of the machine.
enum Browser {
  /// Whether it must be there.
  static let isRequired = getenv("CI").map { $0.pointee != 0 } ?? false

  /// Its path; nil where there is none.
  static let path: String? = {
    let directories = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin"
    for name in ["chromium", "chromium-browser", "google-chrome"] {
      for directory in directories.split(separator: ":") {
        let path = "\(directory)/\(name)"
        if access(path, X_OK) == 0 { return path }
      }
    }
    return nil
  }()
}
