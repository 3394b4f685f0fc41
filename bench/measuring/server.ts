/**
 * Runs the exchange like `npm start`, or an API node if the setting ROLE says so, but with rate limits that are never
 * reached. Settings come from the environment. The argument is the root of the checkout. Prints the addresses as JSON
 * and reports the processor time on request.
 */
import { join } from 'node:path';
import { createApiNode } from '../../apps/server/src/api-node.ts';
import { createApp } from '../../apps/server/src/app.ts';
import type { ClusterNode } from '../../apps/server/src/cluster-node.ts';
import { composeModules } from '../../apps/server/src/compose.ts';
import { readConfig } from '../../apps/server/src/config.ts';
import type { Link } from '../../apps/server/src/platform/cluster/link.ts';
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
const link = await openLink();
const shared = {
  config,
  clock: systemClock,
  log,
  limits: NO_LIMITS,
  admissionLimits: NO_ADMISSION_LIMITS,
};
const served = config.role === 'api' ? await openApiNode() : await openExchange();
const addresses = await served.listen();

answerProcessorTime();
process.once('SIGTERM', () => {
  void served.stop().then(() => process.exit(0));
});

async function openLink(): Promise<Link | undefined> {
  if (config.natsUrl === undefined) return undefined;
  const { NatsLink } = await import('../../apps/server/src/platform/cluster/nats-link.ts');
  return new NatsLink({ url: config.natsUrl, name: `bench ${config.role}`, log });
}

async function openApiNode(): Promise<Pick<ClusterNode, 'listen' | 'stop'>> {
  return createApiNode({ ...shared, link: link!, databaseLog: levelledLog(log, 'database') });
}

async function openExchange(): Promise<Pick<ClusterNode, 'listen' | 'stop'>> {
  const database = await startDatabase({ ...config, log: levelledLog(log, 'database') });
  const end = () => process.exit(1);
  const app = await createApp({ ...shared, database, end, link }, (platform) =>
    composeModules(platform, { indexProgram: { file: join(import.meta.dirname, 'index-worker.js') } }),
  );
  return {
    listen: () => app.listen(),
    stop: async () => {
      await app.stop();
      await database.stop();
    },
  };
}

process.stdout.write(`${JSON.stringify(addresses)}\n`);
