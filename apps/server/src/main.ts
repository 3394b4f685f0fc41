/** The process: reads the settings, starts everything, and stops it in order. */
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp, type App } from './app.ts';
import { composeModules } from './compose.ts';
import { readOwnConfig, type Config } from './config.ts';
import { systemClock } from './platform/clock.ts';
import { operatorTokenFile } from './platform/console/operator-token.ts';
import type { Addresses } from './platform/edge.ts';
import { jsonLog, levelledLog } from './platform/log/json-log.ts';
import { startDatabase, type DatabaseServer } from './platform/start-database.ts';

// This file lies three folders below the checkout's root, as a source and when it is built.
const rootDirectory = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const say = (text: string) => process.stdout.write(`${text}\n`);

function configOrExit(): Config {
  const result = readOwnConfig(rootDirectory);
  if (result.ok) return result.value;
  process.stderr.write(
    `The exchange was not started. Its settings are wrong:\n  ${result.refusal.join('\n  ')}\n`,
  );
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
let ending: Promise<void> | undefined;

/** Stops whatever has been started, last first; asked again while it is at it, the process ends at once. */
function end(exitCode: number, how: 'stop' | 'failStop' = 'stop'): void {
  if (ending !== undefined) process.exit(exitCode === 0 ? 1 : exitCode);
  ending = (async () => {
    // A database that is just being started would go on without anybody.
    database ??= await starting?.catch(() => undefined);
    try {
      await app?.[how]();
    } catch (cause) {
      // The database has to be stopped whatever happened above it.
      log.error('app.not_stopped', { cause });
    }
    await database?.stop();
  })();
  ending.then(
    () => process.exit(exitCode),
    (cause: unknown) => {
      log.error('database.not_stopped', { cause });
      process.exit(1);
    },
  );
}

for (const signal of SIGNALS) {
  process.on(signal, () => {
    if (ending === undefined) say('Stopping … (once more to stop at once)');
    end(0);
  });
}
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (cause: unknown) => {
    // After a bug nobody expected, memory cannot be trusted: nothing more of it is stored, and the next start
    // reads the journal.
    log.error('process.failed', { by: event, cause });
    end(1, 'failStop');
  });
}

function welcome(addresses: Addresses, { demoLogins }: App): string {
  const sites = config.publicUrl ?? addresses.app;
  const lines = [
    `Amethyst ${config.version} is open in ${config.mode} mode.`,
    '',
    `  Desktop   ${sites}/pc/`,
    `  Mobile    ${sites}/`,
    `  API       ${sites}/docs`,
    `  Operator  ${addresses.console}/ops`,
  ];
  const tokenFile = operatorTokenFile(config);
  if (tokenFile !== undefined) lines.push(`            token in ${tokenFile}`);
  if (config.mode === 'demo') lines.push(`  Mail      ${sites}/dev/mail`);
  for (const { role, email, password } of demoLogins)
    lines.push('', `  ${role}: ${email}  password ${password}`);
  return ['', ...lines, '', '  Ctrl-C stops it.', ''].join('\n');
}

try {
  starting = startDatabase({ ...config, log: levelledLog(log, 'database') });
  database = await starting;
  app = await createApp({ config, clock: systemClock, log, database, end: () => end(1) }, composeModules);
  const addresses = await app.listen();
  log.info('app.listening', { ...addresses, mode: config.mode, version: config.version });
  say(welcome(addresses, app));
} catch (cause) {
  // Told to end while it starts, or waits as a standby, it is ended under its own feet.
  if (ending === undefined) {
    log.error('app.not_started', { cause });
    process.stderr.write(
      `The exchange was not started: ${cause instanceof Error ? cause.message : String(cause)}\n`,
    );
    end(1);
  }
}
