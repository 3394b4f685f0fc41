import { normaliseEmail } from '@exchange/core/email.ts';
import type { Page } from '../http/page.ts';
import type { StoredMessage, MailOutbox } from './mail.ts';

const STYLE_PATH = '/dev/mail.css';

/** URL paths of the demo's mailbox: the page, the same as JSON, and the page's style sheet. */
export const DEV_MAIL_PATHS: readonly string[] = ['/dev/mail', '/dev/mail.json', STYLE_PATH];

/**
 * Returns the pages of the demo's mailbox, which show the sent emails: an HTML page, and the same as JSON for
 * tests. These pages do not exist in live mode.
 */
export function devMailPages(outbox: MailOutbox): readonly Page[] {
  return [
    {
      path: '/dev/mail',
      demoOnly: true,
      serve: async (query) => ({
        type: 'html',
        body: page(addressIn(query) ?? '', await messagesFor(outbox, query)),
      }),
    },
    {
      path: '/dev/mail.json',
      demoOnly: true,
      serve: async (query) => ({
        type: 'json',
        body: JSON.stringify({ list: await messagesFor(outbox, query) }),
      }),
    },
    {
      path: STYLE_PATH,
      demoOnly: true,
      serve: () => ({ type: 'css', body: STYLE }),
    },
  ];
}

async function messagesFor(outbox: MailOutbox, query: URLSearchParams): Promise<readonly StoredMessage[]> {
  const requestedAddress = addressIn(query);
  if (requestedAddress === undefined) return outbox.latest();
  const address = normaliseEmail(requestedAddress);
  return address === undefined ? [] : outbox.latest(address);
}

function addressIn(query: URLSearchParams): string | undefined {
  const address = query.get('to')?.trim();
  return address === '' ? undefined : address;
}

function page(address: string, emails: readonly StoredMessage[]): string {
  const list =
    emails.length === 0
      ? '<p class="empty">No mail yet. Ask for a code and reload this page.</p>'
      : emails.map(article).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mail – Amethyst demo</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<header>
<h1>Amethyst demo mail</h1>
<p>Nothing leaves this machine: what the exchange would have mailed is shown here.</p>
<form method="get" action="/dev/mail" role="search">
<label for="to">Address</label>
<input id="to" name="to" type="search" value="${escape(address)}" placeholder="all addresses">
<button>Show</button>
</form>
</header>
<main>
${list}
</main>
</body>
</html>
`;
}

function article(message: StoredMessage): string {
  const time = new Date(message.createTime).toISOString();
  const code = message.code === undefined ? '' : `<p class="code"><code>${escape(message.code)}</code></p>\n`;
  return `<article>
<h2>${escape(message.subject)}</h2>
<p class="meta">To ${escape(message.to)} · <time datetime="${time}">${time.slice(0, 19).replace('T', ' ')} UTC</time></p>
${code}<pre>${escape(message.text)}</pre>
</article>`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const STYLE = `:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem;
  font: 1rem/1.5 system-ui, 'Noto Sans SC', 'Noto Sans CJK SC', sans-serif; }
h1 { margin: 0; font-size: 1.5rem; }
header p, .meta, .empty { margin: 0.25rem 0 1rem; opacity: 0.75; }
form { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
input { flex: 1 1 12rem; }
input, button { font: inherit; padding: 0.4rem 0.7rem; }
article { margin-top: 1.25rem; padding: 1rem 1.25rem; border: 1px solid #9a86c8; border-radius: 0.6rem; }
h2 { margin: 0; font-size: 1.1rem; }
pre { margin: 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
.code { margin: 0 0 0.75rem; font-size: 1.75rem; letter-spacing: 0.15em; }
`;
