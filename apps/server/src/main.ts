/** The server process: reads the settings, starts the database and the exchange or a node, and stops them in order. */
import { join } from 'node:path';
import { createApiNode } from './api-node.ts';
import type { ClusterNode } from './cluster-node.ts';
import { createApp, type App } from './app.ts';
import { composeModules } from './compose.ts';
import { createFeedNode } from './feed-node.ts';
import { createWorker } from './worker.ts';
import { accountProblem, readOwnConfig, showsMail, type Config } from './config.ts';
import { missingBesides } from './live-readiness.ts';
import { systemClock } from './platform/clock.ts';
import type { Link } from './platform/cluster/link.ts';
import { DEMO_CODES_PATH } from './platform/console/demo-codes-page.ts';
import { buildsDirectory, siteDirectories, type Addresses } from './platform/edge.ts';
import { Ending } from './platform/ending.ts';
import { errorMessage } from './platform/error-message.ts';
import { openHostWarning } from './platform/http/own-names.ts';
import { jsonLog, levelledLog } from './platform/log/json-log.ts';
import { rootDirectory } from './platform/root-directory.ts';
import { storeBuild } from './platform/static/stored-builds.ts';
import { startDatabase, type DatabaseServer } from './platform/start-database.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * The program that reads the log, for example through a pipe, may end; the exchange then continues without log output.
 */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
const say = (text: string) => process.stdout.write(`${text}\n`);

