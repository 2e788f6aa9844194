import ArgumentParser
import TestSupport
import Testing

@testable import BoxJointCLI

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The command lines that messages tell a user to type: each is in the sources, is understood, and is not
/// refused where it is printed.
struct AdvisedCommandsTests {
  /// The lines that no test runs, with the reason.
  private static let notRun = [
    "boxjoint check --fix": "it is for later, after a build; KeptUIDTests run it",
    "boxjoint diff OLD NEW": "the rule is for kinds of changes that do not exist yet",
    "boxjoint export --raw": "it names an option, and the store is not known",
    "boxjoint merge --rematch --ours _ --theirs __": "the program repeats what was typed instead",
    "boxjoint merge-driver %O %A %B %L %P [%S %X %Y]": "git calls it",
    "boxjoint plan --against HEAD _": "boxjoint-generate prints it, which has tests of its own",
    "boxjoint recover --force --output _": "boxjoint-generate prints it",
    "boxjoint recover --output _": "boxjoint-generate prints it",
    "boxjoint resolve FILE": "the entry of a rule says it of any file; ResolveTests run it",
    "boxjoint store repair DIR": "an entry of a rule says it; SyncMaintenanceTests run it",
    "boxjoint store repair _": "no program switches data sync on; SyncMaintenanceTests run it",
    "boxjoint store remove _": "no program makes two objects with one unique value",
    "boxjoint store set _ _ _": "no program stores what is not UTF-8",
    "boxjoint store set _ _=VALUE": "no program makes two objects with one unique value",
    "git cat-file blob _ > _": "RenamedTargetTests and RenamedModelsTests run it",
    "git config --global --add safe.directory": "words of git that are looked for",
    "git config _": "it says where a value is from",
    "git fetch REPOSITORY _": "the address of a fork is not known",
    "git lfs pull": "it needs Git LFS and a server",
    "git merge": "it names the command",
    "git merge FETCH_HEAD": "it is run in a clone of a fork",
    "git mergetool --tool=_ FILE": "it asks a person",
    "git mergetool --tool=boxjoint": "it asks a person",
    "git push": "it is run in a clone of a fork",
    "git rm --force": "boxjoint-generate prints it with a file, which has tests of its own",
    "git submodule update --init": "git clones no submodule from a path",
  ]

  // MARK: - The sources

  /// The literals of a file of the sources.
  private struct File {
    var path: String
    var text: String
    var literals: [SourceLiteral]
  }

  private static func files(below directory: String? = nil) throws -> [File] {
    let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let directory = directory ?? root + "/Sources"
    var files: [File] = []
    for name in TemporaryDirectory.names(inDirectory: directory) {
      let path = directory + "/" + name
      guard name.hasSuffix(".swift") else {
        files += try Self.files(below: path)
        continue
      }
      let bytes = try TemporaryDirectory.bytes(ofFile: path)
      files.append(
        File(
          path: path, text: String(decoding: bytes, as: UTF8.self),
          literals: LiteralReader.literals(in: bytes)))
    }
    return files
  }

  /// The lines of messages, without those of help texts over several lines.
  private static func linesOfMessages() throws -> Set<String> {
    Set(
      try files().flatMap(\.literals).filter { !$0.isBlock }
        .flatMap { CommandLines.all(in: $0.text) })
  }

