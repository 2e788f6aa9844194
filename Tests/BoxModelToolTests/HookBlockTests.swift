import TestSupport
import Testing

@testable import BoxModelTool

/// The lines of the tool in the scripts of hooks.
struct HookBlockTests {
  /// Scripts of other tools, the last of which has no line ending.
  private static let scripts = [
    "#!/bin/sh\n", "#!/bin/sh\n# Other.\nexit 3\n", "#!/usr/bin/env bash\r\necho\r\n",
    "#!/bin/sh -e\nexec other \"$@\"\n", "#!/bin/sh",
  ]

  @Test(arguments: GitHook.allCases, scripts)
  func removingRestoresEveryByte(hook: GitHook, script: String) {
    let before = Array(script.utf8)
    let block = HookBlock(hook: hook, program: "/opt/it's here/boxjoint")
    let installed = block.installed(in: before)
    #expect(HookBlock.isInstalled(in: installed))
    #expect(installed.starts(with: "#!".utf8))
    #expect(block.installed(in: installed) == installed)
    #expect(HookBlock.program(of: hook, in: installed) == block.program)
    #expect(HookBlock.removed(from: installed) == before)
  }

  @Test(arguments: GitHook.allCases)
  func aFileOfTheBlockAloneIsRemoved(hook: GitHook) {
    let block = HookBlock(hook: hook, program: "boxjoint")
    let made = block.installed(in: nil)
    #expect(HookBlock.removed(from: made) == nil)
    #expect(
      HookBlock.removed(from: made + Array("other\n".utf8)) == Array("#!/bin/sh\nother\n".utf8))
    #expect(HookBlock.removed(from: Array("#!/bin/sh\n".utf8)) == Array("#!/bin/sh\n".utf8))
  }

  @Test func anotherProgramOrVersionIsReplacedInItsPlace() throws {
    let script = Array("#!/bin/sh\nother\n".utf8)
    let old = HookBlock(hook: .prePush, program: "/old/boxjoint").installed(in: script)
    let new = HookBlock(hook: .prePush, program: "boxjoint")
    #expect(new.installed(in: old) == new.installed(in: script))
    let edited = String(decoding: old, as: UTF8.self).replacing("unset", with: "echo")
    #expect(HookBlock.program(of: .prePush, in: Array(edited.utf8)) == nil)
    #expect(new.installed(in: Array(edited.utf8)) == new.installed(in: script))
    #expect(HookBlock.program(of: .postMerge, in: old) == nil)
  }

  /// A block without its end was edited by hand, and nothing is known about it.
  @Test func aBlockWithoutItsEndIsNotTouched() {
    let script = Array("#!/bin/sh\n# >>> boxjoint\nother\n".utf8)
    #expect(!HookBlock.isInstalled(in: script))
    #expect(HookBlock.removed(from: script) == script)
  }

  @Test(arguments: [
    ("#!/bin/sh\n", true), ("#! /bin/bash -e\n", true), ("#!/usr/bin/env zsh\n", true),
    ("#!/usr/bin/env -S A=1 dash -e\nx", true), ("#!/usr/bin/python3\n", false),
    ("#!/usr/bin/env node\n", false), ("echo\n", false), ("", false), ("#!\n", false),
    ("#!/bin/sh\n\0\n", false), ("#!/bin/sh\n''''exec python3 -- \"$0\" \"$@\" # '''\n", false),
  ])
  func scriptsOfShellsAreRecognized(script: String, isOfShell: Bool) {
    #expect(HookScript.isOfShell(Array(script.utf8)) == isOfShell)
  }

  @Test func pushedRefsAreRead() {
    let (a, b, zeros) = ("a1".repeated(20), "b2".repeated(20), "0".repeated(40))
    let input = """
      refs/heads/main \(a) refs/heads/main \(b)
      refs/tags/v1 \(a) refs/tags/v1 \(zeros)
      (delete) \(zeros) refs/heads/old \(b)
      nonsense

      """
    let references = PushedReference.all(in: Array(input.utf8))
    #expect(
      references == [
        PushedReference(localName: "refs/heads/main", local: a, remote: b),
        PushedReference(localName: "refs/tags/v1", local: a, remote: nil),
      ])
    #expect(references.map(\.branch) == ["main", nil])
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
