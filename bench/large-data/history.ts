import { chainedHash, postingText } from '../../apps/server/src/modules/ledger/chain.ts';
import type { DatabaseConnection } from '../../apps/server/src/platform/database/pool.ts';
import { CopyTarget, NULL } from './copy-target.ts';
import {
  DEPOSITS,
  FEE_RATE,
  tradeFee,
  HOUSE_ACCOUNTS,
  HOUSE_USER,
  idAt,
  ORDERS_PER_QUOTE,
  plain,
  SYMBOL,
  totalAt,
  TRADE_AMOUNT,
  USER_ACCOUNTS,
  userId,
  WITHDRAWAL,
  type Outcome,
  type Plan,
  type PlannedOrder,
  type Side,
} from './plan.ts';

/** Indexes into `HOUSE_ACCOUNTS`. In `USER_ACCOUNTS` the first four mean the same coin and bucket. */
const USDT = 0;
const USDT_FROZEN = 1;
const BTC = 2;
const BTC_FROZEN = 3;
const HOUSE_FEES_USDT = 4;
const HOUSE_FEES_BTC = 5;
const WORLD_BTC = 7;
const DEMO_USDT = 9;
const DEMO_BTC = 10;
const HOUSE_FUNDS = { usdt: 1_000_000_000n * 100_000_000n, btc: 1_000_000n * 100_000_000n } as const;
/** Number of orders or users after which the rows written so far are sent from the buffers to the database. */
const ROWS_AT_ONCE = 200;

/** Coin and bucket (available or frozen) of each account of a user, as cells of a row. */
const SLOT_CELLS = USER_ACCOUNTS.map(([bucket, asset]) => `${asset}\t${bucket}`);

/**
 * A posting: number of the source account, number of the destination account, and amount in units of 1e-8 of
 * a coin.
 */
type Move = readonly [number, number, bigint];

export interface WrittenHistory {
  readonly entries: number;
  readonly trades: number;
  readonly orders: number;
  readonly movements: number;
  /** Hash of the last ledger entry, in hexadecimal. */
  readonly hash: string;
  readonly lastPrice: bigint;
  /**
   * Balance of each ledger account in units of 1e-8 of a coin. The index is the account's number, which starts at 1.
   */
  readonly balances: BigInt64Array;
}

/** Writes orders, trades, deposits and withdrawals with their ledger entries and movements. */
export async function writeHistory(connection: DatabaseConnection, plan: Plan): Promise<WrittenHistory> {
  const targets = await openTargets(connection);
  const all = Object.values(targets);
  const history = new History(plan, targets);
  history.fundHouse();
  const drain = () => Promise.all(all.map((target) => target.drain()));
  for (let user = 1; user <= plan.users; user += 1) {
    history.transfersOf(user);
    if (user % ROWS_AT_ONCE === 0) await drain();
  }
  for (let first = 1; first <= plan.orders; first += ORDERS_PER_QUOTE) {
    history.quote(first);
    await drain();
  }
  await Promise.all(all.map((target) => target.end()));
  return history.written;
}

type Targets = Awaited<ReturnType<typeof openTargets>>;

async function openTargets(connection: DatabaseConnection) {
  const open = (table: string, columns: string) => CopyTarget.open(connection, table, columns.split(' '));
  return {
    entries: await open('ledger_entry', 'sequence at kind reference sources destinations amounts hash'),
    movements: await open(
      'ledger_movement',
      'owner entry posting account asset bucket kind reference amount balance at',
    ),
    orders: await open(
      'spot_order',
      'id owner symbol side type time_in_force post_only self_trade price amount total filled_amount filled_total ' +
        'fee held held_asset status reason maker_rate taker_rate client_id rank created_at updated_at',
    ),
    trades: await open(
      'spot_trade',
      'id sequence symbol price amount total taker_side taker taker_order taker_fee maker maker_order maker_fee ' +
        'value_usdt at',
    ),
    deposits: await open(
      'deposit',
      'id owner asset network address txid output amount position block confirmations status created_at finished_at',
    ),
    withdrawals: await open(
      'withdrawal',
      'id owner asset network address amount fee value is_auto status txid block confirmations created_at finished_at',
    ),
  };
}

/**
 * Writes the history of the exchange in order, and keeps the state (such as balances) after the last written
 * entry.
 */
class History {
  private readonly plan: Plan;
  private readonly targets: Targets;
  private readonly balances: BigInt64Array;
  private readonly lastUserAccount: number;
  private sequence = 0;
  private hash = '';
  private trades = 0;
  private orders = 0;
  private movements = 0;
  private deposits = 0;
  private lastPrice = 0n;

