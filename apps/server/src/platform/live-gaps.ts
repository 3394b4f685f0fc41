import type { Config } from '../config.ts';
import { payingNetworks } from './paying-networks.ts';

const HOUR_MS = 3_600_000;
/** Maximum age in milliseconds of the newest backup: backups are made daily, and making one may take six hours. */
const BACKUP_MAX_AGE_MS = 30 * HOUR_MS;
/** Recommended number of price sources. If one of the sources fails, three are left. */
const SOURCES_WANTED = 4;
/** The oldest major version of Node.js that still receives security fixes. */
const NODE_WANTED = 22;

export interface LiveFacts {
  readonly now: number;
  /** Time at which the newest backup was made, in milliseconds UTC like `now`; undefined if there is none. */
  readonly backupAt: number | undefined;
  /** PostgreSQL's `synchronous_standby_names`: the standbys for which commits wait; empty for none. */
  readonly synchronousStandbys: string;
  /** Whether the database role with which the server connects owns the tables. */
  readonly ownsTables: boolean;
  readonly sources: number;
  /** Reason why the mail server cannot be used; undefined if it can. */
  readonly mailProblem: string | undefined;
  /** Version of Node.js that runs the server. */
  readonly node: string;
}

/**
 * Lists the shortcomings of a live installation, apart from the settings that live mode requires. Each shortcoming is a
 * sentence that begins with the thing to be changed, usually the name of a setting.
 */
export function liveGaps(config: Config, facts: LiveFacts): string[] {
  const findings: readonly Finding[] = [
    [facts.mailProblem !== undefined, `SMTP_URL: the mail server takes no mail: ${facts.mailProblem}`],
    [
      facts.ownsTables,
      'DATABASE_OWNER_URL: the server’s role owns its tables, so nothing keeps it from changing what is append-only',
    ],
    [
      facts.synchronousStandbys === '',
      'synchronous_standby_names of PostgreSQL: what is acknowledged lies on one machine only',
    ],
    [
      facts.sources < SOURCES_WANTED,
      `PRICE_SOURCES: ${facts.sources} sources, so none may fail; name ${SOURCES_WANTED} or more`,
    ],
    [
      Number.parseInt(facts.node, 10) < NODE_WANTED,
      `Node.js ${facts.node}: gets no fixes of security any more; use ${NODE_WANTED} or newer`,
    ],
    ...backupGaps(config, facts),
  ];
  return [...settingGaps(config), ...sentences(findings)];
}

/** Lists those shortcomings of a live installation that are visible from the settings alone. */
export function settingGaps(config: Config): string[] {
  return sentences([
    [
      config.databaseUrl === undefined,
      'DATABASE_URL: the database is the one that the server runs for itself; use a PostgreSQL of its own',
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
      isPlain(config.smtpUrl),
      'SMTP_URL: codes may travel to the mail server unencrypted; use smtps://, or add ?requireTLS=true',
    ],
    [
      /@[^>]*\.example>?$/.test(config.mailFrom),
      'MAIL_FROM: mail is sent from an address that does not exist',
    ],
    ...operatorGaps(config),
    [config.bucket === undefined, 'FILES_URL: uploaded pictures lie on this machine only'],
    [config.backupFolder === undefined, 'BACKUP_FOLDER: nothing shows that backups are made'],
    ...channelGaps(config),
  ]);
}

/** A possible shortcoming of a live installation: whether it exists, and the sentence about it. */
type Finding = readonly [boolean, string];

function sentences(findings: readonly Finding[]): string[] {
  return findings.flatMap(([isMissing, sentence]) => (isMissing ? [sentence] : []));
}

function operatorGaps({ operator }: Config): readonly Finding[] {
  const { entity, address, governingLaw, supportEmail } = operator;
  return [
    [entity === undefined, 'LEGAL_ENTITY: the legal pages do not say who runs the exchange'],
    [address === undefined, 'LEGAL_ADDRESS: the legal pages do not say where its operator is'],
    [governingLaw === undefined, 'GOVERNING_LAW: the user agreement does not say which law it is under'],
    [supportEmail === undefined, 'SUPPORT_EMAIL: the pages may name no address of customer service'],
  ];
}

function channelGaps(config: Config): readonly Finding[] {
  const { evm, utxo, xrp, tron, manualDeposits } = config;
  const hasChain = evm.length > 0 || utxo.length > 0 || xrp !== undefined || tron !== undefined;
  return [
    [
      !hasChain && manualDeposits.size === 0,
      'EVM_RPC_URL and EVM_XPUB, or the settings of another chain, or MANUAL_DEPOSITS: no coin can come in',
    ],
    [
      payingNetworks(config).length === 0,
      'EVM_WALLET, EVM_SIGNER and EVM_SIGNER_SECRET_FILE, or the signer of another chain: no withdrawal is sent to a chain',
    ],
  ];
}

function backupGaps({ backupFolder }: Config, { backupAt, now }: LiveFacts): readonly Finding[] {
  if (backupFolder === undefined) return [];
  if (backupAt === undefined) return [[true, `BACKUP_FOLDER: there is no backup in ${backupFolder}`]];
  const isOld = now - backupAt > BACKUP_MAX_AGE_MS;
  return [[isOld, `BACKUP_FOLDER: the newest backup is of ${new Date(backupAt).toISOString()}`]];
}

/** Returns whether, with the current mail settings, emails could leave this machine without TLS. */
function isPlain(smtpUrl: string | undefined): boolean {
  if (smtpUrl === undefined) return false;
  const { protocol, hostname, searchParams } = new URL(smtpUrl);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return protocol === 'smtp:' && !isHere && searchParams.get('requireTLS') !== 'true';
}
