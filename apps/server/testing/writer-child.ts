// A program for tests that runs a writer. It repeatedly increments a counter in a step of the sequencer and prints each
// acknowledged value as a line. When another process has become the writer, it prints `fenced` and exits. Its arguments
// are the database connection as JSON, and the milliseconds between two steps. With `idle` instead of the milliseconds
// it executes a single step, and then remains the writer without further steps until it is fenced or killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, createKysely, type DatabaseConnection } from '../src/platform/database/pool.ts';
import { Events } from '../src/platform/events.ts';
import { systemClock } from '../src/platform/clock.ts';
import { Sequencer } from '../src/platform/sequencer/sequencer.ts';
import { Counter } from './counter.ts';
import { runStep } from './run-step.ts';

const [connectionText, pace] = process.argv.slice(2);
if (connectionText === undefined || pace === undefined)
  throw new Error('usage: writer-child.ts CONNECTION PACE');

const connection = JSON.parse(connectionText) as DatabaseConnection;
const say = (line: string) => process.stdout.write(`${line}\n`);
const ignore = () => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
const pool = openDatabase({ connection, log: ignore, name: 'writer child', size: 2 });
const counter = new Counter(pool);
const sequencer = new Sequencer({
  connection,
  reader: createKysely<unknown>(pool),
  secret: new Uint32Array([5, 6, 7, 8]),
  clock: systemClock,
  events: new Events(log),
  log,
  onFenced: () => {
    say('fenced');
    process.exit(0);
  },
});
sequencer.join(counter);
await sequencer.start();
for (;;) {
  const value = await runStep(sequencer, 'count', {}, (step) => counter.add(step, 1)).catch(() => undefined);
  if (value !== undefined) say(String(value));
  if (pace === 'idle') break;
  await sleep(Number(pace));
}
// The timer keeps an idle writer's process running until it is killed.
setInterval(() => undefined, 60_000);