  constructor(plan: Plan, targets: Targets) {
    this.plan = plan;
    this.targets = targets;
    this.balances = new BigInt64Array(plan.accounts + 1);
    this.lastUserAccount = plan.accounts - HOUSE_ACCOUNTS.length;
  }

  get written(): WrittenHistory {
    const { sequence: entries, trades, orders, movements, hash, lastPrice, balances } = this;
    return { entries, trades, orders, movements, hash, lastPrice, balances };
  }

  fundHouse(): void {
    const { plan } = this;
    this.post(plan.start, 'inventory.funded', null, [
      [plan.houseAccount(DEMO_USDT), plan.houseAccount(USDT), HOUSE_FUNDS.usdt],
      [plan.houseAccount(DEMO_BTC), plan.houseAccount(BTC), HOUSE_FUNDS.btc],
    ]);
  }

  /** Writes the deposits that a user makes after registration, and a withdrawal. */
  transfersOf(user: number): void {
    const { plan } = this;
    const at = plan.joinedAt(user);
    const owner = userId(user);
    for (const { asset, network, account, source, units } of DEPOSITS) {
      this.deposits += 1;
      const number = this.deposits;
      const id = idAt(at, 'deposit', number);
      const credited = plan.depositOf(user, units);
      this.post(at, 'deposit.credited', id, [
        [plan.houseAccount(source), plan.accountOf(user, account), credited],
      ]);
      const transfer = [
        `bench-address-${user}`,
        `bench-deposit-${number}`,
        0,
        plain(credited),
        number,
        number,
        2,
      ];
      this.targets.deposits.row(id, owner, asset, network, ...transfer, 1, at, at);
    }
    const id = idAt(at, 'withdrawal', user);
    const [available, frozen] = [plan.accountOf(user, BTC), plan.accountOf(user, BTC_FROZEN)];
    const { units, fee } = WITHDRAWAL;
    this.post(at, 'withdrawal.held', id, [[available, frozen, units]]);
    this.post(at, 'withdrawal.sent', id, [
      [frozen, plan.houseAccount(WORLD_BTC), units - fee],
      [frozen, plan.houseAccount(HOUSE_FEES_BTC), fee],
    ]);
    const terms = ['BTC', 'BTC', `bench-address-${user}`, plain(units), plain(fee), 600, true, 1];
    this.targets.withdrawals.row(id, owner, ...terms, `bench-withdrawal-${user}`, user, 2, at, at);
  }

  /**
   * Writes the next orders of users, and at most one order of the market maker on each side, which fills some of them.
   */
  quote(first: number): void {
    const { plan } = this;
    const number = plan.quoteNumber(first);
    const price = plan.quoteOf(number);
    const last = Math.min(first + ORDERS_PER_QUOTE - 1, plan.orders);
    const orders = Array.from({ length: last - first + 1 }, (_, place) => plan.order(first + place));
    const { at } = orders[0]!;
    const makers = new Map<Side, string>();
    for (const [place, side] of (['buy', 'sell'] as const).entries()) {
      const matched = orders.filter((order) => order.outcome === 'filled' && order.side !== side);
      const fills = matched.reduce((sum, order) => sum + order.fills, 0);
      if (fills === 0) continue;
      const id = idAt(at, 'quote', number * 2 + place);
      makers.set(side, id);
      this.hold(at, id, side, plan.houseAccount(side === 'buy' ? USDT : BTC), { price, fills });
      this.orderRow(id, HOUSE_USER, { side, price, fills, outcome: 'filled', at }, at);
    }
    for (const order of orders) this.place(order, makers);
    this.lastPrice = price;
  }

  private place(order: PlannedOrder, makers: ReadonlyMap<Side, string>): void {
    const { plan } = this;
    const { user, side, outcome, at } = order;
    const id = idAt(at, 'order', order.number);
    const available = plan.accountOf(user, side === 'buy' ? USDT : BTC);
    const held = this.hold(at, id, side, available, order);
    if (outcome === 'cancelled') this.post(at, 'spot.released', id, [[available + 1, available, held]]);
    if (outcome === 'filled') {
      const maker = makers.get(side === 'buy' ? 'sell' : 'buy')!;
      for (let fill = 0; fill < order.fills; fill += 1) this.trade(order, id, maker);
    }
    this.orderRow(id, userId(user), order, at);
  }

  /**
   * Moves the amount that an order needs from an available account to the frozen account of the same owner
   * and coin, whose number is one higher. Returns the amount in units of 1e-8 of the coin.
   */
  private hold(
    at: number,
    order: string,
    side: Side,
    available: number,
    { price, fills }: { price: bigint; fills: number },
  ): bigint {
    const perFill = side === 'buy' ? totalAt(price) : TRADE_AMOUNT;
    const amount = perFill * BigInt(fills);
    this.post(at, 'spot.held', order, [[available, available + 1, amount]]);
    return amount;
  }

