import type { Config } from '../config.ts';

const HOUR_MS = 3_600_000;
/** A backup a day, and some hours to make it in. */
const BACKUP_MAX_AGE_MS = 30 * HOUR_MS;
/** So many, so that one may fail and three are left. */
const SOURCES_WANTED = 4;

export interface LiveFacts {
  readonly now: number;
  /** When the newest backup was made. */
  readonly backupAt: number | undefined;
  /** The standbys that every commit waits for, as PostgreSQL names them. */
  readonly synchronousStandbys: string;
  /** Whether the server's own role owns the tables. */
  readonly ownsTables: boolean;
  readonly sources: number;
}

/**
 * What is missing for real operation beyond what live mode does not start without: a sentence for each, which begins with
 * the setting that mends it.
 */
export function liveGaps(config: Config, facts: LiveFacts): string[] {
  const found: readonly (readonly [boolean, string])[] = [
    [
      config.databaseUrl === undefined,
      'DATABASE_URL: the database is the one that the server runs for itself; use a PostgreSQL of its own',
    ],
    [
      facts.ownsTables,
      'DATABASE_OWNER_URL: the server’s role owns its tables, so nothing keeps it from changing what is append-only',
    ],
    [
      facts.synchronousStandbys === '',
      'synchronous_standby_names of PostgreSQL: what is acknowledged lies on one machine only',
    ],
    [
      config.serverSecret === undefined,
      'SERVER_SECRET: the secret lies in DATA_DIR beside the data that it protects',
    ],
    [
      config.proxyHeader === undefined,
      'TRUSTED_PROXY: everybody seems to come from the proxy that ends TLS, and shares one address’s limits',
    ],
    [
      /@[^>]*\.example>?$/.test(config.mailFrom),
      'MAIL_FROM: mail is sent from an address that does not exist',
    ],
    [config.bucket === undefined, 'FILES_URL: uploaded pictures lie on this machine only'],
    ...channelGaps(config),
    [
      facts.sources < SOURCES_WANTED,
      `PRICE_SOURCES: ${facts.sources} sources, so none may fail; name ${SOURCES_WANTED} or more`,
    ],
    ...backupGaps(config, facts),
  ];
  return found.flatMap(([isMissing, sentence]) => (isMissing ? [sentence] : []));
}

function channelGaps({ evm, manualDeposits }: Config): readonly (readonly [boolean, string])[] {
  return [
    [
      evm === undefined && manualDeposits.size === 0,
      'EVM_RPC_URL and EVM_XPUB, or MANUAL_DEPOSITS: no coin can come in',
    ],
    [
      evm?.sending === undefined,
      'EVM_WALLET, EVM_SIGNER and EVM_SIGNER_SECRET_FILE: no withdrawal is sent to a chain',
    ],
  ];
}

function backupGaps(
  { backupFolder }: Config,
  { backupAt, now }: LiveFacts,
): readonly (readonly [boolean, string])[] {
  if (backupFolder === undefined) return [[true, 'BACKUP_FOLDER: nothing shows that backups are made']];
  if (backupAt === undefined) return [[true, `BACKUP_FOLDER: there is no backup in ${backupFolder}`]];
  const isOld = now - backupAt > BACKUP_MAX_AGE_MS;
  return [[isOld, `BACKUP_FOLDER: the newest backup is of ${new Date(backupAt).toISOString()}`]];
}
