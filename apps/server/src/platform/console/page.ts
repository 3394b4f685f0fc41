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
      <section aria-labelledby="pairs-title">
        <h2 id="pairs-title">Pairs</h2>
        <form id="sign-in">
          <label>Your name <input name="by" autocomplete="name" maxlength="60" required></label>
          <label>Operator token <input name="token" type="password" autocomplete="current-password" required></label>
          <button>Show pairs</button>
        </form>
        <p id="pairs-message" role="status"></p>
        <table id="pairs" hidden>
          <thead><tr><th scope="col">Pair</th><th scope="col">Status</th><th scope="col">Set by</th><th scope="col">Change</th></tr></thead>
          <tbody id="pair-rows"></tbody>
        </table>
      </section>
      <dialog id="change" aria-labelledby="change-title">
        <form id="change-form" method="dialog">
          <h2 id="change-title"></h2>
          <p id="change-effect"></p>
          <label>Reason, kept for ever <textarea name="reason" maxlength="500" rows="3" required></textarea></label>
          <p class="buttons"><button type="button" id="change-back">Back</button> <button id="change-confirm">Confirm</button></p>
        </form>
      </dialog>
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
h2 { font-size: 1.125rem; }
label { display: block; margin-block: .5rem; }
input, textarea, select, button { font: inherit; }
textarea { display: block; width: 100%; box-sizing: border-box; }
td button { margin-inline-end: .5rem; }
dialog { max-width: 30rem; }
`;
