import { Decimal, sum } from '@exchange/core/decimal.ts';
import { FEE_TIERS } from '@exchange/core/fee.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Side } from '@exchange/core/pair.ts';
import { Refused } from '@exchange/core/refusal.ts';
import type { GridSpacing } from '@exchange/core/spot-grid.ts';
import type { OcoRequest } from '@exchange/core/spot-oco.ts';
import type { OtoRequest } from '@exchange/core/spot-oto.ts';
import type { OrderRequest } from '@exchange/core/spot.ts';
import { resultingType } from '@exchange/core/stop.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { recordingLog } from '../../../../testing/recording-log.ts';
import type { AnyCommand, InputOf, MemoryCommand, OutcomeOf } from '../../../platform/sequencer/command.ts';
import { StepRecord, type Step } from '../../../platform/sequencer/step.ts';
import { createAssets } from '../../assets/index.ts';
import { Ledger, userAddress, worldAddress } from '../../ledger/index.ts';
import { PriceTimeBook } from '../../matching/index.ts';
import { spotCommands, type SpotCommands } from '../commands.ts';
import { executableCountdowns } from '../dead-man.ts';
import { SpotExchange } from '../exchange.ts';
import type { Chase } from '../domain/chase.ts';
import type { Grid } from '../domain/grid.ts';
import { orderChanged } from '../events.ts';
import type { Iceberg } from '../domain/iceberg.ts';
import type { SpotOrder } from '../domain/order.ts';
import type { Twap } from '../domain/twap.ts';

const SECRET = new Uint32Array([5, 6, 7, 8]);
const START_MS = 1_700_000_000_000;

const noDatabase = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * An order request with amounts as text, e.g. `{ side: 'buy', type: 'limit', price: '50000', amount: '1' }`.
 */
export interface OrderText {
  readonly side: Side;
  readonly type?: OrderRequest['type'];
  readonly price?: string;
  readonly amount?: string;
  readonly total?: string;
  readonly stopPrice?: string;
  readonly trail?: string;
  readonly activation?: string;
  readonly exits?: {
    readonly takeProfit?: string;
    readonly stopLoss?: string;
    readonly stopLossLimit?: string;
  };
  readonly direction?: OrderRequest['direction'];
  readonly timeInForce?: OrderRequest['timeInForce'];
  readonly postOnly?: boolean;
  readonly expireAt?: number;
  readonly selfTrade?: SpotOrder['selfTrade'];
  readonly sessionId?: string;
}

/**
 * A TWAP order with amounts as text; `bound` is the maximum distance of a child order's price from the best
 * price, as a fraction.
 */
export interface TwapText {
  readonly side: Side;
  readonly amount: string;
  readonly minutes: number;
  readonly count: number;
  readonly bound: string;
  readonly limitPrice?: string;
}

/** A grid with amounts as text; `slippage` is a fraction, by default one per cent. */
export interface GridText {
  readonly lowerPrice: string;
  readonly upperPrice: string;
  readonly levels: number;
  readonly spacing?: GridSpacing;
  readonly investment: string;
  readonly slippage?: string;
  readonly stopLoss?: string | undefined;
  readonly takeProfit?: string | undefined;
  readonly sellsAtEnd?: boolean;
}

type IcebergText = Readonly<Record<'price' | 'amount' | 'visible', string>>;

/**
 * The spot exchange in memory, without sequencer and database: the pair BTC/USDT and funded users. Every
 * command's input is converted to its journal form and back, and a refused command is undone as the sequencer
 * does.
 */
export class BareExchange {
  readonly exchange: SpotExchange;
  readonly commands: SpotCommands;
  readonly ledger: Ledger;
  now: Instant = instant(START_MS);
  /** The index price that commands receive; undefined without an index. */
  reference: Decimal | undefined;
  /** Maximum number of triggered stops that a trading command marks as due; undefined means all. */
  mostMarked: number | undefined;
  /**
   * All slices of icebergs and all orders of chase orders and grids, in the order in which their first change
   * was published.
   */
  readonly parts = new Set<SpotOrder>();
  private sequence = 0;

  private constructor() {
    this.ledger = new Ledger({ reader: noDatabase, log: recordingLog() });
    this.exchange = new SpotExchange(this.ledger);
    this.commands = spotCommands(this.exchange);
    const { pair, filters } = createAssets({ mode: 'demo' }).findPair('btcusdt')!;
    this.exchange.list(pair, filters, new PriceTimeBook());
  }

