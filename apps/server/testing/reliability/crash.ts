/**
 * Runs a reliability programme against the built server, which must be built first. The default is
 * `--programme=crash`; `programmes.ts` lists the options of each programme. The exit code is 0 only if no
 * problem was found.
 */
import { parseArgs } from 'node:util';
import { closeResources } from './resources.ts';
import { PROGRAMMES, type Settings } from './programmes.ts';

const PARENT_POLL_MS = 500;

const { values } = parseArgs({
  options: {
    programme: { type: 'string', default: 'crash' },
    loops: { type: 'string' },
    kills: { type: 'string' },
    freezes: { type: 'string' },
    rounds: { type: 'string' },
    calls: { type: 'string' },
    seconds: { type: 'string' },
    traders: { type: 'string' },
    seed: { type: 'string', default: '1' },
    /** Mean time in milliseconds between two requests of a trader. */
    pace: { type: 'string' },
  },
});

const say = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Promise of the end of this process; undefined before a signal or the parent's end has requested it. Servers
 * and databases are separate processes, so they are closed before this process exits.
 */
let ending: Promise<void> | undefined;
function end(why: string): void {
  ending ??= (async () => {
    say(`${why}: ended early`);
    for (const failure of await closeResources()) say(String(failure));
    process.exit(1);
  })();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal));
// No signal tells this process that its parent was killed, so it polls the parent's id.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) end('its parent is gone');
}, PARENT_POLL_MS).unref();

function whole(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  if (!/^\d{1,9}$/.test(text)) throw new Error(`"${text}" is no whole number`);
  return Number(text);
}

const settings: Settings = {
  say,
  seed: whole(values.seed, 1),
  whole: (name, otherwise) => whole(values[name], otherwise),
};
const programme = PROGRAMMES[values.programme];
if (programme === undefined) {
  say(`The programmes are ${Object.keys(PROGRAMMES).join(', ')}.`);
  process.exitCode = 1;
} else {
  const problems = await programme(settings).catch(async (cause: unknown) => {
    // If a signal has ended the programme early, its errors come from closing the servers. They are not
    // reported, because this process exits before `ending` resolves.
    await ending;
    throw cause;
  });
  for (const problem of problems) say(`PROBLEM ${problem}`);
  say(`${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
