import { Decimal } from '@exchange/core/decimal.ts';
import type { Side } from '@exchange/core/pair.ts';
import { claimFaucet } from '@exchange/wire/account.ts';
import { marketDetails } from '@exchange/wire/market.ts';
import { cancelAllOrders, createOrder } from '@exchange/wire/spot.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { registerAt } from '../../apps/server/testing/register.ts';
import { callerOf, demoToken, type Call } from './calls.ts';
import { TIMEOUT } from './desk.ts';
import { numberIn } from './reading.ts';

/** Settings of an exchange without market makers. */
export const STILL = { HOUSE_TRADING: 'off' };

const decimal = (text: string): Decimal => Decimal.parse(text);
/** Offered amounts on each side, more than a test trades between two price changes. */
const OFFERED = { BTC: decimal('0.05'), ETH: decimal('1') };
/** Distance between bid and ask, in USDT. */
const SPREAD = decimal('20');
/**
 * Amount that a price change takes. Resting orders of the test at that price are filled first, and part of the offer
 * must remain for it.
 */
const TAKEN = decimal('0.003');
const TAKER = 'the.other.one@example.com';

type Coin = keyof typeof OFFERED;

/**
 * The BTC/USDT and ETH/USDT markets of two other users, one of whom quotes both sides while the other takes, without
 * a browser. Prices change only on request, so values that a test has read stay valid. Only the BTC price changes.
 */
export class StillMarket {
  private readonly place: (token: string, fields: Record<string, string>) => Promise<unknown>;
  private readonly withdraw: (coin: Coin) => Promise<unknown>;
  private readonly tokens: { readonly maker: string; readonly taker: string };
  private bid = Decimal.zero;

  private constructor(call: Call, tokens: { readonly maker: string; readonly taker: string }) {
    const send = (path: string, token: string, fields: Record<string, string>) =>
      call(path, { ...fields, quoteCoin: 'USDT', clientId: crypto.randomUUID() }, token);
    this.place = (token, fields) => send(createOrder.path, token, fields);
    this.withdraw = (coin) => send(cancelAllOrders.path, tokens.maker, { baseCoin: coin });
    this.tokens = tokens;
  }

  /** Registers both users on an exchange with the settings `STILL`. The market starts at the last price. */
  static async open(origin: string): Promise<StillMarket> {
    const call = callerOf(origin);
    const market = new StillMarket(call, {
      maker: await demoToken(call),
      taker: await newUser(origin, call),
    });
    const close = async (coin: Coin): Promise<Decimal> => {
      const ticker = await call(marketDetails.path, { symbol: `${coin.toLowerCase()}usdt` });
      return decimal(String((ticker as { close: number }).close));
    };
    await market.quote('ETH', await close('ETH'));
    await market.moveLast('buy', await close('BTC'));
    return market;
  }

  /**
   * Returns the BTC bid and ask as soon as a trading page shows a last price between them, because its order form
   * validates against that price.
   */
  async edges(page: Page): Promise<{ readonly floor: Decimal; readonly ceiling: Decimal }> {
    const edges = { floor: this.bid, ceiling: this.bid.plus(SPREAD) };
    const deadline = Date.now() + TIMEOUT.timeout;
    for (;;) {
      const title = await page.title();
      const last = /\d/.test(title) ? numberIn(title) : Decimal.zero;
      if (!last.isLess(edges.floor) && !last.isMore(edges.ceiling)) return edges;
      if (Date.now() > deadline) throw new Error(`The page does not hear of the market: ${title}.`);
      await pause(TIMEOUT.interval);
    }
  }

  /** Trades BTC at `price`; `side` is the taker's. The quotes then surround the price. */
  async moveLast(side: Side, price: Decimal): Promise<void> {
    await this.quote('BTC', side === 'buy' ? price.minus(SPREAD) : price);
    await this.place(this.tokens.taker, {
      baseCoin: 'BTC',
      tradeType: typeOf(side),
      orderType: 'limit',
      timeInForce: 'IOC',
      price: price.toString(),
      amount: TAKEN.toString(),
    });
  }

  /** Places a resting order for an amount of a coin. */
  async offer(side: Side, price: Decimal, amount: Decimal, coin: Coin = 'BTC'): Promise<void> {
    await this.place(this.tokens.maker, {
      baseCoin: coin,
      tradeType: typeOf(side),
      orderType: 'limit',
      price: price.toString(),
      amount: amount.toString(),
    });
  }

  /** Replaces the quotes: one at `bid`, one at the spread above. */
  private async quote(coin: Coin, bid: Decimal): Promise<void> {
    await this.withdraw(coin);
    const prices = { buy: bid, sell: bid.plus(SPREAD) };
    for (const side of ['buy', 'sell'] as const) await this.offer(side, prices[side], OFFERED[coin], coin);
    if (coin === 'BTC') this.bid = bid;
  }
}

const typeOf = (side: Side): string => (side === 'buy' ? '1' : '2');

/** Registers a user with demo funds by the code on the mail page. Returns the token. */
async function newUser(origin: string, call: Call): Promise<string> {
  const { token } = await registerAt(origin, TAKER);
  await call(claimFaucet.path, { clientId: crypto.randomUUID() }, token);
  return token;
}