  /** Creates an exchange with users 0 … `count - 1`, each owning 1,000,000 USDT and 100 BTC. */
  static async open(count = 4): Promise<BareExchange> {
    const bare = new BareExchange();
    const users = Array.from({ length: count }, (_, index) => userOf(index));
    await bare.ledger.prepareAll(new Set(users));
    for (const user of users) {
      for (const [asset, amount] of [
        ['USDT', '1000000'],
        ['BTC', '100'],
      ] as const) {
        const source = worldAddress(asset, 'demo');
        const destination = userAddress(user, 'spot', 'available');
        bare.step((step) =>
          bare.ledger.post(step, 'faucet.claimed', null, [
            { source, destination, asset, amount: Decimal.parse(amount) },
          ]),
        );
      }
    }
    return bare;
  }

  get market() {
    return this.exchange.market('btcusdt');
  }

  /** Runs a command with its input in journal form. If the command is refused, undoes it and throws `Refused`. */
  run<Kind extends keyof SpotCommands>(
    kind: Kind,
    input: InputOf<SpotCommands[Kind]>,
  ): OutcomeOf<SpotCommands[Kind]> {
    const command: AnyCommand = this.commands[kind];
    const journalInput: unknown = command.input.parse(JSON.parse(JSON.stringify(input)));
    return this.step((step) =>
      (command as MemoryCommand<unknown, unknown>).run(step, journalInput),
    ) as OutcomeOf<SpotCommands[Kind]>;
  }

  place(user: number, wanted: OrderText): SpotOrder {
    return this.run('place', { ...this.entering(user, wanted), request: requestOf(wanted) });
  }

  oco(
    user: number,
    side: Side,
    legs: Record<keyof Omit<OcoRequest, 'side' | 'stopLimitPrice'>, string> & { stopLimitPrice?: string },
  ) {
    const request = { side, ...decimals(legs) } as unknown as OcoRequest;
    return this.run('oco', { ...this.entering(user, {}), request });
  }

  /**
   * Starts a TWAP order. With `bid`, another user first places a bid at that price, so that a sale finds an opposite
   * order.
   */
  twap(user: number, { bound, ...wanted }: TwapText, bid?: string): Twap {
    if (bid !== undefined) this.place(2, { side: 'buy', price: bid, amount: '1' });
    const request = {
      side: wanted.side,
      amount: Decimal.parse(wanted.amount),
      minutes: wanted.minutes,
      count: wanted.count,
      bound: Decimal.parse(bound),
      limitPrice: wanted.limitPrice === undefined ? undefined : Decimal.parse(wanted.limitPrice),
    };
    return this.run('twap', { ...this.entering(user, {}), request });
  }

  /**
   * Executes the command that places a child order of a TWAP order, by default the next one. Returns 1 if it was
   * placed, otherwise 0.
   */
  nextChild({ owner, id, next }: Twap, child = next): number {
    const input = { ...this.entering(0, {}), owner, id, child };
    return this.run('twapChild', input).count;
  }

  iceberg(
    user: number,
    { postOnly = false, ...wanted }: { side: Side; postOnly?: boolean } & IcebergText,
  ): Iceberg {
    const request = {
      side: wanted.side,
      price: Decimal.parse(wanted.price),
      amount: Decimal.parse(wanted.amount),
      visible: Decimal.parse(wanted.visible),
      postOnly,
    };
    return this.run('iceberg', { ...this.entering(user, {}), request });
  }

  chase(
    user: number,
    wanted: { side: Side; amount: string; distance: string; minutes: number; limitPrice?: string },
  ): Chase {
    const request = {
      side: wanted.side,
      amount: Decimal.parse(wanted.amount),
      distance: Decimal.parse(wanted.distance),
      limitPrice: wanted.limitPrice === undefined ? undefined : Decimal.parse(wanted.limitPrice),
      minutes: wanted.minutes,
    };
    return this.run('chase', { ...this.entering(user, {}), request });
  }

  /**
   * Executes the command that changes the price of a chase order's order; `move` is by default the number of earlier
   * price changes. Returns the number of price changes, 0 or 1.
   */
  move({ owner, id, symbol, moves }: Chase, move = moves): number {
    return this.run('moveChase', { ...this.outside, owner, id, symbol, move }).count;
  }

  grid(user: number, { levels, spacing = 'equal', slippage = '0.01', ...wanted }: GridText): Grid {
    const request = {
      lowerPrice: Decimal.parse(wanted.lowerPrice),
      upperPrice: Decimal.parse(wanted.upperPrice),
      levels,
      spacing,
      investment: Decimal.parse(wanted.investment),
      slippage: Decimal.parse(slippage),
      stopLoss: wanted.stopLoss === undefined ? undefined : Decimal.parse(wanted.stopLoss),
      takeProfit: wanted.takeProfit === undefined ? undefined : Decimal.parse(wanted.takeProfit),
      sellsAtEnd: wanted.sellsAtEnd,
    };
    return this.run('grid', { ...this.entering(user, {}), request });
  }

  /** Cancels a grid for its owner; with `sells`, its coins are sold. */
  cancelGrid({ owner, id }: Grid, sells?: boolean) {
    return this.run('cancelGrid', { owner, id, sells, quoteValue: Decimal.one, mostMarked: this.mostMarked });
  }

