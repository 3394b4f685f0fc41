import { API_CALLS, WEIGHT_PER_MINUTE, type ApiCall } from '@exchange/wire/public-api/calls.ts';
import { ERROR_CATALOGUE, type DescribedError } from '@exchange/wire/public-api/error-catalogue.ts';
import { SESSION_METHOD_TEXTS, SOCKET_METHODS } from '@exchange/wire/public-api/socket-calls.ts';
import {
  ACCOUNT_EVENTS,
  MARKET_STREAMS,
  STREAM_REQUESTS,
  type DescribedStream,
} from '@exchange/wire/public-api/stream-catalogue.ts';
import {
  describedParameters,
  exampleOf,
  groupedCalls,
  weightRange,
  type CallGroup,
  type DescribedParameter,
} from './calls-present.ts';
import { STREAM_EXAMPLES, type CallExample } from './reference-examples.ts';

export const STYLE_PATH = '/docs/api.css';
export const SCRIPT_PATH = '/docs/api.js';

const ACCESS_TEXTS: Readonly<Record<ApiCall['access'], string>> = {
  open: 'open',
  key: 'key',
  signed: 'signed',
};
const SIGNED_BY_LIBRARIES = 'timestamp=…&signature=…';
const streamExamples: ReadonlyMap<string, unknown> = new Map(Object.entries(STREAM_EXAMPLES));

const CCXT_EXAMPLE = `import ccxt from 'ccxt';

const exchange = new ccxt.binance({ apiKey: 'your key', secret: 'your secret' });
for (const [name, url] of Object.entries(exchange.urls.api))
  if (typeof url === 'string')
    exchange.urls.api[name] = url.replace(/^https:\\/\\/[^/]+/, '<ORIGIN>');

console.log(await exchange.fetchTicker('BTC/USDT'));
const order = await exchange.createOrder('BTC/USDT', 'limit', 'buy', 0.001, 50000);
await exchange.cancelOrder(order.id, 'BTC/USDT');`;
const CURL_EXAMPLE = `query="symbol=BTCUSDT&timestamp=$(date +%s000)"
signature=$(printf '%s' "$query" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/.* //')
curl -H "X-MBX-APIKEY: $KEY" "<ORIGIN>/api/v3/openOrders?$query&signature=$signature"`;
const STREAM_EXAMPLE = `const socket = new WebSocket('<SOCKETS>/stream?streams=btcusdt@trade/btcusdt@depth@100ms');
socket.onmessage = ({ data }) => console.log(JSON.parse(data));
// Later, on the same connection:
socket.send('{"method":"SUBSCRIBE","params":["ethusdt@kline_1m"],"id":1}');`;
const SOCKET_EXAMPLE = `{"id":1,"method":"order.place","params":{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT",
  "timeInForce":"GTC","quantity":"0.001","price":"50000","apiKey":"…","timestamp":1700000000000,"signature":"…"}}`;

