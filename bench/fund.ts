/**
 * 10,000 leveraged positions judged by every point of the tape while spot trades go on: how long a second takes that
 * demands nothing and one that liquidates every tenth, and what an order waits meanwhile. Prints the figures and P26 and
 * P27 and writes `bench/results/fund.json`. Run: npx tsx bench/fund.ts
 */
import { watchMachine } from './measuring/machine.ts';
import { startPostgres } from './measuring/postgres.ts';
import { builtPrograms, outcomeOf, temporaryFolder } from './measuring/programs.ts';
import { keepResults, printRatios, type Ratio } from './measuring/results.ts';
import { median } from './measuring/statistics.ts';
import type { JudgingFigures } from './fund/side.ts';

const REPEATS = Number(process.env['REPEATS'] ?? 3);
const USUAL = 10_000;
const POSITIONS = Number(process.env['POSITIONS'] ?? USUAL);

const disturbance = watchMachine();
const folder = await temporaryFolder();
const { side } = await builtPrograms('fund', { side: 'fund/side.ts' });
const postgres = await startPostgres(folder.path);
const figures: JudgingFigures[] = [];
try {
  await outcomeOf(side, ['prepare', JSON.stringify(await postgres.makeTemplate('stage'))]);
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const database = JSON.stringify(await postgres.copy('stage', `judging_${repeat}`));
    figures.push(await outcomeOf(side, ['measure', database, POSITIONS]));
  }
} finally {
  await postgres.stop();
  await folder.remove();
}
console.table(figures);
const middle = (figure: keyof JudgingFigures) => median(figures.map((one) => one[figure]));
const ratios: Ratio[] = [
  {
    name: 'P26',
    what: `milliseconds until ${POSITIONS} positions are judged by a second that demands nothing`,
    value: middle('calmP50Ms'),
    floor: 300,
    better: 'lower',
  },
  {
    name: 'P27',
    what: 'p99 of the milliseconds that a step of liquidations holds the sequencer',
    value: middle('stepP99Ms'),
    floor: 20,
    better: 'lower',
  },
];
printRatios(ratios);
if (POSITIONS === USUAL)
  await keepResults('fund', { disturbance: disturbance(), repeats: REPEATS, figures, ratios });
