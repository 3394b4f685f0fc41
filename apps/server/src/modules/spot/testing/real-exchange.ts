import { createHash } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import type { AssetCode, Side } from '@exchange/core/pair.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import { recordingLog } from '../../../../testing/recording-log.ts';
import {
  CommandRegistry,
  type AnyCommand,
  type InputOf,
  type MemoryCommand,
} from '../../../platform/sequencer/command.ts';
import { StepRecord } from '../../../platform/sequencer/step.ts';
import type { Database } from '../../../platform/database/database.ts';
import { createAssets } from '../../assets/index.ts';
import {
  balanceChanged,
  Ledger,
  userAddress,
  worldAddress,
  type Address,
  type BalanceChanged,
} from '../../ledger/index.ts';
import { levelsMoved, type LevelsMoved } from '../../market/index.ts';
import { PriceTimeBook, type OrderBook } from '../../matching/index.ts';
import { spotCommands, type SpotCommands } from '../commands.ts';
import { SpotExchange } from '../exchange.ts';
import { loadExchange } from '../loading.ts';
import type { Amended, SpotOrder } from '../domain/order.ts';
import { orderOf } from '../repository.ts';
import { amountOf, priceOf } from '../settlement.ts';
import { orderWriter, termsWriter, type SpotTrade } from '../tables.ts';
import type { Names } from './differences.ts';
import type { Action, ModelCommand } from './model-command.ts';
import type { Listed } from './naive/order.ts';
import { StoredRows } from './stored-rows.ts';

/** A command of spot with its input. */
type SpotCommand = {
  [Kind in keyof SpotCommands]: {
    readonly name: `spot.${Kind}`;
    readonly input: InputOf<SpotCommands[Kind]>;
  };
}[keyof SpotCommands];

export interface Funded {
  readonly owner: UserId;
  readonly asset: AssetCode;
  readonly amount: Decimal;
}

/** The result of one command of the real exchange. */
export interface RealAnswer {
  readonly refused: string | undefined;
  readonly orders: readonly SpotOrder[];
  readonly trades: readonly SpotTrade[];
  readonly amendments: readonly Amended[];
  /** The last published state of each balance that the command has changed. */
  readonly balances: readonly BalanceChanged[];
  /** The pairs whose price levels the command has changed. */
  readonly symbols: readonly string[];
  readonly count: number;
}

const SECRET = new Uint32Array([5, 6, 7, 8]);
const FUNDING_TIME = instant(1_699_999_999_999);
export const USERS: readonly UserId[] = Array.from(
  { length: 5 },
  (_, index) => `00000000-0000-7000-8000-00000000000${index}` as UserId,
);
const FUNDS: Readonly<Record<string, string>> = { BTC: '6', ETH: '60', USDT: '300000' };
const MIN_TOTALS: Readonly<Record<string, string>> = { BTC: '0.000003', USDT: '0.3' };
/** Number of steps that fund the users. The first random command has the next sequence number. */
export const FIRST_SEQUENCE = USERS.length * Object.keys(FUNDS).length;

/** Two pairs that share a coin, with small limits on orders, so that random commands reach the limits. */
function narrowListings(): Listed[] {
  return createAssets({ mode: 'demo' })
    .pairs.filter(({ pair }) => pair.symbol === 'btcusdt' || pair.symbol === 'ethbtc')
    .map(({ pair, filters }) => ({
      pair,
      filters: {
        ...filters,
        minTotal: Decimal.parse(MIN_TOTALS[pair.quote]!),
        marketGuard: Decimal.parse('0.004'),
        maxOpenOrders: 7,
        maxStopOrders: 4,
        maxLifetimeMs: 3_600_000,
      },
    }));
}

/**
 * The production exchange with its ledger and books. It runs steps as the sequencer does, but stores rows in
 * memory instead of a database. A restart loads it from the rows that its writers have stored.
 */
export class RealExchange {
  readonly listings: readonly Listed[] = narrowListings();
  readonly assets: readonly AssetCode[] = Object.keys(FUNDS);
  readonly funding: readonly Funded[];
  readonly ledger: Ledger;
  exchange: SpotExchange;
  /** The journal of commands, one line per step. */
  readonly journal: string[] = [];
  private readonly stored = new StoredRows();
  private readonly levels = new Map<string, Map<string, bigint>>();

  private readonly newBook: () => OrderBook;

  private constructor(ledger: Ledger, newBook: () => OrderBook) {
    this.ledger = ledger;
    this.newBook = newBook;
    this.exchange = this.newExchange();
    this.funding = USERS.flatMap((owner) =>
      this.assets.map((asset) => ({ owner, asset, amount: Decimal.parse(FUNDS[asset]!) })),
    );
  }

