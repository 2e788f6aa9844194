extension AdvisedState {
  /// Every state.
  static let all: [AdvisedState] = checks + merges + git + stores

  /// Findings of a check, and plans.
  private static let checks: [AdvisedState] = [
    .init(
      "a model with a fix",
      "new_model a.json; lower_counter a.json",
      "boxjoint check a.json",
      ["boxjoint check --fix_ _"]),
    .init(
      "an element that is forgotten",
      #"""
      new_model $model; commit base
      remove_person $model
      """#,
      "boxjoint check --against HEAD $model",
      ["boxjoint check --against _ --fix_ _"]),
    .init(
      "a reset that nobody stated",
      #"""
      new_model $model; commit base
      quietly boxjoint model remove $model Person.name
      quietly boxjoint model add-property $model Person.name string
      """#,
      "boxjoint check",
      ["boxjoint check --fix --approve_ _"]),
    .init(
      "a reset since a version that nobody stated",
      #"""
      new_model $model; commit base
      quietly boxjoint model remove $model Person.name
      quietly boxjoint model add-property $model Person.name string
      """#,
      "boxjoint check --against HEAD $model",
      ["boxjoint check --against _ --fix --approve_ _"]),
    .init(
      "a plan with an element that is forgotten",
      #"""
      new_model old.json; cp old.json new.json
      remove_person new.json
      """#,
      "boxjoint plan old.json new.json",
      [
        .init(
          "boxjoint check --fix --against OLD FILE", shown: "boxjoint check --fix --against _ _")
      ]),
    .init(
      "a plan with a rename",
      #"""
      new_model old.json; cp old.json new.json
      quietly boxjoint model remove new.json Person.name; quietly boxjoint model add-property new.json Person.names string
      """#,
      "boxjoint plan old.json new.json",
      [.init("boxjoint plan --fix OLD FILE", shown: "boxjoint plan --fix _ _")]),
    .init(
      "a plan to a model that is not sound",
      "new_model old.json; cp old.json new.json; lower_counter new.json",
      "boxjoint plan old.json new.json",
      [.init("boxjoint check NEW", shown: "boxjoint check _", status: 1)], isLasting: true),
    .init(
      "a plan with a change of type",
      "new_store; cp m.json new.json; change_type new.json",
      "boxjoint plan m.json new.json",
      [
        .init(
          "boxjoint migrate --store DIR --to NEW", shown: "boxjoint migrate --store DIR --to _",
          adding: " --yes")
      ], values: ["DIR": "data"], isLasting: true),
    .init(
      "a store that has another type",
      "new_store; cp m.json new.json; change_type new.json",
      "boxjoint import --store data --model new.json d.ndjson",
      [.init("boxjoint migrate --store DIR --to MODEL", adding: " --yes")],
      values: ["DIR": "data", "MODEL": "new.json"], isLasting: true),
    .init(
      "a plan in which values become unique",
      "new_store; two_bens; cp m.json new.json; make_unique new.json",
      "boxjoint plan m.json new.json --fail-on latent",
      [
        .init(
          "boxjoint store duplicates DIR ENTITY.PROPERTY",
          shown: "boxjoint store duplicates DIR ENTITY.PROPERTY", status: 1)
      ], values: ["DIR": "data", "ENTITY.PROPERTY": "Person.name"], isLasting: true),
    .init(
      "a store with values that become unique",
      "new_store; two_bens; cp m.json new.json; make_unique new.json",
      "boxjoint import --store data --model new.json d.ndjson",
      [.init("boxjoint store duplicates _", adding: " --remove --yes")]),
    .init(
      "a migration to values that become unique",
      "new_store; two_bens; cp m.json new.json; make_unique new.json",
      "boxjoint migrate --store data --to new.json --yes",
      [.init("boxjoint store duplicates --remove DIR ENTITY.PROPERTY", adding: " --yes")],
      values: ["DIR": "data", "ENTITY.PROPERTY": "Person.name"]),
    .init(
      "a model that is lost",
      "new_model $model; commit base; rm $model",
      "boxjoint plan",
      ["boxjoint recover"], isLasting: true),
    .init(
      "a side without a part",
      #"""
      new_model a.json; new_model b.json; perl -0pi -e 's/"id": "1:\d+",//' b.json
      """#,
      "boxjoint merge --ours a.json --theirs b.json",
      [.init("boxjoint check _", status: 1)], isLasting: true),
    .init(
      "a sparse checkout",
      #"""
      mkdir app docs; new_model app/$model; echo > docs/x; commit base; git sparse-checkout set docs
      """#,
      "boxjoint check --fix",
      ["git sparse-checkout add _"]),
    .init(
      "no lock",
      "new_model a.json",
      "boxjoint lock check",
      ["boxjoint lock FILE"], values: ["FILE": "a.json"]),
    .init(
      "no lock of that name",
      "new_model a.json",
      "boxjoint lock check --lock l.json",
      ["boxjoint lock --lock _ FILE"], values: ["FILE": "a.json"]),
  ]

  /// Conflicts, and merges of branches.
  private static let merges: [AdvisedState] = [
    .init(
      "a merge with open conflicts",
      #"""
      branches; quietly git merge feature; printf '{"schemaVersion": 1, "decisions": {}}' > d.json
      """#,
      "boxjoint resolve",
      [
        .init("boxjoint resolve _", status: 1),
        .init("boxjoint resolve --decisions FILE _", status: 1), "boxjoint resolve --take ours _",
      ], values: ["FILE": "d.json"]),
    .init(
      "a file with conflict markers",
      "branches; quietly git merge feature; mv $model other.json",
      "boxjoint check other.json",
      [.init("boxjoint resolve _", adding: " --take ours")]),
    .init(
      "a byte order mark of ours",
      #"""
      branches; perl -pi -e 'print "\xEF\xBB\xBF" if $. == 1' $model; commit mark; quietly git merge feature
      """#,
      "boxjoint resolve --take ours",
      ["boxjoint check --fix _"], isLasting: true),
    .init(
      "a file that theirs removed",
      #"""
      new_model $model; commit base; git switch -qc feature; git rm -q $model; commit feature
      git switch -q main; quietly boxjoint model rename $model Film Movie; commit main; quietly git merge feature
      """#,
      "boxjoint resolve",
      ["git rm _"]),
    .init(
      "a file that theirs removed, and that is kept",
      #"""
      new_model $model; commit base; git switch -qc feature; git rm -q $model; commit feature
      git switch -q main; quietly boxjoint model rename $model Film Movie; commit main; quietly git merge feature
      """#,
      "boxjoint resolve",
      ["git add _"]),
    .init(
      "a file that both sides renamed",
      #"""
      new_model $model; commit base; git switch -qc feature; git mv $model b.json; quietly boxjoint model add-property b.json Film.x long
      commit feature; git switch -q main; git mv $model a.json; quietly boxjoint model add-property a.json Film.y long
      commit main; quietly git merge feature
      """#,
      "boxjoint resolve",
      ["git rm _", "git add _", "boxjoint resolve _"]),
    .init(
      "a pointer of Git LFS",
      #"""
      pointer 1; git switch -qc feature; pointer 2; git switch -q main; pointer 3; quietly git merge feature
      """#,
      "boxjoint resolve",
      ["git checkout --_ -- _", "git add -- _"]),
    .init(
      "a pointer of Git LFS that is checked",
      #"""
      pointer 1; git switch -qc feature; pointer 2; git switch -q main; pointer 3; quietly git merge feature
      """#,
      "boxjoint check",
      ["git checkout --_ -- _", "git add -- _"]),
    .init(
      "a side that was generated again",
      #"""
      new_model $model; commit base; quietly boxjoint git install; git switch -qc feature; rm $model; new_model $model; commit feature
      git switch -q main; quietly boxjoint model rename $model Film Movie; commit main
      """#,
      "git merge feature",
      ["boxjoint resolve --rematch _"], isLasting: true),
    .init(
      "a side that was generated again, in a merge of files",
      "new_model a.json; cp a.json base.json; new_model b.json",
      "boxjoint merge --base base.json --ours a.json --theirs b.json -o c.json",
      [.init("boxjoint merge --rematch", shown: "boxjoint merge --rematch _")], isLasting: true),
    .init(
      "a merge of branches that leaves conflicts",
      "branches",
      "boxjoint merge feature",
      [
        "boxjoint git install", .init("git merge _", status: 1),
        .init("boxjoint resolve", adding: " --take ours"), "git commit",
      ]),
    .init(
      "a merge into another branch",
      "branches",
      "boxjoint merge main --into feature",
      ["git switch _"], isLasting: true),
    .init(
      "a merge into a tag",
      "branches; git tag two feature",
      "boxjoint merge main --into two",
      ["git switch --detach _", .init("git merge _", status: 1)], isLasting: true),
    .init(
      "a merge of branches of a remote",
      #"""
      branches; git clone -q --bare . ../origin.git; git clone -q ../origin.git ../copy; cd ../copy; git switch -q feature; git switch -q main
      """#,
      "boxjoint ci merge feature --into main --remote origin",
      [
        "boxjoint git install", "git fetch _", "git switch _",
        .init("git merge _", shown: "git merge _/_", status: 1),
        .init("boxjoint resolve", adding: " --take ours"), "git commit", "git push _ _",
      ], in: "../copy"),
    .init(
      "too few arguments for the driver",
      "",
      "boxjoint merge-driver a",
      ["boxjoint merge-driver --help"], isLasting: true),
  ]

  /// A branch whose last commit restores the file of the commit before main.
  private static let earlierFile = #"""
    new_model $model; commit base; quietly boxjoint model add-property $model Film.year long; commit year
    git switch -qc feature; git show HEAD~1:$model > $model; commit old

    """#

  /// The configuration of git, and clones that lack something.
  private static let git: [AdvisedState] = [
    .init(
      "nothing is installed",
      "new_model $model; commit base",
      "boxjoint git status",
      ["boxjoint git install"]),
    .init(
      "no hooks are installed",
      "new_model $model; commit base; quietly boxjoint git install --no-hooks",
      "boxjoint git status",
      ["boxjoint git install --hooks"]),
    .init(
      "a revert that git makes without the driver",
      #"""
      new_model $model; commit base; quietly boxjoint model add-property $model Film.year long; commit year
      quietly boxjoint git install
      """#,
      "git revert --no-edit HEAD",
      ["git commit --amend --no-edit --allow-empty _"], isLasting: true),
    .init(
      "a fast-forward to an earlier file",
      earlierFile + "git switch -q main; quietly boxjoint git install",
      "git merge feature",
      ["git commit -m 'Fix the ids of the model' _"]),
    .init(
      "a push of an earlier file on another branch",
      earlierFile + "git switch -q main; git clone -q --bare . ../origin.git; "
        + "git --git-dir ../origin.git branch -qD feature; git remote add origin ../origin.git; "
        + "git fetch -q origin; quietly boxjoint git install",
      "git push origin feature",
      [
        "git switch _", "boxjoint check --against _ --fix _",
        .init("git push --no-verify", adding: " origin feature"),
      ]),
    .init(
      "nothing is installed for the user",
      "new_model $model; commit base",
      "boxjoint git status --global",
      ["boxjoint git install --_"]),
    .init(
      "a driver of another program",
      "new_model $model; commit base; git config merge.boxjoint.driver other",
      "boxjoint git install",
      ["boxjoint git uninstall"], isLasting: true),
    .init(
      "a driver of another program for the user",
      "git config --global merge.boxjoint.driver other",
      "boxjoint git install --global",
      [.init("boxjoint git uninstall", shown: "boxjoint git uninstall --global")], isLasting: true),
    .init(
      "shared attributes",
      "quietly boxjoint git install --shared",
      "boxjoint git uninstall",
      ["boxjoint git uninstall --shared"]),
    .init(
      "a clone of a single branch",
      #"""
      branches; git branch other; git clone -q --single-branch --branch main "file://$PWD" ../copy
      """#,
      "boxjoint show origin/other:objectbox-model.json",
      ["git fetch _"], in: "../copy"),
    .init(
      "a clone without tags",
      #"branches; git branch other; git clone -q --no-tags "file://$PWD" ../copy"#,
      "boxjoint show v1:objectbox-model.json",
      ["git fetch _ --tags"], in: "../copy"),
    .init(
      "a tag in full",
      #"branches; git branch other; git clone -q --no-tags "file://$PWD" ../copy"#,
      "boxjoint show refs/tags/v1:objectbox-model.json",
      ["git fetch _ tag _"], in: "../copy"),
    .init(
      "a branch in full",
      #"branches; git branch other; git clone -q  "file://$PWD" ../copy"#,
      "boxjoint show refs/heads/other:objectbox-model.json",
      ["git fetch _ _"], in: "../copy"),
    .init(
      "an ancestor of a branch that is not here",
      #"""
      branches; git branch other; git clone -q --single-branch --branch main "file://$PWD" ../copy
      """#,
      "boxjoint show 'origin/other~1:objectbox-model.json'",
      ["git fetch _"], in: "../copy"),
    .init(
      "no HEAD of a remote",
      #"""
      branches; git branch other; git clone -q  "file://$PWD" ../copy; git -C ../copy remote set-head origin --delete
      """#,
      "boxjoint show origin/HEAD:objectbox-model.json",
      ["git remote set-head _ --auto"], in: "../copy"),
    .init(
      "a shallow clone",
      #"branches; git branch other; git clone -q --depth 1 "file://$PWD" ../copy"#,
      "boxjoint show HEAD~1:objectbox-model.json",
      ["git fetch --unshallow"], in: "../copy"),
  ]

  /// Catalogues, stores and dumps.
  private static let stores: [AdvisedState] = [
    .init(
      "a case that is not locked",
      #"""
      catalogue converters.yml 'reader: 0'; quietly boxjoint converters lock; catalogue converters.yml 'reader: 0, writer: 1'
      """#,
      "boxjoint converters check",
      ["boxjoint converters lock"]),
    .init(
      "a catalogue that is named",
      #"""
      catalogue e.yml 'reader: 0'; quietly boxjoint converters lock --catalogue e.yml; catalogue e.yml 'reader: 0, writer: 1'
      """#,
      "boxjoint converters check --catalogue e.yml",
      ["boxjoint converters lock --catalogue _"]),
    .init(
      "a lock that is named",
      #"""
      catalogue converters.yml 'reader: 0'; quietly boxjoint converters lock --lock l; catalogue converters.yml 'reader: 0, writer: 1'
      """#,
      "boxjoint converters check --lock l",
      ["boxjoint converters lock --lock _"]),
    .init(
      "a catalogue and a lock that are named",
      #"""
      catalogue e.yml 'reader: 0'; quietly boxjoint converters lock --catalogue e.yml --lock l; catalogue e.yml 'reader: 0, writer: 1'
      """#,
      "boxjoint converters check --catalogue e.yml --lock l",
      ["boxjoint converters lock --catalogue _ --lock _"]),
    .init(
      "a store in place of a dump",
      "new_store",
      "boxjoint dump verify data",
      ["boxjoint store verify _", "boxjoint export --store _"], isLasting: true),
    .init(
      "a damaged object",
      "new_store; damage",
      "boxjoint store get data Person 1",
      [
        .init("boxjoint store verify _", status: 1), .init("boxjoint store backup _", status: 1),
        .init("boxjoint export --salvage --store _", status: 1),
      ], isLasting: true),
    .init(
      "the finding about a damaged object",
      "new_store; damage",
      "boxjoint store verify data",
      ["boxjoint store remove _ _ _"]),
    .init(
      "an export of what is left",
      "new_store; damage",
      "boxjoint export --salvage --store data --output e.ndjson",
      [.init("boxjoint store verify _", status: 1)], isLasting: true),
    .init(
      "half an entry of a relation",
      #"""
      new_model m.json; quietly boxjoint model add-relation m.json Person.friends Person --many
      printf '%s\n' '{"Person":{"id":11}}' '{"Person":{"id":12}}' '{"Person":{"id":13}}' '{"Person.friends":{"source":11,"targets":[12]}}' > d.ndjson
      quietly boxjoint import --store data --model m.json d.ndjson
      perl -e 'local $/; open F, "<data/data.mdb"; binmode F; my $all = <F>;
      for (my $i = 0; $i < length $all; $i += 8) {
        next if ord substr($all, $i, 1) != 12;
        my $new = $all; substr($new, $i, 1) = chr 13;
        open G, ">data/data.mdb"; binmode G; print G $new; close G;
        last if `boxjoint store verify data` =~ /BOX705/;
      }'
      """#,
      "boxjoint store verify data",
      ["boxjoint store unlink _", "boxjoint store link _"], isLasting: true),
    .init(
      "several files to infer from",
      #"printf '[{"a":1}]' > a.json; printf '[{"a":2}]' > b.json"#,
      "boxjoint import --infer --store data a.json b.json",
      ["boxjoint model infer --entity NAME --output MODEL _"],
      values: ["NAME": "Thing", "MODEL": "m.json"], isLasting: true),
  ]
}