  private trade({ user, side, price, at }: PlannedOrder, order: string, maker: string): void {
    const { plan } = this;
    this.trades += 1;
    const id = idAt(at, 'trade', this.trades);
    const total = totalAt(price);
    const [baseFee, quoteFee] = [tradeFee(TRADE_AMOUNT), tradeFee(total)];
    const userAccount = (account: number) => plan.accountOf(user, account);
    const houseAccount = (account: number) => plan.houseAccount(account);
    const [buyer, seller] = side === 'buy' ? [userAccount, houseAccount] : [houseAccount, userAccount];
    this.post(at, 'spot.traded', id, [
      [buyer(USDT_FROZEN), seller(USDT), total - quoteFee],
      [buyer(USDT_FROZEN), houseAccount(HOUSE_FEES_USDT), quoteFee],
      [seller(BTC_FROZEN), buyer(BTC), TRADE_AMOUNT - baseFee],
      [seller(BTC_FROZEN), houseAccount(HOUSE_FEES_BTC), baseFee],
    ]);
    const [takerFee, makerFee] = side === 'buy' ? [baseFee, quoteFee] : [quoteFee, baseFee];
    this.targets.trades.row(
      id,
      this.trades,
      SYMBOL,
      price,
      plain(TRADE_AMOUNT),
      plain(total),
      side,
      userId(user),
      order,
      plain(takerFee),
      HOUSE_USER,
      maker,
      plain(makerFee),
      plain(total),
      at,
    );
  }

  private orderRow(
    id: string,
    owner: string,
    order: { side: Side; price: bigint; fills: number; outcome: Outcome; at: number },
    updatedAt: number,
  ): void {
    const { side, price, fills, outcome, at } = order;
    this.orders += 1;
    const amount = TRADE_AMOUNT * BigInt(fills);
    const total = totalAt(price) * BigInt(fills);
    const [filledAmount, filledTotal] = outcome === 'filled' ? [amount, total] : [0n, 0n];
    const fee = tradeFee(side === 'buy' ? filledAmount : filledTotal);
    const held = outcome === 'open' ? (side === 'buy' ? total : amount) : 0n;
    const kind = [SYMBOL, side, 'limit', 'GTC', false, 'cancelTaker'] as const;
    const terms = [price, plain(amount), null, plain(filledAmount), plain(filledTotal), plain(fee)] as const;
    const state = [plain(held), side === 'buy' ? 'USDT' : 'BTC', outcome, ''] as const;
    const rest = [FEE_RATE, FEE_RATE, `bench-${this.orders}`, this.orders, at, updatedAt] as const;
    this.targets.orders.row(id, owner, ...kind, ...terms, ...state, ...rest);
  }

  private post(at: number, kind: string, reference: string | null, moves: readonly Move[]): void {
    this.sequence += 1;
    const { sequence } = this;
    const about = `${kind}\t${reference ?? NULL}`;
    let text = '';
    let sources = '';
    let destinations = '';
    let amounts = '';
    for (const [posting, [source, destination, units]] of moves.entries()) {
      const amount = plain(units);
      const comma = posting === 0 ? '' : ',';
      text += postingText(source, destination, amount);
      sources += `${comma}${source}`;
      destinations += `${comma}${destination}`;
      amounts += `${comma}${amount}`;
      this.balances[source]! -= units;
      this.balances[destination]! += units;
      const place = `${sequence}\t${posting}`;
      this.movement(source, `-${amount}`, { place, about, at });
      this.movement(destination, amount, { place, about, at });
    }
    this.hash = chainedHash(this.hash, { sequence, at, kind, reference }, text);
    const hash = String.raw`\\x${this.hash}`;
    this.targets.entries.line(
      `${sequence}\t${at}\t${about}\t{${sources}}\t{${destinations}}\t{${amounts}}\t${hash}`,
    );
  }

  /**
   * Writes a row of a user's statement. Accounts of the exchange and of the outside world have no statement. `place` is
   * the sequence number of the ledger entry and the index of the posting in it, `about` the kind and reference of the
   * entry.
   */
  private movement(
    account: number,
    amount: string,
    { place, about, at }: { readonly place: string; readonly about: string; readonly at: number },
  ): void {
    if (account > this.lastUserAccount) return;
    this.movements += 1;
    const slot = (account - 1) % USER_ACCOUNTS.length;
    const owner = userId((account - 1 - slot) / USER_ACCOUNTS.length + 1);
    const balance = plain(this.balances[account]!);
    this.targets.movements.line(
      `${owner}\t${place}\t${account}\t${SLOT_CELLS[slot]!}\t${about}\t${amount}\t${balance}\t${at}`,
    );
  }
}
