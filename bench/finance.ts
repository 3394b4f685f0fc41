/**
 * Measures a payday on which 100,000 running orders of fixed-term products get income while spot trading continues: its
 * duration, how long its steps occupy the sequencer, and the waiting time of spot orders. Prints these figures with the
 * ratios P18 and P19 of bench/README.md, and writes `bench/results/finance.json`. Run: npx tsx bench/finance.ts
 */
import type { PaydayFigures } from './finance/program.ts';
import { watchMachine } from './measuring/machine.ts';
import { startPostgres } from './measuring/postgres.ts';
import { buildPrograms, runProgram, temporaryFolder } from './measuring/programs.ts';
import { writeResults, printRatios, type Ratio } from './measuring/results.ts';
import { median } from './measuring/statistics.ts';

const REPEATS = Number(process.env['REPEATS'] ?? 3);
const DEFAULT_ORDERS = 100_000;
const ORDERS = Number(process.env['ORDERS'] ?? DEFAULT_ORDERS);

const disturbance = watchMachine();
const folder = await temporaryFolder();
const { side } = await buildPrograms('finance', { side: 'finance/program.ts' });
const postgres = await startPostgres(folder.path);
const figures: PaydayFigures[] = [];
try {
  await runProgram(side, ['prepare', JSON.stringify(await postgres.makeTemplate('stage'))]);
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const database = JSON.stringify(await postgres.copy('stage', `payday_${repeat}`));
    figures.push(await runProgram(side, ['measure', database, ORDERS]));
  }
} finally {
  await postgres.stop();
  await folder.remove();
}
console.table(figures);
const medianOf = (figure: keyof PaydayFigures) => median(figures.map((run) => run[figure]));
const ratios: Ratio[] = [
  {
    name: 'P18',
    what: `seconds until ${ORDERS} running orders have their day`,
    value: medianOf('seconds'),
    floor: 60,
    better: 'lower',
  },
  {
    name: 'P19',
    what: 'p99 of the milliseconds that a step of it holds the sequencer',
    value: medianOf('stepP99Ms'),
    floor: 20,
    better: 'lower',
  },
];
printRatios(ratios);
if (ORDERS === DEFAULT_ORDERS)
  await writeResults('finance', { disturbance: disturbance(), repeats: REPEATS, figures, ratios });
