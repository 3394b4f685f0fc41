/**
 * The process that hears venues' prices, through ccxt, which is large and never enters the server. It is told the
 * sources in one message, and answers with `quotes`, `trouble`, `stream` and a `beat` every second. Prices stay text.
 *
 * Where a venue streams its prices they are told as they come. What the stream has said nothing fresh of is asked for,
 * once a second: a stream tells changes, and only an answer says that an unchanged price still holds.
 */
import ccxt from 'ccxt';

const BEAT_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** After "too many requests" nothing is asked for at least so long. */
const LIMITED_PAUSE_MS = 10_000;
const TIMEOUT_MS = 5_000;
const MARKETS_TIMEOUT_MS = 30_000;
/** Streams change up to a hundred times a second; the index is made once a second. */
const TELL_STREAM_MS = 200;
/** A stream that says nothing for so long is opened again. */
const STREAM_SILENT_MS = 10_000;
/** What the server takes for a price; of a pair with another we ask. */
const PRICE = /^\d{1,15}(?:\.\d{1,17})?$/;
/** A streamed price counts as heard where its time lies so near: of a venue with another clock we ask. */
const STREAM_LATE_MS = 3_000;
const STREAM_EARLY_MS = 1_000;
/** After so long a stream that breaks is opened again after the first pause. */
const STREAM_STEADY_MS = 30_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const tell = (message) => process.connected && process.send(message);
const reasonOf = (cause) => String(cause?.message ?? cause).slice(0, 300);

/** What was promised, or a failure where it does not come in time. */
function within(ms, promised, why) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(why)), ms);
  });
  return Promise.race([promised, late]).finally(() => clearTimeout(timer));
}

/** Every address of a venue below another origin, for mirrors and tests. */
function moved(urls, origin) {
  if (typeof urls !== 'string')
    return Object.fromEntries(Object.entries(urls).map(([name, value]) => [name, moved(value, origin)]));
  const scheme = origin.startsWith('ws') ? /^wss?:\/\/[^/]+/ : /^https?:\/\/[^/]+/;
  return urls.replace(scheme, origin);
}

/** Leaves out futures and options, of which some venues list thousands. */
function onlySpot(asked) {
  if (Array.isArray(asked?.types)) asked.types = ['spot'];
  else for (const kind of Object.keys(asked?.types ?? {})) asked.types[kind] = kind === 'spot';
}

function clientOf({ venue, origin, stream }) {
  const options = { defaultType: 'spot' };
  const Client = ccxt.pro[venue] ?? ccxt[venue];
  const client = new Client({ enableRateLimit: true, timeout: MARKETS_TIMEOUT_MS, options });
  // How long to wait before a stream is opened again is said here, in `listen`.
  client.options.ws = { ...client.options.ws, backoff: { base: 0, max: 0 } };
  onlySpot(client.options.fetchMarkets);
  // Coins with their networks are of no use here, and mostly need a key.
  client.has.fetchCurrencies = false;
  // Prices as the venue wrote them: no number of this language ever holds one.
  client.number = String;
  for (const other of [origin, stream])
    if (typeof other === 'string') client.urls.api = moved(client.urls.api, other);
  return client;
}

/** Whether a venue's stream is listened to: it has one for all pairs, at an address that is its own or was given. */
function isStreamed({ origin, stream }, client) {
  return (
    client.has.watchTickers === true && stream !== false && (origin === undefined || stream !== undefined)
  );
}

async function ask(source, client, listed) {
  const askedAt = Date.now();
  const tickers = await client.fetchTickers(listed.map(([, name]) => name));
  const receivedAt = Date.now();
  const quotes = listed.flatMap(([symbol, name]) => {
    const { last, timestamp } = tickers[name] ?? {};
    // A venue that tells no time answered with what held when it was asked, or later.
    return last === undefined ? [] : [{ symbol, price: last, at: timestamp ?? askedAt }];
  });
  tell({ kind: 'quotes', source: source.id, receivedAt, quotes });
}

/** Growing pauses after failures, and a long one where a venue has had too many requests. */
function pauseAfter(cause, failures, everyMs, limitedPauseMs = LIMITED_PAUSE_MS) {
  const pause = Math.min(LONGEST_PAUSE_MS, everyMs * 2 ** Math.min(failures - 1, 16));
  const isLimited = cause instanceof ccxt.DDoSProtection || /\b429\b/.test(String(cause?.message));
  return isLimited ? Math.max(pause, limitedPauseMs) : pause;
}