/** The reference of the public trading API as an HTML document, in English. */
export function referencePage(version: string): string {
  const groups = groupedCalls(API_CALLS);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Every call, stream and error of the Amethyst trading API, with examples that run.">
<title>Trading API – Amethyst</title>
<link rel="icon" href="/favicon.svg">
<link rel="alternate" type="application/json" href="/api/openapi.json">
<link rel="alternate" type="text/plain" href="/llms.txt">
<link rel="stylesheet" href="${STYLE_PATH}">
<script src="${SCRIPT_PATH}" defer></script>
</head>
<body>
<a class="skip" href="#start">Skip to the content</a>
<header class="top">
<a class="brand" href="/">Amethyst</a><span class="title">Trading API</span><span class="version">${escape(version)}</span>
<nav aria-label="Documents"><a href="/api/openapi.json">OpenAPI</a><a href="/llms.txt">llms.txt</a><a href="/docs">Calls of the apps</a></nav>
</header>
<div class="page">
${navigation(groups)}
<main>
${startSection()}
${groups.map(groupSection).join('\n')}
${streamSection()}
${socketSection()}
${errorSection()}
</main>
</div>
</body>
</html>
`;
}

function navigation(groups: readonly CallGroup[]): string {
  const lists = groups.map(
    ({ name, calls }) =>
      `<li><a href="#${name}">${titleOf(name)}</a><ul>${calls.map(navigationEntry).join('')}</ul></li>`,
  );
  return `<details class="contents">
<summary>Contents</summary>
<nav aria-label="Contents">
<input type="search" id="search" placeholder="Find a call" aria-label="Find a call" autocomplete="off">
<ul>
<li><a href="#start">Start</a></li>
${lists.join('\n')}
<li><a href="#streams">Streams</a></li>
<li><a href="#websocket-api">WebSocket API</a></li>
<li><a href="#errors">Errors</a></li>
</ul>
</nav>
</details>`;
}

function navigationEntry(call: ApiCall): string {
  return `<li><a href="#${anchorOf(call)}">${methodLabel(call)} ${breakable(shortPath(call))}</a></li>`;
}

function startSection(): string {
  return `<section id="start">
<h1>Trading API</h1>
<p class="lead">Market data, orders and account events for programs, in the wire format of Binance’s spot API. Tools that speak it work
after one change: the base address, which is <code data-origin="http">this site</code>. No key is needed for market data. A demo’s market
moves by itself, so that it serves as a test network.</p>
<h2>A first program</h2>
${code(CCXT_EXAMPLE)}
<h2>Signing by hand</h2>
${code(CURL_EXAMPLE)}
<p>Create a key in Security, under API keys; its secret is shown once. Signed calls carry the key in the header <code>X-MBX-APIKEY</code>,
the parameter <code>timestamp</code>, and last the parameter <code>signature</code>: HMAC-SHA-256 with the secret, or Ed25519, over query
and body as they are sent.</p>
<h2>Rules</h2>
<ul class="rules">
<li>Prices, amounts and rates are decimal text, times are milliseconds UTC, counts and ids of orders and trades are numbers.</li>
<li>Parameters are sent in the query; those of POST, PUT and DELETE also in a form. Unknown parameters are ignored.</li>
<li>An address has a request weight of ${WEIGHT_PER_MINUTE.toLocaleString('en-US')} per minute. <code>X-MBX-USED-WEIGHT-1M</code> names what is used. Beyond it the
answer is 429 with <code>Retry-After</code>, and 418 for programs that continue.</li>
<li>A request is accepted until <code>recvWindow</code> milliseconds (5,000, at most 60,000) after its <code>timestamp</code>.</li>
<li>The same signed order sent again answers the first outcome and is executed once.</li>
<li>Lists are bounded. Their order is stated with each call.</li>
</ul>
</section>`;
}

function groupSection({ name, about, calls }: CallGroup): string {
  return `<section id="${name}">
<h2>${titleOf(name)}</h2>
<p>${inline(about)}</p>
${calls.map(callArticle).join('\n')}
</section>`;
}

function callArticle(call: ApiCall): string {
  const { access, summary, path } = call;
  const [least, most] = weightRange(call);
  const example = exampleOf(call);
  const parameters = describedParameters(call);
  return `<article class="call" id="${anchorOf(call)}">
<h3>${methodLabel(call)} <code>${breakable(path)}</code></h3>
<p class="facts"><span class="access ${access}">${ACCESS_TEXTS[access]}</span><span>weight ${least === most ? String(least) : `${least} to ${most}`}</span></p>
<p>${inline(summary)}</p>
<div class="columns">
<div>
${parametersOf(call, parameters, example)}
</div>
<div>
${example === undefined ? '' : exampleBlock(call, example)}
</div>
</div>
</article>`;
}

/**
 * HTML of a call's parameters; for public calls a form that sends the request, also without a
 * script.
 */
function parametersOf(
  call: ApiCall,
  parameters: readonly DescribedParameter[],
  example: CallExample | undefined,
): string {
  const isOpen = call.access === 'open' && call.method === 'GET';
  const sent = new URLSearchParams(example?.query ?? '');
  const placeholder = example === undefined ? '' : example.path.slice(example.path.lastIndexOf('/') + 1);
  const rows = parameters.map((parameter) => {
    const value = parameter.place === 'path' ? placeholder : (sent.get(parameter.name) ?? '');
    return parameterRow(parameter, isOpen ? inputOf(call, parameter, value) : '');
  });
  const list = rows.length === 0 ? '<p class="none">No parameters.</p>' : rows.join('\n');
  if (!isOpen) return `<div class="parameters">${list}</div>`;
  return `<form class="parameters run" method="get" action="${escape(example?.path ?? call.path)}" target="_blank" data-path="${escape(call.path)}">
${list}
<p class="buttons"><button>Run it</button></p>
</form>
<div class="answer" role="status" hidden></div>`;
}

function parameterRow({ name, isRequired, schema }: DescribedParameter, input: string): string {
  return `<div class="parameter">
<p><b>${escape(name)}</b>${isRequired ? ' <span class="required">required</span>' : ''}<small>${inline(schemaText(schema))}</small></p>
${input}
</div>`;
}

function inputOf(call: ApiCall, { name, place, schema }: DescribedParameter, value: string): string {
  const attributes = `name="${escape(name)}" aria-label="${escape(`${name} of ${call.path}`)}"${place === 'path' ? ' data-place="path"' : ''}`;
  const choices = schema['enum'];
  if (!Array.isArray(choices))
    return `<input ${attributes} value="${escape(value)}" autocomplete="off" spellcheck="false">`;
  const options = ['', ...(choices as string[])].map(
    (choice) => `<option${choice === value ? ' selected' : ''}>${escape(choice)}</option>`,
  );
  return `<select ${attributes}>${options.join('')}</select>`;
}

/** A parameter's schema as a text: meaning, type or choices, bounds other than a minimum of 0, and default. */
function schemaText(schema: DescribedParameter['schema']) {
  const choices = schema['enum'];
  const minimum = fact(schema, 'minimum');
  const bounds = [
    Array.isArray(choices)
      ? (choices as string[]).map((choice) => `\`${choice}\``).join(' ')
      : fact(schema, 'type'),
    minimum === '0' ? '' : fact(schema, 'minimum', 'from '),
    fact(schema, 'maximum', 'at most '),
    fact(schema, 'maxLength', 'length at most '),
    fact(schema, 'default', 'default '),
  ];
  const text = bounds.filter((bound) => bound !== '').join(', ');
  const meaning = fact(schema, 'description');
  return meaning === '' ? text : `${meaning} · ${text}`;
}

