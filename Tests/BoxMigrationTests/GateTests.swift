import BoxJSON
import BoxMigration
import BoxModel
import BoxReport
import Testing

/// The steps that block a change, and the ways to let them pass.
struct GateTests {
  private func removal() throws -> MigrationPlan {
    try PlanModels.plan { model in
      model.entities[1].relations = []
      model.retiredRelationUIDs = [2901]
      Mutation.retire(model.entities.remove(at: 2), in: &model)
      PlanModels.remove("flagged", of: 1, in: &model)
    }
  }

  @Test func theGravestClassesStopByDefault() throws {
    let review = PlanReview(try removal())
    #expect(review.isBlocked)
    #expect(review.steps.filter(\.isBlocking).map(\.step.rule.id) == ["BOX302", "BOX362"])
    #expect(review.steps.first { $0.step.rule.id == "BOX312" }?.severity == .warning)
  }

  @Test func onlyTheClassesThatAreNamedStop() throws {
    var policy = PlanPolicy(today: "2026-06-01")
    policy.failOn = [.dataHidden]
    #expect(
      PlanReview(try removal(), policy).steps.filter(\.isBlocking).map(\.step.rule.id) == ["BOX312"]
    )
    policy.failOn = []
    #expect(!PlanReview(try removal(), policy).isBlocked)
  }

  @Test func anApprovalLetsItsChangePassAndDiesWithIt() throws {
    let plan = try removal()
    var policy = PlanPolicy(today: "2026-06-01")
    policy.approvals = plan.steps.map {
      Approval(fingerprint: $0.fingerprint, reason: "agreed", author: "A", until: "2026-06-01")
    }
    #expect(!PlanReview(plan, policy).isBlocked)
    // A day later it is over.
    policy.today = "2026-06-02"
    let late = PlanReview(plan, policy)
    #expect(late.isBlocked)
    #expect(late.steps[0].expired?.author == "A")
    #expect(late.text().contains("by A, ended on 2026-06-01"))
    #expect(late.markdown().contains("- Approval: by A, ended on 2026-06-01; "))
    #expect(late.markdown().contains("**stops** (approval ended) |"))
    // Without a day nobody can say that it still holds.
    policy.today = ""
    #expect(PlanReview(plan, policy).isBlocked)
    // Another removal of the same entity, in another shape, has another fingerprint.
    policy.today = "2026-06-01"
    let other = try PlanModels.plan { model in
      model.entities[1].relations = []
      model.entities.remove(at: 2)
    }
    #expect(PlanReview(other, policy).isBlocked)
  }

  @Test func rulesAreLeftOutAndWeighedByEntityAndProperty() throws {
    var policy = PlanPolicy(today: "2026-06-01")
    policy.ignored = try [
      #require(RuleSelector("entity-removed:tag")), #require(RuleSelector("BOX362")),
    ]
    let review = PlanReview(try removal(), policy)
    #expect(review.ignored == 2)
    #expect(!review.isBlocked)
    policy.ignored = []
    policy.severities = try [
      SeverityChoice(#require(RuleSelector("BOX312:Note.flagged")), .error),
      SeverityChoice(#require(RuleSelector("BOX302")), .note),
    ]
    let weighed = PlanReview(try removal(), policy)
    #expect(weighed.steps.filter(\.isBlocking).map(\.step.rule.id) == ["BOX362", "BOX312"])
    // A name that is left out is not another one.
    let wrong = [
      "BOX999", "", "BOX302:", "entity-removd", "BOX312:.title", "BOX312:Note.", "BOX312:.",
    ]
    for text in wrong { #expect(RuleSelector(text) == nil, "\(text)") }
    #expect(RuleSelector("BOX312:`Note`.`Flagged`") == RuleSelector("BOX312:Note.flagged"))
    #expect(RuleSelector("BOX312:Note.`x.y`") == RuleSelector("BOX312:Note.x.y"))
    #expect(RuleSelector("BOX312:`Note.x`.y") != RuleSelector("BOX312:Note.x.y"))
  }

  /// Whoever makes a change chooses the new names, and could put what it does under a setting.
  @Test func namesOfSettingsComeFromTheOldModel() throws {
    let plan = try PlanModels.plan { model in
      model.entities[0].name = "Note"
      model.entities[1].name = "User"
      model.entities[1].properties[4].name = "title"
      model.entities[1].properties[1].name = "ratio"
      model.entities[1].properties[4].type = .float
      model.entities[1].properties.append(
        PlanModels.property(7, 2007, "color", .string))
      model.entities[1].lastPropertyID = IDPair(id: 7, uid: 2007)
    }
    func ignored(_ selector: String) throws -> [String] {
      var policy = PlanPolicy(today: "2026-06-01")
      policy.ignored = [try #require(RuleSelector(selector))]
      let rest = PlanReview(plan, policy).steps.map(\.fingerprint)
      return plan.steps.filter { !rest.contains($0.fingerprint) }.map(\.subject)
    }
    let rule = try #require(plan.steps.first { $0.uid == 2005 && $0.rule.id != "BOX371" }?.rule.id)
    #expect(try ignored(rule + ":Note.ratio") == ["User.title"])
    #expect(try ignored(rule + ":Note").contains("User.title"))
    for claimed in [":User.title", ":User", ":Note.title", ":User.ratio"] {
      #expect(try !ignored(rule + claimed).contains("User.title"), "\(claimed)")
    }
    // What is new has only a new name, in the entity that the base knows.
    #expect(try ignored("property-added:Note.color") == ["User.color"])
    #expect(try ignored("property-added:User.color") == [])
  }

  @Test func approvalsAreReadAsTheyWereWritten() throws {
    let approval = Approval(
      fingerprint: "0123456789abcdef0123", reason: "no \"data\"\n", author: "Zoë",
      until: "2027-01-31", change: "Tag was removed")
    var list = ApprovalList([approval])
    list.add(Approval(fingerprint: "ffffffffffffffffffff", reason: "r", author: "b"))
    list.add(approval)
    #expect(list.approvals.count == 2)
    #expect(try ApprovalList(parsing: Array(list.text.utf8)) == list)
  }

  @Test(arguments: [
    ("{", "", 1, 2), ("[]", "schemaVersion", 1, 1), (#"{"schemaVersion": 2}"#, "not 1", 1, 19),
    (#"{"schemaVersion": 1}"#, "must be a list", 1, 1),
    (#"{"schemaVersion": 1, "approvals": [1]}"#, "objects", 1, 36),
    (
      #"{"schemaVersion": 1, "approvals": [{"fingerprint": "x", "reason": "r", "author": "a"}]}"#,
      "20 hexadecimal", 1, 52
    ),
    (
      #"{"schemaVersion": 1, "approvals": [{"fingerprint": "0123456789abcdef0123", "reason": " ", "author": "a"}]}"#,
      "reason", 1, 86
    ),
  ])
  func aDamagedFileIsAnErrorWithItsPlace(
    _ text: String, _ words: String, _ line: Int, _ column: Int
  )
    throws
  {
    let error = #expect(throws: PlanFileError.self) { try ApprovalList(parsing: Array(text.utf8)) }
    #expect(error?.message.contains(words) == true || words.isEmpty, "\(error?.message ?? "")")
    #expect(error?.position == JSONPosition(line: line, column: column))
  }
}
