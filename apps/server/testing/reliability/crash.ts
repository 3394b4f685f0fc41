/**
 * Kills a running exchange again and again and proves that nothing acknowledged is lost. Build the server
 * first. `--kills=21 --traders=50 --seed=1 --pace=200` (milliseconds between two requests of a trader).
 */
import { parseArgs } from 'node:util';
import { runCrashes, VICTIMS, type CrashReport } from './crash-run.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '21' },
    traders: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    pace: { type: 'string', default: '200' },
  },
});

const say = (line: string) => void process.stdout.write(`${line}\n`);

function spread(numbers: readonly number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [least, most] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return `least ${least.toFixed(0)}, middle ${middle.toFixed(0)}, most ${most.toFixed(0)} ms`;
}

function print({ kills, firstStartMs, stopMs, bereftStopMs, ...more }: CrashReport): void {
  const { secondStartMs, retries, last, problems } = more;
  for (const victim of VICTIMS) {
    const times = kills.filter((kill) => kill.victim === victim).map(({ readyMs }) => readyMs);
    if (times.length > 0) say(`${victim} killed ${times.length} times, ready again: ${spread(times)}`);
  }
  say(`all ${kills.length} kills: ${spread(kills.map(({ readyMs }) => readyMs))}`);
  say(
    `first start ${firstStartMs.toFixed(0)} ms, orderly stop ${stopMs.toFixed(0)} ms, without database ${bereftStopMs.toFixed(0)} ms`,
  );
  say(`second start ${secondStartMs.toFixed(0)} ms, requests repeated ${retries} times`);
  say(`${last.acknowledged} acknowledged answers, ${last.trades} trades, ${last.entries} ledger entries`);
  for (const problem of problems) say(`PROBLEM ${problem}`);
  say(`${problems.length} problems`);
}

const report = await runCrashes({
  kills: Number(values.kills),
  traders: Number(values.traders),
  seed: Number(values.seed),
  paceMs: Number(values.pace),
  say,
});
print(report);
process.exitCode = report.problems.length === 0 ? 0 : 1;
