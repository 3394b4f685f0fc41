import type { Exposure, OpenStake } from '@exchange/core/figures.ts';
import { createHash } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import { SECONDS_COIN, VOID_PERIOD_MAX_MS, type Direction } from '@exchange/core/seconds.ts';
import { later, type Instant } from '@exchange/core/time.ts';
import { requireText } from '../../platform/console/field-values.ts';
import type { BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { VersionsBelow } from '../../platform/database/kept-versions.ts';
import { type AskedPage, COUNT_ONLY, type ListPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import { SharedAnswer } from '../../platform/shared-answer.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Assets } from '../assets/index.ts';
import { holdingsOn, type Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { TradingPauses } from '../trading-pauses/index.ts';
import type { SecondsCommands } from './commands.ts';
import {
  isOpenFrom,
  secondsCeilingProblem,
  termsProblem,
  type LimitChange,
  type LimitsView,
  type Position,
  type SecondsTerms,
} from './domain.ts';
import { groupBy } from '@exchange/core/group-by.ts';
import { ACCOUNTS } from './posts.ts';
import {
  figures,
  lossesTotal,
  positionById,
  positionsOf,
  openStakes,
  reserves,
  transfersOf,
  voidsOf,
  type PositionFilter,
  worstCases,
} from './records-repository.ts';
import { termsHistory, readLimits, positionOfOrigin, publishedTermsNow } from './repository.ts';

/** Subject under which operators publish the contract's notice; it applies to all pairs. */
export const SECONDS_SUBJECT = 'seconds';
const BY_MAX = 100;
const REASON_MAX = 500;
/**
 * Milliseconds for which published terms are cached. A publication invalidates the cache; a direct
 * change in the database takes effect after this time.
 */
const TERMS_SHARED_MS = 10_000;

/**
 * Check whether an account may trade: `requireTrading` refuses an account that may not buy, or may not sell,
 * according to `side`.
 */
export interface AccountStatuses {
  requireTrading(user: UserId, side: 'buy' | 'sell'): Promise<void>;
}

export interface SecondsParts {
  readonly mode: 'demo' | 'live';
  readonly assets: Pick<Assets, 'findPair' | 'requireCoin' | 'requirePairs' | 'coins' | 'pairs'>;
  readonly clock: Clock;
  readonly database: Pick<Database, 'reader'>;
  readonly ledger: Ledger;
  readonly market: Pick<Market, 'usdtPrice' | 'latestPoint' | 'isIndexFresh' | 'tapeReader'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly accountStatuses: AccountStatuses;
  readonly commands: SecondsCommands;
  readonly tradingPauses: Pick<TradingPauses, 'find'>;
  /** The ISO 3166 alpha-2 country of a verified user; undefined when it is unknown. */
  readonly countryOf?: (user: UserId) => Promise<string | undefined>;
}

export interface Ticket {
  readonly baseCoin: string;
  readonly quoteCoin: string;
  readonly direction: Direction;
  readonly stake: Decimal;
  readonly seconds: number;
  /**
   * The version of the terms that the user saw; undefined when the client did not send it, so that it is not compared
   * with the published one.
   */
  readonly version?: number | undefined;
}

/**
 * A seconds position with its entry price. The entry price of an open position comes from the index
 * tape and is undefined until the tape has it.
 */
export interface PositionView {
  readonly position: Position;
  readonly entryPrice: Decimal | undefined;
}

/** A user's limits, and whether positions can be opened from the user's country. */
export type UserLimitsView = LimitsView & { readonly isAllowed: boolean };

/** The use cases of the seconds contract. */
export class Seconds {
  private readonly parts: SecondsParts;
  private readonly shared: SharedAnswer<Awaited<ReturnType<typeof publishedTermsNow>>>;

  constructor(parts: SecondsParts) {
    this.parts = parts;
    const { clock } = parts;
    this.shared = new SharedAnswer(() => this.terms(), { clock, maxAgeMs: TERMS_SHARED_MS });
  }

  /** A listed pair by its symbol; the caller must know that the symbol is listed. */
  pairOf(symbol: string): Pair {
    return this.parts.assets.findPair(symbol)!.pair;
  }

  /**
   * The symbols of the pairs with the base or quote coin of a filter. Refuses a coin that no pair has on that side, and
   * two coins that form no pair.
   */
  symbolsOf(coins: Parameters<Assets['requirePairs']>[0]): string[] {
    return this.parts.assets.requirePairs(coins).map(({ pair }) => pair.symbol);
  }

  /** The newest index price of a pair, whatever its quality; undefined if there is none. */
  indexOf(symbol: string): Decimal | undefined {
    return this.parts.market.latestPoint(symbol)?.price ?? undefined;
  }

  /** The published terms; undefined when none were ever published. */
  terms() {
    return publishedTermsNow(this.parts.database.reader);
  }

  /** The contract's published terms from a short-lived cache, for public answers. */
  sharedTerms() {
    return this.shared.get();
  }

  /** The published notice for users while no position can be opened; undefined if there is none. */
  get notice() {
    return this.parts.tradingPauses.find('seconds', SECONDS_SUBJECT);
  }

  /**
   * The versions of the terms with author and reason, newest first: at most `limit`, and only those with a
   * number below `before` if it is defined.
   */
  termsHistory(range: VersionsBelow) {
    return termsHistory(this.parts.database.reader, range);
  }

  /**
   * Opens a seconds position. Refuses a user whose account or country may not trade, and for the reasons of the
   * command `open`. A repeated submission returns the first answer.
   */
  async open(owner: UserId, ticket: Ticket, submission?: Submission) {
    const { accountStatuses, assets, mode } = this.parts;
    await accountStatuses.requireTrading(owner, 'buy');
    const [listed] = assets.requirePairs(ticket);
    const terms = await this.terms();
    if (terms !== undefined && !isOpenFrom(terms, await this.countryOf(owner), mode))
      throw new Refused(refusal('region', 'l.seconds_region'));
    return this.executeOpen(owner, listed!.pair.symbol, ticket, { submission });
  }

  /**
   * Opens a seconds position of the demo trader. Returns false if the position was refused, e.g. because one with this
   * `origin` exists already.
   */
  async openForDemo(
    owner: UserId,
    symbol: string,
    ticket: Omit<Ticket, 'baseCoin' | 'quoteCoin'>,
    origin: string,
  ) {
    return this.executeOpen(owner, symbol, ticket, { origin }).then(
      () => true,
      (cause: unknown) => {
        if (cause instanceof Refused) return false;
        throw cause;
      },
    );
  }

  async isOpened(origin: string): Promise<boolean> {
    return (await positionOfOrigin(this.parts.database.reader, origin)) !== undefined;
  }

  transfer(owner: UserId, asset: string, amount: Decimal, isIn: boolean, submission?: Submission) {
    this.parts.assets.requireCoin(asset, 'currency');
    const { commands, sequencer } = this.parts;
    return sequencer.execute(commands.transfer, { owner, asset, amount, isIn }, { actor: owner, submission });
  }

  acceptRisk(owner: UserId, version: string, submission?: Submission) {
    const { commands, sequencer } = this.parts;
    return sequencer.execute(commands.acceptRisk, { owner, version }, { actor: owner, submission });
  }

  /**
   * Changes a user's own limits: stricter values at once, relaxed ones after 24 hours. `present` builds the answer,
   * which is stored with the submission.
   */
  async setLimits<Shown>(
    owner: UserId,
    change: LimitChange,
    present: (limits: UserLimitsView) => Shown,
    submission?: Submission,
  ): Promise<Shown> {
    const { commands, sequencer } = this.parts;
    const country = await this.countryOf(owner);
    const answer = (limits: LimitsView) => present(this.withPermission(limits, country));
    return sequencer.execute(commands.setLimits, { owner, ...change }, { actor: owner, submission, answer });
  }

  /**
   * A user's limits with pending changes, the exposure (open positions and the net loss of the current UTC
   * day), and whether positions can be opened from the user's country.
   */
  async limits(owner: UserId): Promise<UserLimitsView> {
    const { database, clock } = this.parts;
    const limits = await readLimits(database.reader, owner, clock.now());
    return this.withPermission(limits, await this.countryOf(owner));
  }

  /** The balances of the seconds account: those of coins with a balance, and that of the coin of stakes. */
  async balances(owner: UserId) {
    const { database, assets, market } = this.parts;
    const holdings = await holdingsOn(database.reader, owner, 'seconds');
    return assets.coins
      .map(({ code, name }) => ({
        code,
        name,
        price: market.usdtPrice(code) ?? Decimal.zero,
        available: holdings.get(code)?.available ?? Decimal.zero,
        locked: holdings.get(code)?.locked ?? Decimal.zero,
      }))
      .filter(({ code, available, locked }) => code === SECONDS_COIN || !available.plus(locked).isZero());
  }

  /** The number of a user's open seconds positions, with the product's name for operators. */
  async openCounts(owner: UserId) {
    const { total } = await this.positions(owner, { isOver: false }, COUNT_ONLY);
    return [{ product: 'Seconds positions', open: total }];
  }

  async positions(owner: UserId, filter: PositionFilter, page: AskedPage): Promise<ListPage<PositionView>> {
    const found = await positionsOf(this.parts.database.reader, owner, filter, rowsOfPage(page));
    return { ...found, list: await this.withEntryPrices(found.list) };
  }

  async position(owner: UserId, id: string): Promise<PositionView> {
    const position = await positionById(this.parts.database.reader, id);
    if (position?.owner !== owner) throw new Refused(refusal('generic', 'l.not_found'));
    return (await this.withEntryPrices([position]))[0]!;
  }

  transfers(
    owner: UserId,
    filter: Parameters<typeof transfersOf>[2],
    page: AskedPage,
  ): ReturnType<typeof transfersOf> {
    return transfersOf(this.parts.database.reader, owner, filter, rowsOfPage(page));
  }

  /**
   * Sums over all settled positions (see `Figure`), the used reserve per coin with the payout account's
   * balance that covers it, and whether the published terms allow new positions.
   */
  async statistics() {
    const { database, ledger } = this.parts;
    const [allFigures, used, terms] = await Promise.all([
      figures(database.reader),
      reserves(database.reader),
      this.terms(),
    ]);
    const reserve = used.map(({ asset, used: amount }) => ({
      asset,
      used: amount,
      funded: ledger.balance(ACCOUNTS.payout, asset),
    }));
    return { figures: allFigures, reserve, isOpen: terms?.isOpen === true };
  }

  /**
   * The greatest possible loss of the exchange from open positions by pair, in its quote coin, for operators;
   * zero for pairs of the published terms without open positions.
   */
  async exposures(): Promise<readonly Exposure[]> {
    const [terms, worst] = await Promise.all([this.terms(), worstCases(this.parts.database.reader)]);
    const symbols = [...new Set([...(terms?.symbols ?? []), ...worst.map(({ symbol }) => symbol)])];
    return symbols.map((symbol) => {
      const open = worst.find((pair) => pair.symbol === symbol);
      return {
        measure: 'secondsWorst',
        subject: symbol,
        value: open?.worst ?? Decimal.zero,
        unit: open?.asset ?? this.pairOf(symbol).quote,
      };
    });
  }

  /**
   * The number of open positions, their stakes by direction and their reserve, summed by pair, second of
   * their expiry and coin; the earliest expiry first, at most `limit` rows.
   */
  openStakes(limit: number): Promise<BoundedRows<OpenStake>> {
    return openStakes(this.parts.database.reader, limit);
  }

  /** A user's void positions by reason: their number, and the time at which the latest became void. */
  voidsOf(owner: UserId) {
    return voidsOf(this.parts.database.reader, owner);
  }

  /**
   * Publishes the next version of the contract's terms; author and reason are stored. Refuses what `requirePublishable`
   * refuses. Terms equal to the published ones change nothing.
   */
  async publish(terms: SecondsTerms, { by, reason }: { readonly by: string; readonly reason: string }) {
    requireText('by', by, BY_MAX);
    requireText('reason', reason, REASON_MAX);
    const { sequencer, commands } = this.parts;
    try {
      return await sequencer.execute(commands.publish, {
        terms,
        by,
        reason,
        underCeilings: true,
        inUsdt: true,
      });
    } finally {
      // A command that is reported as failed may still have stored the version, so the cache is invalidated in any
      // case.
      this.shared.invalidate();
    }
  }

  /** Refuses terms that cannot be published, with the refusal that their publication would have. */
  requirePublishable(terms: SecondsTerms): void {
    const { assets } = this.parts;
    const isKnown = (symbol: string) => assets.findPair(symbol)?.pair.quote === SECONDS_COIN;
    const problem = secondsCeilingProblem(terms) ?? termsProblem(terms, isKnown);
    if (problem !== undefined) throw new Refused(problem);
  }

  /**
   * Fills the reserve of the seconds contract up to `wanted`, from collected fees or with play money; does nothing if
   * it is as high. Refuses an unknown coin, and fees that are too low.
   */
  fund(asset: string, wanted: Decimal, from: 'demo' | 'fees') {
    this.parts.assets.requireCoin(asset, 'asset');
    return this.parts.sequencer.execute(this.parts.commands.fund, { asset, wanted, from });
  }

  /**
   * What declaring a period of a pair void would refund: the number of lost positions in it, and the sum of
   * their stakes and fees, per coin. Empty for a period longer than a day, which cannot be declared void.
   */
  async lossesIn(symbol: string, period: { readonly from: Instant; readonly to: Instant }) {
    if (period.to - period.from > VOID_PERIOD_MAX_MS) return [];
    return lossesTotal(this.parts.database.reader, { symbol, ...period });
  }

  /**
   * Declares an interval of a pair void, at most a day, both ends included. Open positions of which the entry second or
   * a settlement second lies in it become void at their settlement; settled losses in it are refunded by a job. Refuses
   * an unknown pair and a longer or reversed interval.
   */
  declareVoid(
    symbol: string,
    { from, to }: { readonly from: Instant; readonly to: Instant },
    { by, reason }: { readonly by: string; readonly reason: string },
  ) {
    requireText('by', by, BY_MAX);
    requireText('reason', reason, REASON_MAX);
    if (this.parts.assets.findPair(symbol) === undefined) throw invalidChoice('symbol', symbol);
    if (to < from) throw new Refused(refusal('invalidField', 'l.period_backwards', { field: 'to' }));
    const limit = later(from, VOID_PERIOD_MAX_MS);
    if (to > limit)
      throw new Refused(
        refusal('aboveMaximum', 'l.field_max', { field: 'to', limit: String(limit), value: String(to) }),
      );
    return this.parts.sequencer.execute(this.parts.commands.declareVoid, {
      symbol,
      from,
      to,
      by,
      reason,
      returnsLost: true,
    });
  }

  private executeOpen(
    owner: UserId,
    symbol: string,
    { direction, stake, seconds, version }: Omit<Ticket, 'baseCoin' | 'quoteCoin'>,
    { submission, origin }: { readonly submission?: Submission | undefined; readonly origin?: string },
  ) {
    const { market, sequencer, commands } = this.parts;
    const point = market.latestPoint(symbol);
    const sources = point?.sources.map(({ id }) => id).join(' ') ?? '';
    const input = {
      owner,
      symbol,
      direction,
      stake,
      seconds,
      version,
      inUsdt: true as const,
      point: point && {
        t: point.t,
        isGood: market.isIndexFresh() && point.price !== null && !point.flags.includes('degraded'),
      },
      sourcesHash: createHash('sha256').update(sources).digest('hex'),
      ...(origin === undefined ? {} : { origin }),
    };
    return sequencer.execute(commands.open, input, { actor: owner, submission });
  }

  private async withEntryPrices(positions: readonly Position[]): Promise<PositionView[]> {
    const { market, clock } = this.parts;
    const now = clock.now();
    const running = positions.filter(({ outcome, entryAt }) => outcome === undefined && entryAt <= now);
    const bySymbol = groupBy(running, ({ symbol }) => symbol);
    const prices = new Map<string, Decimal | null>();
    for (const [symbol, group] of bySymbol) {
      const points = await market.tapeReader.points(symbol, [
        ...new Set(group.map(({ entryAt }) => entryAt)),
      ]);
      for (const [t, price] of points) prices.set(`${symbol} ${t}`, price);
    }
    return positions.map((position) => ({
      position,
      entryPrice:
        position.outcome?.entryPrice ?? prices.get(`${position.symbol} ${position.entryAt}`) ?? undefined,
    }));
  }

  private withPermission(limits: LimitsView, country: string | undefined): UserLimitsView {
    const { terms } = limits;
    return { ...limits, isAllowed: terms === undefined || isOpenFrom(terms, country, this.parts.mode) };
  }

  private countryOf(owner: UserId): Promise<string | undefined> {
    return this.parts.countryOf?.(owner) ?? Promise.resolve(undefined);
  }
}
