/**
 * Sends orders of traders over HTTP, in its own process. The arguments are a name for the run, one or more ports
 * separated by commas, the number of connections to all ports together, milliseconds, and for a steady rate the
 * commands (orders and cancels) per second of all connections together. Each connection belongs to another trader; the
 * connections are divided evenly among the ports. The last line of the output is JSON.
 */
import { API_BASE } from '@exchange/wire/endpoint.ts';
import { cancelOrder, createOrder } from '@exchange/wire/spot.ts';
import { formPost, HttpConnection } from '../measuring/http-client.ts';
import { percentile } from '../measuring/statistics.ts';
import type { SideOutcome } from './program.ts';
import { tokenOf } from './fixtures.ts';
import { Trader } from './workload.ts';

const CREATE = API_BASE + createOrder.path;
const CANCEL = API_BASE + cancelOrder.path;
const WARM_MS = 4_000;
/**
 * Warm-up time in milliseconds at a steady rate. A newly started server is slower at first and needs some seconds to
 * catch up.
 */
const STEADY_WARM_MS = 8_000;
const ACCEPTED = '"code":1,';
const REFUSED = /"code":(?!1,)-?\d+,/;
const ORDER_ID = /"id":"([0-9a-f-]{36})"/;
const STILL_OPEN = /"status":[01],/;

const [run = '', portList = '', ...numbers] = process.argv.slice(2);
const ports = portList.split(',').map(Number);
const [connections = 0, durationMs = 0, perSecond = 0] = numbers.map(Number);

interface Session {
  readonly trader: Trader;
  readonly token: string;
  readonly connection: HttpConnection;
}

const newTally = () => ({ accepted: 0, refused: 0, latenciesMs: [] as number[] });
let tally = newTally();
let answeredInAll = 0;
const ending = new AbortController();

const sessions = await Promise.all(
  Array.from({ length: connections }, async (_, index): Promise<Session> => {
    const connection = await HttpConnection.open(ports[index % ports.length]!);
    return { trader: new Trader(index, run), token: tokenOf(index), connection };
  }),
);
const trading = perSecond > 0 ? openLoop() : Promise.all(sessions.map(closedLoop));
await pause(perSecond > 0 ? STEADY_WARM_MS : WARM_MS);
const measured = (tally = newTally());
const startMs = performance.now();
await pause(durationMs);
const { accepted, refused, latenciesMs } = measured;
const seconds = (performance.now() - startMs) / 1_000;
const latencies = [...latenciesMs];
ending.abort();
await trading;
const outcome: SideOutcome & { answeredInAll: number } = {
  answeredInAll,
  perSecond: accepted / seconds,
  p50Ms: percentile(latencies, 0.5),
  p99Ms: percentile(latencies, 0.99),
  refused: refused / (accepted + refused),
};
process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit(0));

/** Sends the commands of one trader over the trader's connection, each after the answer to the previous command. */
async function closedLoop(session: Session): Promise<void> {
  while (!ending.signal.aborted) await trade(session, performance.now());
}

/**
 * Sends commands at a steady rate that does not depend on the answers. A command that is due waits until the connection
 * of a trader is free; this wait is part of its latency.
 */
async function openLoop(): Promise<void> {
  const free = [...sessions];
  const due: number[] = [];
  const running = new Set<Promise<void>>();
  const dispatch = () => {
    while (free.length > 0 && due.length > 0) {
      const session = free.shift();
      const dueMs = due.shift();
      if (session === undefined || dueMs === undefined) return;
      const pending: Promise<void> = trade(session, dueMs).then(() => {
        running.delete(pending);
        free.push(session);
        dispatch();
      });
      running.add(pending);
    }
  };
  const startMs = performance.now();
  for (let sent = 0; !ending.signal.aborted;) {
    const nowMs = performance.now();
    for (; startMs + (sent * 1_000) / perSecond <= nowMs; sent += 1)
      due.push(startMs + (sent * 1_000) / perSecond);
    dispatch();
    await pause(1);
  }
  await Promise.all(running);
}

async function trade({ trader, token, connection }: Session, dueMs: number): Promise<void> {
  const command = trader.next();
  const request =
    command.kind === 'cancel'
      ? formPost(CANCEL, token, `id=${command.id}`)
      : formPost(
          CREATE,
          token,
          `baseCoin=BTC&quoteCoin=USDT&tradeType=${trader.isBuyer ? 1 : 2}&orderType=limit` +
            `&price=${command.price}&amount=${command.amount}&clientId=${command.clientId}`,
        );
  const body = await connection.send(request);
  answeredInAll += 1;
  if (!body.includes(ACCEPTED)) {
    // A cancel command may be refused, because its order may already be filled. No other command may be refused.
    if (command.kind !== 'cancel' || !REFUSED.test(body)) throw new Error(`refused: ${body}`);
    tally.refused += 1;
    return;
  }
  tally.accepted += 1;
  tally.latenciesMs.push(performance.now() - dueMs);
  const id = ORDER_ID.exec(body)?.[1];
  if (command.kind === 'place' && id !== undefined && STILL_OPEN.test(body)) trader.addOpenOrder(id);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
