/**
 * The steps of `npm test` (all checks and tests) and of `npm run prove` (the long forms of the tests and the
 * reliability programs).
 */
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
const SEEDED_AND_PEERS = { after: ['build', 'seed', 'clients', 'litecoind', 'nats'] };
const SEEDED_AND_BROWSER = { after: ['build', 'seed', 'chromium'] };

/**
 * Temporary folder of a test run. For `npm run prove` the folder is on a disk and not in memory, because the time
 * limits that it checks are promised for a disk.
 */
export const SCRATCH = process.argv.includes('--prove')
  ? join(tmpdir(), `exchange-proofs-${process.pid}`)
  : scratchFolder(process.pid);
/** Folder with the demo data with which tests start; the step `seed` of this run creates it. */
export const SEEDED_DATA = join(SCRATCH, 'seeded');

const build = gate('build', 'node', ['tools/build.mjs']);
const seed = gate('seed', 'node', ['tools/gates/seed.mjs', SEEDED_DATA], BUILT);
/**
 * Step that downloads the NATS server if it is missing. The steps that use packages of Debian (`nats`,
 * `litecoind`, `chromium`) run one after another, the smallest packages first.
 */
const nats = gate('nats', 'node', ['tools/gates/nats.mjs']);
/** Step that installs the Litecoin node for the tests if it is missing. */
const litecoind = gate('litecoind', 'node', ['tools/gates/litecoind.mjs'], { after: ['nats'] });
/**
 * Step that installs the Litecoin node for `npm run prove` if it is missing; the proof fails without the
 * node.
 */
const litecoindRequired = gate('litecoind', 'node', ['tools/gates/litecoind.mjs', '--prove'], {
  after: ['nats'],
});
/**
 * Step that installs the browser for the tests if it is missing. The download takes minutes; other steps run
 * during the download.
 */
const chromium = gate('chromium', 'node', ['tools/gates/browser.mjs'], { after: ['litecoind'] });
/** Step that installs the client libraries for trading programs, which the tests run, if they are missing. */
const clients = gate('clients', 'node', ['tools/clients/install.mjs']);

/**
 * The steps of `npm test`. The browser tests and the tests over HTTP take longest and wait most of the time. They
 * therefore run in parallel as soon as the build, the demo data and the installed programs exist. Steps that only
 * compute run before and after them.
 * @type {readonly Step[]}
 */
export const GATES = [
  build,
  nats,
  litecoind,
  chromium,
  clients,
  seed,
  gate('format', 'oxfmt', ['--check', '.']),
  // The same type checker is needed by the lint rules that need types and for finding type errors, so a single step
  // runs both.
  gate('lint', 'oxlint', ['--type-aware', '--type-check', '--deny-warnings']),
  tests('browser', ['--project', 'browser'], SEEDED_AND_BROWSER, browserEnvironment),
  // The tests over HTTP have three workers, because they wait for databases and timers for about half of
  // their time.
  tests('http', ['--project', 'http', '--maxWorkers=3'], SEEDED_AND_PEERS),
  tests('unit', ['--project', 'unit'], { after: ['nats'] }),
  tests('web', ['--project', 'web']),
  gate('unused', 'knip', []),
  gate('floors', 'node', ['tools/floors.mjs']),
  gate('spelling', 'node', ['tools/spelling.mjs']),
  gate('lock', 'node', ['tools/lock-integrity.mjs']),
  gate('requirements', 'node', ['tools/requirements.mjs']),
  gate('budget', 'node', ['tools/bundle-budget.mjs'], BUILT),
];

/**
 * Environment variables with which tests run in their long forms: with more seeds and more rounds, with every screen,
 * and with every function that a test can replace by a faulty one.
 */
const LONG = { TEST_FORM: 'long' };
/**
 * Time limit in milliseconds of a step that runs tests in their long form. All screens in their long form take more
 * than an hour on a slow machine.
 */
const LONG_LIMIT_MS = 6 * 60 * 60_000;

/**
 * Returns a step that runs test files of a vitest project in their long form; without files all of the project.
 * @param {string} name @param {string} project @param {readonly string[]} files
 * @param {Pick<Step, 'after'>} [order] @param {() => Promise<Readonly<Record<string, string>>>} [environmentOf] returns
 * further environment variables of the tests
 */
const long = (name, project, files, { after } = SEEDED, environmentOf = async () => ({})) =>
  tests(name, ['--project', project, ...files], { after, timeLimitMs: LONG_LIMIT_MS }, async () => ({
    ...LONG,
    ...(await environmentOf()),
  }));

/**
 * Returns a step that runs a programme of the reliability tests in `crash.ts`.
 * @param {string} programme @param {readonly string[]} parameters
 */
const reliability = (programme, parameters) =>
  gate(
    programme,
    'tsx',
    ['apps/server/testing/reliability/crash.ts', `--programme=${programme}`, ...parameters],
    SEEDED,
  );

/**
 * The steps of `npm run prove`. They run one after another, because they load the machine on purpose and some of them
 * check time limits.
 * @type {readonly Step[]}
 */
export const PROOFS = [
  build,
  nats,
  litecoindRequired,
  chromium,
  clients,
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
  reliability('cluster', ['--rounds=19', '--traders=10']),
  reliability('failover', ['--rounds=7', '--traders=10']),
  reliability('crash', ['--kills=24', '--traders=50']),
  reliability('floods', ['--seconds=300']),
  reliability('streams', ['--calls=2000', '--seconds=300']),
  long('database', 'http', [
    'reliability/',
    'faults/',
    'crawls/',
    'replay/',
    'enumeration',
    'spot/races',
    'spot/export',
    'public-api/clients',
  ]),
  long('screens', 'browser', [], SEEDED_AND_BROWSER, browserEnvironment),
];

/**
 * Resolves to the environment variables of the browser tests. Installs a missing browser if possible;
 * otherwise rejects, so that the step fails instead of being skipped.
 */
function browserEnvironment() {
  const { executable, problem } = ensureBrowser(console.log);
  return problem === null
    ? Promise.resolve({ CHROMIUM_PATH: executable })
    : Promise.reject(new Error(problem));
}

/**
 * Returns a number that is derived from the commit. Random tests derive some of their seeds from it, so that each
 * commit is tested with other seeds and a failure can be repeated. Without git, e.g. in an archive, the number is
 * always 1.
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
    // An archive of the sources has no commit, but its random tests need a seed too, so a fixed one is
    // returned.
    return '1';
  }
}
