/**
 * The program of the child process that fetches prices of other exchanges (venues) with the library ccxt, which is so
 * large that the server itself does not load it. It receives the sources in one message. It sends the messages
 * `listed`, `quotes`, `trouble` and `stream`, and every second `beat`. Prices are text.
 *
 * Streamed prices of a venue are collected and sent at an interval (see `STREAM_SEND_MS`). Pairs without a
 * recent streamed price are polled every `everyMs` milliseconds: a stream reports only changes, so only a
 * poll shows that an unchanged price is still valid.
 */
import ccxt from 'ccxt';

const BEAT_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Default minimum pause in milliseconds after a venue's "too many requests" answer. */
const LIMITED_PAUSE_MS = 10_000;
const TIMEOUT_MS = 5_000;
const MARKETS_TIMEOUT_MS = 30_000;
/**
 * Interval in milliseconds at which streamed prices are sent to the server; half of `everyMs` if that is
 * shorter. Streams may change much more often, but the index is computed once per second.
 */
const STREAM_SEND_MS = 200;
/** Milliseconds without a message after which a venue's price stream is reopened. */
const STREAM_SILENT_MS = 10_000;
/** The format of prices that the server accepts. A pair whose streamed price has another format is polled. */
const PRICE = /^\d{1,15}(?:\.\d{1,17})?$/;
/**
 * A streamed price is recent if its time is at most `STREAM_LATE_MS` ago and at most `STREAM_EARLY_MS` ahead. Pairs of
 * a venue with a wrong clock are therefore polled.
 */
const STREAM_LATE_MS = 3_000;
const STREAM_EARLY_MS = 1_000;
/**
 * Milliseconds after which an open price stream counts as stable, so that the pause before its next reopening is short.
 */
const STREAM_STEADY_MS = 30_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const send = (message) => process.connected && process.send(message);
const reasonOf = (cause) => String(cause?.message ?? cause).slice(0, 300);

/** Resolves or rejects like `promise`, or rejects with the message `why` after `ms` milliseconds. */
function withTimeout(ms, promise, why) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(why)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/**
 * Replaces the scheme and the host of a venue's URLs by `origin`, for mirrors and tests: those of the WebSocket URLs if
 * `origin` begins with `ws`, otherwise those of the HTTP URLs. Other URLs are not changed.
 */
function withOrigin(urls, origin) {
  if (typeof urls !== 'string')
    return Object.fromEntries(Object.entries(urls).map(([name, value]) => [name, withOrigin(value, origin)]));
  const scheme = origin.startsWith('ws') ? /^wss?:\/\/[^/]+/ : /^https?:\/\/[^/]+/;
  return urls.replace(scheme, origin);
}

/** Makes the library load only spot markets. Some venues also list thousands of futures and options. */
function onlySpot(fetchOptions) {
  if (Array.isArray(fetchOptions?.types)) fetchOptions.types = ['spot'];
  else for (const kind of Object.keys(fetchOptions?.types ?? {})) fetchOptions.types[kind] = kind === 'spot';
}

function clientOf({ venue, origin, stream }) {
  const options = { defaultType: 'spot' };
  const Client = ccxt.pro[venue] ?? ccxt[venue];
  const client = new Client({ enableRateLimit: true, timeout: MARKETS_TIMEOUT_MS, options });
  // The library's own pauses before a stream is reopened are disabled, because `listen` waits between attempts itself.
  client.options.ws = { ...client.options.ws, backoff: { base: 0, max: 0 } };
  onlySpot(client.options.fetchMarkets);
  // The library does not load the list of coins with their networks, which is not needed here and usually requires an
  // API key.
  client.has.fetchCurrencies = false;
  // Makes the library ccxt pass prices as the text that the venue sent, instead of numbers.
  client.number = String;
  for (const ownOrigin of [origin, stream])
    if (typeof ownOrigin === 'string') client.urls.api = withOrigin(client.urls.api, ownOrigin);
  return client;
}

/**
 * Returns whether prices of a venue are read from its stream. The library must support the stream, and the settings
 * must not turn it off. If the settings give another `origin`, they must also give the URL of the stream.
 */
function isStreamed({ origin, stream }, client) {
  return (
    client.has.watchTickers === true && stream !== false && (origin === undefined || stream !== undefined)
  );
}

async function poll(source, client, listed) {
  const requestedAt = Date.now();
  const tickers = await client.fetchTickers(listed.map(([, name]) => name));
  const receivedAt = Date.now();
  const quotes = listed.flatMap(([symbol, name]) => {
    const { last, timestamp } = tickers[name] ?? {};
    // If the venue reports no time of a price, the time of the request is used; the price is not older than that.
    return last === undefined ? [] : [{ symbol, price: last, at: timestamp ?? requestedAt }];
  });
  send({ kind: 'quotes', source: source.id, receivedAt, quotes });
}

/**
 * Returns the pause in milliseconds after a failure. It doubles with each consecutive failure, up to
 * `MAX_PAUSE_MS`, and is at least `limitedPauseMs` after the answer "too many requests".
 */
