/**
 * The reliability programmes against the built server; build it first. `--programme=crash` unless another is
 * named: see `programmes.ts` for what each takes. The exit code is 0 only when every promise was kept.
 */
import { parseArgs } from 'node:util';
import { closeOpened } from './opened.ts';
import { PROGRAMMES, type Settings } from './programmes.ts';

const PARENT_LOOK_MS = 500;

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
    /** The average milliseconds between two requests of a trader. */
    pace: { type: 'string' },
  },
});

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** Servers and databases are processes of their own: they would go on without this one. */
let ending: Promise<void> | undefined;
function end(why: string): void {
  ending ??= (async () => {
    say(`${why}: ended early`);
    for (const failure of await closeOpened()) say(String(failure));
    process.exit(1);
  })();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(signal));
// What is killed takes nobody along: whoever was started by it has to notice.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) end('its parent is gone');
}, PARENT_LOOK_MS).unref();

function whole(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
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
    // What is closed under its feet fails, which is no finding.
    await ending;
    throw cause;
  });
  for (const problem of problems) say(`PROBLEM ${problem}`);
  say(`${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
