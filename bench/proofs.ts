/**
 * Measures the daily proof of liabilities for many users during spot trading: its duration compared with computing the
 * hashes and writing the rows only, its memory, the waiting time of spot orders, and the time to read a user's own
 * proof. Prints these figures with the ratios P32 to P36 of bench/README.md, and writes `bench/results/proofs.json`.
 * Run: npx tsx bench/proofs.ts
 */
import { watchMachine } from './measuring/machine.ts';
import { startPostgres } from './measuring/postgres.ts';
import { buildPrograms, runProgram, temporaryFolder } from './measuring/programs.ts';
import { writeResults, printRatios, type Ratio } from './measuring/results.ts';
import { median } from './measuring/statistics.ts';
import type { ProofFigures } from './proofs/program.ts';

const REPEATS = Number(process.env['REPEATS'] ?? 3);
const DEFAULT_USERS = 100_000;
const USERS = Number(process.env['USERS'] ?? DEFAULT_USERS);
/** Number of users of the larger measured exchange, divided by that of the smaller one. */
const TIMES = 10;
const EARLIER = Number(process.env['EARLIER'] ?? 4);

const disturbance = watchMachine();
const folder = await temporaryFolder();
const { side } = await buildPrograms('proofs', { side: 'proofs/program.ts' });
const postgres = await startPostgres(folder.path);
const few: ProofFigures[] = [];
const many: ProofFigures[] = [];
try {
  await runProgram(side, ['prepare', JSON.stringify(await postgres.makeTemplate('stage'))]);
  const measure = async (name: string, users: number, earlier: number): Promise<ProofFigures> => {
    const database = JSON.stringify(await postgres.copy('stage', name));
    const figures = await runProgram<ProofFigures>(side, ['measure', database, users, earlier]);
    await postgres.drop(name);
    return figures;
  };
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    few.push(await measure(`few_${repeat}`, Math.ceil(USERS / TIMES), 0));
    many.push(await measure(`many_${repeat}`, USERS, EARLIER));
  }
} finally {
  await postgres.stop();
  await folder.remove();
}
console.table([...few, ...many]);
const medianOf = (value: (large: ProofFigures, small: ProofFigures) => number) =>
  median(many.map((large, at) => value(large, few[at]!)));
const ratios: Ratio[] = [
  {
    name: 'P32',
    what: `a snapshot of ${USERS} users ÷ its bare hashes and rows`,
    value: medianOf(({ snapshotS, bareS }) => snapshotS / bareS),
    floor: 8,
    better: 'lower',
  },
  {
    name: 'P33',
    what: `memory at most while it is taken, ${TIMES} times as many users ÷ a tenth of them`,
    value: medianOf((large, small) => large.memoryMostMb / small.memoryMostMb),
    floor: 1.2,
    better: 'lower',
  },
  {
    name: 'P34',
    what: 'p99 of the milliseconds that a spot order waits meanwhile',
    value: medianOf(({ orderP99Ms }) => orderP99Ms),
    floor: 20,
    better: 'lower',
  },
  {
    name: 'P35',
    what: 'the longest of the milliseconds that a spot order waits meanwhile',
    value: medianOf(({ orderMostMs }) => orderMostMs),
    floor: 50,
    better: 'lower',
  },
  {
    name: 'P36',
    what: `a user's own proof with ${EARLIER} earlier snapshots ÷ among a tenth of the users with none`,
    value: medianOf((large, small) => large.ownWithHistoryMs / small.ownMs),
    floor: 1.5,
    better: 'lower',
  },
];
printRatios(ratios);
if (USERS === DEFAULT_USERS)
  await writeResults('proofs', { disturbance: disturbance(), repeats: REPEATS, few, many, ratios });
