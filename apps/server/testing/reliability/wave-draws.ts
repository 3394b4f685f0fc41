import type { SeededRandom } from '../seeded-random.ts';
import type { CallKind, IntendedRequest } from './repeatable-calls.ts';

/** Prices in USDT around which a wave's random orders are drawn. */
export interface Prices {
  readonly btc: number;
  readonly eth: number;
}

type Fields = IntendedRequest['fields'];

const BTC = { baseCoin: 'BTC', quoteCoin: 'USDT' } as const;
const ETH = { baseCoin: 'ETH', quoteCoin: 'USDT' } as const;
/**
 * The pair of all market orders of a wave. The wave places no resting orders on it, because market orders shortly after
 * the server's start would fill resting orders of the test's accounts.
 */
const LTC = { baseCoin: 'LTC', quoteCoin: 'USDT' } as const;
/** Fields of a cancel-all request for sell orders on BTC/USDT, which leaves the buy orders open. */
const BTC_SELLS = { ...BTC, tradeType: 'sell' } as const;
/**
 * Prefix of the request ids of all requests in waves, except for claims of demo funds. By this prefix the test
 * recognizes the commits of their batches.
 */
export const KEY_PREFIX = 'dup:';
/**
 * The constants from `BIDS` to `CANCEL_ALLS` are the numbers of requests of each kind per account and wave.
 * Amendments and single cancellations concern only the account's buy orders on BTC/USDT of the same wave
 * (bids). Cancel-all requests concern its orders on ETH/USDT or its sell orders on BTC/USDT.
 */
const BIDS = 5;
const REST = 3;
const STOPS = 2;
const MARKETS = 2;
const AMENDMENTS = 3;
const CANCELS = 2;
const CANCEL_ALLS = 2;
/**
 * Probability that an account claims demo funds in a wave, and that it creates an alert. It is low, because the rate
 * limit `transfer` of both allows two requests per second.
 */
const RARE = 1 / 3;
/**
 * Range of the distance of drawn prices from the market price, in ten-thousandths of the price. The distances are so
 * large that hardly any order fills.
 */
const AWAY = { least: 900, most: 1_400 } as const;
const AMENDED_AWAY = 700;
const AMENDED_STEP = 50;

/** Draws the requests of one account in a wave. A request comes after the request that creates its target. */
export function drawRequests(random: SeededRandom, account: AccountInWave): IntendedRequest[] {
  return new AccountDraw(random, account).intents();
}

export interface AccountInWave {
  readonly owner: number;
  /** Index of the wave, from 0. */
  readonly wave: number;
  /** Request id of the claim of demo funds that the account made when it registered. */
  readonly claimKey: string;
  readonly prices: Prices;
}

class AccountDraw {
  private readonly random: SeededRandom;
  private readonly account: AccountInWave;
  private count = 0;

  constructor(random: SeededRandom, account: AccountInWave) {
    this.random = random;
    this.account = account;
  }

  intents(): IntendedRequest[] {
    const bids = times(BIDS, () => this.bid());
    return [
      ...bids,
      ...times(REST, () => this.resting()),
      ...times(STOPS, () => this.stop()),
      this.oco(),
      ...times(MARKETS, () => this.market()),
      ...times(AMENDMENTS, (index) => this.amendment(index, bids)),
      ...shuffled(this.random, bids)
        .slice(0, CANCELS)
        .map((target) => this.intent('cancel', {}, { target })),
      ...times(CANCEL_ALLS, () => this.cancelAll()),
      ...(this.random.chance(RARE) ? [{ ...this.intent('claim', {}), key: this.account.claimKey }] : []),
      ...(this.random.chance(RARE) ? this.alertAndRemoval() : []),
    ];
  }

  private bid(): IntendedRequest {
    const fields = { ...BTC, tradeType: 'buy', amount: this.amount(), price: this.btcAt(-1) };
    return this.order('limit', fields, { amount: this.otherAmount() });
  }

