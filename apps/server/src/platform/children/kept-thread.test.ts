import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { systemClock } from '../clock.ts';
import { SupervisedThread } from './kept-thread.ts';

/**
 * A thread program for tests. The text in `workerData` decides whether it fails, fills its memory, hangs, or works
 * until it is asked to end.
 */
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

let thread: SupervisedThread | undefined;
afterEach(() => thread?.stop());

/**
 * Starts a supervised thread. Its first start and each restart receive the next entry of `lives` as `workerData`, and
 * the last entry once all were used.
 */
function startThread(lives: readonly string[]) {
  const log = recordingLog();
  const messages: unknown[] = [];
  let starts = 0;
  thread = new SupervisedThread({
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
])('MKT-723 a thread that %s ends alone, and the next one starts with new data', async (behaviour, event) => {
  const { thread, log, messages } = startThread([behaviour, 'works']);
  await eventually(() => expect(messages).toContainEqual({ begins: 'works' }));
  expect(messages[0]).toEqual({ begins: behaviour });
  expect(log.lines.map((line) => line.event)).toEqual(expect.arrayContaining([event, 'thread.ended']));
  expect(thread.starts).toBe(2);
});

it('MKT-723 a thread that is asked to end finishes its running work', async () => {
  const { thread, messages } = startThread(['works']);
  await eventually(() => expect(messages).toHaveLength(1));
  await thread.stop();
  expect(messages.at(-1)).toEqual({ heard: { kind: 'stop' } });
  expect(thread.starts).toBe(1);
});
