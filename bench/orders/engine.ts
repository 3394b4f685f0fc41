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
import { userOf } from './fixtures.ts';
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
 * Returns the number of accepted commands per second of the engine in memory: matching, holds (reserved
 * balances), fees, postings, events, and the rows that would be stored for every engine step (executed
 * command). Nothing is stored. Commands are parsed in portions before they run, so that they are as recent in
 * memory as those of a new request. Their generator has run them on another engine to learn which orders can
 * be cancelled.
 */
export async function runEngine(commands: number): Promise<{ perSecond: number }> {
  const stream = await streamOf(WARM_COMMANDS + commands);
  const engine = await Engine.open();
  let ms = 0;
  for (let at = 0; at < stream.length; at += PORTION) {
    if (at === WARM_COMMANDS) [ms, engine.accepted] = [0, 0];
    const actions = stream.slice(at, at + PORTION).map(actionOf);
    const startMs = performance.now();
    for (const action of actions) engine.run(action);
    ms += performance.now() - startMs;
  }
  return { perSecond: engine.accepted / (ms / 1_000) };
}

interface TraderCommand {
  readonly trader: Trader;
  readonly command: Command;
}

interface Action {
  /**
   * Id of the order to cancel. Undefined for a new order. If the order does not exist any more, no engine step is
   * executed, as in the spot service.
   */
  readonly cancelledId: OrderId | undefined;
  apply(exchange: SpotExchange, step: Step): SpotOrder;
}

/**
 * Returns `length` commands: each of the traders in turn issues one. Order ids are derived from the
 * number of the engine step that places the order, so the same commands can be executed by every new engine.
 */
async function streamOf(length: number): Promise<TraderCommand[]> {
  const engine = await Engine.open();
  const traders = Array.from({ length: TRADERS }, (_, index) => new Trader(index));
  return Array.from({ length }, (_, at) => {
    const trader = traders[at % TRADERS]!;
    const request = { trader, command: trader.next() };
    const order = engine.run(actionOf(request));
    if (request.command.kind === 'place' && order?.state === 'open') trader.addOpenOrder(order.id);
    return request;
  });
}

function actionOf({ trader, command }: TraderCommand): Action {
  return command.kind === 'cancel' ? cancelAction(trader, command.id) : placeAction(trader, command);
}

/** An exchange without a database that executes steps. */
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

  /**
   * Executes a trader's command. Returns the order, or undefined if the command was refused or the order to cancel has
   * ended.
   */
  run(action: Action): SpotOrder | undefined {
    if (action.cancelledId !== undefined && this.exchange.orders.get(action.cancelledId) === undefined)
      return undefined;
    const order = this.step((step) => action.apply(this.exchange, step));
    if (order !== undefined) this.accepted += 1;
    // In the exchange the sequencer checks the ledger once for each batch of steps, so the benchmark does the same.
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
      // A step is refused, for example, if the order to cancel is already filled.
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

function cancelAction({ index }: Trader, id: string): Action {
  const owner = userOf(index);
  const order = id as OrderId;
  return { cancelledId: order, apply: (exchange, step) => exchange.cancel(step, { owner, order }) };
}

function placeAction(trader: Trader, command: Extract<Command, { kind: 'place' }>): Action {
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
  return { cancelledId: undefined, apply: (exchange, step) => exchange.place(step, input) };
}
