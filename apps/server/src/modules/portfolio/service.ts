import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Reader } from '../../platform/database/database.ts';
import { periodProblem } from '@exchange/core/period.ts';
import { Refused } from '@exchange/core/refusal.ts';
import type { FieldsOf } from '@exchange/wire/endpoint.ts';
import type { accountEvents, EVENT_FILTERS, tradeRecords } from '@exchange/wire/portfolio.ts';
import { mapPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { Assets } from '../assets/index.ts';
import { kindsOfEvents, type EventType, type Movements, typeOfEvent } from '../ledger/index.ts';
import { type Valuation, type ValuedHolding, WORTH_PLACES } from './valuation.ts';
import type { Values, ValueAt } from './values.ts';

const GROUPS = { '1': 'spot', '2': 'seconds', '3': 'products', '4': undefined } as const;
const PRODUCTS_OF = {
  spot: ['spot'],
  seconds: ['seconds'],
  products: ['finance', 'mining', 'fund', 'subscription'],
} as const;

/** Everything a user has, read and valued as of one instant. */
interface Snapshot {
  readonly at: Instant;
  readonly holdings: readonly ValuedHolding[];
  /** In USDT. */
  readonly total: Decimal;
  readonly totalBtc: Decimal;
  /** The end of the last day that has a value, and what came and left since. */
  readonly last: ValueAt | undefined;
}

/** The types of event that each filter stands for. */
const EVENTS_OF: Readonly<Record<(typeof EVENT_FILTERS)[number], readonly EventType[]>> = {
  trade: ['trade'],
  convert: ['convert'],
  deposit: ['deposit'],
  withdrawal: ['withdrawal'],
  transfer: ['transfer'],
  seconds: ['seconds', 'transfer'],
  products: ['finance', 'mining', 'fund', 'launchpad'],
  finance: ['finance'],
  mining: ['mining'],
  fund: ['fund'],
  launchpad: ['launchpad'],
  reward: ['reward'],
  other: ['other'],
};

/** What a user's accounts are worth together. Shown only: no decision is made from it. */
export class Portfolio {
  private readonly reader: Reader;
  private readonly valuation: Valuation;
  private readonly values: Values;
  private readonly movements: Pick<Movements, 'ofOwner' | 'eventsOf'>;
  private readonly assets: Pick<Assets, 'requireCoin' | 'coins'>;

  constructor(parts: {
    reader: Reader;
    valuation: Valuation;
    values: Values;
    movements: Pick<Movements, 'ofOwner' | 'eventsOf'>;
    assets: Pick<Assets, 'requireCoin' | 'coins'>;
  }) {
    this.reader = parts.reader;
    this.valuation = parts.valuation;
    this.values = parts.values;
    this.movements = parts.movements;
    this.assets = parts.assets;
  }

  /** What moved on a user's coin account, or on the accounts that are asked for; newest first. */
  records(owner: UserId, asked: FieldsOf<typeof tradeRecords>) {
    const problem = periodProblem(asked);
    if (problem !== undefined) throw new Refused(problem);
    if (asked.currency !== undefined) this.assets.requireCoin(asked.currency, 'currency');
    const { currency: asset, startTime: from, endTime: to } = asked;
    const of =
      asked.account === undefined ? { isAvailableOnly: true } : { products: PRODUCTS_OF[asked.account] };
    const filter = { asset, from, to, group: GROUPS[asked.type], ...of };
    return this.movements.ofOwner(owner, filter, rowsOfPage(asked));
  }

  /** What happened on a user's accounts, newest first. Refuses an unknown coin and a period that runs backwards. */
  async events(owner: UserId, fields: FieldsOf<typeof accountEvents>) {
    const problem = periodProblem(fields);
    if (problem !== undefined) throw new Refused(problem);
    const { event, currency: asset, startTime: from, endTime: to } = fields;
    if (asset !== undefined) this.assets.requireCoin(asset, 'currency');
    const filter = {
      asset,
      from,
      to,
      kinds: event === undefined ? undefined : kindsOfEvents(EVENTS_OF[event]),
    };
    const events = await this.movements.eventsOf(owner, filter, rowsOfPage(fields));
    return mapPage(events, (event) => ({ ...event, type: typeOfEvent(event.kind) }));
  }

  /** What a coin is called; its code where it has no name. */
  nameOf(asset: string): string {
    return this.assets.coins.find(({ code }) => code === asset)?.name ?? asset;
  }

  /**
   * What a user has of every coin on every account, with its worth at one set of prices: whatever is added up from one
   * snapshot agrees. A coin without a price counts as nothing.
   */
  async snapshot(owner: UserId): Promise<Snapshot> {
    const prices = this.valuation.prices();
    const [holdings, last] = await this.reader
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx: Reader) => [
        await this.valuation.holdingsOf(tx, owner, prices),
        await this.values.last(tx, owner, prices),
      ]);
    const total = sum(holdings.map(({ worth }) => worth));
    const btcPrice = prices.coins.get('BTC');
    const totalBtc = btcPrice === undefined ? Decimal.zero : total.over(btcPrice, 'down', WORTH_PLACES);
    return { at: prices.at, holdings, total, totalBtc, last };
  }

  /** Worth per account in USDT, and in all in USDT and BTC; 8 digits, cut. */
  async overview(owner: UserId) {
    const { holdings, total, totalBtc } = await this.snapshot(owner);
    const worthOf = (account: ValuedHolding['product']) =>
      sum(holdings.filter(({ product }) => product === account).map(({ worth }) => worth));
    return {
      total,
      totalBtc,
      coin: worthOf('spot'),
      contract: worthOf('seconds'),
      finance: worthOf('finance'),
      pool: worthOf('mining'),
      fund: worthOf('fund'),
      subscribe: worthOf('subscription'),
    };
  }
}
