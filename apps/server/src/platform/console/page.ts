/** The operator's page: what the server says of itself, refreshed every two seconds. */
export const OPERATOR_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Amethyst operations</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/ops/ops.css">
    <script src="/ops/ops.js" defer></script>
  </head>
  <body>
    <header>
      <h1>Amethyst operations</h1>
      <p id="server" role="status">Asking the server …</p>
    </header>
    <main>
      <table>
        <caption>Components</caption>
        <thead><tr><th scope="col">Component</th><th scope="col">State</th><th scope="col">Details</th></tr></thead>
        <tbody id="components"></tbody>
      </table>
      <nav aria-label="Raw figures"><a href="/health">Health as JSON</a> <a href="/metrics">Metrics</a></nav>
    </main>
  </body>
</html>
`;

export const OPERATOR_STYLE = `:root { color-scheme: light dark; --line: #8884; --up: #14804a; --down: #c22f2f; }
@media (prefers-color-scheme: dark) { :root { --up: #4cc38a; --down: #ff8a80; } }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.5rem; }
table { width: 100%; margin: 1.5rem 0; border-collapse: collapse; }
caption { text-align: start; font-weight: 600; padding-block-end: .5rem; }
th, td { text-align: start; padding: .5rem .75rem .5rem 0; border-block-end: 1px solid var(--line); vertical-align: top; }
td { font-variant-numeric: tabular-nums; }
.up { color: var(--up); font-weight: 600; }
.down { color: var(--down); font-weight: 600; }
nav a { margin-inline-end: 1rem; }
`;

/** Runs in the operator's browser; writes text only, never markup. */
export const OPERATOR_SCRIPT = `'use strict';
const everyMs = 2000;
const server = document.getElementById('server');
const components = document.getElementById('components');

function cell(text, className) {
  const td = document.createElement('td');
  td.textContent = text;
  if (className) td.className = className;
  return td;
}

function row(name, component) {
  const tr = document.createElement('tr');
  const facts = Object.entries(component.facts || {}).map(([fact, value]) => fact + ': ' + value);
  const details = [component.reason, ...facts].filter(Boolean).join(' · ');
  const state = component.isUp ? 'up' : 'down';
  tr.append(cell(name), cell(state, state), cell(details));
  return tr;
}

async function refresh() {
  try {
    const answer = await fetch('/health', { cache: 'no-store' });
    const health = await answer.json();
    const minutes = Math.floor(health.uptimeSeconds / 60);
    server.textContent = health.mode + ' mode · version ' + health.version + ' · ' + health.status + ' · running for ' + minutes + ' min';
    server.className = health.status;
    components.replaceChildren(...Object.entries(health.components).map(([name, one]) => row(name, one)));
  } catch (cause) {
    server.textContent = 'The server does not answer.';
    server.className = 'down';
    components.replaceChildren();
  }
  setTimeout(refresh, everyMs);
}

void refresh();
`;
