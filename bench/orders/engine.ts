import { Decimal } from '@exchange/core/decimal.ts';
import { FEE_TIERS } from '@exchange/core/fee.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { instant } from '@exchange/core/time.ts';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { createAssets } from '../../apps/server/src/modules/assets/index.ts';
import { Ledger, userAddress, worldAddress } from '../../apps/server/src/modules/ledger/index.ts';
import { PriceTimeBook } from '../../apps/server/src/modules/matching/index.ts';
import type { PlaceInput } from '../../apps/server/src/modules/spot/command-inputs.ts';
import { SpotExchange } from '../../apps/server/src/modules/spot/exchange.ts';
import type { SpotOrder } from '../../apps/server/src/modules/spot/domain/order.ts';
import { StepRecord, type Step } from '../../apps/server/src/platform/sequencer/step.ts';
import { benchLog } from './exchange.ts';
import { userOf } from './stage.ts';
import { SYMBOL, Trader, TRADERS, type Command } from './workload.ts';

const SECRET = new Uint32Array([11, 22, 33, 44]);
const WARM_COMMANDS = 100_000;
const PORTION = 500;
const BATCH_STEPS = 256;
const NOW = instant(1_790_000_000_000);

const noDatabase = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/**
 * Matching, holds, fees, postings, events and the rows of every step, with nothing stored: what memory alone
 * can do. Commands are parsed before, some at a time, so that they are as near in memory as those of a request
 * that just came in; a first exchange tells which orders they can cancel.
 */
export async function runEngine(commands: number): Promise<{ perSecond: number }> {
  const stream = await streamOf(WARM_COMMANDS + commands);
  const engine = await Engine.open();
  let ms = 0;
  for (let at = 0; at < stream.length; at += PORTION) {
    if (at === WARM_COMMANDS) [ms, engine.accepted] = [0, 0];
    const acts = stream.slice(at, at + PORTION).map(actOf);
    const beganMs = performance.now();
    for (const act of acts) engine.run(act);
    ms += performance.now() - beganMs;
  }
  return { perSecond: engine.accepted / (ms / 1_000) };
}

interface Asked {
  readonly trader: Trader;
  readonly command: Command;
}

interface Act {
  /** What a cancel is about; one that comes too late is answered without a step, here as in the service. */
  readonly cancels: OrderId | undefined;
  take(exchange: SpotExchange, step: Step): SpotOrder;
}

/** What the traders do one after another; ids are a function of the step, so they fit any fresh exchange. */
async function streamOf(length: number): Promise<Asked[]> {
  const engine = await Engine.open();
  const traders = Array.from({ length: TRADERS }, (_, index) => new Trader(index));
  return Array.from({ length }, (_, at) => {
    const trader = traders[at % TRADERS]!;
    const asked = { trader, command: trader.next() };
    const order = engine.run(actOf(asked));
    if (asked.command.kind === 'place' && order?.state === 'open') trader.rests(order.id);
    return asked;
  });
}

function actOf({ trader, command }: Asked): Act {
  return command.kind === 'cancel' ? cancelling(trader, command.id) : placing(trader, command);
}

/** One exchange without a database, and the steps that it takes. */
class Engine {
  accepted = 0;
  private readonly ledger = new Ledger({ reader: noDatabase, log: benchLog });
  private readonly exchange = new SpotExchange(this.ledger);
  private sequence = 0;

  static async open(): Promise<Engine> {
    const engine = new Engine();
    const listed = createAssets({ mode: 'live' }).findPair(SYMBOL);
    if (listed === undefined) throw new Error(`${SYMBOL} is not listed`);
    engine.exchange.list(listed.pair, listed.filters, new PriceTimeBook());
    const owners = Array.from({ length: TRADERS }, (_, index) => userOf(index));
    await engine.ledger.prepareAll(new Set(owners));
    for (const owner of owners) engine.step((step) => fund(engine.ledger, step, owner));
    return engine;
  }

  /** The order it was about; undefined when the step was refused. */
  run(act: Act): SpotOrder | undefined {
    if (act.cancels !== undefined && this.exchange.orders.get(act.cancels) === undefined) return undefined;
    const order = this.step((step) => act.take(this.exchange, step));
    if (order !== undefined) this.accepted += 1;
    // A batch is checked before it is stored.
    if (this.sequence % BATCH_STEPS === 0) this.ledger.verify();
    return order;
  }

  private step<T>(body: (step: Step) => T): T | undefined {
    this.sequence += 1;
    const step = new StepRecord(this.sequence, NOW, SECRET);
    try {
      return body(step);
    } catch (cause) {
      step.undo();
      // An order may have been filled before its cancel came.
      if (cause instanceof Refused) return undefined;
      throw cause;
    }
  }
}

function fund(ledger: Ledger, step: Step, owner: UserId): void {
  const postings = ['USDT', 'BTC'].map((asset) => ({
    source: worldAddress(asset, 'bench'),
    destination: userAddress(owner, 'spot', 'available'),
    asset,
    amount: Decimal.ofWhole(1_000_000_000),
  }));
  ledger.post(step, 'deposit.credited', null, postings);
}

function cancelling({ index }: Trader, id: string): Act {
  const owner = userOf(index);
  const order = id as OrderId;
  return { cancels: order, take: (exchange, step) => exchange.cancel(step, owner, order) };
}

function placing(trader: Trader, command: Extract<Command, { kind: 'place' }>): Act {
  const [rates] = FEE_TIERS;
  if (rates === undefined) throw new Error('there are no fee tiers');
  const input: PlaceInput = {
    owner: userOf(trader.index),
    symbol: SYMBOL,
    request: {
      side: trader.isBuyer ? 'buy' : 'sell',
      type: 'limit',
      price: Decimal.parse(command.price),
      amount: Decimal.parse(command.amount),
      total: undefined,
      timeInForce: 'GTC',
      postOnly: false,
    },
    selfTrade: 'cancelTaker',
    rates,
    clientId: command.clientId,
    reference: undefined,
    quoteValue: Decimal.one,
  };
  return { cancels: undefined, take: (exchange, step) => exchange.place(step, input) };
}
