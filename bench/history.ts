/**
 * Compares an exchange that has five million past trades with an empty exchange: orders per second, time of the start,
 * and time to read a page of a list. Prints these figures with the ratios P15 to P17 of bench/README.md, and writes
 * `bench/results/history.json`. Run: npx tsx bench/history.ts
 */
import type { HistoryFigures } from './history/program.ts';
import { watchMachine } from './measuring/machine.ts';
import { startPostgres } from './measuring/postgres.ts';
import { buildPrograms, runProgram, temporaryFolder } from './measuring/programs.ts';
import { writeResults, printRatios, type Ratio } from './measuring/results.ts';
import { median, round } from './measuring/statistics.ts';

const REPEATS = Number(process.env['REPEATS'] ?? 3);
const DEFAULT_TRADES = 5_000_000;
const TRADES = Number(process.env['TRADES'] ?? DEFAULT_TRADES);
const SIDES = ['empty', 'full'] as const;

const disturbance = watchMachine();
const folder = await temporaryFolder();
const { side } = await buildPrograms('history', { side: 'history/program.ts' });
const postgres = await startPostgres(folder.path);
const outcomes: Record<(typeof SIDES)[number], HistoryFigures[]> = { empty: [], full: [] };
let filled: { ms: number; megabytes: number };
try {
  const empty = JSON.stringify(await postgres.makeTemplate('empty'));
  await runProgram(side, ['prepare', empty]);
  const full = JSON.stringify(await postgres.copy('empty', 'filled'));
  filled = await runProgram(side, ['fill', full, TRADES]);
  const databases = { empty, full };
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    for (const name of SIDES) outcomes[name].push(await runProgram(side, ['measure', databases[name]]));
  }
} finally {
  await postgres.stop();
  await folder.remove();
}
const medianOf = (name: (typeof SIDES)[number], figure: keyof HistoryFigures) =>
  median(outcomes[name].map((outcome) => outcome[figure]));
const figures = SIDES.map((name) => ({
  side: name,
  startMs: Math.round(medianOf(name, 'start')),
  ordersPerSecond: Math.round(medianOf(name, 'ordersPerSecond')),
  pageMs: round(medianOf(name, 'page'), 2),
  busiestPageMs: round(medianOf(name, 'busiestPage'), 2),
  volumeMs: round(medianOf(name, 'volume'), 2),
  sumOfTradesMs: round(medianOf(name, 'sum'), 2),
  quietPairMs: round(medianOf(name, 'quietPair'), 2),
}));
console.log(`${TRADES} trades were loaded in ${round(filled.ms / 1_000, 0)} s, ${filled.megabytes} MB`);
console.table(figures);
const ratio = (figure: keyof HistoryFigures) =>
  median(outcomes.full.map((outcome, at) => outcome[figure] / outcomes.empty[at]![figure]));
const ratios: Ratio[] = [
  {
    name: 'P15',
    what: 'orders per second, 5 M trades ÷ none',
    value: ratio('ordersPerSecond'),
    floor: 0.8,
    better: 'higher',
  },
  { name: 'P16', what: 'start, 5 M trades ÷ none', value: ratio('start'), floor: 1.5, better: 'lower' },
  {
    name: 'P17',
    what: 'a page of fills, 5 M trades ÷ none',
    value: ratio('page'),
    floor: 3,
    better: 'lower',
  },
];
printRatios(ratios);
if (TRADES === DEFAULT_TRADES)
  await writeResults('history', { disturbance: disturbance(), repeats: REPEATS, filled, figures, ratios });