  /** Creates an exchange without orders whose users are funded. */
  static async create(newBook: () => OrderBook = () => new PriceTimeBook()): Promise<RealExchange> {
    const ledger = new Ledger({ reader: new StoredRows().database().reader, log: recordingLog() });
    await ledger.prepareAll(new Set(USERS));
    const real = new RealExchange(ledger, newBook);
    for (const [index, { owner, asset, amount }] of real.funding.entries()) {
      const posting = {
        source: worldAddress(asset, 'demo'),
        destination: userAddress(owner, 'spot', 'available'),
        asset,
        amount,
      };
      ledger.post(newStep(index + 1, FUNDING_TIME), 'faucet.claimed', null, [posting]);
    }
    return real;
  }

  /**
   * Runs one command as a step, and undoes the step if the command is refused. A restart loads the orders again; an
   * execution without due work runs no step.
   */
  async run(command: ModelCommand, names: Names): Promise<RealAnswer> {
    const { action } = command;
    if (action.kind === 'restart') {
      await this.restart();
      return answerOf(undefined);
    }
    if (action.kind === 'trigger' && this.exchange.due.size === 0) return answerOf(undefined);
    if (action.kind === 'release' && this.exchange.owedOtos.size === 0) return answerOf(undefined);
    if (action.kind === 'exits' && this.exchange.owedExits.size === 0) return answerOf(undefined);
    return this.step(command.sequence, command.now, this.commandOf(action, names));
  }

  /** Runs a command that has the name and input of a journal line. */
  runRecorded(sequence: number, now: Instant, name: string, input: unknown): RealAnswer {
    const commands = new CommandRegistry();
    commands.add(Object.values(spotCommands(this.exchange)));
    return this.step(sequence, now, { name, input: commands.read(name, input).input } as SpotCommand);
  }

