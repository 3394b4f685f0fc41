import type { DataOf, Endpoint } from '@exchange/wire/endpoint.ts';
import { createApiNode } from '../src/api-node.ts';
import type { Link } from '../src/platform/cluster/link.ts';
import { systemClock } from '../src/platform/clock.ts';
import { NO_ADMISSION_LIMITS } from '../src/platform/http/admission.ts';
import { NO_LIMITS, type LimitTable } from '../src/platform/limits/limits.ts';
import { callOver, type ApiResponse, type CallOptions, type RequestFields } from './calling.ts';
import { urlOf, withRuntimeRole, type TestDatabase } from './database.ts';
import { nodeConfig } from './node-config.ts';
import { recordingLog } from './recording-log.ts';

/** A running API node for a test's exchange. */
export interface TestApiNode {
  readonly url: string;
  readonly consoleUrl: string;
  readonly log: ReturnType<typeof recordingLog>;
  call<E extends Endpoint>(
    endpoint: E,
    fields?: RequestFields<E>,
    options?: CallOptions,
  ): Promise<ApiResponse<DataOf<E>>>;
  close(): Promise<void>;
}

/**
 * Starts an API node that reads sessions from `database` and calls the writer over `link`. `natsUrl` only fills a
 * required setting. The node does not connect to it.
 */
export async function anApiNode(
  database: TestDatabase,
  { link, natsUrl, limits = NO_LIMITS }: { link: Link; natsUrl: string; limits?: LimitTable },
): Promise<TestApiNode> {
  const { config, remove } = nodeConfig({
    ROLE: 'api',
    NATS_URL: natsUrl,
    DATABASE_URL: urlOf(withRuntimeRole(database.connection)),
  });
  const log = recordingLog();
  const node = await createApiNode({
    config,
    clock: systemClock,
    log,
    link,
    databaseLog: () => undefined,
    limits,
    admissionLimits: NO_ADMISSION_LIMITS,
  });
  const { app, console } = await node.listen();
  return {
    url: app,
    consoleUrl: console,
    log,
    call: (endpoint, fields = {}, options = {}) => callOver(app, endpoint, fields, options),
    close: async () => {
      await node.stop();
      await link.close();
      remove();
    },
  };
}
