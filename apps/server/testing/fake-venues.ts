import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';

/** Simulated faults of a price venue, which affect its responses and its stream. */
export type VenueFault =
  | 'garbage'
  | 'limited'
  | 'silent'
  | 'fast clock'
  | 'slow clock'
  | 'disconnect'
  | 'long price'
  | 'outlier';

const CLOCK_OFF_MS = 60_000;
/** Interval in milliseconds between two prices of a stream. */
const STREAM_EVERY_MS = 25;
const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * A simulated venue on this machine. It lists BTC/USDT and publishes the price over HTTP and over a stream, in the
 * format of Binance or OKX. Tests set its faults.
 */
export class FakeVenue {
  price: string;
  fault: VenueFault | undefined;
  /** Simulated fault that affects only the venue's stream and not its HTTP responses; undefined for none. */
  streamFault: VenueFault | undefined;
  requestCount = 0;
  /** Number of prices that the venue sent over streams, including faulty ones. */
  streamedCount = 0;
  /** Number of attempts to connect to the venue's stream, including those that the fault rejected. */
  streamAttempts = 0;
  private readonly dialect: 'binance' | 'okx';
  private readonly server = createServer((request, response) => this.answer(request, response));
  private readonly streams = new WebSocketServer({ noServer: true });
  private streamTimer: NodeJS.Timeout | undefined;

  constructor(dialect: 'binance' | 'okx', price: string) {
    this.dialect = dialect;
    this.price = price;
  }

  /** Starts the venue's server and returns its origin. The stream has the same address with `ws:`. */
  async start(): Promise<string> {
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.acceptStream(request, socket, head),
    );
    this.streamTimer = setInterval(() => {
      for (const listener of this.streams.clients) this.sendPrice(listener);
    }, STREAM_EVERY_MS);
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    clearInterval(this.streamTimer);
    for (const listener of this.streams.clients) listener.terminate();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
    if (url.includes('exchangeInfo') || url.includes('instruments'))
      return this.send(response, this.listing());
    this.requestCount += 1;
    if (this.fault === 'silent') return;
    if (this.fault === 'disconnect') return void response.destroy();
    if (this.fault === 'garbage') return void response.writeHead(200, JSON_TYPE).end('{"symbol":"BTC');
    if (this.fault === 'limited')
      return void response.writeHead(429, JSON_TYPE).end('{"code":-1003,"msg":"slow down"}');
    const { price, at } = this.currentPrice(this.fault);
    this.send(response, this.dialect === 'binance' ? binanceTickers(price, at) : okxTickers(price, at));
  }

  /** Returns the published price and its time in milliseconds, after the fault has changed them. */
  private currentPrice(fault: VenueFault | undefined): { price: string; at: number } {
    const offsetMs = fault === 'fast clock' ? CLOCK_OFF_MS : fault === 'slow clock' ? -CLOCK_OFF_MS : 0;
    const faultyPrices = { 'long price': `${this.price}.123456789012345678`, outlier: `9${this.price}` };
    const price = fault === 'long price' || fault === 'outlier' ? faultyPrices[fault] : this.price;
    return { price, at: Date.now() + offsetMs };
  }

  private acceptStream(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.streamAttempts += 1;
    const fault = this.streamFault ?? this.fault;
    if (fault === 'disconnect') return void socket.destroy();
    if (fault === 'limited')
      return void socket.end('HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n');
    this.streams.handleUpgrade(request, socket, head, (listener) => {
      listener.on('message', (message: Buffer) => this.receive(listener, message.toString()));
    });
  }

  /** Answers a client's message on the stream: a subscription in the format of Binance or OKX, or a ping of OKX. */
  private receive(listener: WebSocket, message: string): void {
    if (message === 'ping') return listener.send('pong');
    const { id, args } = JSON.parse(message) as { id?: number; args?: readonly unknown[] };
    const answer =
      this.dialect === 'binance'
        ? { result: null, id }
        : { event: 'subscribe', arg: args?.[0], connId: 'a4d3ae55' };
    listener.send(JSON.stringify(answer));
    SUBSCRIBED.add(listener);
  }

  private sendPrice(listener: WebSocket): void {
    const fault = this.streamFault ?? this.fault;
    if (!SUBSCRIBED.has(listener) || fault === 'silent') return;
    if (fault === 'disconnect' || fault === 'limited') return listener.terminate();
    this.streamedCount += 1;
    if (fault === 'garbage') return listener.send('{"e":"24hrMiniTicker","s":"BTCUSDT","c":');
    const { price, at } = this.currentPrice(fault);
    listener.send(
      JSON.stringify(this.dialect === 'binance' ? binanceStreamed(price, at) : okxStreamed(price, at)),
    );
  }

  private listing(): unknown {
    return this.dialect === 'binance' ? BINANCE_LISTING : OKX_LISTING;
  }

  private send(response: ServerResponse, body: unknown): void {
    response.writeHead(200, JSON_TYPE).end(JSON.stringify(body));
  }
}