function configOrExit(): Config {
  const result = readOwnConfig(rootDirectory);
  if (result.ok) return requireAllowedAccount(result.value);
  const furtherGaps = missingBesides((needed) => readOwnConfig(rootDirectory, needed));
  const furtherLines =
    furtherGaps.length === 0
      ? []
      : ['For real operation there is missing besides:', ...indented(furtherGaps)];
  const lines = [
    'The exchange was not started. Its settings are wrong:',
    ...indented(result.refusal),
    ...furtherLines,
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
  return process.exit(1);
}

function requireAllowedAccount(settings: Config): Config {
  const problem = accountProblem(settings, process.getuid?.());
  if (problem === undefined) return settings;
  process.stderr.write(`The exchange was not started: ${problem}\n`);
  return process.exit(1);
}

const config = configOrExit();
const log = jsonLog({
  level: config.logLevel,
  clock: systemClock,
  write: (line) => process.stdout.write(line),
});

let starting: Promise<DatabaseServer> | undefined;
let database: DatabaseServer | undefined;
let app: App | undefined;
let node: ClusterNode | undefined;
let link: Link | undefined;
/** Milliseconds that the stop may take after a failure; then the process exits although the stop is not complete. */
const STOP_AFTER_FAILURE_MS = 60_000;
/**
 * The same for a node or a worker. It has no database of its own to stop, and calls that it has accepted are answered
 * within 12 seconds. It must not remain for longer, e.g. as a worker that was replaced and whose job queue waits for a
 * lost connection.
 */
const NODE_STOP_AFTER_FAILURE_MS = 15_000;

/**
 * Stops everything that this process has started, in reverse order. Rejects if the database could not be stopped; other
 * errors are only logged.
 */
async function stop(): Promise<void> {
  // If the database is still starting, its start is awaited; otherwise the database would continue to run after the
  // process has ended.
  database ??= await starting?.catch(() => undefined);
  try {
    await app?.stop();
    await node?.stop();
    await link?.close();
  } catch (cause) {
    // The error is only logged, because the database must be stopped although the app failed to stop.
    log.error('app.not_stopped', { cause });
  }
  try {
    await database?.stop();
  } catch (cause) {
    log.error('database.not_stopped', { cause });
    throw cause;
  }
}

const ending = new Ending({
  drain: async () => {
    await app?.drain();
    await node?.drain();
  },
  stop,
  exit: (code) => process.exit(code),
  timeoutMs:
    config.role === 'all' || config.role === 'writer' ? STOP_AFTER_FAILURE_MS : NODE_STOP_AFTER_FAILURE_MS,
});

for (const signal of SIGNALS) {
  process.on(signal, () => {
    if (!ending.isUnderWay) say('Stopping … (once more to stop at once)');
    ending.requestStop();
  });
}
for (const origin of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(origin, (cause: unknown) => {
    // After an uncaught error the state in memory may be wrong. None of it is written to the database any more; the
    // next start loads the last stored state.
    log.error('process.failed', { by: origin, cause });
    app?.fail();
    ending.fail();
  });
}

/** A warning for the operator if other machines can reach a demo; otherwise undefined. */
const reachabilityWarning = config.mode === 'demo' ? openHostWarning(config, showsMail(config)) : undefined;

function welcome(addresses: Addresses, { demoLogins, operatorNotes }: App): string {
  const sites = config.publicUrl ?? addresses.app;
  const lines = [
    `Amethyst ${config.version} is open in ${config.mode} mode.`,
    '',
    `  Desktop   ${sites}/pc/`,
    `  Mobile    ${sites}/`,
    `  API       ${sites}/docs`,
    `  Operator  ${addresses.console}/ops`,
  ];
  for (const note of operatorNotes()) lines.push(`            ${note}`);
  if (config.mode === 'demo') lines.push('  Data      is being made; a line says when it is complete');
  if (config.mode === 'demo')
    lines.push(`  Codes     ${addresses.console}${DEMO_CODES_PATH} shows what their authenticators show`);
  if (showsMail(config)) lines.push(`  Mail      ${sites}/dev/mail`);
  for (const { role, email, password } of demoLogins)
    lines.push('', `  ${role}: ${email}  password ${password}`);
  if (reachabilityWarning !== undefined) lines.push('', `  ${reachabilityWarning}`);
  return ['', ...lines, '', '  Ctrl-C stops it.', ''].join('\n');
}

/**
 * Waits until the demo data is created, and prints that it is complete or which parts are missing. From then on the
 * database must answer within its normal time limits; during the start it may take longer.
 */
async function reportDemoData(startedApp: App, server: DatabaseServer): Promise<void> {
  const missing = await startedApp.demoDataMade();
  server.endStart?.();
  if (ending.isUnderWay) return;
  say(
    missing.length === 0
      ? 'The demo data are complete.'
      : `The demo data are incomplete: ${missing.length} parts could not be made, and are tried again at the next start (demo.part_not_made in the log says why).`,
  );
}

/**
 * Connects this process with the other processes of its exchange; undefined without NATS_URL. The NATS client library
 * is loaded only if it is needed.
 */
async function openLink({ natsUrl, role }: Config): Promise<Link | undefined> {
  if (natsUrl === undefined) return undefined;
  const { NatsLink } = await import('./platform/cluster/nats-link.ts');
  return new NatsLink({ url: natsUrl, name: `exchange ${role}`, log });
}

const NODES = {
  api: { create: createApiNode, serves: 'Calls    ' },
  feed: { create: createFeedNode, serves: 'Live data' },
} as const;

/**
 * Starts an API node or a feed node, which serves calls or live data, or a worker, and leaves everything else to the
 * writer process.
 */
async function startNode(role: 'api' | 'feed' | 'worker', connected: Link): Promise<void> {
  const foundation = {
    config,
    clock: systemClock,
    log,
    link: connected,
    databaseLog: levelledLog(log, 'database'),
    end: () => ending.fail(),
  };
  const served = role === 'worker' ? undefined : NODES[role];
  node = await (served === undefined ? createWorker(foundation) : served.create(foundation));
  const addresses = await node.listen();
  log.info('app.listening', { ...addresses, mode: config.mode, version: config.version, role: config.role });
  say(
    [
      '',
      served === undefined
        ? `Amethyst ${config.version}: this worker runs in ${config.mode} mode.`
        : `Amethyst ${config.version}: this ${role} node is open in ${config.mode} mode.`,
      '',
      ...(served === undefined ? [] : [`  ${served.serves} ${config.publicUrl ?? addresses.app}`]),
      `  Health    ${addresses.console}/health`,
      '',
      '  Ctrl-C stops it.',
      '',
    ].join('\n'),
  );
}

/** Starts the database and the exchange in this process. */
async function startExchange(): Promise<void> {
  starting = startDatabase({ ...config, log: levelledLog(log, 'database') });
  database = await starting;
  app = await createApp(
    { config, clock: systemClock, log, database, link, end: () => ending.fail() },
    (platform) =>
      composeModules(platform, {
        indexProgram: { file: join(rootDirectory, 'apps/server/dist/index-worker.js') },
      }),
  );
  const addresses = await app.listen();
  log.info('app.listening', { ...addresses, mode: config.mode, version: config.version });
  if (reachabilityWarning !== undefined)
    log.warn('app.open_to_others', { host: config.host, warning: reachabilityWarning });
  say(welcome(addresses, app));
  void storeBuild({
    folder: buildsDirectory(config),
    directories: siteDirectories(config),
    clock: systemClock,
    log,
  });
  if (config.mode === 'demo') void reportDemoData(app, database);
  else database.endStart?.();
}

try {
  link = await openLink(config);
  const { role } = config;
  if (role === 'feed' || role === 'api' || role === 'worker') await startNode(role, link!);
  else await startExchange();
} catch (cause) {
  // A shutdown during the start, or while this process waits as a standby, makes the start reject; this rejection is
  // not reported as an error.
  if (!ending.isUnderWay) {
    log.error('app.not_started', { cause });
    process.stderr.write(`The exchange was not started: ${errorMessage(cause)}\n`);
    ending.fail();
  }
}
