import type { Exposure } from '@exchange/core/figures.ts';
import { ceilingProblem } from '@exchange/core/ceilings.ts';
import type { CandleTimer } from '@exchange/core/candle.ts';
import { Decimal, sum } from '@exchange/core/decimal.ts';
import {
  purchaseFor,
  dailyCost,
  heldProfit,
  thresholdOf,
  unitValue,
  WARNING_REARM_MARGIN,
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
import { type AskedPage, COUNT_ONLY, mapPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
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
import { ACCOUNTS } from './posts.ts';
import {
  candlesOf,
  type EquityGain,
  equityGains,
  type HeldTotal,
  heldTotals,
  type OpenSum,
  openSums,
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
/**
 * Greatest number of funds, because the unit value of each fund is computed every second; the publication of a further
 * fund is refused.
 */
const FUNDS_MAX = 1_000;
const SHARE_PLACES = 4;
const SHOWN_PLACES = 8;

/** The part of the identity module that fund purchases use: it refuses users who may not trade. */
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
  readonly watch: Pick<FundWatch, 'valueOf' | 'knownValues' | 'reload' | 'waitUntilJudged'>;
}

interface Share {
  readonly symbol: string;
  readonly coin: string;
  readonly weight: Decimal;
  /**
   * The part of the fund's current unit value that the coin contributes, as a fraction; undefined if the
   * price of any coin of the basket is missing.
   */
  readonly share: Decimal | undefined;
}

/**
 * A leveraged fund as visitors and users see it, with its unit value at the latest second (undefined before
 * the first second since the start), the hourly unit values of the last 24 hours, oldest first (`spark`), and
 * the coins of its basket (`shares`).
 */
export interface OfferedFund {
  readonly fund: Fund;
  readonly value: (UnitValue & { readonly t: Instant }) | undefined;
  /** The fund's unit value about 24 hours ago, as `valuesBefore` determines it; undefined if there is none. */
  readonly before: Decimal | undefined;
  readonly spark: readonly Decimal[];
  readonly shares: readonly Share[];
  /**
   * The balance of the exchange's fund account in the fund's coin, less the notional value of all open and pending
   * positions in this coin: the notional value of further positions that the account can cover.
   */
  readonly coverable: Decimal;
  readonly digits: number;
}

/** A fund position as its owner sees it. */
export interface PositionView {
  readonly position: Position;
  readonly fund: Fund;
  /** The latest known unit value of the fund; undefined before the first value. */
  readonly value: Decimal | undefined;
  readonly sells: readonly Sell[];
  readonly digits: number;
}

/**
 * The totals of a user's pending and open fund positions in USDT, and the totals per fund from which they are computed.
 */
export interface HeldTotals {
  readonly margin: Decimal;
  readonly profit: Decimal;
  readonly equity: Decimal;
  /**
   * Totals of the user's pending and open positions per fund, in the fund's coin; `rate` is the price of that
   * coin in USDT, zero if it is unknown.
   */
  readonly byFund: readonly (HeldTotal & { readonly rate: Decimal })[];
}

/** Example of a purchase: the fund position that a margin would buy. */
export interface Example extends ReturnType<typeof purchaseAt>, Omit<Ticket, 'fund'> {}

interface Ticket {
  readonly fund: string;
  readonly margin: Decimal;
  readonly leverage: number;
}

interface Author {
  readonly by: string;
  readonly reason: string;
}

/**
 * Sort rank of a fund in lists: first the funds on sale (0), then those whose sale was stopped (1), then closed funds
 * (2).
 */
function saleOrder({ isOpen, closedAt }: Fund): number {
  if (closedAt !== undefined) return 2;
  return isOpen ? 0 : 1;
}

/** Service of the leveraged funds for users, operators and other modules. */
export class Funds {
  private readonly parts: FundParts;

  constructor(parts: FundParts) {
    this.parts = parts;
  }

  /** The codes and English names of all published funds. */
  async onSale() {
    const funds = await this.listFunds();
    return funds.map(({ fund: { code, name } }) => ({ code, name: name['en-US'] }));
  }

  /**
   * All funds with their unit values: first the funds on sale, then those whose sale was stopped, then closed ones;
   * each group newest first.
   */
  async listFunds(): Promise<OfferedFund[]> {
    const { reader } = this.parts.database;
    const now = this.parts.clock.now();
    const [funds, valuesDayAgo, lines] = await Promise.all([
      everyFund(reader),
      valuesBefore(reader, later(now, -DAY_MS)),
      sparks(reader, now),
    ]);
    const offered = funds.map((fund) =>
      this.offerOf(fund, funds, valuesDayAgo.get(fund.id), lines.get(fund.id) ?? []),
    );
    return offered.toReversed().toSorted((left, right) => saleOrder(left.fund) - saleOrder(right.fund));
  }

  async detail(id: string): Promise<{ offered: OfferedFund; insurance: Decimal }> {
    const offered = (await this.listFunds()).find(({ fund }) => fund.id === id);
    if (offered === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return { offered, insurance: this.parts.ledger.balance(ACCOUNTS.insurance, offered.fund.asset) };
  }

  /**
   * The newest `size` candles of a fund's unit value with the interval `timer` that opened before `before`
   * (seconds since 1970; including the present one if undefined), oldest first. Refuses an unknown fund.
   */
  async candles(id: string, timer: CandleTimer, size: number, before: number | undefined) {
    const { database, clock } = this.parts;
    await this.requireFund(id);
    const until = before ?? Math.floor(clock.now() / SECOND_MS) + 1;
    return candlesOf(database.reader, id, timer, until, size);
  }

  /**
   * The fund position that a margin would buy at the current unit value. Refuses an unknown fund, a leverage that it
   * does not offer, and a fund without a unit value.
   */
  async preview({ fund: id, margin, leverage }: Ticket) {
    const fund = await this.requireFund(id);
    if (!fund.leverages.includes(leverage)) {
      const details = { field: 'leverage', limit: fund.leverages.join(', '), value: String(leverage) };
      throw new Refused(refusal('invalidField', 'l.fund_leverage', details));
    }
    const value = this.parts.watch.valueOf(id)?.value ?? undefined;
    if (value === undefined) throw new Refused(refusal('closed', 'l.fund_no_value'));
    return { nav: value, ...purchaseAt(fund, { margin, leverage }, value) };
  }

  /**
   * Buys units of a fund for a user. Refuses a user who may not trade, and what the command `buy` refuses; a
   * repetition of the request returns the first answer.
   */
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

  /**
   * Cancels the sell order with this id, or all sell orders of the fund position with this id. It first waits
   * until all published unit values are applied, and refuses if they cannot be applied now, besides what the
   * command refuses.
   */
  async cancelSell(owner: UserId, id: string) {
    await this.requireJudged();
    return this.parts.sequencer.execute(this.parts.commands.cancelSell, { owner, id }, { actor: owner });
  }

  /**
   * Adds margin to a fund position. It first waits until all published unit values are applied, so that added
   * margin cannot prevent a liquidation that is already due; it refuses if they cannot be applied now,
   * besides what the command refuses.
   */
  async addMargin(owner: UserId, position: string, amount: Decimal, submission?: Submission) {
    const { database, watch, sequencer, commands } = this.parts;
    const [stored] = await positionsByIds(database.reader, [position]);
    // No further wait may follow this one: a unit value that is published during a later wait would not be applied
    // before the margin is added.
    await this.requireJudged();
    const value = stored && (watch.valueOf(stored.fund)?.value ?? undefined);
    const warnsAnewAbove = WARNING_REARM_MARGIN;
    const input = { owner, position, amount, warnsAnewAbove, ...(value === undefined ? {} : { value }) };
    return sequencer.execute(commands.addMargin, input, { actor: owner, submission });
  }

  /**
   * The number of a user's open fund positions and that of the pending purchases, as two entries with a label
   * for operators.
   */
  async openCounts(owner: UserId) {
    const [held, pending] = await Promise.all([
      this.positions(owner, 'holding', COUNT_ONLY),
      this.positions(owner, 'pending', COUNT_ONLY),
    ]);
    return [
      // The positions with the status filter `holding` include the pending purchases, so these are subtracted.
      { product: 'Fund positions', open: held.total - pending.total },
      { product: 'Fund purchases under way', open: pending.total },
    ];
  }

  /**
   * A page of a user's fund positions, and the user's totals (such as margin and equity) of all pending and
   * open positions in USDT.
   */
  async positions(owner: UserId, status: PositionStatus | undefined, page: AskedPage) {
    const { reader } = this.parts.database;
    const values = this.unitValues();
    const [positionPage, fundTotals, allFunds] = await Promise.all([
      positionsOf(reader, owner, status, rowsOfPage(page)),
      heldTotals(reader, owner, values),
      everyFund(reader),
    ]);
    const funds = new Map(allFunds.map((fund) => [fund.id, fund]));
    const sells = await openSells(
      reader,
      positionPage.list.map(({ id }) => id),
    );
    const views = mapPage(positionPage, (position) =>
      this.positionView(position, funds.get(position.fund)!, sells, values),
    );
    const totals = this.totalsOf(fundTotals, values);
    return { ...views, totals };
  }

  /** The latest known unit values by id of the fund, for valuing positions; a fund without a known value is missing. */
  unitValues(): ReadonlyMap<string, Decimal> {
    return new Map(this.parts.watch.knownValues);
  }

  /**
   * The equity of these users' open fund positions less the balances locked for them, by owner and coin, at the given
   * unit values per fund; negative for a net loss. Positions of funds without a given value are left out.
   */
  equityGains(
    reader: Reader,
    owners: readonly UserId[],
    values: ReadonlyMap<string, Decimal>,
  ): Promise<EquityGain[]> {
    return equityGains(reader, owners, values);
  }

  /**
   * The totals of pending and open fund positions in USDT, with the totals per fund. The amount of each fund is rounded
   * toward zero to 8 decimals before the sum, and is zero if its coin has no price. Equity is margin plus profit.
   */
  private totalsOf(fundTotals: readonly HeldTotal[], values: ReadonlyMap<string, Decimal>): HeldTotals {
    const rateOf = (asset: string) => this.parts.market.usdtPrice(asset) ?? Decimal.zero;
    const byFund = fundTotals.map((total) => ({ ...total, rate: rateOf(total.asset) }));
    const inUsdt = (amount: Decimal, rate: Decimal) => amount.times(rate, 'down', SHOWN_PLACES);
    const margin = sum(byFund.map((total) => inUsdt(total.margin, total.rate)));
    const profit = sum(byFund.map((total) => inUsdt(heldProfit(total, values.get(total.fund)), total.rate)));
    return { margin, profit, equity: margin.plus(profit), byFund };
  }

  /**
   * Returns the user's fund position with this id. Refuses with `l.not_found` if there is none, if it belongs to
   * another user, or if its purchase was refunded.
   */
  async position(owner: UserId, id: string): Promise<PositionView> {
    const { reader } = this.parts.database;
    const [position] = await positionsByIds(reader, [id]);
    if (position?.owner !== owner || position.status === 'cancelled')
      throw new Refused(refusal('generic', 'l.not_found'));
    const [fund, sells] = await Promise.all([this.requireFund(position.fund), openSells(reader, [id])]);
    return this.positionView(position, fund, sells, this.unitValues());
  }

  /**
   * A fund position with its fund, from which everybody can verify its purchase and closing; the endpoint leaves out
   * the owner. Refuses with `l.not_found` an unknown position and one that was never bought.
   */
  async proof(id: string): Promise<{ position: Position; fund: Fund }> {
    const [position] = await positionsByIds(this.parts.database.reader, [id]);
    if (position?.openedAt === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return { position, fund: await this.requireFund(position.fund) };
  }

  /**
   * The published versions of a fund's terms, newest first, each with the operator who published it and the
   * reason: at most `limit`, with version numbers below `before`.
   */
  versions(code: string, range: VersionsBelow) {
    return fundVersions(this.parts.database.reader, code, range);
  }

  /**
   * The detail view of a fund as it would be if these terms were published, with an example purchase at the highest
   * leverage. Refuses terms that could not be published.
   */
  async previewTerms(terms: FundTerms): Promise<{ offered: OfferedFund; example: Example | undefined }> {
    const { assets, market } = this.parts;
    assets.requireCoin(terms.asset, 'asset');
    const allFunds = await this.listFunds();
    const published = allFunds.find(({ fund }) => fund.code === terms.code);
    if (published === undefined) requireRoom(allFunds.length, FUNDS_MAX);
    const isPair = (symbol: string) => assets.findPair(symbol)?.pair.quote === terms.asset;
    const problem =
      ceilingProblem('fund', terms) ?? termsProblem(terms, isPair) ?? changeProblem(published?.fund, terms);
    if (problem !== undefined) throw new Refused(problem);
    const fund: Fund = {
      ...terms,
      id: published?.fund.id ?? terms.code,
      version: (published?.fund.version ?? 0) + 1,
      closedAt: undefined,
      openNotional: published?.fund.openNotional ?? Decimal.zero,
    };
    const funds = allFunds.map((listed) => listed.fund).filter(({ id }) => id !== fund.id);
    const offer = this.offerOf(fund, [...funds, fund], published?.before, published?.spark ?? []);
    const point = (symbol: string) => pointOf(market.latestPoint(symbol));
    const t = this.parts.clock.now();
    const offered = published === undefined ? { ...offer, value: { ...unitValue(fund, point), t } } : offer;
    return { offered, example: exampleOf(offered) };
  }

  /**
   * Publishes a fund or the next version of its terms; the operator and the reason are stored with it.
   * Refuses an unknown coin, an empty or too long name of the operator or reason, and what the command
   * `publish` refuses.
   */
  async publish(terms: FundTerms, author: Author) {
    this.parts.assets.requireCoin(terms.asset, 'asset');
    requireAuthor(author);
    const published = await this.parts.sequencer.execute(this.parts.commands.publish, {
      terms,
      ...author,
      underCeilings: true,
      most: FUNDS_MAX,
    });
    await this.parts.watch.reload();
    return published;
  }

  /**
   * Closes a fund permanently: at its next unit value, open positions are sold and pending purchases are
   * refunded. Refuses an unknown fund, and an operator name or reason that is empty or too long.
   */
  async close(code: string, author: Author) {
    requireAuthor(author);
    const closed = await this.parts.sequencer.execute(this.parts.commands.close, { code, ...author });
    await this.parts.watch.reload();
    return closed;
  }

  /**
   * Raises the balance of the account that pays profits, or of the insurance pool, to `wanted`, from
   * collected fees or with play money; does nothing if the balance is not lower. Refuses an unknown coin,
   * and, instead of paying a part, collected fees that are too low.
   */
  fund(account: 'fund' | 'insurance', asset: string, wanted: Decimal, from: 'demo' | 'fees') {
    this.parts.assets.requireCoin(asset, 'asset');
    return this.parts.sequencer.execute(this.parts.commands.fund, { account, asset, wanted, from });
  }

  /**
   * For each coin of the funds: the balance of the account that pays profits in this coin, and, as the amount
   * that the account should have, the notional value of the open and pending positions in this coin.
   */
  async reserves(): Promise<readonly Reserve[]> {
    const needed = new Map<string, Decimal>();
    for (const { asset, openNotional } of await everyFund(this.parts.database.reader))
      needed.set(asset, (needed.get(asset) ?? Decimal.zero).plus(openNotional));
    return [...needed].map(([asset, amount]) => ({
      account: 'fund',
      asset,
      needed: amount,
      balance: this.parts.ledger.balance(ACCOUNTS.fund, asset),
    }));
  }

  /**
   * For operators, at the current index and in units of the fund's coin: the delta of all open positions for
   * each coin of a basket and coin of a fund, and the positions' daily cost for each coin of a fund. Funds
   * that are closed permanently are left out. A value for which a price is missing is undefined.
   */
  async exposures(): Promise<readonly Exposure[]> {
    const { database, market, watch, assets } = this.parts;
    const [funds, sums] = await Promise.all([everyFund(database.reader), openSums(database.reader)]);
    const deltas = new Map<string, { value: Decimal | undefined; unit: string }>();
    const costs = new Map<string, Decimal | undefined>();
    for (const fund of funds) {
      if (fund.closedAt !== undefined) continue;
      const ofFund = sums.filter((held) => held.fund === fund.id);
      const quantity = sum(ofFund.map((held) => held.quantity));
      for (const { symbol, weight } of fund.constituents) {
        const price = market.latestPoint(symbol)?.price ?? undefined;
        const units = quantity.times(weight, 'halfEven').over(fund.divisor, 'halfEven');
        const delta = quantity.isZero() ? Decimal.zero : price?.times(units, 'halfEven', SHOWN_PLACES);
        const coin = assets.findPair(symbol)!.pair.base;
        addTo(deltas, `${coin} in ${fund.asset}`, delta, fund.asset);
      }
      const value = watch.valueOf(fund.id)?.value ?? undefined;
      const daily = ofFund.map((held) => dailyCostOf(held, value));
      const known = daily.filter((cost) => cost !== undefined);
      const before = costs.has(fund.asset) ? costs.get(fund.asset) : Decimal.zero;
      costs.set(fund.asset, known.length === daily.length ? before?.plus(sum(known)) : undefined);
    }
    return [
      ...[...deltas].map(([subject, { value, unit }]) => ({
        measure: 'fundDelta' as const,
        subject,
        value,
        unit,
      })),
      ...[...costs].map(([asset, value]) => ({
        measure: 'fundFinancing' as const,
        subject: asset,
        value,
        unit: asset,
      })),
    ];
  }

  /**
   * The position with this `origin`, the unique key of a position that the exchange itself opened; undefined if there
   * is none.
   */
  findByOrigin(origin: string): Promise<Position | undefined> {
    return positionOfOrigin(this.parts.database.reader, origin);
  }

  /**
   * Buys a fund position for the demo trader at a unit value of the generated past, once per `origin`. Returns the id
   * of the position.
   */
  async buyForDemo(
    owner: UserId,
    ticket: Ticket,
    past: { readonly origin: string; readonly t: Instant; readonly value: Decimal },
  ): Promise<string> {
    const house = { origin: past.origin, since: later(past.t, -SECOND_MS) };
    const { sequencer, commands } = this.parts;
    const { orderId } = await sequencer.execute(commands.buy, { owner, ...ticket, house });
    await this.judgeForDemo(owner, ticket.fund, orderId, past);
    return orderId;
  }

  /** Sells a whole fund position of the demo at a unit value of the generated past. */
  async sellForDemo(
    { id: position, owner, fund, quantity }: Position,
    past: { readonly t: Instant; readonly value: Decimal },
  ): Promise<void> {
    const { sequencer, commands } = this.parts;
    const since = later(past.t, -SECOND_MS);
    await sequencer.execute(commands.sell, { owner, position, quantity, isLimit: false, since });
    await this.judgeForDemo(owner, fund, position, past);
  }

  /** Applies a unit value of the generated past to a fund position of the demo. */
  async judgeForDemo(
    owner: UserId,
    fund: string,
    id: string,
    { t, value }: { readonly t: Instant; readonly value: Decimal },
  ): Promise<void> {
    const { sequencer, commands } = this.parts;
    await sequencer.execute(commands.judge, { fund, t, value, positions: [{ id, owner }] });
  }

  /** A fund position at the current unit value; `sells` may also contain sell orders of other positions. */
  private positionView(
    position: Position,
    fund: Fund,
    sells: readonly Sell[],
    values: ReadonlyMap<string, Decimal>,
  ): PositionView {
    return {
      position,
      fund,
      value: values.get(fund.id),
      sells: sells.filter((sell) => sell.position === position.id),
      digits: this.digitsOf(fund.asset),
    };
  }

  /**
   * Waits until every published unit value is applied to the positions. Refuses if that failed, or if no unit value was
   * published since the start: users could otherwise act on unit values that are already known.
   */
  private async requireJudged(): Promise<void> {
    if (!(await this.parts.watch.waitUntilJudged())) throw new Refused(refusal('closed', 'l.fund_no_value'));
  }

  private async requireFund(id: string): Promise<Fund> {
    const fund = await findFund(this.parts.database.reader, { id });
    if (fund === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return fund;
  }

  private offerOf(
    fund: Fund,
    allFunds: readonly Fund[],
    valueDayAgo: Decimal | undefined,
    spark: readonly Decimal[],
  ): OfferedFund {
    const { ledger, watch, market, assets } = this.parts;
    const parts = fund.constituents.map(({ symbol, weight }) => {
      const price = market.latestPoint(symbol)?.price ?? undefined;
      return { symbol, weight, worth: price?.times(weight, 'down') };
    });
    const total = parts.reduce((sum, { worth }) => sum.plus(worth ?? Decimal.zero), Decimal.zero);
    const isWhole = total.isPositive() && parts.every(({ worth }) => worth !== undefined);
    const sameCurrency = allFunds.filter(({ asset }) => asset === fund.asset);
    const used = sameCurrency.reduce((sum, { openNotional }) => sum.plus(openNotional), Decimal.zero);
    return {
      fund,
      value: watch.valueOf(fund.id),
      before: valueDayAgo,
      spark,
      digits: this.digitsOf(fund.asset),
      shares: parts.map(({ symbol, weight, worth }) => ({
        symbol,
        weight,
        coin: assets.findPair(symbol)!.pair.base,
        share: isWhole ? worth!.over(total, 'halfEven', SHARE_PLACES) : undefined,
      })),
      coverable: ledger.balance(ACCOUNTS.fund, fund.asset).minus(used),
    };
  }

  private digitsOf(asset: string): number {
    return this.parts.assets.findCoin(asset)!.digits;
  }
}

/**
 * Adds an amount to the delta of a coin; if either the amount or the previous delta is undefined, the new delta is
 * undefined.
 */
function addTo(
  deltas: Map<string, { value: Decimal | undefined; unit: string }>,
  subject: string,
  delta: Decimal | undefined,
  unit: string,
): void {
  const before = deltas.get(subject) ?? { value: Decimal.zero, unit };
  deltas.set(subject, { value: delta === undefined ? undefined : before.value?.plus(delta), unit });
}

/**
 * The daily cost, at a unit value, of open fund positions with the same fee rates: zero without positions, and
 * undefined if the unit value is undefined.
 */
function dailyCostOf(held: OpenSum, value: Decimal | undefined): Decimal | undefined {
  if (held.quantity.isZero()) return Decimal.zero;
  if (value === undefined) return undefined;
  const management = held.quantity.times(value, 'up').times(held.manageRate, 'up');
  return management.plus(held.borrowed.times(held.financeRate, 'up')).rounded(SHOWN_PLACES, 'up');
}

/**
 * The fund position that a margin buys at a unit value, with its daily cost and its liquidation price
 * (undefined if no unit is bought or no unit value liquidates the position).
 */
function purchaseAt(fund: FundTerms, { margin, leverage }: Omit<Ticket, 'fund'>, value: Decimal) {
  const { quantity, usedMargin, notional } = purchaseFor(margin, leverage, value, fund.step);
  const holding = { quantity, buyPrice: value, margin: usedMargin, costs: Decimal.zero, leverage };
  const liqPrice = quantity.isPositive() ? thresholdOf(holding, fund.mmr) : undefined;
  return { quantity, usedMargin, notional, liqPrice, dailyCost: dailyCost(holding, value, fund) };
}

/**
 * An example of a fund purchase at the fund's highest leverage, with a margin of 1,000 units of the fund's
 * coin, or with the fund's minimum margin if that is higher; undefined without a unit value.
 */
function exampleOf({ fund, value }: OfferedFund): Example | undefined {
  const unitPrice = value?.value ?? undefined;
  if (unitPrice === undefined) return undefined;
  const ticket = { margin: exampleAmount(fund.minAmount), leverage: Math.max(...fund.leverages) };
  return { ...ticket, ...purchaseAt(fund, ticket, unitPrice) };
}

/** Converts an index point of a coin to the input of a unit value; undefined without a point. */
function pointOf(point: IndexPoint | undefined): BasketPoint | undefined {
  return point && { price: point.price, isDegraded: point.flags.includes('degraded') };
}

function requireAuthor({ by, reason }: Author): void {
  requireText('by', by, BY_MAX);
  requireText('reason', reason, REASON_MAX);
}
