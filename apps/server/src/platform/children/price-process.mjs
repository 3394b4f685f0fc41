/**
 * The process that reads venues' prices with ccxt, a large library that is not loaded in the server. It
 * receives the sources in one message and sends `listed`, `quotes`, `trouble`, `stream` and, every second,
 * `beat`. Prices stay text.
 *
 * Prices of a venue with a stream are sent as they arrive. Pairs without a recent streamed price are polled
 * once in `everyMs`: a stream reports changes only, and only a poll shows that an unchanged price is still valid.
 */
import ccxt from 'ccxt';

const BEAT_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Default minimum pause in milliseconds after a venue's "too many requests" answer. */
const LIMITED_PAUSE_MS = 10_000;
const TIMEOUT_MS = 5_000;
const MARKETS_TIMEOUT_MS = 30_000;
/**
 * Greatest interval in milliseconds at which streamed prices are passed on: streams may change much more often, but
 * the index is computed once a second.
 */
const STREAM_SEND_MS = 200;
/** A venue's price stream that is silent for this many milliseconds is reopened. */
const STREAM_SILENT_MS = 10_000;
/** The format of prices that the server accepts; pairs with other prices are polled. */
const PRICE = /^\d{1,15}(?:\.\d{1,17})?$/;
/**
 * A streamed price counts as recent when its time is within these bounds; pairs of a venue with a wrong clock
 * are polled.
 */
const STREAM_LATE_MS = 3_000;
const STREAM_EARLY_MS = 1_000;
/**
 * After this many milliseconds a price stream counts as stable, and its reopening pauses start from
 * the first one again.
 */
const STREAM_STEADY_MS = 30_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const send = (message) => process.connected && process.send(message);
const reasonOf = (cause) => String(cause?.message ?? cause).slice(0, 300);

/** Resolves or rejects like `promise`; rejects with the message `why` after `ms`. */
function withTimeout(ms, promise, why) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(why)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Replaces the origin of a venue's URLs, for mirrors and tests. */
function withOrigin(urls, origin) {
  if (typeof urls !== 'string')
    return Object.fromEntries(Object.entries(urls).map(([name, value]) => [name, withOrigin(value, origin)]));
  const scheme = origin.startsWith('ws') ? /^wss?:\/\/[^/]+/ : /^https?:\/\/[^/]+/;
  return urls.replace(scheme, origin);
}

/** Excludes futures and options, of which some venues list thousands. */
function onlySpot(fetchOptions) {
  if (Array.isArray(fetchOptions?.types)) fetchOptions.types = ['spot'];
  else for (const kind of Object.keys(fetchOptions?.types ?? {})) fetchOptions.types[kind] = kind === 'spot';
}

function clientOf({ venue, origin, stream }) {
  const options = { defaultType: 'spot' };
  const Client = ccxt.pro[venue] ?? ccxt[venue];
  const client = new Client({ enableRateLimit: true, timeout: MARKETS_TIMEOUT_MS, options });
  // Pauses before a stream is reopened are implemented in `listen`, so the library's own are
  // disabled.
  client.options.ws = { ...client.options.ws, backoff: { base: 0, max: 0 } };
  onlySpot(client.options.fetchMarkets);
  // The list of coins with their networks is not needed and usually requires an API key.
  client.has.fetchCurrencies = false;
  // Makes the library pass prices as the venue's text instead of numbers.
  client.number = String;
  for (const ownOrigin of [origin, stream])
    if (typeof ownOrigin === 'string') client.urls.api = withOrigin(client.urls.api, ownOrigin);
  return client;
}

/**
 * Whether a venue's price stream is used: the library supports it, it is not turned off, and its URL is the
 * venue's own or was configured.
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
    // Without a venue's time, the price is at least as new as the request.
    return last === undefined ? [] : [{ symbol, price: last, at: timestamp ?? requestedAt }];
  });
  send({ kind: 'quotes', source: source.id, receivedAt, quotes });
}

/**
 * The pause in milliseconds after a failed request: grows exponentially, with a minimum after "too
 * many requests".
 */
function pauseAfter(cause, failures, everyMs, limitedPauseMs = LIMITED_PAUSE_MS) {
  const pause = Math.min(MAX_PAUSE_MS, everyMs * 2 ** Math.min(failures - 1, 16));
  const isLimited = cause instanceof ccxt.DDoSProtection || /\b429\b/.test(String(cause?.message));
  return isLimited ? Math.max(pause, limitedPauseMs) : pause;
}

/**
 * Sends the streamed prices since the last call; `lastHeard` receives the time of each pair's last recent price.
 */
function sendStreamed(source, client, { listed, sentQuotes, lastHeard }) {
  const receivedAt = Date.now();
  const quotes = listed.flatMap(([symbol, name]) => {
    const { last, timestamp } = client.tickers[name] ?? {};
    const quoteKey = `${last} ${timestamp}`;
    // Without the venue's time, the age of the price is unknown, so the pair is polled.
    if (last === undefined || !Number.isInteger(timestamp) || sentQuotes.get(symbol) === quoteKey) return [];
    sentQuotes.set(symbol, quoteKey);
    const age = receivedAt - timestamp;
    if (PRICE.test(last) && age <= STREAM_LATE_MS && age >= -STREAM_EARLY_MS)
      lastHeard.set(symbol, receivedAt);
    return [{ symbol, price: last, at: timestamp }];
  });
  if (quotes.length > 0) send({ kind: 'quotes', source: source.id, receivedAt, quotes });
}

/** Listens to a venue's stream permanently: a stream that is silent, broken, invalid or refused is reopened. */
async function listen(source, client, { listed, everyMs, lastHeard }) {
  const names = listed.map(([, name]) => name);
  const sentQuotes = new Map();
  let openedAt = Date.now();
  let failures = 0;
  let isOpen = false;
  // The library needs this for a WebSocket stream without TLS.
  if (source.stream?.startsWith('ws:')) await client.loadHttpProxyAgent();
  for (;;) {
    try {
      await withTimeout(STREAM_SILENT_MS, client.watchTickers(names), 'the stream is silent');
      if (!isOpen) send({ kind: 'stream', source: source.id, isOpen: true, reason: '' });
      isOpen = true;
      sendStreamed(source, client, { listed, sentQuotes, lastHeard });
      await sleep(Math.min(STREAM_SEND_MS, everyMs / 2));
    } catch (cause) {
      // A stream that breaks repeatedly is treated like one that cannot be opened.
      failures = Date.now() - openedAt > STREAM_STEADY_MS ? 1 : failures + 1;
      isOpen = false;
      send({ kind: 'stream', source: source.id, isOpen, reason: reasonOf(cause) });
      await client.close().catch(() => undefined);
      await sleep(pauseAfter(cause, failures, everyMs, source.limitedPauseMs));
      openedAt = Date.now();
    }
  }
}

/** Loads which of the exchange's pairs a venue lists, and then starts listening to its stream if that is used. */
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
// A rejected promise that the library drops when a stream breaks must not end the process; the
// stream is reopened.
process.on('unhandledRejection', () => undefined);
process.once('message', ({ sources, everyMs }) => {
  for (const source of sources) {
    follow(source, everyMs).catch((/** @type {unknown} */ cause) => {
      send({ kind: 'trouble', source: source.id, reason: String(cause).slice(0, 300) });
    });
  }
});
setInterval(() => send({ kind: 'beat' }), BEAT_MS);
