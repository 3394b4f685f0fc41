/**
 * Measures 10,000 leveraged positions that are checked at every index price during spot trading, i.e. every second. The
 * figures are the duration of a check without liquidations, the duration of a check that liquidates every tenth
 * position, and the waiting time of spot orders. Prints them with the ratios P26 and P27 of bench/README.md, and writes
 * `bench/results/fund.json`. Run: npx tsx bench/fund.ts
 */
import { watchMachine } from './measuring/machine.ts';
import { startPostgres } from './measuring/postgres.ts';
import { buildPrograms, runProgram, temporaryFolder } from './measuring/programs.ts';
import { writeResults, printRatios, type Ratio } from './measuring/results.ts';
import { median } from './measuring/statistics.ts';
import type { JudgingFigures } from './fund/program.ts';

const REPEATS = Number(process.env['REPEATS'] ?? 3);
const DEFAULT_POSITIONS = 10_000;
const POSITIONS = Number(process.env['POSITIONS'] ?? DEFAULT_POSITIONS);

const disturbance = watchMachine();
const folder = await temporaryFolder();
const { side } = await buildPrograms('fund', { side: 'fund/program.ts' });
const postgres = await startPostgres(folder.path);
const figures: JudgingFigures[] = [];
try {
  await runProgram(side, ['prepare', JSON.stringify(await postgres.makeTemplate('stage'))]);
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const database = JSON.stringify(await postgres.copy('stage', `judging_${repeat}`));
    figures.push(await runProgram(side, ['measure', database, POSITIONS]));
  }
} finally {
  await postgres.stop();
  await folder.remove();
}
console.table(figures);
const medianOf = (figure: keyof JudgingFigures) => median(figures.map((run) => run[figure]));
const ratios: Ratio[] = [
  {
    name: 'P26',
    what: `milliseconds until ${POSITIONS} positions are judged by a second that demands nothing`,
    value: medianOf('calmP50Ms'),
    floor: 300,
    better: 'lower',
  },
  {
    name: 'P27',
    what: 'p99 of the milliseconds that a step of liquidations holds the sequencer',
    value: medianOf('stepP99Ms'),
    floor: 20,
    better: 'lower',
  },
];
printRatios(ratios);
if (POSITIONS === DEFAULT_POSITIONS)
  await writeResults('fund', { disturbance: disturbance(), repeats: REPEATS, figures, ratios });