  openOrders(): SpotOrder[] {
    return [...this.exchange.orders].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** All stored orders, including ended ones, as a query would read them. */
  storedOrders(): SpotOrder[] {
    type OrderRow = Parameters<typeof orderOf>[0] & Parameters<typeof orderOf>[1];
    const pairOf = (symbol: string) => this.exchange.market(symbol).pair;
    return this.stored.orders().map((row) => orderOf(row as OrderRow, row as OrderRow, pairOf));
  }

  /**
   * The amounts (in atoms) by price on one side of a pair, according to the published changes of price
   * levels.
   */
  publishedLevels(symbol: string, side: Side): Map<string, Decimal['atoms']> {
    const name = `${symbol} ${side}`;
    let levels = this.levels.get(name);
    if (levels === undefined) this.levels.set(name, (levels = new Map()));
    return levels;
  }

  /**
   * A digest of all accounts, the open orders, and the orders queued for execution or placement, by which two exchanges
   * are compared.
   */
  hash(): string {
    const hash = createHash('sha256');
    for (const { address, asset, atoms } of this.ledger.everyAccount())
      hash.update(`${address} ${asset} ${atoms}\n`);
    for (const order of this.openOrders())
      hash.update(`${[...orderWriter.cells(order), ...termsWriter.cells(order)].join(' ')}\n`);
    const { due, owedExits, owedOtos } = this.exchange;
    return hash.update([...due.ids, ...owedExits.ids, ...owedOtos.ids].join()).digest('hex');
  }

  /**
   * Creates a second exchange in which no orders are loaded yet, with the same balances, and a database that returns
   * the rows stored by the first one.
   */
  another(): { readonly exchange: SpotExchange; readonly database: Database } {
    return { exchange: this.newExchange(), database: this.stored.database() };
  }

  private async restart(): Promise<void> {
    this.exchange = this.newExchange();
    await loadExchange(this.exchange, this.stored.database(), this.ledger);
  }

  private newExchange(): SpotExchange {
    const exchange = new SpotExchange(this.ledger);
    for (const { pair, filters } of this.listings) exchange.list(pair, filters, this.newBook());
    return exchange;
  }

  private step(sequence: number, now: Instant, command: SpotCommand): RealAnswer {
    const step = newStep(sequence, now);
    let outcome;
    try {
      outcome = this.execute(step, command);
    } catch (cause) {
      step.undo();
      if (!(cause instanceof Refused) || step.isRefusalForbidden) throw cause;
      return answerOf(cause.refusal.key);
    }
    step.record(command.name, command.input);
    const rows = step.savedRows;
    this.stored.write(rows);
    this.journal.push(step.recorded);
    return { ...answerOf(undefined), ...this.publishedBy(step), ...savedIn(rows), count: countOf(outcome) };
  }

  private execute(step: StepRecord, { name, input }: SpotCommand): unknown {
    const commands: readonly AnyCommand[] = Object.values(spotCommands(this.exchange));
    const command = commands.find((command) => command.name === name) as MemoryCommand<unknown, unknown>;
    return command.run(step, input);
  }

  private publishedBy({ events }: StepRecord): Pick<RealAnswer, 'balances' | 'symbols'> {
    const balances = new Map<string, BalanceChanged>();
    const symbols: string[] = [];
    for (const { name, fact } of events) {
      if (name === balanceChanged.name) {
        const changed = fact as BalanceChanged;
        balances.set(changed.owner + changed.asset, changed);
      } else if (name === levelsMoved.name) {
        const { symbol, levels } = fact as LevelsMoved;
        symbols.push(symbol);
        const { pair } = this.exchange.market(symbol);
        for (const level of levels) {
          const levelsOfSide = this.publishedLevels(symbol, level.side);
          const price = priceOf(pair, level.price).toString();
          if (level.amount === 0n) levelsOfSide.delete(price);
          else levelsOfSide.set(price, amountOf(pair, level.amount).atoms);
        }
      }
    }
    return { balances: [...balances.values()], symbols };
  }

  private commandOf(action: Exclude<Action, { kind: 'restart' }>, names: Names): SpotCommand {
    switch (action.kind) {
      case 'place': {
        const { kind: _kind, ...input } = action;
        return { name: 'spot.place', input };
      }
      case 'oco': {
        const { kind: _kind, side, amount, limitPrice, stopPrice, stopLimitPrice, ...entering } = action;
        const request = { side, amount, limitPrice, stopPrice, stopLimitPrice };
        return { name: 'spot.oco', input: { ...entering, request } };
      }
      case 'oto': {
        const { kind: _kind, working, pending, pendingOco, ...entering } = action;
        return { name: 'spot.oto', input: { ...entering, request: { working, pending, pendingOco } } };
      }
      case 'release': {
        const order = this.exchange.owedOtos.ids[0]!;
        return {
          name: 'spot.release',
          input: { order, reference: action.reference, quoteValue: action.quoteValue },
        };
      }
      case 'amend': {
        const { owner, order, price, amount, stopPrice, exits, reference, quoteValue } = action;
        const outside = { reference, quoteValue };
        const input = { owner, order: names.idOf(order), price, amount, stopPrice, exits, ...outside };
        return { name: 'spot.amend', input };
      }
      case 'cancel':
        return { name: 'spot.cancel', input: { owner: action.owner, order: names.idOf(action.order) } };
      case 'cancelAll': {
        const { kind: _kind, ...input } = action;
        return { name: 'spot.cancelAll', input };
      }
      case 'trigger': {
        const order = this.exchange.due.ids[0] as OrderId;
        return {
          name: 'spot.trigger',
          input: { order, reference: action.reference, quoteValue: action.quoteValue },
        };
      }
      case 'exits': {
        const order = this.exchange.owedExits.ids[0]!;
        return {
          name: 'spot.exits',
          input: { order, reference: action.reference, quoteValue: action.quoteValue },
        };
      }
      case 'expire':
        return { name: 'spot.expire', input: {} };
      default: {
        const { symbol, status } = action;
        return { name: 'spot.status', input: { symbol, status, by: 'operator', reason: 'a halt' } };
      }
    }
  }
}

/** The address of a ledger account as text. */
export function addressText({ owner, slot, name }: Address): string {
  return owner === undefined ? name : `${owner} ${slot}`;
}

function newStep(sequence: number, now: Instant): StepRecord {
  return new StepRecord(sequence, now, SECRET);
}

function answerOf(refused: string | undefined): RealAnswer {
  return { refused, orders: [], trades: [], amendments: [], balances: [], symbols: [], count: 0 };
}

/** The orders that a step stored, each once, and its trades and amendments in order. */
function savedIn(rows: StepRecord['savedRows']): Pick<RealAnswer, 'orders' | 'trades' | 'amendments'> {
  const orders = new Set<SpotOrder>();
  const trades: SpotTrade[] = [];
  const amendments: Amended[] = [];
  for (const { writer, row } of rows) {
    if (writer.name === 'spot_order' || writer.name === 'spot_order_change') orders.add(row as SpotOrder);
    if (writer.name === 'spot_trade') trades.push(row as SpotTrade);
    if (writer.name === 'spot_amendment') amendments.push(row as Amended);
  }
  return { orders: [...orders], trades, amendments };
}

function countOf(outcome: unknown): number {
  const isCount = typeof outcome === 'object' && outcome !== null && 'count' in outcome;
  return isCount ? Number(outcome.count) : 0;
}