  @Test func everyLineIsRunOrHasAReason() throws {
    let lines = try Self.linesOfMessages()
    #expect(lines.count > 50, "the sources are not where they are looked for")
    let run = Set(AdvisedState.all.flatMap { $0.lines.map(\.source) })
    for line in lines where !Self.isName(line) {
      #expect(
        run.contains(line) || Self.notRun[line] != nil,
        "run '\(line)' in a state of AdvisedState, or say why it is not run")
    }
    for line in run.union(Self.notRun.keys) {
      #expect(lines.contains(line), "no message has '\(line)' any more")
    }
    #expect(run.isDisjoint(with: Self.notRun.keys))
  }

  // MARK: - Declarations

  /// The command that the first words of a line name, and the other words.
  private static func command(
    of words: [String]
  ) -> (type: any ParsableCommand.Type, rest: ArraySlice<String>) {
    var type: any ParsableCommand.Type = BoxJointCommand.self
    var rest = words.dropFirst()
    while let word = rest.first,
      let next = type.configuration.subcommands.first(where: { subcommand in
        let configuration = subcommand.configuration
        return configuration.commandName == word || configuration.aliases.contains(word)
      })
    {
      type = next
      rest = rest.dropFirst()
    }
    return (type.configuration.defaultSubcommand ?? type, rest)
  }

  /// Whether a line is the name of a command, which needs arguments to be run.
  private static func isName(_ line: String) -> Bool {
    line.hasPrefix("boxjoint ") && command(of: CommandLines.words(of: line)).rest.isEmpty
  }

  /// The long options of a command, as its help lists them.
  private static func options(of type: any ParsableCommand.Type) -> Set<String> {
    let help = BoxJointCommand.helpMessage(for: type, includeHidden: true, columns: 400)
    let lines = help.split(separator: "\n").filter { $0.hasPrefix("  -") }
    return Set(
      lines.flatMap { line in
        line.split { " ,/".contains($0) }.prefix { $0.hasPrefix("-") || $0.hasPrefix("<") }
          .filter { $0.hasPrefix("--") }.map { String($0) }
      })
  }

  /// The long options that a text names.
  private static func named(in text: String) -> [String] {
    text.split { !$0.isASCII || !($0.isLetter || $0 == "-") }.map { String($0) }
      .filter { $0.hasPrefix("--") && $0.count > 3 }
  }

  @Test func everyLineIsUnderstood() throws {
    for file in try Self.files() {
      for line in file.literals.flatMap({ CommandLines.all(in: $0.text) })
      where line.hasPrefix("boxjoint ") && line != "boxjoint --licenses" {
        let (type, rest) = Self.command(of: CommandLines.words(of: line))
        let isCommand =
          type.configuration.subcommands.isEmpty || rest.first?.hasPrefix("-") != false
        #expect(isCommand, "\(file.path): there is no command '\(line)'")
        let known = Self.options(of: type)
        for option in Self.named(in: line) {
          #expect(known.contains(option), "\(file.path): '\(line)' has no \(option)")
        }
      }
    }
  }

  /// The examples of help texts are complete.
  @Test func everyExampleIsParsed() throws {
    for file in try Self.files() {
      for literal in file.literals where literal.isBlock {
        for line in CommandLines.begun(in: literal.text)
        where line.hasPrefix("boxjoint ") && line != "boxjoint --licenses" {
          let words = CommandLines.words(of: line)
          if Self.command(of: words).rest.isEmpty { continue }
          #expect(throws: Never.self, "\(file.path): \(line)") {
            _ = try BoxJointCommand.parseAsRoot(Array(words.dropFirst()))
          }
        }
      }
    }
  }

  /// An option in a message of a command is one that the command has, or one below it.
  @Test func everyOptionExists() throws {
    func below(_ type: any ParsableCommand.Type) -> Set<String> {
      type.configuration.subcommands.reduce(Self.options(of: type)) { $0.union(below($1)) }
    }
    func all(_ type: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
      [type] + type.configuration.subcommands.flatMap(all)
    }
    let commands = all(BoxJointCommand.self)
    let every = below(BoxJointCommand.self)
    for file in try Self.files()
    where file.path.contains("/BoxJointCLI/") || file.path.contains("/BoxTerminal/") {
      let own = commands.filter { file.text.contains("struct \($0):") }
      let known = own.isEmpty ? every : own.reduce([]) { $0.union(below($1)) }
      for literal in file.literals where !literal.isBlock {
        // A command line may be one of another program.
        let text = CommandLines.all(in: literal.text).reduce(literal.text) {
          $0.replacing($1, with: "")
        }
        for option in Self.named(in: text) where option != "--licenses" {
          #expect(known.contains(option), "\(file.path): \(literal.text)")
        }
      }
    }
  }
}

