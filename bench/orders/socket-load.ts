/**
 * Sends orders of traders over the WebSocket API, in its own process. Each trader has a connection that is
 * logged on with the trader's key. The arguments are port, connections, milliseconds and orders per message:
 * with 1 each message places or cancels an order, with more each message places or cancels a batch. The last
 * line of the output is JSON.
 */
import { WebSocket } from 'ws';
import { percentile } from '../measuring/statistics.ts';
import { apiKeyOf, signatureOf } from './fixtures.ts';
import type { SideOutcome } from './program.ts';
import { Trader, type Command } from './workload.ts';

const WARM_MS = 4_000;
const HOST = 'bench.example';
const UNKNOWN_ORDER_CODE = -2011;
const UNKNOWN_ORDER = `"code":${UNKNOWN_ORDER_CODE}`;

const [port = 0, connections = 0, durationMs = 0, batchSize = 1] = process.argv.slice(2).map(Number);

interface Session {
  readonly trader: Trader;
  readonly request: (method: string, params: string) => Promise<string>;
}

const newTally = () => ({ accepted: 0, refused: 0, latenciesMs: [] as number[] });
let tally = newTally();
let answeredInAll = 0;
const ending = new AbortController();

const sessions = await Promise.all(Array.from({ length: connections }, (_, index) => openSession(index)));
const trading = Promise.all(sessions.map(batchSize === 1 ? closedLoop : batchLoop));
await pause(WARM_MS);
const measured = (tally = newTally());
const startMs = performance.now();
await pause(durationMs);
const { accepted, refused, latenciesMs } = measured;
const seconds = (performance.now() - startMs) / 1_000;
const latencies = [...latenciesMs];
ending.abort();
await trading;
const { user, system } = process.cpuUsage();
const outcome: SideOutcome & { answeredInAll: number } = {
  answeredInAll,
  callerMicroseconds: (user + system) / answeredInAll,
  perSecond: accepted / seconds,
  p50Ms: percentile(latencies, 0.5),
  p99Ms: percentile(latencies, 0.99),
  refused: refused / (accepted + refused),
};
process.stdout.write(`${JSON.stringify(outcome)}\n`, () => process.exit(0));

/**
 * Opens a WebSocket connection and logs it on. A session sends one request at a time. Throws if the logon is refused.
 */
async function openSession(index: number): Promise<Session> {
  const url = `ws://127.0.0.1:${port}/ws-api/v3`;
  const socket = new WebSocket(url, { headers: { host: HOST }, perMessageDeflate: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  let answer: (text: string) => void = () => undefined;
  socket.on('message', (bytes: Buffer) => answer(bytes.toString('latin1')));
  let count = 0;
  const request = (method: string, params: string): Promise<string> => {
    count += 1;
    const answered = new Promise<string>((resolve) => (answer = resolve));
    socket.send(`{"id":${count},"method":"${method}","params":{${params}}}`);
    return answered;
  };
  const apiKey = apiKeyOf(index);
  const timestamp = Date.now();
  const signature = signatureOf(index, `apiKey=${apiKey}&timestamp=${timestamp}`);
  const logOn = await request(
    'session.logon',
    `"apiKey":"${apiKey}","timestamp":${timestamp},"signature":"${signature}"`,
  );
  if (!logOn.includes('"status":200')) throw new Error(`not logged on: ${logOn}`);
  return { trader: new Trader(index, 'socket'), request };
}

/**
 * Sends each command of a session after the answer to the previous command. Throws if a command is refused, except a
 * cancel command of an order that is no longer open.
 */
async function closedLoop({ trader, request }: Session): Promise<void> {
  while (!ending.signal.aborted) {
    const command = trader.next();
    const dueMs = performance.now();
    const text = await request(...requestOf(trader, command));
    if (!text.includes('"status":200')) {
      // A cancel command may be refused, because its order may already be filled. No other command may be refused.
      if (command.kind !== 'cancel' || !text.includes(UNKNOWN_ORDER)) throw new Error(`refused: ${text}`);
      countRefused();
      continue;
    }
    countAccepted(dueMs);
    const id = /"orderId":(\d+)/.exec(text)?.[1];
    const isOpen = text.includes('"status":"NEW"') || text.includes('"status":"PARTIALLY_FILLED"');
    if (command.kind === 'place' && id !== undefined && isOpen) trader.addOpenOrder(id);
  }
}

/**
 * Sends batches for one session until the load ends: of each set of commands that the trader draws, the
 * placements form one batch request and the cancellations another.
 */
async function batchLoop({ trader, request }: Session): Promise<void> {
  while (!ending.signal.aborted) {
    const commands = Array.from({ length: batchSize }, () => trader.next());
    const placements = commands.flatMap((command) => (command.kind === 'place' ? [command] : []));
    const cancelled = commands.flatMap((command) => (command.kind === 'cancel' ? [command.id] : []));
    const dueMs = performance.now();
    if (placements.length > 0) {
      const items = placements.map((command) => `{"symbol":"BTCUSDT",${termsOf(trader, command)}}`).join(',');
      const parameters = `"timestamp":${Date.now()},"returnRateLimits":false,"batchOrders":[${items}]`;
      const text = await request('order.place.batch', parameters);
      for (const item of answersIn(text, placements.length)) {
        if (item.orderId === undefined) throw new Error(`refused: ${JSON.stringify(item)}`);
        countAccepted(dueMs);
        if (item.status === 'NEW' || item.status === 'PARTIALLY_FILLED')
          trader.addOpenOrder(String(item.orderId));
      }
    }
    if (cancelled.length === 0) continue;
    const common = `"symbol":"BTCUSDT","timestamp":${Date.now()},"returnRateLimits":false`;
    const text = await request('order.cancel.batch', `${common},"orderIdList":[${cancelled.join(',')}]`);
    for (const item of answersIn(text, cancelled.length)) {
      if (item.status === 'CANCELED') countAccepted(dueMs);
      else if (item.code === UNKNOWN_ORDER_CODE) countRefused();
      else throw new Error(`refused: ${JSON.stringify(item)}`);
    }
  }
}

function countAccepted(dueMs: number): void {
  answeredInAll += 1;
  tally.accepted += 1;
  tally.latenciesMs.push(performance.now() - dueMs);
}

function countRefused(): void {
  answeredInAll += 1;
  tally.refused += 1;
}

/**
 * Returns the answers to the items of a batch. Throws if the batch was refused or if an item has no answer.
 */
function answersIn(
  text: string,
  count: number,
): readonly { readonly orderId?: number; readonly status?: string; readonly code?: number }[] {
  const { status, result } = JSON.parse(text) as { status: number; result: ReturnType<typeof answersIn> };
  if (status !== 200 || result.length !== count) throw new Error(`refused: ${text}`);
  return result;
}

function termsOf(trader: Trader, command: Extract<Command, { kind: 'place' }>): string {
  const terms = `"price":"${command.price}","quantity":"${command.amount}","newClientOrderId":"${command.clientId}"`;
  const side = `"side":"${trader.isBuyer ? 'BUY' : 'SELL'}"`;
  return `${side},"type":"LIMIT","timeInForce":"GTC","newOrderRespType":"RESULT",${terms}`;
}

function requestOf(trader: Trader, command: Command): [string, string] {
  const common = `"symbol":"BTCUSDT","timestamp":${Date.now()},"returnRateLimits":false`;
  if (command.kind === 'cancel') return ['order.cancel', `${common},"orderId":${command.id}`];
  return ['order.place', `${common},${termsOf(trader, command)}`];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
