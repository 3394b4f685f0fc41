import { Decimal } from '@exchange/core/decimal.ts';
import { FEE_TIERS } from '@exchange/core/fee.ts';
import type { OrderId } from '@exchange/core/ids.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { instant } from '@exchange/core/time.ts';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { createAssets } from '../../apps/server/src/modules/assets/index.ts';
import { Ledger, userAddress, worldAddress } from '../../apps/server/src/modules/ledger/index.ts';
import { PriceTimeBook } from '../../apps/server/src/modules/matching/index.ts';
import { SpotExchange } from '../../apps/server/src/modules/spot/exchange.ts';
import { stepIds } from '../../apps/server/src/platform/sequencer/step-ids.ts';
import { StepRecord, type Step } from '../../apps/server/src/platform/sequencer/step.ts';
import { benchLog } from './exchange.ts';
import { userOf } from './stage.ts';
import { SYMBOL, Trader, TRADERS, type Command } from './workload.ts';

const SECRET = new Uint32Array([11, 22, 33, 44]);
const WARM_COMMANDS = 20_000;

const noDatabase = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** Matching, holds, fees, postings and the rows of every step, with nothing stored: what memory alone can do. */
export async function runEngine(commands: number): Promise<{ perSecond: number }> {
  const ledger = new Ledger({ reader: noDatabase, log: benchLog });
  const exchange = new SpotExchange(ledger);
  const listed = createAssets({ mode: 'live' }).findPair(SYMBOL);
  if (listed === undefined) throw new Error(`${SYMBOL} is not listed`);
  exchange.list(listed.pair, listed.filters, new PriceTimeBook());
  const traders = Array.from({ length: TRADERS }, (_, index) => new Trader(index));
  await ledger.prepareAll(new Set(traders.map(({ index }) => userOf(index))));
  const steps = new Steps();
  for (const { index } of traders) steps.run((step) => fund(ledger, step, index));
  const act = (trader: Trader) => {
    const command = trader.next();
    steps.run((step) => execute(exchange, step, trader, command));
  };
  for (let at = 0; at < WARM_COMMANDS; at += 1) act(traderAt(traders, at));
  steps.accepted = 0;
  const beganMs = performance.now();
  for (let at = 0; at < commands; at += 1) act(traderAt(traders, at));
  return { perSecond: steps.accepted / ((performance.now() - beganMs) / 1_000) };
}

class Steps {
  accepted = 0;
  private sequence = 0;

  run(body: (step: Step) => void): void {
    this.sequence += 1;
    const now = instant(Date.now());
    const step = new StepRecord(this.sequence, now, stepIds(SECRET, this.sequence, now));
    try {
      body(step);
      this.accepted += 1;
    } catch (cause) {
      step.undo();
      // An order may have been filled before its cancel came.
      if (!(cause instanceof Refused)) throw cause;
    }
  }
}

function traderAt(traders: readonly Trader[], at: number): Trader {
  const trader = traders[at % traders.length];
  if (trader === undefined) throw new Error('there are no traders');
  return trader;
}

function fund(ledger: Ledger, step: Step, trader: number): void {
  const postings = ['USDT', 'BTC'].map((asset) => ({
    source: worldAddress(asset, 'bench'),
    destination: userAddress(userOf(trader), 'spot', 'available'),
    asset,
    amount: Decimal.ofWhole(1_000_000_000),
  }));
  ledger.post(step, 'deposit.credited', null, postings);
}

function execute(exchange: SpotExchange, step: Step, trader: Trader, command: Command): void {
  const owner = userOf(trader.index);
  if (command.kind === 'cancel') {
    exchange.cancel(step, owner, command.id as OrderId);
    return;
  }
  const [rates] = FEE_TIERS;
  if (rates === undefined) throw new Error('there are no fee tiers');
  const order = exchange.place(step, {
    owner,
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
  });
  if (order.state === 'open') trader.rests(order.id);
}
