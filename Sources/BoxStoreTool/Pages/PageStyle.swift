/// The style sheet of pages with rows, in the light or dark colours of the reader's system.
///
/// It has the colours of the page of a plan.
enum PageStyle {
  static let text: HTMLText = """
    :root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #ffffff;
      --panel: #f6f8fa; --line: #d0d7de; --thin: #e6eaef; --link: #0550ae; --hover: #f0f5fb;
      --amber: #7a4d00; --amberback: #fff4d1; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9ca7b3;
      --paper: #0d1117; --panel: #161b22; --line: #3a424c; --thin: #222932; --link: #79c0ff;
      --hover: #161d27; --amber: #f0c264; --amberback: #3b2a08; } }
    * { box-sizing: border-box; }
    html, body { height: 100%; }
    body { margin: 0; display: flex; flex-direction: column; background: var(--paper);
      color: var(--ink); font: .875rem/1.45 system-ui, sans-serif; }
    header { padding: .875rem 1.5rem .75rem; max-height: 40%; overflow: auto; }
    header p { margin: .25rem 0 0; overflow-wrap: anywhere; }
    header span:first-child { color: var(--soft); }
    h1 { font-size: 1.375rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
    code, .esc { font-family: ui-monospace, monospace; font-size: .9286em;
      font-variant-ligatures: none; }
    bdi { unicode-bidi: isolate; white-space: pre-wrap; }
    .nil { color: var(--soft); font-style: italic; }
    .esc { color: var(--amber); background: var(--amberback); border-radius: 3px;
      padding: 0 .125rem; }
    .scroll { flex: 1; min-height: 12rem; overflow: auto; border-top: 1px solid var(--line); }
    :focus-visible { outline: 2px solid var(--link); outline-offset: -2px; }
    table { border-collapse: separate; border-spacing: 0; min-width: 100%;
      font-variant-numeric: tabular-nums; }
    th, td { padding: .3125rem .75rem; text-align: left; vertical-align: top; min-width: 4rem;
      max-width: 40rem; border-bottom: 1px solid var(--thin); overflow-wrap: anywhere; }
    th:first-child { padding-left: 1.5rem; }
    thead th { position: sticky; top: 0; z-index: 2; background: var(--panel); font-weight: 600;
      border-bottom-color: var(--line); }
    tbody th { position: sticky; left: 0; z-index: 1; max-width: 12rem; background: var(--paper);
      font-weight: 400; }
    thead th:first-child { left: 0; z-index: 3; }
    tbody tr:hover > * { background: var(--hover); }
    .num { text-align: right; white-space: nowrap; }
    footer { padding: .5rem 1.5rem; border-top: 1px solid var(--line); background: var(--panel);
      color: var(--soft); }
    @media (max-width: 48rem) { header { padding-inline: 1rem; } footer { padding-inline: 1rem; }
      tbody th { position: static; } thead th:first-child { left: auto; } }
    @media (forced-colors: active) { .esc { border: 1px solid; } }
    @media print { html, body { height: auto; } body { display: block; }
      .scroll, header { overflow: visible; max-height: none; } thead th, tbody th { position: static; } }
    """
}
