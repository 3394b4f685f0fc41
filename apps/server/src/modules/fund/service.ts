import { ceilingProblem } from '@exchange/core/ceilings.ts';
import type { CandleTimer } from '@exchange/core/candle.ts';
import { Decimal, sum } from '@exchange/core/decimal.ts';
import {
  bought,
  dailyCost,
  heldProfit,
  thresholdOf,
  unitValue,
  WARNS_ANEW_ABOVE,
  type BasketPoint,
  type UnitValue,
} from '@exchange/core/fund.ts';
import type { IndexPoint } from '@exchange/core/index-price.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { DAY_MS, later, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { requireRoom, requireText } from '../../platform/console/field-values.ts';
import { exampleAmount } from '../../platform/console/preview.ts';
import type { Reserve } from '../../platform/health/reserves.ts';
import type { Database, Reader } from '../../platform/database/database.ts';
import type { VersionsBelow } from '../../platform/database/kept-versions.ts';
import { type AskedPage, mapPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Assets } from '../assets/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { FundCommands } from './commands.ts';
import {
  changeProblem,
  termsProblem,
  type Fund,
  type FundTerms,
  type Position,
  type PositionStatus,
  type Sell,
} from './domain.ts';
import { HOUSE } from './posts.ts';
import {
  candlesOf,
  type EquityGain,
  equityGains,
  type HeldTotal,
  heldTotals,
  positionsOf,
  sparks,
  valuesBefore,
} from './records-repository.ts';
import {
  everyFund,
  findFund,
  fundVersions,
  openSells,
  positionOfOrigin,
  positionsByIds,
} from './repository.ts';
import type { FundWatch } from './watch.ts';

const BY_MAX = 100;
const REASON_MAX = 500;
/** Funds whose value is computed every second; more are refused at publication. */
const FUNDS_MAX = 1_000;
const SHARE_PLACES = 4;
const SHOWN_PLACES = 8;

/** What funds ask of who somebody is, before they buy. */
interface AccountStatuses {
  requireTrading(user: UserId, side: 'buy' | 'sell'): Promise<void>;
}

export interface FundParts {
  readonly assets: Pick<Assets, 'findCoin' | 'findPair' | 'requireCoin'>;
  readonly clock: Clock;
  readonly database: Pick<Database, 'reader'>;
  readonly ledger: Ledger;
  readonly market: Pick<Market, 'latestPoint' | 'usdtPrice'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly accountStatuses: AccountStatuses;
  readonly commands: FundCommands;
  readonly watch: Pick<FundWatch, 'valueOf' | 'knownValues' | 'reload' | 'judged'>;
}

interface Share {
  readonly symbol: string;
  readonly coin: string;
  readonly weight: Decimal;
  /** Of the present value. */
  readonly share: Decimal | undefined;
}

/** A fund as anybody sees it. */
export interface OfferedFund {
  readonly fund: Fund;
  readonly value: (UnitValue & { readonly t: Instant }) | undefined;
  /** A day ago. */
  readonly before: Decimal | undefined;
  readonly spark: readonly Decimal[];
  readonly shares: readonly Share[];
  /** How much more notional the house can cover. */
  readonly coverable: Decimal;
  readonly digits: number;
}

/** A position as its owner sees it. */
export interface SeenPosition {
  readonly position: Position;
  readonly fund: Fund;
  /** The latest unit value. */
  readonly value: Decimal | undefined;
  readonly sells: readonly Sell[];
  readonly digits: number;
}

/** What open positions come to in USDT, and the sums by fund that it follows from. */
export interface HeldTotals {
  readonly margin: Decimal;
  readonly profit: Decimal;
  readonly equity: Decimal;
  /** `rate`: USDT for one of the fund's currency. */
  readonly byFund: readonly (HeldTotal & { readonly rate: Decimal })[];
}

/** What a margin would buy. */
export interface Example extends ReturnType<typeof boughtAt>, Omit<Ticket, 'fund'> {}