/** A field of a parameter's schema as text after a label; empty if the field is absent. */
function fact(schema: DescribedParameter['schema'], name: string, label = ''): string {
  const value = schema[name];
  return typeof value === 'string' || typeof value === 'number' ? `${label}${value}` : '';
}

function exampleBlock({ method, access }: ApiCall, { path, query, answer }: CallExample): string {
  const parameters = [query, access === 'signed' ? SIGNED_BY_LIBRARIES : ''].filter((part) => part !== '');
  const request = [path, ...(parameters.length === 0 ? [] : [parameters.join('&')])].join('?');
  const header = access === 'open' ? '' : '\nX-MBX-APIKEY: …';
  const text = typeof answer === 'string' ? answer : jsonText(answer);
  return `<p class="caption">Request</p>
${code(`${method} ${request}${header}`, 'request')}
<p class="caption">Answer</p>
${code(text)}`;
}

function streamSection(): string {
  const requests = Object.entries(STREAM_REQUESTS).map(
    ([method, text]) => `<div class="row"><code>${method}</code><span>${inline(text)}</span></div>`,
  );
  return `<section id="streams">
<h2>Streams</h2>
<p>${inline('`/ws/<name>` sends payloads alone, `/stream?streams=<name>/<name>` wraps them: `{"stream","data"}`. Pairs are written in small letters. The server pings every 20 seconds and disconnects clients that are silent for a minute or read too slowly. A connection reads at most 1,024 streams and sends five requests per second.')}</p>
${code(STREAM_EXAMPLE)}
<div class="rows">${requests.join('\n')}</div>
<p>${inline('To keep a local book: open `btcusdt@depth@100ms`, read `/api/v3/depth?symbol=BTCUSDT&limit=5000`, ignore events whose `u` is not above `lastUpdateId`, and apply the others in order.')}</p>
${MARKET_STREAMS.map(streamArticle).join('\n')}
<h3 id="account-events">Events of an account</h3>
<p>${inline('Subscribe by `userDataStream.subscribe.signature` on the WebSocket API, or create a listen key by `POST /api/v3/userDataStream` and read `/ws/<listenKey>`. A subscription ends with `eventStreamTerminated` when its key is revoked, and every connection with `serverShutdown` when the server stops.')}</p>
${ACCOUNT_EVENTS.map(streamArticle).join('\n')}
</section>`;
}

