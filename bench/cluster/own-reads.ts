/**
 * Places orders of traders over HTTP and reads each trader's own list of orders after each order, in its own process.
 * The arguments are a name for the run, the port of an API node, the number of traders, and the number of reads of all
 * traders together. The last line of the output is JSON.
 */
import { API_BASE } from '@exchange/wire/endpoint.ts';
import { cancelOrder, createOrder, orderRecords } from '@exchange/wire/spot.ts';
import { formPost, HttpConnection } from '../measuring/http-client.ts';
import { percentile } from '../measuring/statistics.ts';
import { tokenOf } from '../orders/fixtures.ts';
import { Trader } from '../orders/workload.ts';

export interface OwnReadsOutcome {
  readonly reads: number;
  /** Number of reads whose list lacked the order whose placement the same trader had been answered before. */
  readonly stale: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Number of reads after each order. */
const READS_PER_ORDER = 9;
const ORDER_ID = /"id":"([0-9a-f-]{36})"/;
const ACCEPTED = '"code":1,';

const [run = '', ...numbers] = process.argv.slice(2);
const [port = 0, traders = 0, readsMax = 0] = numbers.map(Number);
const latenciesMs: number[] = [];
let stale = 0;

const startMs = performance.now();
await Promise.all(Array.from({ length: traders }, (_, index) => trade(index)));
const outcome: OwnReadsOutcome = {
  stale,
  reads: latenciesMs.length,
  perSecond: latenciesMs.length / ((performance.now() - startMs) / 1_000),
  p50Ms: percentile(latenciesMs, 0.5),
  p99Ms: percentile(latenciesMs, 0.99),
};
process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit(0));

async function trade(index: number): Promise<void> {
  const connection = await HttpConnection.open(port);
  const token = tokenOf(index);
  const trader = new Trader(index, run);
  while (latenciesMs.length < readsMax) {
    const command = trader.next();
    if (command.kind === 'cancel') {
      await connection.send(formPost(API_BASE + cancelOrder.path, token, `id=${command.id}`));
      continue;
    }
    const fields =
      `baseCoin=BTC&quoteCoin=USDT&tradeType=${trader.isBuyer ? 1 : 2}&orderType=limit` +
      `&price=${command.price}&amount=${command.amount}&clientId=${command.clientId}`;
    const placed = await connection.send(formPost(API_BASE + createOrder.path, token, fields));
    const id = ORDER_ID.exec(placed)?.[1];
    if (!placed.includes(ACCEPTED) || id === undefined) throw new Error(`refused: ${placed}`);
    trader.addOpenOrder(id);
    for (let read = 0; read < READS_PER_ORDER; read += 1) {
      const sentMs = performance.now();
      const list = await connection.send(formPost(API_BASE + orderRecords.path, token, 'pageSize=10'));
      latenciesMs.push(performance.now() - sentMs);
      if (!list.includes(ACCEPTED)) throw new Error(`refused: ${list}`);
      if (!list.includes(id)) stale += 1;
    }
  }
  connection.close();
}
