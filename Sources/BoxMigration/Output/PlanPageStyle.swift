/// The style sheet of the page of a plan, in the light or dark colours of the reader's system.
enum PlanPageStyle {
  static let text = """
    :root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #ffffff;
      --panel: #f6f8fa; --line: #d0d7de; --link: #0550ae; --red: #b3151c; --redback: #ffebe9;
      --amber: #7a4d00; --amberback: #fff4d1; --green: #116329; --greenback: #dafbe1;
      --blue: #0550ae; --blueback: #ddf4ff; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9ca7b3;
      --paper: #0d1117; --panel: #161b22; --line: #3a424c; --link: #79c0ff; --red: #ff8b85;
      --redback: #43191c; --amber: #f0c264; --amberback: #3b2a08; --green: #7ee08f;
      --greenback: #12331d; --blue: #8fc9ff; --blueback: #10294a; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; padding: 1.5rem; max-width: 76rem; background: var(--paper);
      color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
    h1 { font-size: 1.6rem; margin: 0 0 .5rem; }
    h2 { font-size: 1.2rem; margin: 2rem 0 .75rem; }
    h3 { font-size: 1rem; margin: 0; }
    code, .rule, td.uid { font-family: ui-monospace, monospace; font-size: .875em; }
    a { color: var(--link); }
    a:focus-visible, summary:focus-visible, input:focus-visible, [tabindex]:focus-visible {
      outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
    .skip { position: absolute; left: -999rem; }
    .skip:focus { position: static; }
    .files { margin: 0; }
    .files span { display: inline-block; width: 2.5rem; color: var(--soft); }
    .verdict { margin: 1rem 0 0; padding: .75rem 1rem; border-left: 4px solid; border-radius: 4px; }
    .verdict.stops { background: var(--redback); border-color: var(--red); }
    .verdict.passes { background: var(--greenback); border-color: var(--green); }
    .steps { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line);
      border-radius: 6px; }
    .steps > li + li { border-top: 1px solid var(--line); }
    summary { padding: .5rem .75rem; cursor: pointer; }
    .class { display: inline-block; min-width: 7.5rem; padding: 0 .5rem; border-radius: 1rem;
      font-size: .8125rem; text-align: center; background: var(--greenback); color: var(--green); }
    .class.data-loss, .class.reinterpretation, .class.open-failure { background: var(--redback);
      color: var(--red); font-weight: 600; }
    .class.latent, .class.data-hidden { background: var(--amberback); color: var(--amber); }
    .class.no-rollback, .class.cost { background: var(--blueback); color: var(--blue); }
    .stop { font-weight: 600; color: var(--red); }
    .rule { color: var(--soft); }
    dl { display: grid; grid-template-columns: 7rem 1fr; gap: .25rem 1rem; margin: 0;
      padding: .25rem .75rem 0 1.75rem; }
    dt { color: var(--soft); }
    dd { margin: 0; }
    details > p { margin: 0; padding: .25rem .75rem .75rem 1.75rem; }
    .entity { margin: 0 0 1rem; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
    .entity header { padding: .5rem .75rem; background: var(--panel);
      border-bottom: 1px solid var(--line); }
    .sides { display: grid; grid-template-columns: 1fr 1fr; }
    .sides > div + div { border-left: 1px solid var(--line); }
    table { width: 100%; border-collapse: collapse; table-layout: fixed; }
    caption { padding: .25rem .75rem; text-align: left; color: var(--soft); font-size: .8125rem; }
    th, td { padding: .125rem .75rem; text-align: left; vertical-align: top; height: 1.875rem;
      font-weight: normal; }
    th.mark { width: 1.75rem; padding: .125rem 0 .125rem .5rem; font-family: ui-monospace, monospace; }
    td.type { color: var(--soft); }
    tr.added { background: var(--greenback); }
    tr.removed { background: var(--redback); }
    tr.changed { background: var(--amberback); }
    tr.absent td { color: var(--soft); }
    tr:target { outline: 3px solid var(--link); outline-offset: -3px; }
    section:has(#changed-only:checked) .entity.same { display: none; }
    footer { margin-top: 2rem; color: var(--soft); font-size: .8125rem; }
    @media (max-width: 45rem) { .sides { grid-template-columns: 1fr; }
      .sides > div + div { border-left: 0; border-top: 1px solid var(--line); }
      dl { grid-template-columns: 1fr; gap: 0; } tr.absent { display: none; } }
    """
}