interface Ticket {
  readonly fund: string;
  readonly margin: Decimal;
  readonly leverage: number;
}

interface Why {
  readonly by: string;
  readonly reason: string;
}

/** Funds that can be bought come first, closed ones last. */
function saleOrder({ isOpen, closedAt }: Fund): number {
  if (closedAt !== undefined) return 2;
  return isOpen ? 0 : 1;
}

/** One method per use case of leveraged funds. */
export class Funds {
  private readonly parts: FundParts;

  constructor(parts: FundParts) {
    this.parts = parts;
  }

  /** Every fund with its value: those that can be bought first, the newest first among equals. */
  async offered(): Promise<OfferedFund[]> {
    const { reader } = this.parts.database;
    const now = this.parts.clock.now();
    const [funds, before, lines] = await Promise.all([
      everyFund(reader),
      valuesBefore(reader, later(now, -DAY_MS)),
      sparks(reader, now),
    ]);
    const offered = funds.map((fund) =>
      this.seen(fund, funds, before.get(fund.id), lines.get(fund.id) ?? []),
    );
    return offered.toReversed().toSorted((one, other) => saleOrder(one.fund) - saleOrder(other.fund));
  }

  async detail(id: string): Promise<{ offered: OfferedFund; insurance: Decimal }> {
    const offered = (await this.offered()).find(({ fund }) => fund.id === id);
    if (offered === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return { offered, insurance: this.parts.ledger.balance(HOUSE.insurance, offered.fund.asset) };
  }

  /** Candles of a fund's unit value, oldest first, opened before a second. */
  async candles(id: string, timer: CandleTimer, size: number, before: number | undefined) {
    const { database, clock } = this.parts;
    await this.require(id);
    const until = before ?? Math.floor(clock.now() / SECOND_MS) + 1;
    return candlesOf(database.reader, id, timer, until, size);
  }

  /** What a margin would buy at the present value. */
  async preview({ fund: id, margin, leverage }: Ticket) {
    const fund = await this.require(id);
    if (!fund.leverages.includes(leverage)) {
      const about = { field: 'leverage', limit: fund.leverages.join(', '), value: String(leverage) };
      throw new Refused(refusal('invalidField', 'l.fund_leverage', about));
    }
    const value = this.parts.watch.valueOf(id)?.value ?? undefined;
    if (value === undefined) throw new Refused(refusal('closed', 'l.fund_no_value'));
    return { nav: value, ...boughtAt(fund, { margin, leverage }, value) };
  }

  /** Buys for a user who may buy; the same key again gives the first answer. */
  async buy(
    owner: UserId,
    ticket: Ticket & { readonly version?: number | undefined },
    submission?: Submission,
  ) {
    const { accountStatuses, sequencer, commands } = this.parts;
    await accountStatuses.requireTrading(owner, 'buy');
    return sequencer.execute(commands.buy, { owner, ...ticket }, { actor: owner, submission });
  }

  sell(
    owner: UserId,
    sale: { position: string; quantity: Decimal; price: Decimal | undefined; isLimit: boolean },
    submission?: Submission,
  ) {
    const { price, ...rest } = sale;
    const input = { owner, ...rest, ...(price === undefined ? {} : { price }) };
    return this.parts.sequencer.execute(this.parts.commands.sell, input, { actor: owner, submission });
  }

  /** Takes back one order to sell, or all of a position; every second that was published is judged before. */
  async cancelSell(owner: UserId, id: string) {
    await this.requireJudged();
    return this.parts.sequencer.execute(this.parts.commands.cancelSell, { owner, id }, { actor: owner });
  }

  /** Adds margin; every second that was published is judged before it counts. */
  async addMargin(owner: UserId, position: string, amount: Decimal, submission?: Submission) {
    const { database, watch, sequencer, commands } = this.parts;
    const [found] = await positionsByIds(database.reader, [position]);
    // Last: a second that is published while something else is waited for would be neither judged nor the value.
    await this.requireJudged();
    const value = found && (watch.valueOf(found.fund)?.value ?? undefined);
    const warnsAnewAbove = WARNS_ANEW_ABOVE;
    const input = { owner, position, amount, warnsAnewAbove, ...(value === undefined ? {} : { value }) };
    return sequencer.execute(commands.addMargin, input, { actor: owner, submission });
  }

  /** A user's positions, and what those that are held come to in USDT. */
  async positions(owner: UserId, status: PositionStatus | undefined, page: AskedPage) {
    const { reader } = this.parts.database;
    const values = this.unitValues();
    const [found, held, every] = await Promise.all([
      positionsOf(reader, owner, status, rowsOfPage(page)),
      heldTotals(reader, owner, values),
      everyFund(reader),
    ]);
    const funds = new Map(every.map((fund) => [fund.id, fund]));
    const sells = await openSells(
      reader,
      found.list.map(({ id }) => id),
    );
    const seen = mapPage(found, (position) =>
      this.seenPosition(position, funds.get(position.fund)!, sells, values),
    );
    const totals = this.totalsOf(held, values);
    return { ...seen, totals };
  }

  /** Every fund's latest unit value by its id, for valuing positions. */
  unitValues(): ReadonlyMap<string, Decimal> {
    return new Map(this.parts.watch.knownValues);
  }

  /**
   * How much more (or, below zero, less) the open positions of these users are worth than the balances locked for them, by
   * owner and currency, at `values` by fund. The balance of the fund accounts plus this is the equity of the positions.
   */
  equityGains(
    reader: Reader,
    owners: readonly UserId[],
    values: ReadonlyMap<string, Decimal>,
  ): Promise<EquityGain[]> {
    return equityGains(reader, owners, values);
  }

  /** Sums of open positions in USDT, 8 digits, with what each fund adds to them; equity is margin plus profit. */
  private totalsOf(held: readonly HeldTotal[], values: ReadonlyMap<string, Decimal>): HeldTotals {
    const rateOf = (asset: string) => this.parts.market.usdtPrice(asset) ?? Decimal.zero;
    const byFund = held.map((total) => ({ ...total, rate: rateOf(total.asset) }));
    const inUsdt = (amount: Decimal, rate: Decimal) => amount.times(rate, 'down', SHOWN_PLACES);
    const margin = sum(byFund.map((total) => inUsdt(total.margin, total.rate)));
    const profit = sum(byFund.map((total) => inUsdt(heldProfit(total, values.get(total.fund)), total.rate)));
    return { margin, profit, equity: margin.plus(profit), byFund };
  }

  /** A user's position by its id; refuses with `l.not_found` where it is not theirs or its purchase was refunded. */
  async position(owner: UserId, id: string): Promise<SeenPosition> {
    const { reader } = this.parts.database;
    const [position] = await positionsByIds(reader, [id]);
    if (position?.owner !== owner || position.status === 'cancelled')
      throw new Refused(refusal('generic', 'l.not_found'));
    const [fund, sells] = await Promise.all([this.require(position.fund), openSells(reader, [id])]);
    return this.seenPosition(position, fund, sells, this.unitValues());
  }

  /** What a position was bought and ended by; no name of its owner. */
  async proof(id: string): Promise<{ position: Position; fund: Fund }> {
    const [position] = await positionsByIds(this.parts.database.reader, [id]);
    if (position?.openedAt === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return { position, fund: await this.require(position.fund) };
  }

  /** The published versions of a fund's terms with who and why, the newest first. */
  versions(code: string, which: VersionsBelow) {
    return fundVersions(this.parts.database.reader, code, which);
  }

  /**
   * Terms as anybody would see them if they were published now, and what a margin would buy at its greatest leverage;
   * refused like their publication where that would be.
   */
  async proposed(terms: FundTerms): Promise<{ offered: OfferedFund; example: Example | undefined }> {
    const { assets, market } = this.parts;
    assets.requireCoin(terms.asset, 'asset');
    const every = await this.offered();
    const present = every.find(({ fund }) => fund.code === terms.code);
    if (present === undefined) requireRoom(every.length, FUNDS_MAX);
    const isPair = (symbol: string) => assets.findPair(symbol)?.pair.quote === terms.asset;
    const problem =
      ceilingProblem('fund', terms) ?? termsProblem(terms, isPair) ?? changeProblem(present?.fund, terms);
    if (problem !== undefined) throw new Refused(problem);
    const fund: Fund = {
      ...terms,
      id: present?.fund.id ?? terms.code,
      version: (present?.fund.version ?? 0) + 1,
      closedAt: undefined,
      openNotional: present?.fund.openNotional ?? Decimal.zero,
    };
    const funds = every.map((one) => one.fund).filter(({ id }) => id !== fund.id);
    const seen = this.seen(fund, [...funds, fund], present?.before, present?.spark ?? []);
    const point = (symbol: string) => pointOf(market.latestPoint(symbol));
    const t = this.parts.clock.now();
    const offered = present === undefined ? { ...seen, value: { ...unitValue(fund, point), t } } : seen;
    return { offered, example: exampleOf(offered) };
  }

  /** Publishes a fund or the next version of its terms; who and why are kept. */
  async publish(terms: FundTerms, why: Why) {
    this.parts.assets.requireCoin(terms.asset, 'asset');
    requireWhy(why);
    const published = await this.parts.sequencer.execute(this.parts.commands.publish, {
      terms,
      ...why,
      underCeilings: true,
      most: FUNDS_MAX,
    });
    await this.parts.watch.reload();
    return published;
  }

  /** Closes a fund for good: all leave it at the next unit value. */
  async close(code: string, why: Why) {
    requireWhy(why);
    const closed = await this.parts.sequencer.execute(this.parts.commands.close, { code, ...why });
    await this.parts.watch.reload();
    return closed;
  }

  /** Fills the account that pays profits, or the insurance pool, up to an amount. */
  fund(account: 'fund' | 'insurance', asset: string, wanted: Decimal, from: 'demo' | 'fees') {
    this.parts.assets.requireCoin(asset, 'asset');
    return this.parts.sequencer.execute(this.parts.commands.fund, { account, asset, wanted, from });
  }

  /** What the accounts that pay profits hold, beside the notional of open positions, which they have to hold. */
  async reserves(): Promise<readonly Reserve[]> {
    const needed = new Map<string, Decimal>();
    for (const { asset, openNotional } of await everyFund(this.parts.database.reader))
      needed.set(asset, (needed.get(asset) ?? Decimal.zero).plus(openNotional));
    return [...needed].map(([asset, amount]) => ({
      account: 'fund',
      asset,
      needed: amount,
      balance: this.parts.ledger.balance(HOUSE.fund, asset),
    }));
  }

  /** The position that the house opened under this name. */
  opened(origin: string): Promise<Position | undefined> {
    return positionOfOrigin(this.parts.database.reader, origin);
  }

  /** Buys for the demo's trader at a past value of the generated past, once under each name. */
  async enterForHouse(
    owner: UserId,
    ticket: Ticket,
    past: { readonly origin: string; readonly t: Instant; readonly value: Decimal },
  ): Promise<string> {
    const house = { origin: past.origin, since: later(past.t, -SECOND_MS) };
    const { sequencer, commands } = this.parts;
    const { orderId } = await sequencer.execute(commands.buy, { owner, ...ticket, house });
    await this.judgeForHouse(owner, ticket.fund, orderId, past);
    return orderId;
  }

  /** Sells all that a demo's position has, at a past value of the generated past. */
  async sellForHouse(
    { id: position, owner, fund, quantity }: Position,
    past: { readonly t: Instant; readonly value: Decimal },
  ): Promise<void> {
    const { sequencer, commands } = this.parts;
    const since = later(past.t, -SECOND_MS);
    await sequencer.execute(commands.sell, { owner, position, quantity, isLimit: false, since });
    await this.judgeForHouse(owner, fund, position, past);
  }

  /** Judges a demo's position by a value of the generated past. */
  async judgeForHouse(
    owner: UserId,
    fund: string,
    id: string,
    { t, value }: { readonly t: Instant; readonly value: Decimal },
  ): Promise<void> {
    const { sequencer, commands } = this.parts;
    await sequencer.execute(commands.judge, { fund, t, value, positions: [{ id, owner }] });
  }

  /** A position at the present unit value; `sells` may hold those of other positions as well. */
  private seenPosition(
    position: Position,
    fund: Fund,
    sells: readonly Sell[],
    values: ReadonlyMap<string, Decimal>,
  ): SeenPosition {
    return {
      position,
      fund,
      value: values.get(fund.id),
      sells: sells.filter((sell) => sell.position === position.id),
      digits: this.digitsOf(fund.asset),
    };
  }

  /** Refuses what hindsight could profit from: after a start, seconds that were missed are judged with the first value. */
  private async requireJudged(): Promise<void> {
    if (!(await this.parts.watch.judged())) throw new Refused(refusal('closed', 'l.fund_no_value'));
  }

  private async require(id: string): Promise<Fund> {
    const fund = await findFund(this.parts.database.reader, { id });
    if (fund === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return fund;
  }

  private seen(
    fund: Fund,
    every: readonly Fund[],
    before: Decimal | undefined,
    spark: readonly Decimal[],
  ): OfferedFund {
    const { ledger, watch, market, assets } = this.parts;
    const parts = fund.constituents.map(({ symbol, weight }) => {
      const price = market.latestPoint(symbol)?.price ?? undefined;
      return { symbol, weight, worth: price?.times(weight, 'down') };
    });
    const total = parts.reduce((all, { worth }) => all.plus(worth ?? Decimal.zero), Decimal.zero);
    const isWhole = total.isPositive() && parts.every(({ worth }) => worth !== undefined);
    const same = every.filter(({ asset }) => asset === fund.asset);
    const used = same.reduce((all, { openNotional }) => all.plus(openNotional), Decimal.zero);
    return {
      fund,
      value: watch.valueOf(fund.id),
      before,
      spark,
      digits: this.digitsOf(fund.asset),
      shares: parts.map(({ symbol, weight, worth }) => ({
        symbol,
        weight,
        coin: assets.findPair(symbol)!.pair.base,
        share: isWhole ? worth!.over(total, 'halfEven', SHARE_PLACES) : undefined,
      })),
      coverable: ledger.balance(HOUSE.fund, fund.asset).minus(used),
    };
  }

  private digitsOf(asset: string): number {
    return this.parts.assets.findCoin(asset)!.digits;
  }
}

/** What a margin buys of a fund at a value, and what that costs a day. */
function boughtAt(fund: FundTerms, { margin, leverage }: Omit<Ticket, 'fund'>, value: Decimal) {
  const { quantity, usedMargin, notional } = bought(margin, leverage, value, fund.step);
  const holding = { quantity, buyPrice: value, margin: usedMargin, costs: Decimal.zero, leverage };
  const liqPrice = quantity.isPositive() ? thresholdOf(holding, fund.mmr) : undefined;
  return { quantity, usedMargin, notional, liqPrice, dailyCost: dailyCost(holding, value, fund) };
}

/** What a thousand, or the least margin where that is more, would buy; undefined while there is no unit value. */
function exampleOf({ fund, value }: OfferedFund): Example | undefined {
  const at = value?.value ?? undefined;
  if (at === undefined) return undefined;
  const ticket = { margin: exampleAmount(fund.minAmount), leverage: Math.max(...fund.leverages) };
  return { ...ticket, ...boughtAt(fund, ticket, at) };
}

/** A point of the index as a unit value needs it. */
function pointOf(point: IndexPoint | undefined): BasketPoint | undefined {
  return point && { price: point.price, isDegraded: point.flags.includes('degraded') };
}

function requireWhy({ by, reason }: Why): void {
  requireText('by', by, BY_MAX);
  requireText('reason', reason, REASON_MAX);
}