/** Connections that have subscribed to prices. */
const SUBSCRIBED = new WeakSet<WebSocket>();

const BINANCE_LISTING = {
  timezone: 'UTC',
  symbols: [
    {
      symbol: 'BTCUSDT',
      status: 'TRADING',
      baseAsset: 'BTC',
      baseAssetPrecision: 8,
      quoteAsset: 'USDT',

      quotePrecision: 8,
      quoteAssetPrecision: 8,
      orderTypes: ['LIMIT', 'MARKET'],
      isSpotTradingAllowed: true,
      isMarginTradingAllowed: false,
      permissions: ['SPOT'],
      permissionSets: [['SPOT']],
      filters: [{ filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' }],
    },
  ],
};
const OKX_LISTING = {
  code: '0',
  msg: '',
  data: [
    {
      instType: 'SPOT',
      instId: 'BTC-USDT',
      baseCcy: 'BTC',
      quoteCcy: 'USDT',
      settleCcy: '',
      ctVal: '',
      optType: '',
      stk: '',
      listTime: '1611907686000',
      expTime: '',
      lever: '10',
      tickSz: '0.1',
      lotSz: '0.00000001',
      minSz: '0.00001',
      ctType: '',
      state: 'live',
      uly: '',
      instFamily: '',
    },
  ],
};

function binanceTickers(lastPrice: string, closeTime: number): unknown {
  const figures = { openPrice: lastPrice, highPrice: lastPrice, lowPrice: lastPrice, volume: '10.5' };
  return [{ symbol: 'BTCUSDT', lastPrice, ...figures, quoteVolume: '1', openTime: closeTime - 1, closeTime }];
}

function okxTickers(last: string, at: number): unknown {
  const figures = { open24h: last, high24h: last, low24h: last, vol24h: '7', volCcy24h: '8' };
  return {
    code: '0',
    msg: '',
    data: [{ instType: 'SPOT', instId: 'BTC-USDT', last, ...figures, ts: String(at) }],
  };
}

function binanceStreamed(c: string, E: number): unknown {
  return { e: '24hrMiniTicker', E, s: 'BTCUSDT', c, o: c, h: c, l: c, v: '10.5', q: '1' };
}

function okxStreamed(last: string, at: number): unknown {
  const figures = { open24h: last, high24h: last, low24h: last, vol24h: '7', volCcy24h: '8' };
  const best = {
    lastSz: '0.1',
    askPx: last,
    askSz: '1',
    bidPx: last,
    bidSz: '1',
    sodUtc0: last,
    sodUtc8: last,
  };
  return {
    arg: { channel: 'tickers', instId: 'BTC-USDT' },
    data: [{ instType: 'SPOT', instId: 'BTC-USDT', last, ...figures, ...best, ts: String(at) }],
  };
}
