import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What goes wrong at a venue. */
export type VenueFault =
  | 'garbage'
  | 'limited'
  | 'silent'
  | 'fast clock'
  | 'slow clock'
  | 'disconnect'
  | 'long price';

const CLOCK_OFF_MS = 60_000;
const JSON_TYPE = { 'content-type': 'application/json' };

/** A local server that lists BTC/USDT and tells its price in the dialect of a venue, with faults on demand. */
export class FakeVenue {
  price: string;
  fault: VenueFault | undefined;
  asked = 0;
  private readonly dialect: 'binance' | 'okx';
  private readonly server = createServer((request, response) => this.answer(request, response));

  constructor(dialect: 'binance' | 'okx', price: string) {
    this.dialect = dialect;
    this.price = price;
  }

  /** Gives the origin on which it listens. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
    if (url.includes('exchangeInfo') || url.includes('instruments'))
      return this.send(response, this.listing());
    this.asked += 1;
    if (this.fault === 'silent') return;
    if (this.fault === 'disconnect') return void response.destroy();
    if (this.fault === 'garbage') return void response.writeHead(200, JSON_TYPE).end('{"symbol":"BTC');
    if (this.fault === 'limited')
      return void response.writeHead(429, JSON_TYPE).end('{"code":-1003,"msg":"slow down"}');
    const off = this.fault === 'fast clock' ? CLOCK_OFF_MS : this.fault === 'slow clock' ? -CLOCK_OFF_MS : 0;
    const at = Date.now() + off;
    const price = this.fault === 'long price' ? `${this.price}.123456789012345678` : this.price;
    this.send(response, this.dialect === 'binance' ? binanceTickers(price, at) : okxTickers(price, at));
  }

  private listing(): unknown {
    return this.dialect === 'binance' ? BINANCE_LISTING : OKX_LISTING;
  }

  private send(response: ServerResponse, body: unknown): void {
    response.writeHead(200, JSON_TYPE).end(JSON.stringify(body));
  }
}

const BINANCE_LISTING = {
  timezone: 'UTC',
  symbols: [
    {
      ...{
        symbol: 'BTCUSDT',
        status: 'TRADING',
        baseAsset: 'BTC',
        baseAssetPrecision: 8,
        quoteAsset: 'USDT',
      },
      ...{
        quotePrecision: 8,
        quoteAssetPrecision: 8,
        orderTypes: ['LIMIT', 'MARKET'],
        isSpotTradingAllowed: true,
      },
      ...{ isMarginTradingAllowed: false, permissions: ['SPOT'], permissionSets: [['SPOT']] },
      filters: [{ filterType: 'PRICE_FILTER', minPrice: '0.01', maxPrice: '1000000', tickSize: '0.01' }],
    },
  ],
};
const OKX_LISTING = {
  code: '0',
  msg: '',
  data: [
    {
      ...{ instType: 'SPOT', instId: 'BTC-USDT', baseCcy: 'BTC', quoteCcy: 'USDT', settleCcy: '', ctVal: '' },
      ...{ optType: '', stk: '', listTime: '1611907686000', expTime: '', lever: '10', tickSz: '0.1' },
      ...{ lotSz: '0.00000001', minSz: '0.00001', ctType: '', state: 'live', uly: '', instFamily: '' },
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
