/**
 * Measures 10,000 positions of the seconds contract that expire in the same second during spot trading: the time until
 * all are settled, how long the steps occupy the sequencer, and the waiting time of spot orders. Prints these figures
 * with the ratios P20 to P22 of bench/README.md, and writes `bench/results/seconds.json`. Run: npx tsx bench/seconds.ts
 */
import { watchMachine } from './measuring/machine.ts';
import { startPostgres } from './measuring/postgres.ts';
import { buildPrograms, runProgram, temporaryFolder } from './measuring/programs.ts';
import { writeResults, printRatios, type Ratio } from './measuring/results.ts';
import { median } from './measuring/statistics.ts';
import type { SettlementFigures } from './seconds/program.ts';

const REPEATS = Number(process.env['REPEATS'] ?? 3);
const DEFAULT_POSITIONS = 10_000;
const POSITIONS = Number(process.env['POSITIONS'] ?? DEFAULT_POSITIONS);

const disturbance = watchMachine();
const folder = await temporaryFolder();
const { side } = await buildPrograms('seconds', { side: 'seconds/program.ts' });
const postgres = await startPostgres(folder.path);
const figures: SettlementFigures[] = [];
try {
  await runProgram(side, ['prepare', JSON.stringify(await postgres.makeTemplate('stage'))]);
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const database = JSON.stringify(await postgres.copy('stage', `settlement_${repeat}`));
    figures.push(await runProgram(side, ['measure', database, POSITIONS]));
  }
} finally {
  await postgres.stop();
  await folder.remove();
}
console.table(figures);
const medianOf = (figure: keyof SettlementFigures) => median(figures.map((run) => run[figure]));
const ratios: Ratio[] = [
  {
    name: 'P20',
    what: `milliseconds until ${POSITIONS} positions of one second are settled`,
    value: medianOf('ms'),
    floor: 1_000,
    better: 'lower',
  },
  {
    name: 'P21',
    what: 'p99 of the milliseconds that a step of it holds the sequencer',
    value: medianOf('stepP99Ms'),
    floor: 20,
    better: 'lower',
  },
  {
    name: 'P22',
    what: 'p99 of the milliseconds that a spot order waits meanwhile',
    value: medianOf('orderP99Ms'),
    floor: 20,
    better: 'lower',
  },
];
printRatios(ratios);
if (POSITIONS === DEFAULT_POSITIONS)
  await writeResults('seconds', { disturbance: disturbance(), repeats: REPEATS, figures, ratios });
