/**
 * Runs one of the two compared HTTP servers: with the argument `bare` the one without the exchange's HTTP
 * layer, with `edge` the one with it. Prints the port and reports the processor time on request.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { coin, positiveDecimal, tradeType } from '@exchange/wire/codecs.ts';
import { endpoint, USER } from '@exchange/wire/endpoint.ts';
import * as z from 'zod/mini';
import { sessionsInMemory, type TestEdgeOptions } from '../../apps/server/testing/edge.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { NO_ADMISSION_LIMITS } from '../../apps/server/src/platform/http/admission.ts';
import { decodeForm } from '../../apps/server/src/platform/http/form.ts';
import { route } from '../../apps/server/src/platform/http/route.ts';
import { createHttpServer } from '../../apps/server/src/platform/http/server.ts';
import { servedCalls } from '../../apps/server/src/platform/http/served-calls.ts';
import { jsonLog } from '../../apps/server/src/platform/log/json-log.ts';
import { Limits, NO_LIMITS } from '../../apps/server/src/platform/limits/limits.ts';
import { Metrics } from '../../apps/server/src/platform/metrics/metrics.ts';
import { unstoredSubmissions } from '../../apps/server/testing/unstored-submissions.ts';
import { answerProcessorTime } from '../measuring/processor-time.ts';

const echo = endpoint({
  path: '/bench/echo',
  summary: 'Answers what it was sent.',
  access: USER,
  charge: { limit: 'order', weight: 1 },
  idempotent: true,
  fields: { baseCoin: coin, quoteCoin: coin, tradeType, price: positiveDecimal, amount: positiveDecimal },
  data: z.object({ symbol: z.string(), price: z.string(), amount: z.string() }),
});

interface Order {
  readonly baseCoin: string;
  readonly quoteCoin: string;
  readonly price: { toString(): string };
  readonly amount: { toString(): string };
}

function echoed({ baseCoin, quoteCoin, price, amount }: Order) {
  return { symbol: (baseCoin + quoteCoin).toLowerCase(), price: price.toString(), amount: amount.toString() };
}

/**
 * Starts the server without the exchange's HTTP layer, used for comparison: it reads the bytes, checks the
 * fields, and returns JSON. Returns its port.
 */
async function serveBare(): Promise<number> {
  const server = createServer((request: IncomingMessage, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const form = decodeForm(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts));
      const checked = form.ok ? echo.fields.safeParse(form.value) : undefined;
      const data = checked?.success === true ? echoed(checked.data) : {};
      const text = JSON.stringify({ code: 1, msg: 'success', data, ts: Date.now(), traceId: '1' });
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': text.length,
      });
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function serveEdge(): Promise<number> {
  const sessions = sessionsInMemory();
  sessions.open('bench-token', 'bench-user');
  const options: TestEdgeOptions = {
    clock: systemClock,
    log: jsonLog({ level: 'info', clock: systemClock, write: (line) => process.stderr.write(line) }),
    metrics: new Metrics(),
    sessions,
    submissions: unstoredSubmissions(),
    limits: new Limits(systemClock, NO_LIMITS),
    admissionLimits: NO_ADMISSION_LIMITS,
    proxyHeader: undefined,
    checksAnswers: false,
    mode: 'demo',
    version: 'bench',
    publicUrl: undefined,
    endpoints: [echo],
    demands: [],
    routes: [route(echo, (fields) => echoed(fields))],
    pages: [],
  };
  const app = await createHttpServer({ ...options, calls: servedCalls(options) });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

answerProcessorTime();
process.stdout.write(`${await (process.argv[2] === 'bare' ? serveBare() : serveEdge())}\n`);