/// The advice in the states in which it is given.
@Suite(
  .enabled(if: Tool.path != nil, "boxjoint is not built: scripts/build"),
  .enabled(if: access("/usr/bin/perl", X_OK) == 0, "the states are made by perl"))
struct FollowedAdviceTests {
  let repository: TemporaryRepository

  init() async throws { repository = try await TemporaryRepository() }

  private func shell(_ script: String, in directory: String = ".") async throws -> ProcessRun {
    let environment = repository.environment.merging(["TOOL": Tool.path]) { $1 }
    return try await ProcessRun.of(
      "sh", ["-c", AdvisedState.prelude + script], in: repository.path + "/" + directory,
      environment: environment)
  }

  @Test(arguments: AdvisedState.all)
  func isNotRefused(_ state: AdvisedState) async throws {
    _ = try await shell(state.setup)
    let advice = try await shell(state.command, in: state.directory)
    let output = advice.text + advice.messages
    var found: [String] = []
    for line in state.lines {
      guard let advised = CommandLines.first(of: line.shown, in: output) else {
        Issue.record("\(state.command) does not print '\(line.shown)': \(output)")
        continue
      }
      found.append(advised)
      let filled = state.values.reduce(advised) { $0.replacing($1.key, with: $1.value) }
      let run = try await shell(filled + line.adding, in: state.directory)
      #expect(run.status == line.status, "\(filled): \(run.text)\(run.messages)")
    }
    if state.isLasting { return }
    let again = try await shell(state.command, in: state.directory)
    for line in found {
      #expect(!(again.text + again.messages).contains(line), "\(again.text)\(again.messages)")
    }
  }

  /// A fix is offered only where it changes something.
  @Test func aFixIsAdvisedWhereItChangesSomething() async throws {
    _ = try await shell(
      #"""
      new_model $model; lower_counter $model; commit base
      new_model part.json; lower_counter part.json
      perl -0pi -e 's/"id": "1:\d+",//' part.json
      new_store
      """#)
    let whole = try await shell("boxjoint check $model")
    #expect(whole.text.contains("; 1 can be fixed with --fix"), "\(whole.text)")
    for command in [
      "boxjoint check HEAD:$model", "boxjoint check :$model", "boxjoint check /dev/fd/3 3< $model",
      "boxjoint check part.json", "boxjoint check --fix part.json", "boxjoint check store:data",
    ] {
      let run = try await shell(command)
      #expect(run.status < 2, "\(command): \(run.messages)")
      #expect(!run.text.contains("--fix"), "\(command): \(run.text)")
    }
  }

  /// The names of copies are of their time, in seconds.
  @Test func twoCopiesOfOneSecond() async throws {
    _ = try await shell(
      """
      new_store; cp m.json 1.json; quietly boxjoint model add-property 1.json Film.year long
      cp 1.json 2.json; quietly boxjoint model add-property 2.json Film.length long
      """)
    for model in ["1.json", "2.json"] {
      let run = try await shell("boxjoint migrate --store data --to \(model) --backup --yes")
      #expect(run.status == 0, "\(run.messages)")
    }
    let copies = repository.surroundings.names(in: repository.path).filter { $0.hasPrefix("data-") }
    #expect(copies.count == 2, "\(copies)")
  }

  /// An object gets the next id if it has none.
  @Test func anIDThatWasNeverGivenIsLeftOut() async throws {
    _ = try await shell("new_store")
    let refused = try await shell(#"boxjoint store put data Person '{"id": 77, "name": "Eve"}'"#)
    #expect(refused.status == 2)
    #expect(refused.messages.contains("leave out its id"), "\(refused.messages)")
    let put = try await shell(#"boxjoint store put data Person '{"name": "Eve"}'"#)
    #expect(put.status == 0, "\(put.messages)")
    #expect(put.text == "3\n")
  }
}
