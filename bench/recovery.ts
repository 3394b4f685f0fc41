/**
 * Measures how long it takes to load a million open orders into memory, compared with only reading the same rows. Also
 * measures how long a standby that has loaded these orders needs to take over. Prints these figures with the ratio P14
 * and a part of R3 of bench/README.md, and writes `bench/results/recovery.json`. Run: npx tsx bench/recovery.ts
 */
import { watchMachine } from './measuring/machine.ts';
import { startPostgres } from './measuring/postgres.ts';
import { buildPrograms, runProgram, temporaryFolder } from './measuring/programs.ts';
import { writeResults, printRatios, type Ratio } from './measuring/results.ts';
import { median, round } from './measuring/statistics.ts';
import type { RecoveryOutcome } from './recovery/program.ts';

const REPEATS = Number(process.env['REPEATS'] ?? 3);
const ORDERS = Number(process.env['ORDERS'] ?? 1_000_000);
const SIDES = ['copy', 'recover', 'follow'] as const;

const disturbance = watchMachine();
const folder = await temporaryFolder();
const { side } = await buildPrograms('recovery', { side: 'recovery/program.ts' });
const postgres = await startPostgres(folder.path);
const outcomes: Record<(typeof SIDES)[number], RecoveryOutcome[]> = {
  copy: [],
  recover: [],
  follow: [],
};
try {
  const database = JSON.stringify(await postgres.makeTemplate('recovery'));
  await runProgram(side, ['fill', database, ORDERS]);
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    for (const name of SIDES) outcomes[name].push(await runProgram(side, [name, database, ORDERS]));
  }
} finally {
  await postgres.stop();
  await folder.remove();
}
const figures = SIDES.map((name) => ({
  side: name,
  seconds: round(median(outcomes[name].map(({ ms }) => ms)) / 1_000, 2),
  megabytes: Math.round(median(outcomes[name].map(({ megabytes }) => megabytes))),
  repeats: outcomes[name].map(({ ms }) => round(ms / 1_000, 2)).join(' '),
}));
console.table(figures);
const [copy, recover, follow] = figures.map(({ seconds }) => seconds);
const value = (recover ?? 0) / (copy ?? 1);
const what = `recovery of ${ORDERS} open orders ÷ raw COPY of their rows`;
const ratios: Ratio[] = [
  { name: 'P14', what, value, floor: 8, better: 'lower' },
  {
    name: 'R3',
    what: `a standby’s last update and comparison of ${ORDERS} open orders ÷ their recovery`,
    value: (follow ?? 0) / (recover ?? 1),
    floor: 0.25,
    better: 'lower',
  },
];
printRatios(ratios);
if (ORDERS === 1_000_000)
  await writeResults('recovery', { disturbance: disturbance(), repeats: REPEATS, figures, ratios });
