import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { keptLog } from '../../../testing/silent-log.ts';
import { systemClock } from '../clock.ts';
import { KeptThread } from './kept-thread.ts';

/** Does what it was started with: fails, fills its memory, hangs, or works until it is told to end. */
const PROGRAM = `
import { parentPort, workerData } from 'node:worker_threads';
parentPort.postMessage({ begins: workerData });
if (workerData === 'fails') throw new Error('a bug');
if (workerData === 'grows') { const all = []; for (;;) all.push(new Array(10_000).fill(0.5)); }
if (workerData === 'hangs') for (;;);
parentPort.on('message', (message) => {
  parentPort.postMessage({ heard: message });
  parentPort.close();
});
`;

const folder = mkdtempSync(join(tmpdir(), 'amethyst-thread-'));
const file = join(folder, 'program.mjs');
writeFileSync(file, PROGRAM);
afterAll(() => rmSync(folder, { recursive: true }));

let thread: KeptThread | undefined;
afterEach(() => thread?.stop());

/** A thread that does one thing after another, each in its next life. */
function aThread(lives: readonly string[]) {
  const log = keptLog();
  const messages: unknown[] = [];
  let starts = 0;
  thread = new KeptThread({
    name: 'test',
    program: { file, execArgv: [] },
    workerData: () => lives[Math.min(starts++, lives.length - 1)],
    farewell: { kind: 'stop' },
    onMessage: (message) => messages.push(message),
    clock: systemClock,
    log,
    firstPauseMs: 10,
    checkEveryMs: 100,
    memoryMaxMb: 24,
  });
  thread.start();
  return { thread, log, messages };
}

it.each([
  ['fails', 'thread.failed'],
  ['grows', 'thread.failed'],
  ['hangs', 'thread.silent'],
])('MKT-723 a thread that %s ends alone, and the next one begins with fresh data', async (how, event) => {
  const { thread: kept, log, messages } = aThread([how, 'works']);
  await eventually(() => expect(messages).toContainEqual({ begins: 'works' }));
  expect(messages[0]).toEqual({ begins: how });
  expect(log.lines.map((line) => line.event)).toEqual(expect.arrayContaining([event, 'thread.ended']));
  expect(kept.starts).toBe(2);
});

it('MKT-723 a thread is asked to end and finishes what is under way', async () => {
  const { thread: kept, messages } = aThread(['works']);
  await eventually(() => expect(messages).toHaveLength(1));
  await kept.stop();
  expect(messages.at(-1)).toEqual({ heard: { kind: 'stop' } });
  expect(kept.starts).toBe(1);
});