  private resting(): IntendedRequest {
    const [side, otherSide] = this.random.chance(0.5) ? ['buy', 'sell'] : (['sell', 'buy'] as const);
    const price = around(this.account.prices.eth, (side === 'buy' ? -1 : 1) * this.away());
    const amount = amountOf(this.random, 60, 4);
    return this.order('limit', { ...ETH, tradeType: side, amount, price }, { tradeType: otherSide });
  }

  private stop(): IntendedRequest {
    const fields = { ...BTC, tradeType: 'sell', orderType: 'stopMarket', amount: this.amount() };
    return this.order('stop', { ...fields, stopPrice: this.btcAt(-1) }, { orderType: 'takeProfitMarket' });
  }

  private oco(): IntendedRequest {
    const prices = { limitPrice: this.btcAt(1), stopPrice: this.btcAt(-1) };
    const fields = { ...BTC, tradeType: 'sell', amount: this.amount(), ...prices };
    return this.order('oco', fields, { amount: this.otherAmount() });
  }

  private market(): IntendedRequest {
    const fields = { ...LTC, tradeType: 'buy', orderType: 'market' };
    return this.random.chance(0.5)
      ? this.order('market', { ...fields, total: String(this.random.whole(12, 24)) }, { total: '25' })
      : this.order('market', { ...fields, amount: amountOf(this.random, 20, 2) }, { amount: '0.50' });
  }

  /** Draws an amendment. Each amendment of an account has a different price, so that it always changes the order. */
  private amendment(index: number, bids: readonly IntendedRequest[]): IntendedRequest {
    const { btc } = this.account.prices;
    const distance = AMENDED_AWAY + AMENDED_STEP * index + this.random.whole(1, AMENDED_STEP - 1);
    const other = { price: around(btc, -AMENDED_AWAY) };
    return this.intent(
      'amendment',
      { price: around(btc, -distance) },
      { target: this.random.pick(bids), other },
    );
  }

  private cancelAll(): IntendedRequest {
    const [fields, other] = this.random.chance(0.5) ? [ETH, BTC_SELLS] : [BTC_SELLS, ETH];
    return this.intent('cancelAll', fields, { other });
  }

  private alertAndRemoval(): IntendedRequest[] {
    const price = around(this.account.prices.btc, this.random.whole(5_000, 9_000));
    const fields = { symbol: 'btcusdt', condition: 'gte', price };
    const alert = this.intent('alert', fields, { other: { ...fields, repeat: '1' } });
    return [alert, this.intent('alertRemoval', {}, { target: alert })];
  }

  private order(kind: CallKind, fields: Fields, other: Fields): IntendedRequest {
    return this.intent(kind, fields, { other: { ...fields, ...other } });
  }

  private intent(
    kind: CallKind,
    fields: Fields,
    relations: Pick<IntendedRequest, 'other' | 'target'> = {},
  ): IntendedRequest {
    this.count += 1;
    const { owner, wave } = this.account;
    return { kind, owner, key: `${KEY_PREFIX}${wave}:${owner}:${this.count}`, fields, ...relations };
  }

  private btcAt(direction: 1 | -1): string {
    return around(this.account.prices.btc, direction * this.away());
  }

  private away(): number {
    return this.random.whole(AWAY.least, AWAY.most);
  }

  private amount(): string {
    return amountOf(this.random, 20, 5);
  }

  /**
   * Draws an amount that is larger than any that `amount` draws, for a copy of a request that has the same
   * request id but another content.
   */
  private otherAmount(): string {
    return amountOf(this.random, 61, 5);
  }
}

function shuffled<T>(random: SeededRandom, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: random.whole(0, 1_000_000) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

function times<T>(count: number, create: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => create(index));
}

function amountOf(random: SeededRandom, least: number, digits: number): string {
  return (random.whole(least, least + 20) / 10 ** digits).toFixed(digits);
}

function around(price: number, parts: number): string {
  return (price * (1 + parts / 10_000)).toFixed(2);
}