/** Tells what the stream has said since; `heard` gets the moment at which each pair was last said something fresh of. */
function tellStreamed(source, client, { listed, told, heard }) {
  const receivedAt = Date.now();
  const quotes = listed.flatMap(([symbol, name]) => {
    const { last, timestamp } = client.tickers[name] ?? {};
    const said = `${last} ${timestamp}`;
    // Without the venue's time nobody knows how old it was on its arrival; such a pair is asked for.
    if (last === undefined || !Number.isInteger(timestamp) || told.get(symbol) === said) return [];
    told.set(symbol, said);
    const age = receivedAt - timestamp;
    if (PRICE.test(last) && age <= STREAM_LATE_MS && age >= -STREAM_EARLY_MS) heard.set(symbol, receivedAt);
    return [{ symbol, price: last, at: timestamp }];
  });
  if (quotes.length > 0) tell({ kind: 'quotes', source: source.id, receivedAt, quotes });
}

/** Listens to a venue's stream for good: one that is silent, broken, garbled or refused is opened again. */
async function listen(source, client, { listed, everyMs, heard }) {
  const names = listed.map(([, name]) => name);
  const told = new Map();
  let begunAt = Date.now();
  let failures = 0;
  let isOpen = false;
  // The library needs this for a stream without TLS.
  if (source.stream?.startsWith('ws:')) await client.loadHttpProxyAgent();
  for (;;) {
    try {
      await within(STREAM_SILENT_MS, client.watchTickers(names), 'the stream is silent');
      if (!isOpen) tell({ kind: 'stream', source: source.id, isOpen: true, reason: '' });
      isOpen = true;
      tellStreamed(source, client, { listed, told, heard });
      await sleep(Math.min(TELL_STREAM_MS, everyMs / 2));
    } catch (cause) {
      // One that breaks again and again is no better than one that cannot be opened.
      failures = Date.now() - begunAt > STREAM_STEADY_MS ? 1 : failures + 1;
      isOpen = false;
      tell({ kind: 'stream', source: source.id, isOpen, reason: reasonOf(cause) });
      await client.close().catch(() => undefined);
      await sleep(pauseAfter(cause, failures, everyMs, source.limitedPauseMs));
      begunAt = Date.now();
    }
  }
}

/** What a venue lists of our pairs; from then on its stream is listened to. */
async function begin(source, client, { everyMs, heard }) {
  await client.loadMarkets();
  client.timeout = TIMEOUT_MS;
  const listed = Object.entries(source.symbols).filter(([, name]) => client.markets[name] !== undefined);
  const missing = Object.keys(source.symbols).filter((symbol) => !listed.some(([one]) => one === symbol));
  tell({ kind: 'listed', source: source.id, missing });
  if (listed.length > 0 && isStreamed(source, client))
    listen(source, client, { listed, everyMs, heard }).catch((/** @type {unknown} */ cause) => {
      tell({ kind: 'stream', source: source.id, isOpen: false, reason: reasonOf(cause) });
    });
  return listed;
}

async function follow(source, everyMs) {
  const client = clientOf(source);
  const heard = new Map();
  let listed;
  let failures = 0;
  for (;;) {
    const began = Date.now();
    let pause = everyMs;
    try {
      listed ??= await begin(source, client, { everyMs, heard });
      const quiet = listed.filter(([symbol]) => Date.now() - (heard.get(symbol) ?? 0) >= everyMs);
      if (quiet.length > 0) await ask(source, client, quiet);
      failures = 0;
    } catch (cause) {
      failures += 1;
      pause = pauseAfter(cause, failures, everyMs, source.limitedPauseMs);
      tell({ kind: 'trouble', source: source.id, reason: reasonOf(cause) });
    }
    await sleep(Math.max(50, pause - (Date.now() - began)));
  }
}

process.on('disconnect', () => process.exit(0));
// What the library drops of a broken stream costs that stream its connection, and the other sources nothing.
process.on('unhandledRejection', () => undefined);
process.once('message', ({ sources, everyMs }) => {
  for (const source of sources) {
    follow(source, everyMs).catch((/** @type {unknown} */ cause) => {
      tell({ kind: 'trouble', source: source.id, reason: String(cause).slice(0, 300) });
    });
  }
});
setInterval(() => tell({ kind: 'beat' }), BEAT_MS);