  /** The orders that have sold coins of ended grids, in the order of their placement. */
  get sales(): readonly SpotOrder[] {
    return [...this.parts].filter(({ side, timeInForce }) => side === 'sell' && timeInForce === 'IOC');
  }

  /** The open slice of an iceberg, which must be running. */
  sliceOf({ slice }: Iceberg): SpotOrder {
    return this.exchange.orders.get(slice!)!;
  }

  ownerOf(user: number): UserId {
    return userOf(user);
  }

  /** Places an OTO, or an OTOCO if `pending` contains an `oco`. */
  oto(
    user: number,
    working: { side: Side; price: string; amount: string; timeInForce?: 'GTC' | 'IOC' | 'FOK' },
    pending: OrderText | { oco: Record<'amount' | 'limitPrice' | 'stopPrice', string>; side: Side },
  ) {
    const { side, price, amount } = working;
    const isOtoco = 'oco' in pending;
    const request = {
      working: {
        side,
        price: Decimal.parse(price),
        amount: Decimal.parse(amount),
        timeInForce: working.timeInForce ?? ('GTC' as const),
        postOnly: false,
      },
      pending: isOtoco ? undefined : (requestOf(pending) as OtoRequest['pending']),
      pendingOco: isOtoco
        ? ({ side: pending.side, ...decimals(pending.oco) } as unknown as OcoRequest)
        : undefined,
    };
    return this.run('oto', { ...this.entering(user, {}), request }).orders;
  }

  /**
   * Places the pending orders of the OTO with the lowest rank among those whose working order is filled.
   * Returns the first of them, or undefined if there is no such OTO.
   */
  release(): SpotOrder | undefined {
    const [order] = this.exchange.owedOtos.ids;
    return order === undefined ? undefined : this.run('release', { order, ...this.outside });
  }

  amend(
    user: number,
    order: SpotOrder,
    {
      exits,
      ...change
    }: { price?: string; amount?: string; stopPrice?: string; exits?: OrderText['exits'] | undefined },
  ): SpotOrder {
    const { price, amount, stopPrice } = decimals(change);
    const terms = { price, amount, stopPrice, exits: exits && decimals(exits) };
    const input = { ...this.outside, owner: userOf(user), order: order.id, ...terms };
    return this.run('amend', input);
  }

  cancel(user: number, order: SpotOrder): SpotOrder {
    return this.run('cancel', { owner: userOf(user), order: order.id });
  }

  /** Executes the first due stop. Returns this order, or undefined if no stop is due. */
  trigger(): SpotOrder | undefined {
    const [order] = this.exchange.due.ids;
    if (order === undefined) return undefined;
    return this.run('trigger', { order, ...this.outside });
  }

  /**
   * Places the take-profit and stop-loss orders of the entry with the lowest rank among those for which they
   * are still to be placed. Returns this entry, or undefined if there is none.
   */
  placeExits(): SpotOrder | undefined {
    const [entry] = this.exchange.owedExits.inOrder();
    if (entry === undefined) return undefined;
    return this.run('exits', { order: entry.id, ...this.outside });
  }

  /** Cancels all orders of a user; returns their number. */
  cancelAll(user: number): number {
    return this.run('cancelAll', { owner: userOf(user) }).count;
  }

  /**
   * Starts a user's countdown for a pair, by default for all pairs; a duration of 0 ends it.
   */
  countdown(user: number, durationMs: number, symbol = ''): void {
    this.run('countdown', { owner: userOf(user), symbol, durationMs });
  }

  /**
   * Executes the countdowns that have run out, by one command each. Returns the number of orders that these
   * commands cancelled.
   */
  endCountdowns(most = 256): number {
    let count = 0;
    for (const { owner, symbol, rank } of executableCountdowns(this.exchange, this.now))
      count += this.run('countdownEnd', { owner, symbol, rank, most }).count;
    return count;
  }

  /** Transfers a user's whole available balance of an asset out of the exchange; amounts held for orders stay. */
  withdrawAll(user: number, asset: 'BTC' | 'USDT'): void {
    const source = userAddress(userOf(user), 'spot', 'available');
    const amount = this.ledger.balance(source, asset);
    if (amount.isZero()) return;
    this.step((step) =>
      this.ledger.post(step, 'faucet.claimed', null, [
        { source, destination: worldAddress(asset, 'demo'), asset, amount },
      ]),
    );
  }

  /** Halts an asset for every later command. */
  haltAsset(asset: 'BTC' | 'USDT'): void {
    this.step((step) =>
      this.ledger.halts.change(step, { asset, isHalted: true, by: 'test', reason: 'test' }),
    );
  }

