import type { PageAnswer } from '../http/page.ts';
import type { DemoCodes } from './gate.ts';

export const DEMO_CODES_PATH = '/dev/codes';
export const DEMO_CODES_STYLE_PATH = '/dev/codes.css';

/**
 * Returns the page with the current authenticator codes of a demo's operators, who have no authenticator
 * apps. The page reloads itself every `RELOAD_SECONDS` seconds and when the codes change. All names on it
 * come from the server, so they need no escaping.
 */
export function demoCodesPage(operators: readonly DemoCodes[]): PageAnswer {
  const seconds = operators[0]?.seconds ?? 1;
  const rows = operators.map(
    ({ name, now, next }) => `<tr><th scope="row">${name}</th>${cell(now)}${cell(next)}</tr>`,
  );
  return {
    type: 'html',
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${Math.min(seconds, RELOAD_SECONDS)}">
<title>Authenticators – Amethyst demo</title>
<link rel="stylesheet" href="${DEMO_CODES_STYLE_PATH}">
</head>
<body>
<header>
<h1>Authenticators of the demo</h1>
<p>Operators sign in with a code and confirm each decision with another. What an app on their phone would show is shown
here. Each code works once; the next one is already accepted, as it is for a phone whose clock is ahead.</p>
</header>
<main>
<table>
<thead><tr><th scope="col">Operator</th><th scope="col">Now, ${seconds} s left</th><th scope="col">Next</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</main>
</body>
</html>
`,
  };
}

/** Seconds after which the page reloads itself, so that it soon shows that a code was used. */
const RELOAD_SECONDS = 5;
const HALF_LENGTH = 3;

function cell({ code, isUsed }: DemoCodes['now']): string {
  const text = `${code.slice(0, HALF_LENGTH)} ${code.slice(HALF_LENGTH)}`;
  return isUsed ? `<td><s>${text}</s> used</td>` : `<td><code>${text}</code></td>`;
}

export const DEMO_CODES_STYLE = `:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.5rem; }
header p { margin: 0.25rem 0 1rem; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.6rem 0.5rem; text-align: start; border-bottom: 1px solid #9a86c8; }
code, s { font: 1.5rem/1.2 ui-monospace, monospace; white-space: nowrap; }
`;
