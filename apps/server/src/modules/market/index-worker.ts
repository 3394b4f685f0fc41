/**
 * Entry point of the worker thread that computes the price index and its tape. It shares no event
 * loop, memory or database connection with the thread that answers requests, so that requests
 * cannot delay the index.
 */
import { threadPort } from '../../platform/children/thread-port.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { pointMessage, type IndexReport, type IndexRequest } from './domain/index-messages.ts';
import { IndexRunner, type IndexStart } from './index-runner.ts';

const STATE_EVERY_MS = 1_000;

const port = threadPort();
const send = (report: IndexReport) => port.send(report);
const logAs =
  (level: 'debug' | 'info' | 'warn' | 'error') =>
  (event: string, fields: Readonly<Record<string, unknown>> = {}) =>
    send({ kind: 'log', level, event, fields });
const log: Log = {
  debug: logAs('debug'),
  info: logAs('info'),
  warn: logAs('warn'),
  error: logAs('error'),
};

const runner = new IndexRunner({
  ...(port.data as IndexStart),
  clock: systemClock,
  log,
  publish: (points, publishedAt) =>
    send({
      kind: 'points',
      publishedAt,
      points: points.map(({ symbol, point }) => pointMessage(symbol, point)),
    }),
});
const sendState = () => send({ kind: 'state', path: runner.path, health: runner.sourcesHealth() });
const timer = setInterval(sendState, STATE_EVERY_MS);

port.onMessage((message) => {
  const request = message as IndexRequest;
  if (request.kind === 'sources') runner.setSources(request.changes);
  else void shutDown();
});

async function shutDown(): Promise<void> {
  clearInterval(timer);
  await started.catch(() => undefined);
  await runner.stop();
  sendState();
  port.close();
}

const started = runner.start();
// If the index tape cannot be started, `started` rejects: the thread exits with this error, and the parent
// starts a new thread.
await started;