  liftHalt(asset: 'BTC' | 'USDT'): void {
    this.step((step) =>
      this.ledger.halts.change(step, { asset, isHalted: false, by: 'test', reason: 'test' }),
    );
  }

  expire(most?: number): number {
    return this.run('expire', most === undefined ? {} : { most }).count;
  }

  private get outside() {
    return {
      reference: this.reference,
      quoteValue: Decimal.one,
      mostMarked: this.mostMarked,
    };
  }

  private entering(
    user: number,
    { selfTrade = 'cancelTaker', sessionId }: Pick<OrderText, 'selfTrade' | 'sessionId'>,
  ) {
    const { maker, taker } = FEE_TIERS[0]!;
    return {
      owner: userOf(user),
      symbol: 'btcusdt',
      selfTrade,
      rates: { maker, taker },
      clientId: '',
      sessionId,
      ...this.outside,
    };
  }

  setStatus(status: 'open' | 'cancelOnly' | 'closed'): void {
    this.run('status', { symbol: 'btcusdt', status, by: 'test', reason: 'test' });
  }

  /** Makes users 2 and 3 trade at a price; no other order may be at this price or better. */
  tradeAt(price: string, amount = '0.001'): void {
    this.place(2, { side: 'sell', price, amount });
    this.place(3, { side: 'buy', price, amount, timeInForce: 'IOC' });
  }

  /** A user's balance as text, `available + frozen`. */
  balanceText(user: number, asset: 'BTC' | 'USDT'): string {
    const balanceOf = (bucket: 'available' | 'frozen') =>
      this.ledger.balance(userAddress(userOf(user), 'spot', bucket), asset);
    return `${balanceOf('available')} + ${balanceOf('frozen')}`;
  }

  /** Violated invariants of book, ledger and the holds of users 0 to 3; empty when there are none. */
  problems(): string[] {
    const problems = [...this.market.book.validate(), ...this.ledger.verify()];
    for (let user = 0; user < 4; user += 1) {
      for (const asset of ['BTC', 'USDT'] as const) {
        const orders = this.exchange.orders
          .ofOwner(userOf(user))
          .filter((order) => order.heldAsset === asset);
        const icebergs = [...this.exchange.icebergs].filter(
          ({ owner, heldAsset }) => owner === userOf(user) && heldAsset === asset,
        );
        const held = sum([...orders.map((order) => order.held), ...icebergs.map(({ reserved }) => reserved)]);
        const frozen = this.balanceText(user, asset).split(' + ')[1];
        if (held.toString() !== frozen)
          problems.push(`user ${user}: ${held} ${asset} held, ${frozen} frozen`);
      }
    }
    return problems;
  }

  private step<T>(body: (step: Step) => T): T {
    this.sequence += 1;
    const step = new StepRecord(this.sequence, this.now, SECRET);
    try {
      const outcome = body(step);
      for (const { name, fact } of step.events) {
        const { order } = fact as { order?: SpotOrder };
        if (name === orderChanged.name && order !== undefined && order.parentId !== '') this.parts.add(order);
      }
      return outcome;
    } catch (cause) {
      if (step.isRefusalForbidden) throw new Error('failed after a change that cannot be undone', { cause });
      step.undo();
      this.sequence -= 1;
      throw cause;
    }
  }
}

/** The key and parameters of the refusal that `action` throws. Throws if `action` is not refused. */
export function refusalOf(action: () => unknown): Record<string, string> {
  try {
    action();
  } catch (cause) {
    if (cause instanceof Refused) return { key: cause.refusal.key, ...cause.refusal.parameters };
    throw cause;
  }
  throw new Error('it was not refused');
}

export function userOf(index: number): UserId {
  return `00000000-0000-7000-8000-${String(index).padStart(12, '0')}` as UserId;
}

function requestOf({
  side,
  type = 'limit',
  direction,
  postOnly = false,
  ...wanted
}: OrderText): OrderRequest {
  const { price, amount, total, stopPrice, trail, activation } = wanted;
  const defaultTimeInForce = resultingType(type) === 'limit' ? 'GTC' : 'IOC';
  return {
    side,
    type,
    direction,
    postOnly,
    ...decimals({ price, amount, total, stopPrice, trail, activation }),
    exits: wanted.exits && decimals(wanted.exits),
    timeInForce: wanted.timeInForce ?? defaultTimeInForce,
    expireAt: wanted.expireAt === undefined ? undefined : instant(wanted.expireAt),
  };
}

function decimals<Name extends string>(
  texts: Readonly<Partial<Record<Name, string | undefined>>>,
): Partial<Record<Name, Decimal>> {
  const entries = Object.entries(texts).filter(([, text]) => text !== undefined);
  return Object.fromEntries(entries.map(([name, text]) => [name, Decimal.parse(text as string)])) as Partial<
    Record<Name, Decimal>
  >;
}
