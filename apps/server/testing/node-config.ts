import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig, type Config } from '../src/config.ts';

const rootDirectory = fileURLToPath(new URL('../../..', import.meta.url));

/** The settings of a node of a test, with a data folder of its own. */
export interface NodeConfig {
  readonly config: Config;
  /** Removes the data folder. */
  readonly remove: () => void;
}

/**
 * Reads the settings of a test's API or feed node, on free ports of this machine. `settings` are the role, the addresses
 * of the database, and the required address of NATS, to which nothing connects here.
 */
export function nodeConfig(settings: Readonly<Record<string, string>>): NodeConfig {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'amethyst-node-'));
  const environment = {
    DATA_DIR: dataDirectory,
    PORT: '0',
    CONSOLE_PORT: '0',
    DRAIN_SECONDS: '0',
    TRUSTED_PROXY: 'x-real-ip',
    ...settings,
  };
  const config = readConfig(environment, rootDirectory);
  if (!config.ok) throw new Error(config.refusal.join());
  return {
    config: config.value,
    remove: () => rmSync(dataDirectory, { recursive: true, force: true }),
  };
}
