/**
 * Runs the exchange like `npm start`, but with rate limits that are never reached. Settings come from the environment.
 * The argument is the root of the checkout. Prints the addresses as JSON and reports the processor time on request.
 */
import { join } from 'node:path';
import { createApp } from '../../apps/server/src/app.ts';
import { composeModules } from '../../apps/server/src/compose.ts';
import { readConfig } from '../../apps/server/src/config.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { NO_ADMISSION_LIMITS } from '../../apps/server/src/platform/http/admission.ts';
import { NO_LIMITS } from '../../apps/server/src/platform/limits/limits.ts';
import { jsonLog, levelledLog } from '../../apps/server/src/platform/log/json-log.ts';
import { startDatabase } from '../../apps/server/src/platform/start-database.ts';
import { answerProcessorTime } from './processor-time.ts';

const configuration = readConfig(process.env, process.argv[2] ?? process.cwd());
if (!configuration.ok) throw new Error(configuration.refusal.join('; '));
const config = configuration.value;
const log = jsonLog({
  level: config.logLevel,
  clock: systemClock,
  write: (line) => process.stderr.write(line),
});
const database = await startDatabase({ ...config, log: levelledLog(log, 'database') });
const end = () => process.exit(1);
const foundation = {
  config,
  clock: systemClock,
  log,
  database,
  end,
  limits: NO_LIMITS,
  admissionLimits: NO_ADMISSION_LIMITS,
};
const app = await createApp(foundation, (platform) =>
  composeModules(platform, { indexProgram: { file: join(import.meta.dirname, 'index-worker.js') } }),
);
const addresses = await app.listen();

answerProcessorTime();
process.once('SIGTERM', () => {
  const stopping = app.stop().then(() => database.stop());
  void stopping.then(() => process.exit(0));
});
process.stdout.write(`${JSON.stringify(addresses)}\n`);
