/**
 * Measures a token sale with 100,000 participants after its end, during spot trading: the time until all allocations
 * are computed, the time until all participants are settled, and the waiting time of spot orders. Prints these figures
 * with the ratios P28 to P31 of bench/README.md, and writes `bench/results/subscription.json`. Run: npx tsx
 * bench/subscription.ts
 */
import { watchMachine } from './measuring/machine.ts';
import { startPostgres } from './measuring/postgres.ts';
import { buildPrograms, runProgram, temporaryFolder } from './measuring/programs.ts';
import { writeResults, printRatios, type Ratio } from './measuring/results.ts';
import { median } from './measuring/statistics.ts';
import type { SaleFigures } from './subscription/program.ts';

const REPEATS = Number(process.env['REPEATS'] ?? 3);
const DEFAULT_PARTICIPANTS = 100_000;
const PARTICIPANTS = Number(process.env['PARTICIPANTS'] ?? DEFAULT_PARTICIPANTS);

const disturbance = watchMachine();
const folder = await temporaryFolder();
const { side } = await buildPrograms('subscription', { side: 'subscription/program.ts' });
const postgres = await startPostgres(folder.path);
const figures: SaleFigures[] = [];
try {
  await runProgram(side, ['prepare', JSON.stringify(await postgres.makeTemplate('stage'))]);
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const database = JSON.stringify(await postgres.copy('stage', `sale_${repeat}`));
    figures.push(await runProgram(side, ['measure', database, PARTICIPANTS]));
  }
} finally {
  await postgres.stop();
  await folder.remove();
}
console.table(figures);
const medianOf = (value: (figure: SaleFigures) => number) => median(figures.map((run) => value(run)));
const ratios: Ratio[] = [
  {
    name: 'P28',
    what: `seconds until the parts of ${PARTICIPANTS} participants are computed and both files are public`,
    value: medianOf(({ announceS, allocateS }) => announceS + allocateS),
    floor: 10,
    better: 'lower',
  },
  {
    name: 'P29',
    what: 'seconds from there until all are settled',
    value: medianOf(({ settleS }) => settleS),
    floor: 60,
    better: 'lower',
  },
  {
    name: 'P30',
    what: 'the longest of the milliseconds that a spot order waits while it is computed',
    value: medianOf(({ orderComputeMostMs }) => orderComputeMostMs),
    floor: 50,
    better: 'lower',
  },
  {
    name: 'P31',
    what: 'p99 of the milliseconds that a spot order waits while participants are settled',
    value: medianOf(({ orderSettleP99Ms }) => orderSettleP99Ms),
    floor: 20,
    better: 'lower',
  },
];
printRatios(ratios);
if (PARTICIPANTS === DEFAULT_PARTICIPANTS)
  await writeResults('subscription', { disturbance: disturbance(), repeats: REPEATS, figures, ratios });