function pauseAfter(cause, failures, everyMs, limitedPauseMs = LIMITED_PAUSE_MS) {
  const pause = Math.min(MAX_PAUSE_MS, everyMs * 2 ** Math.min(failures - 1, 16));
  const isLimited = cause instanceof ccxt.DDoSProtection || /\b429\b/.test(String(cause?.message));
  return isLimited ? Math.max(pause, limitedPauseMs) : pause;
}

/**
 * Sends the streamed prices that have changed since the last call. For each pair whose new price is recent,
 * stores the time of this call in `lastHeard`.
 */
function sendStreamed(source, client, { listed, sentQuotes, lastHeard }) {
  const receivedAt = Date.now();
  const quotes = listed.flatMap(([symbol, name]) => {
    const { last, timestamp } = client.tickers[name] ?? {};
    const quoteKey = `${last} ${timestamp}`;
    // A price that was sent to the server already is skipped. So is a price without a time: its age is
    // unknown, so the pair is polled.
    if (last === undefined || !Number.isInteger(timestamp) || sentQuotes.get(symbol) === quoteKey) return [];
    sentQuotes.set(symbol, quoteKey);
    const age = receivedAt - timestamp;
    if (PRICE.test(last) && age <= STREAM_LATE_MS && age >= -STREAM_EARLY_MS)
      lastHeard.set(symbol, receivedAt);
    return [{ symbol, price: last, at: timestamp }];
  });
  if (quotes.length > 0) send({ kind: 'quotes', source: source.id, receivedAt, quotes });
}

/** Listens to a venue's stream permanently. A stream that is silent, broken, invalid or refused is reopened. */
async function listen(source, client, { listed, everyMs, lastHeard }) {
  const names = listed.map(([, name]) => name);
  const sentQuotes = new Map();
  let openedAt = Date.now();
  let failures = 0;
  let isOpen = false;
  // The library ccxt needs this call before it opens a WebSocket without TLS.
  if (source.stream?.startsWith('ws:')) await client.loadHttpProxyAgent();
  for (;;) {
    try {
      await withTimeout(STREAM_SILENT_MS, client.watchTickers(names), 'the stream is silent');
      if (!isOpen) send({ kind: 'stream', source: source.id, isOpen: true, reason: '' });
      isOpen = true;
      sendStreamed(source, client, { listed, sentQuotes, lastHeard });
      await sleep(Math.min(STREAM_SEND_MS, everyMs / 2));
    } catch (cause) {
      // A stream that breaks within `STREAM_STEADY_MS` after its opening counts as a further failure, like a
      // stream that cannot be opened.
      failures = Date.now() - openedAt > STREAM_STEADY_MS ? 1 : failures + 1;
      isOpen = false;
      send({ kind: 'stream', source: source.id, isOpen, reason: reasonOf(cause) });
      await client.close().catch(() => undefined);
      await sleep(pauseAfter(cause, failures, everyMs, source.limitedPauseMs));
      openedAt = Date.now();
    }
  }
}

/**
 * Loads which of the exchange's pairs a venue lists, reports the missing ones, and starts listening to the venue's
 * stream if it is used.
 */
async function loadPairs(source, client, { everyMs, lastHeard }) {
  await client.loadMarkets();
  client.timeout = TIMEOUT_MS;
  const listed = Object.entries(source.symbols).filter(([, name]) => client.markets[name] !== undefined);
  const missing = Object.keys(source.symbols).filter(
    (symbol) => !listed.some(([listedSymbol]) => listedSymbol === symbol),
  );
  send({ kind: 'listed', source: source.id, missing });
  if (listed.length > 0 && isStreamed(source, client))
    listen(source, client, { listed, everyMs, lastHeard }).catch((/** @type {unknown} */ cause) => {
      send({ kind: 'stream', source: source.id, isOpen: false, reason: reasonOf(cause) });
    });
  return listed;
}

async function follow(source, everyMs) {
  const client = clientOf(source);
  const lastHeard = new Map();
  let listed;
  let failures = 0;
  for (;;) {
    const startedAt = Date.now();
    let pause = everyMs;
    try {
      listed ??= await loadPairs(source, client, { everyMs, lastHeard });
      const stale = listed.filter(([symbol]) => Date.now() - (lastHeard.get(symbol) ?? 0) >= everyMs);
      if (stale.length > 0) await poll(source, client, stale);
      failures = 0;
    } catch (cause) {
      failures += 1;
      pause = pauseAfter(cause, failures, everyMs, source.limitedPauseMs);
      send({ kind: 'trouble', source: source.id, reason: reasonOf(cause) });
    }
    await sleep(Math.max(50, pause - (Date.now() - startedAt)));
  }
}

process.on('disconnect', () => process.exit(0));
// When a stream breaks, the library ccxt leaves rejected promises without a handler. They would end this process, so
// they are ignored here.
process.on('unhandledRejection', () => undefined);
process.once('message', ({ sources, everyMs }) => {
  for (const source of sources) {
    follow(source, everyMs).catch((/** @type {unknown} */ cause) => {
      send({ kind: 'trouble', source: source.id, reason: String(cause).slice(0, 300) });
    });
  }
});
setInterval(() => send({ kind: 'beat' }), BEAT_MS);
