import type { SeededRandom } from '../seeded-random.ts';
import type { CallKind, Intent } from './repeatable-calls.ts';

/** The prices that a wave's orders are drawn around, in USDT. */
export interface Prices {
  readonly btc: number;
  readonly eth: number;
}

type Fields = Intent['fields'];

const BTC = { baseCoin: 'BTC', quoteCoin: 'USDT' } as const;
const ETH = { baseCoin: 'ETH', quoteCoin: 'USDT' } as const;
/** For market orders alone: right after a start they would meet the resting orders of the others. */
const LTC = { baseCoin: 'LTC', quoteCoin: 'USDT' } as const;
/** What a cancel-all is narrowed to where it is not the whole second pair. */
const ASKS = { ...BTC, tradeType: 'sell' } as const;
/** What the keys of all waves begin with, and nothing else in a batch. */
export const KEY_PREFIX = 'dup:';
/** What one account does in a wave: bids are amended and cancelled, everything else is left to cancel-alls. */
const BIDS = 5;
const REST = 3;
const STOPS = 2;
const MARKETS = 2;
const AMENDMENTS = 3;
const CANCELS = 2;
const CANCEL_ALLS = 2;
/** Alerts and claims are limited to two a second, so not everybody makes some. */
const RARE = 1 / 3;
/** Distances from the market in parts of ten thousand: so far away that hardly anything is executed. */
const AWAY = { least: 900, most: 1_400 } as const;
const AMENDED_AWAY = 700;
const AMENDED_STEP = 50;

/** All that one account means to do in a wave, each intent behind the one that it changes something of. */
export function drawIntents(random: SeededRandom, given: AccountInWave): Intent[] {
  return new AccountDraw(random, given).intents();
}

export interface AccountInWave {
  readonly owner: number;
  /** From 0. */
  readonly wave: number;
  /** The request id under which the account has claimed its play money. */
  readonly claimKey: string;
  readonly prices: Prices;
}

class AccountDraw {
  private readonly random: SeededRandom;
  private readonly given: AccountInWave;
  private count = 0;

  constructor(random: SeededRandom, given: AccountInWave) {
    this.random = random;
    this.given = given;
  }

  intents(): Intent[] {
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
      ...(this.random.chance(RARE) ? [{ ...this.intent('claim', {}), key: this.given.claimKey }] : []),
      ...(this.random.chance(RARE) ? this.alertAndRemoval() : []),
    ];
  }

  private bid(): Intent {
    const fields = { ...BTC, tradeType: 'buy', amount: this.amount(), price: this.btcAt(-1) };
    return this.order('limit', fields, { amount: this.otherAmount() });
  }

  private resting(): Intent {
    const [side, otherSide] = this.random.chance(0.5) ? ['buy', 'sell'] : (['sell', 'buy'] as const);
    const price = around(this.given.prices.eth, (side === 'buy' ? -1 : 1) * this.away());
    const amount = amountOf(this.random, 60, 4);
    return this.order('limit', { ...ETH, tradeType: side, amount, price }, { tradeType: otherSide });
  }

  private stop(): Intent {
    const fields = { ...BTC, tradeType: 'sell', orderType: 'stopMarket', amount: this.amount() };
    return this.order('stop', { ...fields, stopPrice: this.btcAt(-1) }, { orderType: 'takeProfitMarket' });
  }

  private oco(): Intent {
    const prices = { limitPrice: this.btcAt(1), stopPrice: this.btcAt(-1) };
    const fields = { ...BTC, tradeType: 'sell', amount: this.amount(), ...prices };
    return this.order('oco', fields, { amount: this.otherAmount() });
  }

  private market(): Intent {
    const fields = { ...LTC, tradeType: 'buy', orderType: 'market' };
    return this.random.chance(0.5)
      ? this.order('market', { ...fields, total: String(this.random.whole(12, 24)) }, { total: '25' })
      : this.order('market', { ...fields, amount: amountOf(this.random, 20, 2) }, { amount: '0.50' });
  }

  /** Each of an account has a price of its own, so that it changes something whatever came before it. */
  private amendment(index: number, bids: readonly Intent[]): Intent {
    const { btc } = this.given.prices;
    const away = AMENDED_AWAY + AMENDED_STEP * index + this.random.whole(1, AMENDED_STEP - 1);
    const other = { price: around(btc, -AMENDED_AWAY) };
    return this.intent('amendment', { price: around(btc, -away) }, { target: this.random.pick(bids), other });
  }

  private cancelAll(): Intent {
    const [fields, other] = this.random.chance(0.5) ? [ETH, ASKS] : [ASKS, ETH];
    return this.intent('cancelAll', fields, { other });
  }

  private alertAndRemoval(): Intent[] {
    const price = around(this.given.prices.btc, this.random.whole(5_000, 9_000));
    const fields = { symbol: 'btcusdt', condition: 'gte', price };
    const alert = this.intent('alert', fields, { other: { ...fields, repeat: '1' } });
    return [alert, this.intent('alertRemoval', {}, { target: alert })];
  }

  private order(kind: CallKind, fields: Fields, other: Fields): Intent {
    return this.intent(kind, fields, { other: { ...fields, ...other } });
  }

  private intent(kind: CallKind, fields: Fields, more: Pick<Intent, 'other' | 'target'> = {}): Intent {
    this.count += 1;
    const { owner, wave } = this.given;
    return { kind, owner, key: `${KEY_PREFIX}${wave}:${owner}:${this.count}`, fields, ...more };
  }

  private btcAt(direction: 1 | -1): string {
    return around(this.given.prices.btc, direction * this.away());
  }

  private away(): number {
    return this.random.whole(AWAY.least, AWAY.most);
  }

  private amount(): string {
    return amountOf(this.random, 20, 5);
  }

  /** More than any that is drawn as `amount`. */
  private otherAmount(): string {
    return amountOf(this.random, 61, 5);
  }
}

function shuffled<T>(random: SeededRandom, items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: random.whole(0, 1_000_000) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function amountOf(random: SeededRandom, least: number, digits: number): string {
  return (random.whole(least, least + 20) / 10 ** digits).toFixed(digits);
}

function around(price: number, parts: number): string {
  return (price * (1 + parts / 10_000)).toFixed(2);
}
