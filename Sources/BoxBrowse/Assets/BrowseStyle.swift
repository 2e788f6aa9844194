internal import BoxStoreTool

/// The style sheet of the pages, in the light or dark colours of the reader's system.
enum BrowseStyle {
  static let text: HTMLText = """
    :root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #ffffff;
      --panel: #f6f8fa; --line: #d0d7de; --thin: #e6eaef; --link: #0550ae; --hover: #f0f5fb;
      --mark: #ddebfb; --shade: #1b1f2414; --red: #b3151c; --redback: #ffebe9; --amber: #7a4d00;
      --amberback: #fff4d1; --green: #116329; --greenback: #dafbe1; --blueback: #ddf4ff;
      --wood: #c98b4b; --woodink: #8a5a26; --mono: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9ca7b3; --paper: #0d1117;
      --panel: #141a21; --line: #343c46; --thin: #222932; --link: #79c0ff; --hover: #161d27;
      --mark: #15304f; --shade: #00000066; --red: #ff8b85; --redback: #3d171a; --amber: #f0c264;
      --amberback: #362707; --green: #7ee08f; --greenback: #12331d; --blueback: #10294a;
      --wood: #b57b3f; --woodink: #8d5f30; } }
    * { box-sizing: border-box; }
    body { margin: 0; min-height: 100vh; background: var(--paper); color: var(--ink);
      font: .875rem/1.45 system-ui, sans-serif; display: grid;
      grid-template: auto 1fr / 14.5rem minmax(0, 1fr); grid-template-areas: "bar bar" "nav main"; }
    body:not([data-state]) { grid-template: auto 1fr / minmax(0, 1fr); grid-template-areas: "bar" "main"; }
    a { color: var(--link); text-decoration: none; }
    main p a, .note a, .under a, .findings a { text-decoration: underline; text-underline-offset: .15em; }
    a:hover { text-decoration: underline; }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }
    main:focus { outline: 0; }
    code, pre, .where, .order, .esc { font-family: var(--mono); font-size: .8125rem;
      font-variant-ligatures: none; }
    .skip { position: absolute; left: -99rem; }
    .skip:focus { left: .5rem; top: .5rem; z-index: 9; padding: .5rem .75rem; background: var(--paper); }
    .hide { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    h1, h2 { margin: 0; line-height: 1.25; }
    h1 { font-size: 1.375rem; overflow-wrap: anywhere; }
    h2 { font-size: .875rem; }
    bdi { unicode-bidi: isolate; white-space: pre-wrap; }
    small { font-size: .75rem; }
    .soft { color: var(--soft); }
    .nil { color: var(--soft); font-style: italic; }
    .wrong { color: var(--red); }
    .spark { vertical-align: middle; margin-right: .25rem; }
    .spark path { fill: none; stroke: var(--wood); stroke-width: 1.5; }
    .esc { color: var(--amber); background: var(--amberback); border-radius: 3px; padding: 0 .125rem; }

    .bar { grid-area: bar; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1rem;
      padding: .375rem 1rem; min-height: 3rem; border-bottom: 1px solid var(--line);
      background: var(--panel); position: sticky; top: 0; z-index: 5; }
    .bar b { overflow-wrap: anywhere; }
    .brand { display: flex; align-items: center; gap: .5rem; color: var(--ink); font-weight: 650; min-height: 1.5rem; }
    .brand svg { display: block; }
    .brand .a { fill: var(--wood); } .brand .b { fill: var(--woodink); }
    .grow { flex: 1; }
    .pill { padding: .0625rem .5rem; border: 1px solid var(--line); border-radius: 1rem;
      font-size: .8125rem; color: var(--soft); background: var(--paper); white-space: nowrap; }
    .menu { display: none; }
    button, .button, input, textarea { font: inherit; color: inherit; }
    button, .button { display: inline-flex; align-items: center; gap: .375rem; min-height: 2rem;
      padding: .1875rem .75rem; border: 1px solid var(--line); border-radius: 6px;
      background: var(--paper); color: var(--ink); cursor: pointer; white-space: nowrap; }
    button:hover, .button:hover { background: var(--hover); border-color: var(--soft); text-decoration: none; }
    .ghost { border-color: transparent; background: none; }
    .primary { background: var(--link); border-color: var(--link); color: var(--paper); font-weight: 600; }
    .primary:hover { background: var(--ink); border-color: var(--ink); }
    [aria-disabled=true] { color: var(--soft); cursor: not-allowed; }
    .drop { position: relative; }
    .drop > summary { list-style: none; }
    .drop > summary::-webkit-details-marker { display: none; }
    .drop > summary::after { content: ""; width: .375rem; height: .375rem; border: solid var(--soft);
      border-width: 0 1.5px 1.5px 0; rotate: 45deg; translate: 0 -.125rem; }
    .drop > div { position: absolute; z-index: 6; top: calc(100% + .25rem); left: 0; min-width: 15rem;
      max-width: min(36rem, 90vw); max-height: 24rem; overflow: auto; padding: .5rem;
      background: var(--paper); border: 1px solid var(--line); border-radius: 8px;
      box-shadow: 0 8px 24px var(--shade); }
    .drop.right > div { left: auto; right: 0; }
    .drop label, .drop a { display: flex; gap: .5rem; align-items: center; padding: .25rem .5rem;
      border-radius: 4px; color: var(--ink); min-height: 1.75rem; overflow-wrap: anywhere; }
    .drop label:hover, .drop a:hover { background: var(--hover); text-decoration: none; }
    .drop label small { margin-left: auto; color: var(--soft); }

    #nav { grid-area: nav; display: block; position: sticky; top: 3rem; inset: auto; margin: 0;
      width: auto; height: calc(100vh - 3rem); overflow: auto; padding: 1rem .75rem 2rem; color: inherit;
      background: var(--panel); border: 0; border-right: 1px solid var(--line); }
    #nav h2 { font-size: .75rem; color: var(--soft); margin: 1.25rem .5rem .25rem; }
    #nav h2:first-child { margin-top: 0; }
    #nav ul { list-style: none; margin: 0; padding: 0; }
    #nav a { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 .5rem; padding: .3125rem .5rem;
      border-radius: 6px; color: var(--ink); overflow-wrap: anywhere; }
    #nav a:hover { background: var(--mark); text-decoration: none; }
    #nav a[aria-current] { background: var(--mark); font-weight: 600; }
    #nav a span { color: var(--soft); font-variant-numeric: tabular-nums; font-weight: 400; }
    #nav a[aria-current] span { color: var(--ink); }
    #nav a svg { grid-column: 1 / -1; display: block; margin-top: .1875rem; border-radius: 1px; background: var(--thin); }
    svg rect { fill: var(--wood); }

    main { grid-area: main; min-width: 0; display: flex; flex-direction: column; }
    .top { padding: .875rem 1.5rem 0; }
    .crumbs { display: flex; flex-wrap: wrap; gap: .125rem .375rem; color: var(--soft); font-size: .8125rem; }
    .crumbs a { color: var(--soft); text-decoration: underline; min-height: 1.5rem; }
    .title { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; margin: .125rem 0 .75rem; }
    .title a:not(.button) { text-decoration: underline; }
    .actions { display: flex; gap: .375rem; flex-wrap: wrap; }
    .note { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; padding: .5rem .75rem;
      border-radius: 6px; background: var(--blueback); margin: .5rem 0; }
    .note p { margin: 0; overflow-wrap: anywhere; }
    .note.red { background: var(--redback); } .note.amber { background: var(--amberback); }
    .note.green { background: var(--greenback); }
    .note a { color: var(--ink); }
    main > .live { position: sticky; top: 3rem; z-index: 4; margin: .5rem 1.5rem 0; }
    .changed th { box-shadow: inset 3px 0 var(--green); }
    .changed small { color: var(--green); }
    .copy { min-height: 1.75rem; margin-top: .375rem; padding: 0 .5rem; }
    .findings li { margin: .75rem 0; overflow-wrap: anywhere; }
    .findings p { margin: .125rem 0; }

    .ask { position: relative; display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: .5rem .75rem;
      align-items: center; }
    .ask label { color: var(--soft); }
    .where, .order, .pages input { width: 100%; padding: .375rem .625rem; border: 1px solid var(--line);
      border-radius: 6px; background: var(--paper); min-height: 2.125rem; }
    .ask .where { grid-column: 2 / -1; resize: vertical; field-sizing: content; }
    [aria-invalid=true] { border-color: var(--red); box-shadow: 0 0 0 1px var(--red); }
    .problem { grid-column: 1 / -1; color: var(--red); margin: 0; overflow-wrap: anywhere; }
    .place { grid-column: 1 / -1; margin: 0; padding: .5rem .75rem; background: var(--panel); border-radius: 6px;
      white-space: pre-wrap; overflow-wrap: anywhere; }
    .err { background: var(--redback); color: var(--red); border-bottom: 2px solid var(--red); }
    .ask [hidden] { display: none; }
    .complete { position: absolute; z-index: 6; margin: 0; padding: .25rem; list-style: none; max-height: 18rem;
      min-width: min(15rem, 100%); max-width: 100%; overflow-y: auto; border: 1px solid var(--line);
      border-radius: 6px; background: var(--paper); box-shadow: 0 4px 16px #0003; }
    .complete li { display: flex; flex-wrap: wrap; gap: 0 .75rem; padding: .25rem .5rem; border-radius: 4px;
      cursor: default; overflow-wrap: anywhere; }
    .complete b { font-family: var(--mono); font-weight: 500; }
    .complete small { margin-left: auto; color: var(--soft); }
    .complete li[aria-selected=true] { background: var(--hover); outline: 1px solid var(--line); }
    .tools { display: flex; flex-wrap: wrap; gap: .375rem; align-items: center; margin: .625rem 0; }
    .command { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; padding: .5rem .625rem;
      background: var(--panel); border-radius: 6px; }

    #rows { display: flex; flex-direction: column; flex: 1; min-width: 0; }
    #rows > .note { margin: .5rem 1.5rem; }
    .plan { padding: 0 1.5rem; }
    .plan p { margin: .25rem 0 .5rem; }
    .scroll { overflow-x: auto; flex: 1; border-top: 1px solid var(--line); }
    .data { border-collapse: separate; border-spacing: 0; min-width: 100%; font-variant-numeric: tabular-nums; }
    .data th { text-align: left; background: var(--panel); font-weight: 600; padding: .375rem .75rem;
      border-bottom: 1px solid var(--line); vertical-align: top; white-space: nowrap; }
    .data th a { color: var(--ink); }
    .data thead small { display: block; font-weight: 400; color: var(--soft); }
    .data .ord { color: var(--link); font-size: .75rem; }
    .data td { padding: .3125rem .75rem; border-bottom: 1px solid var(--thin); vertical-align: top; height: 2.125rem;
      max-width: 24rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
    .data td bdi { white-space: pre; }
    .data br { display: none; }
    .data tbody tr:hover > * { background: var(--hover); }
    .data .num { text-align: right; }
    .data tbody th { padding-block: .3125rem; position: sticky; left: 0; background: var(--paper);
      font-weight: 400; border-bottom: 1px solid var(--thin); }
    .data tbody th a { color: var(--link); text-decoration: underline; display: inline-block; min-height: 1.5rem; min-width: 1.5rem; }
    .data th:first-child { padding-left: 1.5rem; }
    .data .damaged > * { background: var(--redback); color: var(--red); white-space: normal; max-width: none; }
    .tag { display: inline-block; padding: 0 .4375rem; border: 1px solid var(--line); border-radius: 4px;
      font-size: .8125rem; }
    .count { display: inline-block; min-width: 1.75rem; min-height: 1.5rem; line-height: 1.5rem; text-align: center;
      border-radius: 1rem; background: var(--mark); color: var(--link); padding: 0 .375rem; font-weight: 600;
      font-size: .8125rem; }
    .rel { display: inline-block; min-height: 1.5rem; }
    .id { color: var(--soft); font-variant-numeric: tabular-nums; }
    .pages { position: sticky; bottom: 0; display: flex; flex-wrap: wrap; gap: .375rem; align-items: center;
      padding: .5rem 1.5rem; background: var(--panel); border-top: 1px solid var(--line); z-index: 3; }
    .pages form { display: flex; gap: .375rem; align-items: center; }
    .pages input { width: 6.5rem; min-height: 2rem; padding: .1875rem .5rem; }

    .object { display: grid; grid-template-columns: minmax(0, 1fr) 21rem; gap: 2.5rem; padding: 0 1.5rem 3rem; align-items: start; }
    .object > *, .over > *, .card { min-width: 0; }
    .props { margin: 0; border-top: 1px solid var(--line); }
    .props > div { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: .25rem 1.5rem; padding: .75rem 0;
      border-bottom: 1px solid var(--thin); }
    .props dt { font-weight: 600; overflow-wrap: anywhere; }
    .props dt small { display: block; color: var(--soft); font-weight: 400; }
    .props dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
    .props pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
    .props .hex { white-space: pre; overflow: auto; max-height: 24rem; }
    .long { max-width: 46rem; font-size: .9375rem; line-height: 1.55; }
    .under { color: var(--soft); font-size: .8125rem; margin-top: .25rem; display: flex; gap: .25rem 1rem; flex-wrap: wrap; }
    .values { margin: 0; padding-left: 2.5rem; max-height: 24rem; overflow: auto; }
    .people { list-style: none; margin: 0; padding: 0; columns: 2 16rem; column-gap: 2rem; }
    .people li { break-inside: avoid; padding: .125rem 0; }
    .card { border: 1px solid var(--line); border-radius: 8px; padding: .875rem 1rem; margin-bottom: 1rem; }
    .card h2 { margin-bottom: .375rem; }
    .card p { margin: .25rem 0; }
    .card ul { list-style: none; margin: .25rem 0 0; padding: 0; }
    .card li a { display: flex; gap: .5rem; padding: .1875rem 0; align-items: baseline; overflow-wrap: anywhere; }

    .over { padding: 0 1.5rem 3rem; display: grid; grid-template-columns: minmax(0, 1fr) 19rem; gap: 2rem; align-items: start; }
    .list { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    .list th, .list td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--thin); text-align: left; overflow-wrap: anywhere; }
    .list thead th { color: var(--soft); font-size: .8125rem; border-bottom-color: var(--line); }
    .list .num { text-align: right; white-space: nowrap; }
    .list .sub th { font-weight: 400; padding-left: 1.25rem; color: var(--soft); }
    .list tbody a { display: inline-block; min-height: 1.5rem; text-decoration: underline; }
    .list svg { display: block; min-width: 5rem; background: var(--thin); border-radius: 2px; }
    .list .here > * { background: var(--mark); }
    .list details summary { min-height: 1.5rem; cursor: pointer; }
    .list details ul { margin: .25rem 0; padding-left: 1.25rem; }
    .class { display: inline-block; padding: 0 .4375rem; border: 1px solid var(--line); border-radius: 4px;
      font-size: .8125rem; white-space: nowrap; background: var(--panel); }
    .class.safe { background: var(--greenback); }
    .class.cost, .class.no-rollback, .class.data-hidden, .class.latent { background: var(--amberback); }
    .class.data-loss, .class.open-failure, .class.reinterpretation { background: var(--redback); }
    .steps { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
    .steps > li { border-bottom: 1px solid var(--thin); }
    .steps summary { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; padding: .5rem 0;
      cursor: pointer; overflow-wrap: anywhere; }
    .steps summary > :nth-child(2) { flex: 1 1 14rem; min-width: 0; }
    .steps .facts { padding: 0 0 .5rem 1rem; }
    .steps p { margin: 0 0 .75rem 1rem; }
    .file { margin: 0; padding: .5rem .75rem; background: var(--panel); border-radius: 6px; white-space: pre-wrap;
      overflow-wrap: anywhere; max-height: 40rem; overflow: auto; }
    .facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .125rem .75rem; margin: 0; }
    .facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; }
    .figure { margin: 1.5rem 0 0; }
    .figure h2 { margin-bottom: .625rem; }
    .diagram { display: block; max-width: 100%; height: auto; border: 1px solid var(--thin); border-radius: 8px; }
    .stores li { padding: .25rem 0; }

    @media (max-width: 64rem) { .object, .over { grid-template-columns: minmax(0, 1fr); gap: 1rem; } }
    @media (max-width: 48rem) {
      body { grid-template: auto 1fr / minmax(0, 1fr); grid-template-areas: "bar" "main"; }
      .menu { display: inline-flex; }
      #nav:not(:popover-open) { display: none; }
      #nav:popover-open { position: fixed; inset: 3.25rem auto 0 0; width: min(18rem, 90vw); height: auto; z-index: 8; }
      .top, .over, .object, .pages { padding-inline: 1rem; }
      .wide { display: none; }
      .ask, .props > div { grid-template-columns: minmax(0, 1fr); }
      .ask .where { grid-column: auto; }
      .pages { position: static; }
      .drop > div, .drop.right > div { position: fixed; inset: auto 1rem 1rem; max-height: 60vh; }
      .data, .data tbody { display: block; } .data thead { display: none; }
      .data tr { display: block; padding: .5rem 1rem; border-bottom: 1px solid var(--line); }
      .data tbody th { display: block; position: static; padding: 0; border: 0; font-weight: 600; }
      .data .num { text-align: left; }
      .data th:first-child { padding-left: 0; }
      .data td { display: block; position: relative; padding: .125rem 0 .125rem 7.75rem; border: 0; min-height: 1.75rem;
        height: auto; max-width: none; white-space: normal; overflow-wrap: anywhere; }
      .data .damaged td, .data td[colspan] { padding-left: 0; }
      .data td bdi { white-space: pre-wrap; }
      .data td[data-name]::before { content: attr(data-name); position: absolute; left: 0; width: 7rem; color: var(--soft);
        overflow: hidden; text-overflow: ellipsis; white-space: nowrap; } }
    @media (prefers-reduced-motion: reduce) { * { transition: none; } }
    @media (forced-colors: active) { .esc, .tag, .count, .note { border: 1px solid; } }
    @media print { .bar, #nav, .tools, .pages, .ask, .actions { display: none; } body { display: block; }
      .scroll { overflow: visible; } .data td { white-space: normal; } }

    """
}
