import { accountsOfPart } from '@exchange/core/accounts.ts';
import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Reader } from '../../platform/database/database.ts';
import { periodProblem } from '@exchange/core/period.ts';
import { Refused } from '@exchange/core/refusal.ts';
import type { FieldsOf } from '@exchange/wire/endpoint.ts';
import type { accountEvents, EVENT_FILTERS, tradeRecords } from '@exchange/wire/portfolio.ts';
import { mapPage, rowsOfPage, type PagedRows } from '../../platform/database/paged-rows.ts';
import { inSnapshot } from '../../platform/database/snapshot.ts';
import type { Assets } from '../assets/index.ts';
import type { Identity } from '../identity/index.ts';
import {
  kindsOfEvents,
  type AccountEvent,
  type EventType,
  type Movements,
  typeOfEvent,
} from '../ledger/index.ts';
import type { SubAccountNames } from './tax-years.ts';
import { type Valuation, type ValuedHolding, WORTH_PLACES } from './valuation.ts';
import type { Values, ValueAt } from './values.ts';

const GROUPS = { '1': 'spot', '2': 'seconds', '3': 'products', '4': undefined } as const;

/** A user's holdings and their total value at one instant, in USDT (`total`) and in BTC. */
interface Snapshot {
  readonly at: Instant;
  readonly holdings: readonly ValuedHolding[];
  readonly total: Decimal;
  readonly totalBtc: Decimal;
  /**
   * The user's total value at the end of the latest UTC day that is stored, with the net inflow into the
   * account since then; undefined if no daily value is stored.
   */
  readonly last: ValueAt | undefined;
}

/** The event types that each filter of the account history shows. */
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

/**
 * Reads the total value, the holdings and the account events of a user. For display only; no decision depends
 * on these data.
 */
export class Portfolio {
  private readonly reader: Reader;
  private readonly valuation: Valuation;
  private readonly values: Values;
  private readonly movements: Pick<Movements, 'eventAt' | 'eventsOf' | 'ofOwner'>;
  private readonly assets: Pick<Assets, 'requireCoin' | 'coins'>;
  private readonly identity: Pick<Identity, 'accountsOfPerson'>;
  private readonly subAccountNames: SubAccountNames;

  constructor(parts: {
    reader: Reader;
    valuation: Valuation;
    values: Values;
    movements: Pick<Movements, 'eventAt' | 'eventsOf' | 'ofOwner'>;
    assets: Pick<Assets, 'requireCoin' | 'coins'>;
    identity: Pick<Identity, 'accountsOfPerson'>;
    subAccountNames: SubAccountNames;
  }) {
    this.reader = parts.reader;
    this.valuation = parts.valuation;
    this.values = parts.values;
    this.movements = parts.movements;
    this.assets = parts.assets;
    this.identity = parts.identity;
    this.subAccountNames = parts.subAccountNames;
  }

  /**
   * Movements of a user, newest first. Without a requested account these are the changes of available and
   * frozen balances, but not of locked ones, of all accounts; with one, all changes of the account's
   * balances. Refuses an unknown coin, and a period that ends before it starts.
   */
  records(owner: UserId, fields: FieldsOf<typeof tradeRecords>) {
    const problem = periodProblem(fields);
    if (problem !== undefined) throw new Refused(problem);
    if (fields.currency !== undefined) this.assets.requireCoin(fields.currency, 'currency');
    const accountFilter =
      fields.account === undefined ? { leavesOutLocked: true } : { products: accountsOfPart(fields.account) };
    const filter = {
      asset: fields.currency,
      from: fields.startTime,
      to: fields.endTime,
      group: GROUPS[fields.type],
      ...accountFilter,
    };
    return this.movements.ofOwner(owner, filter, rowsOfPage(fields));
  }

  /**
   * Account events of a user, newest first, or the one with the entry number `entry`, whatever the other filters; this
   * one can also be an event of a sub-account of the user.
   * Refuses unknown coins and periods that end before they start.
   */
  async events(owner: UserId, fields: FieldsOf<typeof accountEvents>) {
    const problem = periodProblem(fields);
    if (problem !== undefined) throw new Refused(problem);
    const { event, entry, currency: asset, startTime, endTime } = fields;
    if (asset !== undefined) this.assets.requireCoin(asset, 'currency');
    if (entry !== undefined) return this.eventPage(owner, entry, rowsOfPage(fields));
    const filter = {
      asset,
      from: startTime,
      to: endTime,
      kinds: event === undefined ? undefined : kindsOfEvents(EVENTS_OF[event]),
    };
    const events = await this.movements.eventsOf(owner, filter, rowsOfPage(fields));
    return mapPage(events, (event) => ({ ...event, type: typeOfEvent(event.kind), subAccount: '' }));
  }

  /**
   * A list whose first page contains only the event of the ledger entry `entry`, of the user or of one of the user's
   * sub-accounts; the first page is empty if there is no such event. All other pages are empty.
   */
  private async eventPage(owner: UserId, entry: number, { offset, after }: PagedRows) {
    const others = (await this.identity.accountsOfPerson(owner)).filter((account) => account !== owner);
    const event = await this.movements.eventAt([owner, ...others], entry);
    const list = event === undefined ? [] : [await this.named(event, owner)];
    const isFirst = offset === 0 && after === undefined;
    return { list: isFirst ? list : [], total: list.length, anchor: undefined, next: undefined };
  }

  /** An event with its type, and the name of the sub-account whose event it is; empty if it is the user's own. */
  private async named<Event extends AccountEvent & { readonly owner: UserId }>(event: Event, user: UserId) {
    const subAccount =
      event.owner === user ? '' : ((await this.subAccountNames(user)).get(event.owner) ?? '');
    return { ...event, type: typeOfEvent(event.kind), subAccount };
  }

  /** Display name of a coin; the code of a coin that is not listed. */
  nameOf(asset: string): string {
    return this.assets.coins.find(({ code }) => code === asset)?.name ?? asset;
  }

  /**
   * A user's holdings on every account, valued at one set of prices, so that all sums are consistent. Coins without a
   * price are valued at zero; the total in BTC is zero if BTC has no price.
   */
  async snapshot(owner: UserId): Promise<Snapshot> {
    const prices = this.valuation.prices();
    const [holdings, lastValue] = await inSnapshot(this.reader, async (tx) => [
      await this.valuation.holdingsOf(tx, owner, prices),
      await this.values.last(tx, owner, prices),
    ]);
    const total = sum(holdings.map(({ worth }) => worth));
    const btcPrice = prices.coins.get('BTC');
    const totalBtc = btcPrice === undefined ? Decimal.zero : total.over(btcPrice, 'down', WORTH_PLACES);
    return { at: prices.at, holdings, total, totalBtc, last: lastValue };
  }

  /** Value per account in USDT, and in total in USDT and BTC; 8 decimals, rounded down. */
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
