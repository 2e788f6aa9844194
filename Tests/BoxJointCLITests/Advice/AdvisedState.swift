import Testing

/// A state in which a command advises command lines.
struct AdvisedState: Sendable, CustomTestStringConvertible {
  /// A command line that is advised.
  struct Line: Sendable, ExpressibleByStringLiteral {
    /// The line in the sources, in which an interpolation is `_`.
    var source: String
    /// The line that is printed, in which `_` is anything.
    var shown: String
    /// Further arguments, without which the line asks a person.
    var adding: String
    /// The exit status that shows that it is not refused.
    var status: Int32

    init(_ source: String, shown: String? = nil, adding: String = "", status: Int32 = 0) {
      self.source = source
      self.shown = shown ?? source
      self.adding = adding
      self.status = status
    }

    init(stringLiteral value: String) { self.init(value) }
  }

  /// The state, in words.
  var name: String
  /// The script of a shell that makes the state in a new repository.
  var setup: String
  /// The command that gives the advice.
  var command: String
  /// The command lines, in the order in which they are run.
  var lines: [Line]
  /// The directory that the commands run in.
  var directory: String
  /// The values of words in capitals that stand for something.
  var values: [String: String]
  /// Whether the command gives the advice again afterwards.
  var isLasting: Bool

  var testDescription: String { name }

  init(
    _ name: String, _ setup: String, _ command: String, _ lines: [Line], in directory: String = ".",
    values: [String: String] = [:], isLasting: Bool = false
  ) {
    self.name = name
    self.setup = setup
    self.command = command
    self.lines = lines
    self.directory = directory
    self.values = values
    self.isLasting = isLasting
  }

  /// The functions that the scripts share.
  static let prelude = #"""
    mkdir -p "$HOME/bin"
    ln -sf "$TOOL" "$HOME/bin/boxjoint"
    PATH="$HOME/bin:$PATH"
    model=objectbox-model.json
    quietly() { "$@" > /dev/null 2>&1; }
    commit() { git add --all; git commit --quiet --allow-empty -m "$1"; }
    new_model() {
      quietly boxjoint model new "$1" Film Person
      quietly boxjoint model add-property "$1" Film.title string
      quietly boxjoint model add-property "$1" Person.name string
    }
    branches() {
      new_model $model; commit base; git tag v1
      git switch -qc feature; quietly boxjoint model rename $model Film Movie; commit feature
      git switch -q main; quietly boxjoint model rename $model Film Picture; commit main
    }
    new_store() {
      new_model m.json
      printf '%s\n' '{"Person":{"id":1,"name":"AnnaBella"}}' '{"Person":{"id":2,"name":"Ben"}}' > d.ndjson
      quietly boxjoint import --store data --model m.json d.ndjson
    }
    damage() { perl -pi -e 's/AnnaBella/AnnaBelle/' data/data.mdb; }
    catalogue() { printf 'properties:\n  User.role: { type: enum, values: { %s } }\n' "$2" > "$1"; }
    pointer() {
      printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize %s\n' "$1" "$1" > $model
      commit "$1"
    }
    remove_person() {
      quietly boxjoint model remove "$1" Person
      perl -0pi -e 's/"retired(\w+)Uids": \[[^\]]*\]/"retired$1Uids": []/g' "$1"
    }
    lower_counter() { perl -pi -e 's/"lastEntityId": "2:/"lastEntityId": "1:/' "$1"; }
    two_bens() { quietly boxjoint store put data Person '{"name":"Ben"}'; }
    make_unique() { quietly boxjoint model set-flags "$1" Person.name --set unique --set index-hash; }
    change_type() { perl -0pi -e 's/("name": "name",\s+"type": )9/${1}23/' "$1"; }

    """#
}
