/** What `npm test` and `npm run prove` run: the gates of every change, and the long forms of their tests. */
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBrowser } from './browser.mjs';
import { gate, tests } from './run-steps.mjs';
import { scratchFolder } from './scratch.mjs';

/** @typedef {import('./run-steps.mjs').Step} Step */

const BUILT = { after: ['build'] };
const SEEDED = { after: ['build', 'seed'] };
const SEEDED_AND_BROWSER = { after: ['build', 'seed', 'chromium'] };

/** Where everything that a run makes and forgets lies. Proofs hold to seconds that are promised on a disk. */
export const SCRATCH = process.argv.includes('--prove')
  ? join(tmpdir(), `exchange-proofs-${process.pid}`)
  : scratchFolder(process.pid);
/** The demo data that tests start on; whoever runs one file by hand has none. */
export const SEEDED_DATA = join(SCRATCH, 'seeded');

const build = gate('build', 'node', ['tools/build.mjs']);
const seed = gate('seed', 'node', ['tools/gates/seed.mjs', SEEDED_DATA], BUILT);
/** Installs it where it is missing: minutes of waiting, beside which others compute. */
const chromium = gate('chromium', 'node', ['tools/gates/browser.mjs']);

/**
 * The journeys and the tests over HTTP are the longest and mostly wait, so they begin together as soon as there is something to
 * look at; what only computes is done while the build and the data are made, and after the first of the two.
 * @type {readonly Step[]}
 */
export const GATES = [
  build,
  chromium,
  seed,
  gate('format', 'oxfmt', ['--check', '.']),
  gate('types', 'tsc', ['--noEmit', '-p', 'tsconfig.json']),
  gate('lint', 'oxlint', ['--type-aware', '--deny-warnings']),
  tests('browser', ['--project', 'browser'], SEEDED_AND_BROWSER, browserEnvironment),
  tests('http', ['--project', 'http'], SEEDED),
  tests('unit', ['--project', 'unit']),
  tests('web', ['--project', 'web']),
  gate('unused', 'knip', []),
  gate('floors', 'node', ['tools/floors.mjs']),
  gate('spelling', 'node', ['tools/spelling.mjs']),
  gate('lock', 'node', ['tools/lock-integrity.mjs']),
  gate('requirements', 'node', ['tools/requirements.mjs']),
  gate('budget', 'node', ['tools/bundle-budget.mjs'], BUILT),
];

/** Told to each test, which then plays its long form: more seeds, more rounds, every planted bug, every screen. */
const LONG = { TEST_FORM: 'long' };

/** @param {string} project @param {readonly string[]} files @param {string} name */
const long = (name, project, files) =>
  tests(name, ['--project', project, ...files], SEEDED, async () => LONG);

/** @param {string} programme @param {readonly string[]} parameters */
const reliability = (programme, parameters) =>
  gate(
    programme,
    'tsx',
    ['apps/server/testing/reliability/crash.ts', `--programme=${programme}`, ...parameters],
    SEEDED,
  );

/**
 * One after another: these programmes load the machine on purpose, and some hold to seconds that are promised.
 * @type {readonly Step[]}
 */
export const PROOFS = [
  build,
  chromium,
  seed,
  gate('model', 'tsx', [
    'apps/server/src/modules/spot/testing/long-run.ts',
    '--seeds=200',
    '--commands=5000',
  ]),
  long('core', 'unit', ['spot/', 'matching/', 'packages/core', 'live-', 'tools/verify']),
  reliability('busy-start', ['--loops=8']),
  reliability('bank', ['--seconds=60', '--traders=30']),
  reliability('crowd', ['--calls=500', '--seconds=10']),
  reliability('races', ['--rounds=10', '--traders=20']),
  reliability('duplicates', ['--calls=10000']),
  reliability('faults', ['--rounds=2', '--traders=20']),
  reliability('writers', ['--rounds=4', '--traders=20']),
  reliability('crash', ['--kills=24', '--traders=50']),
  reliability('floods', ['--seconds=300']),
  long('database', 'http', ['reliability/', 'faults/', 'walks/', 'replay/', 'enumeration', 'spot/races']),
  tests(
    'screens',
    ['--project', 'browser', 'screens.spec.ts', 'conditions.spec.ts', 'console.spec.ts'],
    SEEDED_AND_BROWSER,
    async () => ({
      ...LONG,
      ...(await browserEnvironment()),
    }),
  ),
];

/** A machine without a browser fails, for journeys that cannot run are not proven. */
function browserEnvironment() {
  const { executable, problem } = ensureBrowser(console.log);
  return problem === null
    ? Promise.resolve({ CHROMIUM_PATH: executable })
    : Promise.reject(new Error(problem));
}

/**
 * Random tests in their short form draw some of their seeds from the commit, so that each commit tries others and a
 * failure can be tried again. Without git, as in an archive, it is always the same.
 * @returns {string} a whole number
 */
export function seedOfCommit() {
  try {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return String(Number.parseInt(commit.slice(0, 7), 16));
  } catch {
    // Reason: an archive has no commit, and its tests are run all the same.
    return '1';
  }
}