function streamArticle({ name, pace, about, fields }: DescribedStream): string {
  const rows = Object.entries(fields).map(
    ([field, text]) => `<div class="row"><code>${escape(field)}</code><span>${inline(text)}</span></div>`,
  );
  const example = streamExamples.get(name);
  return `<article class="stream" id="stream-${anchorText(name)}">
<h4><code>${escape(name)}</code></h4>
<p class="facts"><span>${escape(pace)}</span></p>
<p>${inline(about)}</p>
<div class="columns">
<div class="rows">${rows.join('\n')}</div>
<div>${example === undefined ? '' : code(jsonText(example))}</div>
</div>
</article>`;
}

function socketSection(): string {
  const methods = [...SOCKET_METHODS].map(
    ([method, call]) =>
      `<div class="row"><code>${method}</code><a href="#${anchorOf(call)}">${methodLabel(call)} ${breakable(call.path)}</a></div>`,
  );
  const sessions = Object.entries(SESSION_METHOD_TEXTS).map(
    ([method, text]) => `<div class="row"><code>${method}</code><span>${inline(text)}</span></div>`,
  );
  return `<section id="websocket-api">
<h2>WebSocket API</h2>
<p>${inline('Requests and answers on one connection at `/ws-api/v3`. A method takes the parameters of its call and answers the same: `{"id","status","result"}` or `{"id","status","error"}`, with the used weight unless `returnRateLimits` is false. Signatures are over all parameters but `signature`, sorted by name and joined like a query. After `session.logon` a connection needs none.')}</p>
${code(SOCKET_EXAMPLE)}
<h3>Methods of calls</h3>
<div class="rows">${methods.join('\n')}</div>
<h3>Methods of the connection</h3>
<div class="rows">${sessions.join('\n')}</div>
</section>`;
}

function errorSection(): string {
  return `<section id="errors">
<h2>Errors</h2>
<p>${inline('The body of an error is `{"code","msg"}`. Match on the code, and where a code has several texts, on the text. Parts in angle brackets vary. A request that is refused has changed nothing.')}</p>
${ERROR_CATALOGUE.map(errorArticle).join('\n')}
</section>`;
}

function errorArticle({ error, when, remedy }: DescribedError): string {
  return `<article class="error">
<p class="code"><b>${error.code}</b><small>HTTP ${error.status}</small></p>
<div><p><code>${escape(error.message)}</code></p><p>${inline(when)}</p><p class="remedy">${inline(remedy)}</p></div>
</article>`;
}

function titleOf(group: string): string {
  return group.charAt(0).toUpperCase() + group.slice(1);
}

function anchorOf({ method, path }: ApiCall): string {
  return anchorText(`${method}${path}`);
}

function anchorText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function methodLabel({ method }: ApiCall): string {
  return `<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** A call's path without `/api/v3/` or `/sapi/v1/` at its beginning, for the table of contents. */
function shortPath({ path }: ApiCall): string {
  return path.replace(/^\/(api\/v3|sapi\/v1)\//, '');
}

/** HTML of a path with possible line breaks after its slashes. */
function breakable(path: string): string {
  return escape(path).replaceAll('/', '/<wbr>');
}

/** JSON with one field a line, and short lists and rows in one line. */
function jsonText(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(/\[\s+([^[\]{}]*?)\s+\]/g, (list, items: string) => {
    const line = `[${items.replaceAll(/\s*\n\s*/g, ' ')}]`;
    return line.length <= 100 ? line : list;
  });
}

/** HTML of a code block; the page's script replaces the origins by those of this site. */
function code(text: string, kind = ''): string {
  const escaped = escape(text)
    .replaceAll('&lt;ORIGIN&gt;', '<span data-origin="http">http://localhost:3000</span>')
    .replaceAll('&lt;SOCKETS&gt;', '<span data-origin="ws">ws://localhost:3000</span>');
  // In requests, a line may break before each parameter.
  const broken = kind === '' ? escaped : escaped.replaceAll('&amp;', '<wbr>&amp;');
  return `<pre tabindex="0"${kind === '' ? '' : ` class="${kind}"`}><code>${broken}</code></pre>`;
}

/** Converts text with code between backticks to HTML. */
function inline(text: string): string {
  return escape(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
