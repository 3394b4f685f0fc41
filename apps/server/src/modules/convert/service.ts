import {
  convertRate,
  QUOTE_MS,
  spreadOf,
  termsForPayment,
  type ConvertSide,
} from '@exchange/core/convert.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { balanceWorth, isSmallBalance } from '@exchange/core/small-balances.ts';
import { later, startOfDay } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { type AskedPage, rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Assets, Coin } from '../assets/index.ts';
import { userAddress, type Ledger } from '../ledger/index.ts';
import type { Market } from '../market/index.ts';
import type { ConvertCommands } from './commands.ts';
import { IndexMoves } from './index-moves.ts';
import {
  bundlesSince,
  exchangesOf,
  exchangeValues,
  findQuote,
  removeStale,
  STALE_AT_ONCE,
} from './repository.ts';

const STABLE_COIN = 'USDT';

/** The part of the identity module that instant exchange uses: the check that a user may trade. */
export interface AccountStatuses {
  requireTrading(user: UserId, side: 'buy' | 'sell'): Promise<void>;
}

export interface ConvertParts {
  readonly accountStatuses: AccountStatuses;
  readonly assets: Pick<Assets, 'findCoin' | 'logo' | 'requireCoin'>;
  readonly clock: Clock;
  readonly coins: readonly Coin[];
  readonly ledger: Pick<Ledger, 'balance' | 'isStopped' | 'prepare'>;
  readonly commands: ConvertCommands;
  readonly database: Database;
  readonly market: Pick<Market, 'indexPrice' | 'latestPoint' | 'onPoints'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
}

/** The amount of a requested quote: what the user pays (`from`) or receives (`to`). */
export interface QuoteAmount {
  readonly of: 'from' | 'to';
  readonly value: Decimal;
}

/** Instant exchange: creates and accepts quotes, and reads rates and past exchanges. */
export class Convert {
  private readonly parts: ConvertParts;
  private readonly moves = new IndexMoves();

  constructor(parts: ConvertParts) {
    this.parts = parts;
    parts.market.onPoints(() => this.recordMoves());
  }

  /**
   * All listed coins, USDT first. Coins without a current index price, which cannot be exchanged at present, are
   * included.
   */
  coins() {
    const { coins, assets } = this.parts;
    return coins.map(({ code, digits }) => ({ currency: code, digits, logo: assets.logo(code) }));
  }

  /**
   * The current rate between two coins (coins of `to` per coin of `from`, after the spread, before the fee),
   * the spread, and the time of the call. Refuses unknown or equal coins, and a coin without a current and
   * reliable index price.
   */
  rate(from: string, to: string) {
    const [paid, received] = this.sides(from, to);
    const spread = this.spread(paid, received);
    return { rate: convertRate(paid, received, spread), spread, time: this.parts.clock.now() };
  }

  /**
   * Creates a quote at the current index, whose rate is fixed until it expires. Refuses a user who may not trade,
   * unknown or equal coins, a coin without a current index price, and an amount with too many decimals, outside the
   * limits, or larger than the balance or the inventory.
   */
  async quote(owner: UserId, from: string, to: string, amount: QuoteAmount) {
    const { sequencer, commands, accountStatuses } = this.parts;
    await accountStatuses.requireTrading(owner, 'buy');
    const [paid, received] = this.sides(from, to);
    const { asset, digits } = amount.of === 'from' ? paid : received;
    if (!amount.value.fits(digits)) {
      const details = { field: `${amount.of}Amount`, limit: String(digits), value: amount.value.toString() };
      throw new Refused(refusal('invalidField', 'l.amount_decimals', { ...details, unit: asset }));
    }
    return sequencer.execute(commands.quote, {
      owner,
      from: paid,
      to: received,
      amount,
      spread: this.spread(paid, received),
    });
  }

  /**
   * Executes the exchange at an open quote of the user. Refuses a user who may not trade, and what the command `accept`
   * refuses.
   */
  async accept(owner: UserId, quote: string, submission?: Submission) {
    const { sequencer, commands, accountStatuses } = this.parts;
    await accountStatuses.requireTrading(owner, 'buy');
    return sequencer.execute(commands.accept, { owner, quote }, { actor: owner, submission });
  }

  /**
   * The user's small available spot balances that can be exchanged into the coin `to` (worth at most
   * `SMALL_BALANCE_MAX_USDT` each), those worth most first, with the amount of `to` that each would yield at
   * the current rate. Halted coins, coins without a current index price, and balances that would yield
   * nothing are left out. `usedToday` is the number of times that the user has accepted a quote of small
   * balances on this UTC day. Refuses an unknown coin `to`, and one without a current index price.
   */
  async smallBalances(owner: UserId, to: string) {
    const { clock, coins, database, ledger } = this.parts;
    const received = this.requireSide(to, 'to');
    await ledger.prepare(owner);
    const list = coins.flatMap(({ code }) => {
      const side = code === to || ledger.isStopped(code) ? undefined : this.side(code);
      const amount = ledger.balance(userAddress(owner, 'spot', 'available'), code);
      if (side === undefined || !isSmallBalance(amount, side)) return [];
      const { toAmount } = termsForPayment(side, received, amount, this.spread(side, received));
      return toAmount.isPositive()
        ? [{ asset: code, amount, worth: balanceWorth(amount, side), toAmount }]
        : [];
    });
    const usedToday = await bundlesSince(database.reader, owner, startOfDay(clock.now()));
    return { list: list.toSorted((left, right) => right.worth.compare(left.worth)), usedToday };
  }

