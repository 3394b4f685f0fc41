/**
 * The process that asks venues for their prices, through ccxt, which is large and never enters the server. It is told
 * the sources in one message, and answers with `quotes`, `trouble` and a `beat` every second. Prices stay text.
 */
import ccxt from 'ccxt';

const BEAT_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** After "too many requests" nothing is asked for at least so long. */
const LIMITED_PAUSE_MS = 10_000;
const TIMEOUT_MS = 5_000;
const MARKETS_TIMEOUT_MS = 30_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const tell = (message) => process.connected && process.send(message);

/** Every address of a venue below another origin, for mirrors and tests. */
function moved(urls, origin) {
  if (typeof urls === 'string') return urls.replace(/^https?:\/\/[^/]+/, origin);
  return Object.fromEntries(Object.entries(urls).map(([name, value]) => [name, moved(value, origin)]));
}

/** Leaves out futures and options, of which some venues list thousands. */
function onlySpot(asked) {
  if (Array.isArray(asked?.types)) asked.types = ['spot'];
  else for (const kind of Object.keys(asked?.types ?? {})) asked.types[kind] = kind === 'spot';
}

function clientOf({ venue, origin }) {
  const options = { defaultType: 'spot' };
  const client = new ccxt[venue]({ enableRateLimit: true, timeout: MARKETS_TIMEOUT_MS, options });
  onlySpot(client.options.fetchMarkets);
  // Coins with their networks are of no use here, and mostly need a key.
  client.has.fetchCurrencies = false;
  // Prices as the venue wrote them: no number of this language ever holds one.
  client.number = String;
  if (origin !== undefined) client.urls.api = moved(client.urls.api, origin);
  return client;
}

async function ask(source, client) {
  const listed = Object.entries(source.symbols).filter(([, name]) => client.markets?.[name] !== undefined);
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

async function follow(source, everyMs) {
  const client = clientOf(source);
  let failures = 0;
  for (;;) {
    const began = Date.now();
    let pause = everyMs;
    try {
      if (client.markets === undefined) {
        await client.loadMarkets();
        client.timeout = TIMEOUT_MS;
        const missing = Object.keys(source.symbols).filter(
          (symbol) => !client.markets[source.symbols[symbol]],
        );
        tell({ kind: 'listed', source: source.id, missing });
      }
      await ask(source, client);
      failures = 0;
    } catch (cause) {
      failures += 1;
      pause = Math.min(LONGEST_PAUSE_MS, everyMs * 2 ** Math.min(failures - 1, 16));
      if (cause instanceof ccxt.DDoSProtection)
        pause = Math.max(pause, source.limitedPauseMs ?? LIMITED_PAUSE_MS);
      tell({ kind: 'trouble', source: source.id, reason: String(cause?.message ?? cause).slice(0, 300) });
    }
    await sleep(Math.max(50, pause - (Date.now() - began)));
  }
}

process.on('disconnect', () => process.exit(0));
process.once('message', ({ sources, everyMs }) => {
  for (const source of sources) {
    follow(source, everyMs).catch((/** @type {unknown} */ cause) => {
      tell({ kind: 'trouble', source: source.id, reason: String(cause).slice(0, 300) });
    });
  }
});
setInterval(() => tell({ kind: 'beat' }), BEAT_MS);
