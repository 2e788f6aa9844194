internal import BoxReport

/// The command lines that git's configuration gets.
///
/// Both start the tool through a line of shell that falls back to what git does without it, so a
/// clone in which the program is missing, cannot start or crashes loses nothing. The program is an
/// argument of the shell's script and never a part of it, so its path may hold any character.
struct DriverLines: Hashable, Sendable {
  /// The name of the merge driver and of the diff driver.
  static let name = "boxjoint"

  /// The driver of git for the merges of merge bases in a criss-cross history.
  ///
  /// It leaves no conflict markers in the merged base.
  static let driverOfBases = "binary"

  /// The program: a name that the shell looks up, or an absolute path.
  var program: String

  /// The value of `merge.boxjoint.driver`.
  ///
  /// A status other than 0 and 1 means that the tool did not get to write the result (it replaces
  /// the file as a whole at the end), so git's own merge can still do it. Before 2.44 git does not
  /// know the labels `%S %X %Y` and leaves them as they are.
  var merge: String {
    return "sh -c '\(Self.mergeScript)' boxjoint \(Self.word(program)) %O %A %B %L %P %S %X %Y"
  }

  /// A driver line that also keeps the versions of each file in a directory.
  ///
  /// It has no fallback: a merge that is not by UID would not be what was asked for.
  func merge(keepingVersionsIn directory: String) -> String {
    "\(Self.word(program)) merge-driver \(DriverInvocation.keepOption) \(Self.word(directory)) "
      + "%O %A %B %L %P %S %X %Y"
  }

  /// A driver line for git's own merge of texts.
  static let textMerge = "git merge-file -q --marker-size=%L %A %O %B || exit 1"

  /// A text as a word of a driver line, in which git replaces what follows a percent sign.
  private static func word(_ text: String) -> String {
    scriptQuoted(text).split(separator: "%", omittingEmptySubsequences: false).joined(
      separator: "%%")
  }

  /// The value of `diff.boxjoint.textconv`, to which git adds the name of the file.
  var textconv: String { "sh -c '\(Self.textconvScript)' boxjoint \(scriptQuoted(program))" }

  /// The value of `mergetool.boxjoint.cmd`, which git evaluates in a shell at the top of the work tree.
  ///
  /// `resolve` takes the versions from git's index and not from the files that git made of them, so that
  /// it knows which operation is under way; `--` keeps a name from being read as an option.
  var mergeTool: String { scriptQuoted(program) + Self.mergeToolEnd }

  private static let mergeToolEnd = " resolve -- \"$MERGED\""

  /// The program that a driver line starts, or nil if the line is not one of this version.
  static func program(inMerge line: String) -> String? {
    let start = "sh -c '\(mergeScript)' boxjoint "
    let end = " %O %A %B %L %P %S %X %Y"
    guard line.hasPrefix(start), line.hasSuffix(end),
      line.utf8.count > start.utf8.count + end.utf8.count
    else { return nil }
    let word = line.dropFirst(start.count).dropLast(end.count)
    let program = shellUnquoted(word.replacing(part: "%%", by: "%"))
    return program.flatMap { DriverLines(program: $0).merge == line ? $0 : nil }
  }

  /// The program that a line for the readable diff starts, or nil if it is not one of this version.
  static func program(inTextconv line: String) -> String? {
    let start = "sh -c '\(textconvScript)' boxjoint "
    guard line.hasPrefix(start), line.utf8.count > start.utf8.count else { return nil }
    let program = shellUnquoted(String(line.dropFirst(start.count)))
    return program.flatMap { DriverLines(program: $0).textconv == line ? $0 : nil }
  }

  /// Whether a line is one that another version of the tool wrote.
  ///
  /// Without `--` in front of the name, as earlier versions had it, a file called `--version` hid its
  /// changes.
  static func isOutdated(_ line: String) -> Bool {
    line.hasPrefix("sh -c '") && line.hasPart("' boxjoint ")
      && (line.hasPart(#" merge-driver "$@""#) || line.hasPart(" show --textconv "))
      && program(inMerge: line) == nil && program(inTextconv: line) == nil
  }

  /// Whether a value of git's configuration is a line that this tool wrote, in this version or another.
  static func isOwn(_ line: String) -> Bool {
    program(inMerge: line) != nil || program(inTextconv: line) != nil
      || line.hasSuffix(mergeToolEnd) || isOutdated(line)
  }

  /// The script of the driver line, without single quotes.
  ///
  /// The doubled percent signs reach the shell as single ones.
  private static let mergeScript =
    #"p=$1; shift; "#
    + #"if command -v "$p" >/dev/null 2>&1; then "#
    + #""$p" merge-driver "$@"; s=$?; case $s in 0|1) exit $s;; esac; "#
    + #"printf "boxjoint: status %%s, so git merges %%s as text\n" "$s" "$5" >&2; "#
    + #"else printf "boxjoint: not found, so git merges %%s as text\n" "$5" >&2; fi; "#
    + #"o=${6:-base}; a=${7:-ours}; b=${8:-theirs}; "#
    + #"[ "$o" = "%%S" ] && o=base; [ "$a" = "%%X" ] && a=ours; [ "$b" = "%%Y" ] && b=theirs; "#
    + #"git merge-file -q --marker-size="$4" -L "$a" -L "$o" -L "$b" -- "$2" "$1" "$3" || exit 1"#

  private static let textconvScript =
    #"if command -v "$1" >/dev/null 2>&1 && "$1" show --textconv -- "$2" 2>/dev/null; "#
    + #"then exit 0; fi; exec cat -- "$2""#
}