  /**
   * Creates one quote, with fixed rates, for the whole small balances of several coins. Refuses a user who may not
   * trade, an unknown coin, a coin without a current index price, the exchange of a coin into itself, and what the
   * command `quoteSmall` refuses.
   */
  async quoteSmall(owner: UserId, coins: readonly string[], to: string) {
    const { sequencer, commands, accountStatuses } = this.parts;
    await accountStatuses.requireTrading(owner, 'buy');
    const received = this.requireSide(to, 'to');
    const paid = coins.map((code) => {
      if (code === to)
        throw new Refused(refusal('invalidField', 'l.convert_same', { field: 'coins', value: code }));
      const from = this.requireSide(code, 'coins');
      return { side: from, spread: this.spread(from, received) };
    });
    return sequencer.execute(commands.quoteSmall, { owner, to: received, coins: paid });
  }

  /**
   * Executes all exchanges at an open quote of small balances, or none of them if one is refused. Refuses a user who may
   * not trade, and what the command `acceptSmall` refuses.
   */
  async acceptSmall(owner: UserId, bundle: string, submission?: Submission) {
    const { sequencer, commands, accountStatuses } = this.parts;
    await accountStatuses.requireTrading(owner, 'buy');
    return sequencer.execute(commands.acceptSmall, { owner, bundle }, { actor: owner, submission });
  }

  exchanges(owner: UserId, page: AskedPage) {
    return exchangesOf(this.parts.database.reader, owner, rowsOfPage(page));
  }

  /**
   * The values of exchanges in USDT at the index price of the paid coin when the quote was made, rounded down, by id of
   * their quote. Ids that are unknown or not of accepted quotes are missing in the map.
   */
  values(quotes: readonly string[]): Promise<ReadonlyMap<string, Decimal>> {
    return exchangeValues(this.parts.database.reader, quotes);
  }

  /**
   * Raises the inventory's balance of a coin to `wanted`, from collected fees or with demo funds; does nothing if the
   * balance is not lower. Refuses an unknown coin, and collected fees that are too low.
   */
  fund(asset: string, wanted: Decimal, from: 'demo' | 'fees') {
    this.parts.assets.requireCoin(asset, 'asset');
    return this.parts.sequencer.execute(this.parts.commands.fund, { asset, wanted, from });
  }

  /**
   * Makes an exchange for the demo at the given prices; `origin` identifies the exchange, so that it is made at most
   * once.
   */
  async exchangeForDemo(
    owner: UserId,
    paid: ConvertSide,
    received: ConvertSide,
    value: Decimal,
    origin: string,
  ): Promise<void> {
    const { sequencer, commands, database } = this.parts;
    if ((await findQuote(database.reader, { origin })) !== undefined) return;
    const amount = { of: 'from' as const, value };
    const { quoteId } = await sequencer.execute(commands.quote, {
      owner,
      from: paid,
      to: received,
      amount,
      origin,
    });
    await sequencer.execute(commands.accept, { owner, quote: quoteId });
  }

  /** Deletes all quotes that expired more than an hour ago without being accepted. */
  async removeStale(): Promise<void> {
    const { database, clock } = this.parts;
    const before = later(clock.now(), -360 * QUOTE_MS);
    while ((await removeStale(database.store, before)) === STALE_AT_ONCE);
  }

  /**
   * A coin with its current index price, as one side of an exchange; undefined for an unknown coin, and while the coin
   * has no current and reliable index price.
   */
  side(asset: string): ConvertSide | undefined {
    const { assets, market } = this.parts;
    const coin = assets.findCoin(asset);
    const index =
      asset === STABLE_COIN ? Decimal.one : market.indexPrice((asset + STABLE_COIN).toLowerCase())?.price;
    return coin === undefined || index === undefined ? undefined : { asset, digits: coin.digits, index };
  }

  /** The current spread of the rate between two coins, as a fraction of the index rate. */
  spread(paid: ConvertSide, received: ConvertSide): Decimal {
    return spreadOf(this.moves.meanMove(paid.asset), this.moves.meanMove(received.asset));
  }

  /**
   * Returns a coin with its current index price, as one side of an exchange. Refuses an unknown coin, naming the
   * request field `field`, and a coin without a current and reliable index price.
   */
  private requireSide(asset: string, field: string): ConvertSide {
    this.parts.assets.requireCoin(asset, field);
    const side = this.side(asset);
    if (side === undefined) throw new Refused(refusal('closed', 'l.no_index'));
    return side;
  }

  private recordMoves(): void {
    const { coins, market } = this.parts;
    for (const { code } of coins) {
      const point = market.latestPoint((code + STABLE_COIN).toLowerCase());
      if (point !== undefined) this.moves.record(code, point);
    }
  }

  private sides(from: string, to: string): [ConvertSide, ConvertSide] {
    this.parts.assets.requireCoin(from, 'from');
    this.parts.assets.requireCoin(to, 'to');
    if (from === to) throw new Refused(refusal('invalidField', 'l.convert_same', { field: 'to', value: to }));
    const [paid, received] = [this.side(from), this.side(to)];
    if (paid !== undefined && received !== undefined) return [paid, received];
    throw new Refused(refusal('closed', 'l.no_index'));
  }
}
