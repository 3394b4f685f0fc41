import type { Page } from '../../platform/http/page.ts';
import { REFERENCE_SCRIPT, REFERENCE_STYLE } from './reference-assets.ts';
import { referencePage, SCRIPT_PATH, STYLE_PATH } from './reference-present.ts';

/** A text that describes the API to assistants and other programs (llms.txt). */
const MAP = `# Amethyst

> A cryptocurrency exchange with a trading API in the wire format of Binance's spot API: point the base address of a
> library for it, such as ccxt, at this site. Market data needs no key. A demo's market moves by itself.

Prices, amounts and rates are decimal text, never floating-point numbers. Times are milliseconds UTC. Errors are
{"code","msg"} with a negative code. An address has a request weight of 6,000 per minute; the header
X-MBX-USED-WEIGHT-1M names what is used. Signed calls need a key that a person creates in Security, under API keys.
Ask a person before you place or cancel orders. A key withdraws only if its owner has created it for that.

## Documents

- [OpenAPI 3.1](/api/openapi.json): every call with parameters, weight, example and errors
- [Reference](/docs/api): the same for people, with a form for each open call
- [Guide](/docs/api#start): the first program, and how requests are signed
- [Streams](/docs/api#streams): names and payloads of market data and account events
- [WebSocket API](/docs/api#websocket-api): the calls as methods on one connection
- [Errors](/docs/api#errors): code, HTTP status, when it occurs and what to do

## Tools

A server of the Model Context Protocol, \`exchange-mcp\`, gives assistants these calls as tools over standard input and output.
Whoever runs this exchange has it in \`packages/mcp\` of the source; the environment variable EXCHANGE_URL is the address of this
site. It is read-only unless it is started with --trade, plans every order before it places it, bounds amounts, and refuses keys
that may withdraw.

## Calls to begin with

- [Pairs with their limits](/api/v3/exchangeInfo)
- [Prices of 24 hours](/api/v3/ticker/24hr?symbol=BTCUSDT)
- [Book](/api/v3/depth?symbol=BTCUSDT&limit=5)
- [Candles](/api/v3/klines?symbol=BTCUSDT&interval=1h&limit=24)

## Optional

- [Calls of the apps](/docs): the exchange's own web API with sessions
- [Status](/status): incidents, halts, uptime, latency of orders and durations of withdrawals; as JSON at /status.json
- [Charts](/udf/config): a datafeed for TradingView's charting library
- [Listing sites](/cmc/summary): the formats of CoinMarketCap, and of CoinGecko below /coingecko
`;

/** The reference pages of the API with style and script, and the description for programs. */
export function referencePages(version: string): Page[] {
  let html: string | undefined;
  return [
    {
      path: '/docs/api',
      demoOnly: false,
      serve: () => ({ type: 'html', body: (html ??= referencePage(version)) }),
    },
    {
      path: STYLE_PATH,
      demoOnly: false,
      serve: () => ({ type: 'css', body: REFERENCE_STYLE }),
    },
    {
      path: SCRIPT_PATH,
      demoOnly: false,
      serve: () => ({ type: 'javascript', body: REFERENCE_SCRIPT }),
    },
    {
      path: '/llms.txt',
      demoOnly: false,
      serve: () => ({ type: 'text', body: MAP }),
    },
  ];
}
