import { join, resolve } from 'node:path';
import * as z from 'zod';
import { Decimal } from '@exchange/core/decimal.ts';
import { addressProblem, findCoinNetwork } from '@exchange/core/network.ts';
import { findNetwork } from '@exchange/core/network-table.ts';
import { OfferedNetworks } from '@exchange/core/offered-networks.ts';
import { accepted, refused, type Result } from '@exchange/core/result.ts';
import type { S3Settings } from './platform/files/s3-file-store.ts';
import { explorerProblems, explorersOf } from './explorer-config.ts';
import { partsOf } from './chain-config.ts';
import { evmNetworksIn, evmOf, evmProblems, type EvmConfig } from './evm-config.ts';
import { OPERATOR_SETTINGS, operatorOf, type OperatorConfig } from './operator-config.ts';
import { PASSKEY_SETTINGS, passkeyProblems, passkeysOf, type PasskeyConfig } from './passkey-config.ts';
import { utxoOf, utxoProblems, type UtxoConfig } from './utxo-config.ts';
import { tronOf, tronProblems, type TronConfig } from './tron-config.ts';
import { xrpOf, xrpProblems, type XrpConfig } from './xrp-config.ts';
import { choice, mustBe, POSTGRES, secretly, url, type Environment } from './setting-fields.ts';

export const VERSION = '0.1.0';

export type Mode = 'demo' | 'live';
export const ROLES = ['all', 'writer', 'api', 'feed', 'worker'] as const;
/**
 * Role of a process. `all`: the whole exchange. `writer`: the same, and it publishes data to feed nodes and
 * executes the calls that API nodes forward. `api`: delivers pages and accepts calls, which a writer
 * executes. `feed`: delivers a writer's live data over WebSockets. `worker`: runs jobs that need only the
 * database, e.g. it sends mail.
 */
export type Role = (typeof ROLES)[number];
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** All settings of a server, after their validation. */
export interface Config {
  readonly version: string;
  readonly mode: Mode;
  readonly role: Role;
  /**
   * Addresses of the NATS servers through which the processes of an exchange communicate; undefined if the exchange is
   * a single process.
   */
  readonly natsUrl: string | undefined;
  /**
   * Whether the writer leaves the jobs that need only the database to workers; otherwise it runs all jobs. False for
   * every role except `writer`.
   */
  readonly hasWorkers: boolean;
  readonly host: string;
  readonly port: number;
  readonly consoleHost: string;
  readonly consolePort: number;
  /** Absolute path of the folder with the embedded database, keys and files. */
  readonly dataDirectory: string;
  /** Root folder of the checkout, which contains the built pages and the migrations. */
  readonly rootDirectory: string;
  /** URL of an external PostgreSQL database; undefined if the server runs the embedded one. */
  readonly databaseUrl: string | undefined;
  /**
   * URL of the same database with the role that owns and migrates its tables; if undefined, the role in DATABASE_URL
   * owns and migrates them.
   */
  readonly databaseOwnerUrl: string | undefined;
  /** URL of a replica, whose data may be late, for reads that tolerate this; undefined if there is none. */
  readonly replicaDatabaseUrl: string | undefined;
  /**
   * The lines of the file `secret.key`, joined with commas; if undefined, the secret is read from that file. All
   * servers of one database use the same secret.
   */
  readonly serverSecret: string | undefined;
  /** Name of the HTTP header in which the reverse proxy states the caller's address; undefined without a proxy. */
  readonly proxyHeader: string | undefined;
  /**
   * JSON file with the trading venues from whose prices live mode computes the index; without it, the built-in list of
   * venues is used.
   */
  readonly priceSourcesFile: string | undefined;
  /**
   * Folder in which the commands for backups and drills write unless they name another one. Its disk space is
   * monitored, and a start in live mode checks the newest backup in it. If undefined, these commands must
   * name a folder, and a start in live mode reports the missing backup.
   */
  readonly backupFolder: string | undefined;
  /**
   * Folder with the files of sanctions lists; undefined if the exchange compares no names and addresses with such
   * lists.
   */
  readonly sanctionsFolder: string | undefined;
  /** URLs of the OpenTimestamps calendars that stamp the published hashes; empty if no hash is stamped. */
  readonly stampCalendars: readonly string[];
  /** Value in USDT at or above which a withdrawal needs a travel-rule record; undefined if no withdrawal needs one. */
  readonly travelRuleFrom: Decimal | undefined;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** Public URL of the site, without a slash at its end; undefined if it is not configured. */
  readonly publicUrl: string | undefined;
  /** The domain and the origins for which browsers create and use passkeys. */
  readonly passkeys: PasskeyConfig;
  /**
   * URL at which operators open the console, in addition to loopback names and `consoleHost`; undefined if there is no
   * further URL.
   */
  readonly consoleUrl: string | undefined;
  /**
   * Live chat of the customer service: its URL, and the key that signs the public number (uid) of the user
   * that is passed to it; without a key no uid is passed. Undefined if there is no live chat.
   */
  readonly chat: { readonly url: string; readonly key: string | undefined } | undefined;
  /**
   * The company that operates the exchange, as the legal pages show it: its name, address and governing law,
   * and the mail address of its customer service; each is undefined if it is not configured.
   */
  readonly operator: OperatorConfig;
  /** S3 bucket in which uploaded pictures are stored; undefined if they are stored in a local folder. */
  readonly bucket: S3Settings | undefined;
  /**
   * The blockchain networks that users and operators can select. An optional network is one of them only
   * if its node is configured.
   */
  readonly offered: OfferedNetworks;
  /** Settings of the configured EVM chains (not simulated ones). */
  readonly evm: readonly EvmConfig[];
  /** Settings of the configured chains of the Bitcoin family (not simulated ones). */
  readonly utxo: readonly UtxoConfig[];
  /** Settings of the XRP Ledger; undefined if it is not configured. */
  readonly xrp: XrpConfig | undefined;
  /** URLs of block explorers' pages about transactions, by network; `{txid}` in a URL stands for the transaction id. */
  readonly explorers: ReadonlyMap<string, string>;
  /** Settings of TRON; undefined if it is not configured. */
  readonly tron: TronConfig | undefined;
  /**
   * Deposit addresses by coin and network, e.g. `USDT/BEP20`. Users report deposits at these addresses themselves, and
   * operators review the reports.
   */
  readonly manualDeposits: ReadonlyMap<string, string>;
  readonly logLevel: LogLevel;
  /**
   * Whether the exchange's own market makers quote all pairs. In a demo it also decides whether simulated takers trade;
   * if false, the demo creates no demo data except the demo trader's funds.
   */
  readonly houseTrades: boolean;
  /**
   * Time step in milliseconds. Answers to a visitor's call that contains an email address are delayed to a multiple of
   * it, so that their timing does not reveal which accounts exist.
   */
  readonly visitorAnswersMs: number;
  /** Milliseconds for which `/health` announces a stop of the server before the stop begins. */
  readonly drainMs: number;
}

/**
 * True if the server shows mails on a public page instead of sending them; this is so only in a demo without a mail
 * server.
 */
export function showsMail({ mode, smtpUrl }: Pick<Config, 'mode' | 'smtpUrl'>): boolean {
  return mode === 'demo' && smtpUrl === undefined;
}

/**
 * Reads the settings of this process from its environment variables; the values in `instead` replace those of
 * the same name. Returns the settings, or one sentence for each invalid setting.
 */
export function readOwnConfig(
  rootDirectory: string,
  instead: Environment = {},
): Result<Config, readonly string[]> {
  return readConfig({ ...process.env, ...instead }, rootDirectory);
}

/**
 * Returns why this system account must not run the server; undefined if it may. In live mode root must not run it: an
 * attacker in the process would control the machine with its backups and the signer. `userId` is undefined on systems
 * without user ids.
 */
export function accountProblem(
  { mode }: Pick<Config, 'mode'>,
  userId: number | undefined,
): string | undefined {
  if (mode !== 'live' || userId !== 0) return undefined;
  return 'live mode does not run as root: start it as an account of its own (see the runbook)';
}

const PROXY_HEADERS = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip'] as const;

/**
 * Default number of seconds for which a process announces its stop, except with ROLE all. It is longer than a proxy
 * needs to detect the announcement with two checks half a second apart.
 */
const DRAIN_SECONDS = 2;

const whole = (defaultValue: number, max: number, description: string) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,5}$/.test(text) && Number(text) <= max,
      mustBe(`${description} from 0 to ${max}`),
    )
    .transform(Number)
    .default(defaultValue);
const port = (defaultPort: number) => whole(defaultPort, 65_535, 'a port');
const host = z
  .string()
  .regex(/^[A-Za-z0-9.:-]{1,255}$/, mustBe('an address or a host name'))
  .default('127.0.0.1');
const DEMO_MANUAL_DEPOSITS: ReadonlyMap<string, string> = new Map([
  ['USDT/BEP20', '0x43367AC27272F42A8309b883355b7618Bb2A58D1'],
]);

/**
 * Returns the deposit addresses of a demo whose deposits operators review, without those for coins and
 * networks that a configured EVM chain serves.
 */
function demoManualDeposits(evm: readonly EvmConfig[]): ReadonlyMap<string, string> {
  const served = evm.flatMap(({ network, tokens }) =>
    [...tokens.keys()].map((asset) => `${asset}/${network}`),
  );
  return new Map([...DEMO_MANUAL_DEPOSITS].filter(([route]) => !served.includes(route)));
}

/**
 * Parses a text such as `USDT/BEP20=0x…, BTC/BTC=bc1…`: each entry is a coin, one of its networks without
 * memos, and an address on that network. Refuses the whole text if one entry is invalid.
 */
function readManualDeposits(text: string, context: z.RefinementCtx): ReadonlyMap<string, string> {
  const entries = text.split(',').map((part) => {
    const [route = '', address = ''] = part.trim().split('=');
    const [asset = '', code = ''] = route.split('/');
    const coin = findCoinNetwork(asset, code);
    const isRight =
      coin !== undefined && !coin.network.memo && addressProblem(coin, { address }) === undefined;
    return { route, address, isRight };
  });
  if (!entries.every(({ isRight }) => isRight))
    context.addIssue({ code: 'custom', message: 'must be COIN/NETWORK=ADDRESS, parted by commas' });
  return new Map(entries.map(({ route, address }) => [route, address]));
}

/**
 * Returns one sentence for each network in MANUAL_DEPOSITS that is known but not offered. Invalid entries are
 * reported elsewhere.
 */
function manualProblems(settings: Environment, offered: OfferedNetworks): string[] {
  const codes = partsOf(settings['MANUAL_DEPOSITS']).map((part) => part.split('=')[0]!.split('/')[1] ?? '');
  return [...new Set(codes)]
    .filter((code) => findNetwork(code) !== undefined && !offered.has(code))
    .map((code) => `${code}_RPC_URL must be set for MANUAL_DEPOSITS: ${code} is offered only with a node`);
}

/** Returns the networks that an exchange with these settings offers. */
function offeredIn(settings: Environment): OfferedNetworks {
  return new OfferedNetworks(evmNetworksIn(settings));
}

/**
 * Parses the URLs of OpenTimestamps calendars. Refuses duplicates, and a URL without TLS unless the calendar
 * is on this machine.
 */
function readCalendars(text: string, context: z.RefinementCtx): readonly string[] {
  const urls = text.split(',').map((part) => part.trim().replace(/\/+$/, ''));
  const isRight = (url: string) => {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    return (
      parsed?.protocol === 'https:' ||
      (parsed?.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(parsed.hostname))
    );
  };
  if (!urls.every(isRight) || new Set(urls).size !== urls.length)
    context.addIssue({ code: 'custom', message: 'must be different https://… addresses, parted by commas' });
  return urls;
}

/** True if a text is a list of NATS server addresses, either all with `nats://` or all with `tls://`. */
function areNatsAddresses(text: string): boolean {
  const addresses = text.split(',').map((address) => address.trim());
  if (!addresses.every((address) => URL.canParse(address))) return false;
  const parsed = addresses.map((address) => new URL(address));
  const protocols = new Set(parsed.map(({ protocol }) => protocol));
  const [protocol = ''] = protocols;
  const hasHosts = parsed.every(({ hostname }) => hostname !== '');
  return hasHosts && protocols.size === 1 && ['nats:', 'tls:'].includes(protocol);
}

const SETTINGS = z.object({
  MODE: choice(['demo', 'live']).default('demo'),
  ROLE: choice(ROLES).default('all'),
  NATS_URL: z
    .string()
    .max(4_096)
    .refine(
      areNatsAddresses,
      secretly('addresses that begin with nats:// or all with tls://, parted by commas'),
    )
    .optional(),
  WORKERS: choice(['on', 'off']).default('off'),
  PORT: port(3000),
  CONSOLE_PORT: port(3001),
  HOST: host,
  CONSOLE_HOST: host,
  DATA_DIR: z.string().optional(),
  DATABASE_URL: url(POSTGRES),
  DATABASE_OWNER_URL: url(POSTGRES),
  REPLICA_DATABASE_URL: url(POSTGRES),
  SERVER_SECRET: z
    .string()
    .regex(/^[0-9a-fA-F]{64}(?:,[a-z_-]+:[0-9a-fA-F]{64})*$/, secretly('64 hex digits'))
    .optional(),
  TRUSTED_PROXY: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['none', ...PROXY_HEADERS], mustBe(`none or the header ${PROXY_HEADERS.join(', ')}`)))
    .optional(),
  PRICE_SOURCES: z.string().max(4_096).optional(),
  BACKUP_FOLDER: z.string().max(4_096).optional(),
  SANCTIONS_FOLDER: z.string().max(4_096).optional(),
  STAMP_CALENDARS: z.string().transform(readCalendars).optional(),
  TRAVEL_RULE_USDT: z
    .string()
    .refine((text) => Decimal.tryParse(text)?.isPositive() === true, mustBe('an amount in USDT'))
    .transform((text) => Decimal.parse(text))
    .optional(),
  SMTP_URL: url(['smtp:', 'smtps:']),
  MAIL_FROM: z
    .string()
    .regex(/^(?:[^<>\r\n]{0,100}<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, mustBe('a mail address'))
    .default('no-reply@amethyst.example'),
  PUBLIC_URL: url(['http:', 'https:']),
  CONSOLE_URL: url(['http:', 'https:']),
  MANUAL_DEPOSITS: z.string().transform(readManualDeposits).optional(),
  FILES_URL: url(['http:', 'https:']),
  FILES_REGION: z.string().max(64).default('us-east-1'),
  FILES_ACCESS_KEY_ID: z.string().optional(),
  FILES_SECRET_ACCESS_KEY: z.string().optional(),
  ...OPERATOR_SETTINGS,
  ...PASSKEY_SETTINGS,
  CUSTOMER_SERVICE_URL: url(['https:']),
  CUSTOMER_SERVICE_KEY: z.string().min(32, secretly('32 characters at least')).optional(),
  LOG_LEVEL: choice(LOG_LEVELS).default('info'),
  HOUSE_TRADING: choice(['on', 'off']).default('on'),
  VISITOR_ANSWERS_MS: whole(25, 1_000, 'a whole number'),
  DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,2}$/, mustBe('a whole number up to 99'))
    .transform(Number)
    .optional(),
});

/**
 * Reads the settings from an environment; `rootDirectory` is the root of the checkout. Returns the settings,
 * or one sentence for each invalid setting.
 *
 * | name          | meaning                                                        | default                   |
 * | ------------- | -------------------------------------------------------------- | ------------------------- |
 * | PORT          | port of the exchange                                           | 3000                      |
 * | HOST          | address the exchange listens on; 0.0.0.0: all interfaces | 127.0.0.1 |
 * | CONSOLE_PORT  | port of the operators' page, health and metrics; never PORT    | 3001                      |
 * | CONSOLE_HOST  | address of the operators' page, health and metrics | 127.0.0.1                 |
 * | DATA_DIR      | folder for stored data                                         | ./data                    |
 * | DATABASE_URL  | postgres://… of a server, version 15 or later; needed unless ROLE is all | an embedded one           |
 * | DATABASE_OWNER_URL | the same database with the role that owns and migrates its tables | DATABASE_URL |
 * | REPLICA_DATABASE_URL | a replica for large reads such as exports and the audit, and for the sessions of nodes; it may lag behind. An API node answers lists, exports and proofs from it | DATABASE_URL |
 * | SERVER_SECRET | the lines of `secret.key`, joined with commas; the same on every server | a file in DATA_DIR         |
 * | MODE          | demo: simulated prices and play money; live: real ones         | demo                      |
 * | ROLE          | all: the whole exchange in one process; writer: the exchange, which also serves nodes; api: a node that serves calls; feed: a node that serves live data; worker: runs jobs that need only the database (guide "Several machines") | all |
 * | WORKERS       | with ROLE writer: on leaves the jobs that need only the database, such as the sending of mail, to processes with ROLE worker | off |
 * | DRAIN_SECONDS | seconds for which /health announces a stop before it begins, so that proxies choose other processes | 2; with ROLE all: 0 |
 * | NATS_URL      | nats://… or tls://… of the NATS servers, with commas; needed unless ROLE is all | none |
 * | TRUSTED_PROXY | header of the proxy in front: x-forwarded-for, x-real-ip, …    | none: the socket's address |
 * | PRICE_SOURCES | JSON file of the venues from whose prices the index is computed in live mode | six large venues |
 * | BACKUP_FOLDER | folder of `npm run backup`; in live mode the start reports a missing backup | none |
 * | SANCTIONS_FOLDER | folder of sanctions lists: OFAC's sdn.csv, alt.csv or sdn.xml, and .txt files with one address or name per line | none: nothing is screened |
 * | STAMP_CALENDARS | `https://…, …`: calendars of OpenTimestamps that stamp the newest price checkpoints and liabilities every hour | none: nothing is stamped |
 * | TRAVEL_RULE_USDT | value in USDT from which a withdrawal needs its recipient, for the travel-rule record; needs LEGAL_ENTITY | none: no records |
 * | SMTP_URL      | smtp:// or smtps:// server for outgoing mail; required in live mode except with ROLE api or feed. A demo without it shows its mail on a public page | none |
 * | MAIL_FROM     | sender address of mail | no-reply@amethyst.example |
 * | CONSOLE_URL   | http(s)://… under which operators open the console; needed unless its host is the loopback, CONSOLE_HOST, or with CONSOLE_HOST 0.0.0.0 an IP address or the name of this machine | none |
 * | PUBLIC_URL    | http(s)://… under which browsers reach the exchange and whose host name is accepted; https, which live mode requires, enables HSTS | none |
 * | PASSKEY_DOMAIN | domain that passkeys belong to; a later change makes all of them useless | the host of PUBLIC_URL, or localhost |
 * | PASSKEY_ORIGINS | `https://www.example.com, …`: further origins on PASSKEY_DOMAIN or below it on which browsers may use passkeys | none |
 * | MANUAL_DEPOSITS | `USDT/BEP20=0x…, …`: deposit addresses that are reviewed manually | a demo: one for USDT on BEP20 |
 * | FILES_URL     | http(s)://… of an S3 bucket for uploaded pictures, which the server encrypts | a folder in DATA_DIR |
 * | FILES_REGION  | the bucket's region                                            | us-east-1                 |
 * | FILES_ACCESS_KEY_ID, FILES_SECRET_ACCESS_KEY | credentials that can read and write the bucket | none               |
 * | EVM_RPC_URL   | http(s)://… of the node of an EVM chain for deposits and withdrawals. Further chains have the same settings with the code of their network, such as BEP20_RPC_URL; all share EVM_XPUB. POLYGON and ARBITRUM are offered only with such a node | none |
 * | EVM_CHAIN_ID  | chain id of the node; a demo accepts only local test chains (1337, 31337) | that of the network |
 * | EVM_NETWORK   | code of the chain's network: ERC20, BEP20, POLYGON or ARBITRUM | ERC20                     |
 * | EVM_XPUB      | extended public key from which users' addresses are derived      | none                      |
 * | EVM_TOKENS    | `USDT=0x…:6, …`: token contracts and their decimals | none                      |
 * | EVM_CONFIRMATIONS | blocks until a transfer is confirmed | the network's own: 12, on BEP20 15, on POLYGON 5 and on ARBITRUM 20 final ones |
 * | EVM_FINALITY  | newest block that is read: latest, safe or finalized, as the node names it | latest; on POLYGON and ARBITRUM finalized |
 * | EVM_FEE_MODEL | eip1559: base fee and tip; legacy: one gas price           | eip1559                   |
 * | EVM_TIP_GWEI  | least tip in Gwei per unit of gas, or with legacy the least gas price, on chains that require one | none: as the node suggests; on POLYGON 25 |
 * | EVM_START_BLOCK | first block to read with a new database | the newest block          |
 * | EVM_RESERVES  | `0x…, …`: further addresses whose coins back the liabilities to users | none |
 * | EVM_WALLET    | address of the hot wallet | none: nothing is sent     |
 * | EVM_SIGNER    | address of the signer: a socket's path, or ADDRESS:PORT | none: nothing is sent     |
 * | EVM_SIGNER_SECRET_FILE | file with the secret that is shared with the signer | none                      |
 * | EVM_SIGNER_CA_FILE | certificate of the own authority; required with EVM_SIGNER_CERT_FILE, EVM_SIGNER_KEY_FILE and EVM_SIGNER_NAME if the signer is on another machine | none |
 * | EVM_SIGNER_CERT_FILE, EVM_SIGNER_KEY_FILE | the exchange's certificate from that authority, and its private key | none |
 * | EVM_SIGNER_NAME | the name in the signer's certificate                         | none                      |
 * | EVM_COLD_WALLET | the cold wallet: it refills EVM_WALLET, receives its surplus and counts as a reserve | none |
 * | EVM_HOT_BOUNDS | `USDT=20000/50000/100000, …`: lower bound, target and upper bound of a coin in EVM_WALLET | none: not checked |
 * | EVM_TRACE     | `debug` if the node has debug_traceBlockByHash; then native coins that contracts send are deposits | none: they are not seen |
 * | EVM_SWEEP_FACTOR | least ratio between a deposit's value and its gas for a sweep into EVM_WALLET | none: no sweeps |
 * | EVM_SWEEP_LEAST | instead of EVM_SWEEP_FACTOR on BEP20 and POLYGON, whose coins have no price: least value in USDT of a deposit that is swept | none: no sweeps |
 * | EVM_SWEEP_GWEI | greatest fee in Gwei per unit of gas at which deposits are swept | 50; on POLYGON 500, on ARBITRUM 2 |
 * | EVM_REPLACE_MINUTES | minutes after which a payment that is in no block is replaced with a higher fee | 10            |
 * | EVM_REPLACE_GWEI | greatest fee in Gwei per unit of gas of automatic replacements | 100; on POLYGON 2000, on ARBITRUM 20 |
 * | LTC_RPC_URL   | http(s)://… of a node of Litecoin; BTC_… and DOGE_… are the same for Bitcoin and Dogecoin | none |
 * | LTC_RPC_AUTH_FILE | file with `user:password` of the node, such as its `.cookie`  | none                      |
 * | LTC_XPUB      | extended public key of the account from which addresses are derived: m/84'/2'/0', of BTC m/84'/0'/0', of DOGE m/44'/3'/0' | none |
 * | LTC_CHAIN     | the chain that the node must be on: main or regtest; a demo accepts only regtest | main       |
 * | LTC_CONFIRMATIONS | `3, 100=6, 1000=12`: blocks until a transfer is confirmed: 3, from 100 coins on 6, from 1000 coins on 12 | the network's own |
 * | LTC_START_BLOCK | first block to read with a new database; must be before the first coin on any of the addresses | the newest block |
 * | LTC_RESERVES  | further addresses whose coins back the liabilities to users    | none                      |
 * | LTC_SIGNER    | address of `npm run utxo-signer`: a socket's path, or ADDRESS:PORT | none: nothing is sent |
 * | LTC_SIGNER_SECRET_FILE | the secret that is shared with the signer             | none                      |
 * | LTC_SIGNER_CA_FILE, …_CERT_FILE, …_KEY_FILE, …_NAME | certificates as of EVM_SIGNER            | none                      |
 * | LTC_COLD_WALLET | the cold wallet: it refills the account, receives its surplus and counts as a reserve | none |
 * | LTC_COLD_XPUB | extended public key of the account of cold storage: its first 200 receiving and change addresses count as reserves | none |
 * | LTC_HOT_BOUNDS | `20/50/100`: lower bound, target and upper bound of the account's balance in coins | none: not checked |
 * | LTC_FEE_RATE  | `1/2/200`: least fee, highest fee at which payments also merge small outputs, and greatest fee, in the smallest unit per virtual byte | 1/2/200; of DOGE 1000/2000/50000 |
 * | LTC_REPLACE_MINUTES | minutes after which a payment that is in no block is replaced with a higher fee | 30            |
 * | XRP_RPC_URL   | http(s)://… of a node of the XRP Ledger (`rippled`), whose history has no gaps | none        |
 * | XRP_ACCOUNT   | the exchange's account: deposits arrive there with a tag, withdrawals are paid from it | none |
 * | XRP_NETWORK_ID | id of the network that the node must be on; 0 is the public network, which a demo refuses | 0 |
 * | XRP_START_LEDGER | first ledger to read with a new database; must be before the first payment to the account | the newest ledger |
 * | XRP_RESERVES  | further accounts whose coins back the liabilities to users     | none                      |
 * | XRP_SIGNER, XRP_SIGNER_SECRET_FILE | address of `npm run xrp-signer`, and file with the shared secret | none: nothing is sent |
 * | XRP_SIGNER_CA_FILE, …_CERT_FILE, …_KEY_FILE, …_NAME | certificates as of EVM_SIGNER            | none                      |
 * | XRP_COLD_WALLET, XRP_HOT_BOUNDS | as for Litecoin; the amount that the XRP Ledger reserves in an account is not counted | none                      |
 * | XRP_FEE_DROPS | `12/2000`: least and greatest fee of a transaction in drops    | 12/2000                   |
 * | TRON_RPC_URL  | http(s)://… of a node of TRON (`java-tron`) with its solidified blocks | none                   |
 * | TRON_FULL_URL | http(s)://… at which the node accepts transactions, if it differs from TRON_RPC_URL | TRON_RPC_URL           |
 * | TRON_SECOND_URL | http(s)://… of a second node, which has to have the same blocks | none                      |
 * | TRON_XPUB     | extended public key of the account m/44'/195'/0' from which addresses are derived | none |
 * | TRON_TOKENS   | `USDT=T…:6, …`: token contracts and their decimals             | none                      |
 * | TRON_CHAIN    | the network that the node must be on: main, nile or shasta; a demo accepts only the test networks nile and shasta | main |
 * | TRON_START_BLOCK | first block to read with a new database; must be before the first coin on any of the addresses | the newest block |
 * | TRON_RESERVES | further addresses whose tokens back the liabilities to users   | none                      |
 * | TRON_WALLET   | the hot wallet, from which withdrawals are paid; needs TRON_SIGNER and TRON_SIGNER_SECRET_FILE | none: nothing is sent |
 * | TRON_SIGNER, TRON_SIGNER_SECRET_FILE | address of `npm run tron-signer`, and file with the shared secret | none      |
 * | TRON_SIGNER_CA_FILE, …_CERT_FILE, …_KEY_FILE, …_NAME | certificates as of EVM_SIGNER           | none                      |
 * | TRON_COLD_WALLET, TRON_HOT_BOUNDS | as of EVM_COLD_WALLET and EVM_HOT_BOUNDS    | none                      |
 * | TRON_FEE_TRX  | greatest fee limit of a transaction in TRX                     | 60                        |
 * | TRON_SWEEP_LEAST | least value in USDT of a deposit that moves into TRON_WALLET | none: no sweeps          |
 * | EXPLORERS     | `ERC20=https://etherscan.io/tx/{txid}, …`: pages about transactions, linked from deposits and withdrawals of real chains | none |
 * | CUSTOMER_SERVICE_URL | https://… of a live chat that pages show in a frame | none: a form only |
 * | CUSTOMER_SERVICE_KEY | key that signs the uid passed to the chat; at least 32 characters | none: no uid is passed |
 * | LEGAL_ENTITY  | operating company, as the legal pages name it | none: the pages state that none is set |
 * | LEGAL_ADDRESS, GOVERNING_LAW | its address, and the law that governs the user agreement | none: not shown |
 * | SUPPORT_EMAIL | customer service address on the pages | parameter `customer_service_email` |
 * | LOG_LEVEL     | debug, info, warn or error                                     | info                      |
 * | HOUSE_TRADING | on: the exchange quotes every pair; off: only users trade, and the exchange's orders are cancelled | on   |
 * | VISITOR_ANSWERS_MS | milliseconds; calls with an email address from visitors are answered at multiples of this time, so that timing does not reveal accounts | 25 |
 *
 * Port 0 selects any free port. An empty value counts as unset.
 */
export function readConfig(
  environment: Environment,
  rootDirectory: string,
): Result<Config, readonly string[]> {
  const settings = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value = '']) =>
      value.trim() === '' ? [] : [[name, value.trim()]],
    ),
  );
  const parsed = SETTINGS.safeParse(settings);
  const problems = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`),
    ...problemsBetween(settings),
  ];
  if (!parsed.success || problems.length > 0) return refused(problems);
  const { data } = parsed;
  const evm = evmOf(settings);
  return accepted({
    version: VERSION,
    mode: data.MODE,
    role: data.ROLE,
    natsUrl: data.NATS_URL,
    hasWorkers: data.WORKERS === 'on',
    host: data.HOST,
    port: data.PORT,
    consoleHost: data.CONSOLE_HOST,
    consolePort: data.CONSOLE_PORT,
    dataDirectory: resolve(data.DATA_DIR ?? join(rootDirectory, 'data')),
    rootDirectory,
    databaseUrl: data.DATABASE_URL,
    databaseOwnerUrl: data.DATABASE_OWNER_URL,
    replicaDatabaseUrl: data.REPLICA_DATABASE_URL,
    serverSecret: data.SERVER_SECRET,
    proxyHeader: data.TRUSTED_PROXY === 'none' ? undefined : data.TRUSTED_PROXY,
    priceSourcesFile: data.PRICE_SOURCES === undefined ? undefined : resolve(data.PRICE_SOURCES),
    backupFolder: data.BACKUP_FOLDER === undefined ? undefined : resolve(data.BACKUP_FOLDER),
    sanctionsFolder: data.SANCTIONS_FOLDER === undefined ? undefined : resolve(data.SANCTIONS_FOLDER),
    stampCalendars: data.STAMP_CALENDARS ?? [],
    travelRuleFrom: data.TRAVEL_RULE_USDT,
    smtpUrl: data.SMTP_URL,
    mailFrom: data.MAIL_FROM,
    consoleUrl: data.CONSOLE_URL,
    publicUrl: data.PUBLIC_URL?.replace(/\/+$/, ''),
    passkeys: passkeysOf(data),
    chat:
      data.CUSTOMER_SERVICE_URL === undefined
        ? undefined
        : { url: data.CUSTOMER_SERVICE_URL, key: data.CUSTOMER_SERVICE_KEY },
    operator: operatorOf(data),
    manualDeposits: data.MANUAL_DEPOSITS ?? (data.MODE === 'demo' ? demoManualDeposits(evm) : new Map()),
    bucket:
      data.FILES_URL === undefined
        ? undefined
        : {
            url: data.FILES_URL,
            region: data.FILES_REGION,
            accessKeyId: data.FILES_ACCESS_KEY_ID ?? '',
            secretAccessKey: data.FILES_SECRET_ACCESS_KEY ?? '',
          },
    offered: offeredIn(settings),
    evm,
    utxo: utxoOf(settings),
    xrp: xrpOf(settings),
    tron: tronOf(settings),
    explorers: explorersOf(settings),
    logLevel: data.LOG_LEVEL,
    houseTrades: data.HOUSE_TRADING === 'on',
    visitorAnswersMs: data.VISITOR_ANSWERS_MS,
    drainMs: (data.DRAIN_SECONDS ?? (data.ROLE === 'all' ? 0 : DRAIN_SECONDS)) * 1_000,
  });
}

/**
 * Returns one sentence for each setting that contradicts another setting or lacks a setting that it needs.
 */
function problemsBetween(settings: Environment): string[] {
  const problems: string[] = [];
  const isNode = settings['ROLE'] === 'feed' || settings['ROLE'] === 'api';
  if (settings['TRAVEL_RULE_USDT'] !== undefined && settings['LEGAL_ENTITY'] === undefined)
    problems.push('LEGAL_ENTITY must be set with TRAVEL_RULE_USDT: records name the exchange');
  const port = settings['PORT'] ?? '3000';
  if (port !== '0' && port === settings['CONSOLE_PORT'])
    problems.push(`CONSOLE_PORT must differ from PORT, both are ${port}`);
  if (settings['MODE'] === 'live' && !isNode && settings['SMTP_URL'] === undefined)
    problems.push('SMTP_URL must be set in live mode: codes for signing in are sent by mail');
  if (settings['MODE'] === 'live' && !settings['PUBLIC_URL']?.startsWith('https://'))
    problems.push('PUBLIC_URL must be an https:// address in live mode: passwords travel over TLS only');
  for (const name of ['DATABASE_OWNER_URL', 'REPLICA_DATABASE_URL'])
    if (settings[name] !== undefined && settings['DATABASE_URL'] === undefined)
      problems.push(`${name} belongs to DATABASE_URL, which is not set`);
  for (const name of ['FILES_ACCESS_KEY_ID', 'FILES_SECRET_ACCESS_KEY'])
    if ((settings[name] === undefined) !== (settings['FILES_URL'] === undefined))
      problems.push(
        `FILES_URL, FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY belong together; ${name} does not fit`,
      );
  problems.push(
    ...passkeyProblems(settings),
    ...evmProblems(settings),
    ...utxoProblems(settings),
    ...xrpProblems(settings),
    ...tronProblems(settings),
    ...explorerProblems(settings, offeredIn(settings)),
    ...manualProblems(settings, offeredIn(settings)),
    ...roleProblems(settings),
  );
  const [chat, site] = [settings['CUSTOMER_SERVICE_URL'], settings['PUBLIC_URL']].map((address) =>
    address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined,
  );
  if (chat !== undefined && chat === site)
    problems.push(
      'CUSTOMER_SERVICE_URL must be of another origin than PUBLIC_URL: its frame may run scripts',
    );
  return problems;
}

/** Returns one sentence for each problem of the settings with which several processes form one exchange. */
function roleProblems(settings: Environment): string[] {
  const { ROLE: role = 'all', NATS_URL: natsUrl, DATABASE_URL: databaseUrl, WORKERS: workers } = settings;
  const problems: string[] = [];
  if (role === 'all' && natsUrl !== undefined)
    problems.push('NATS_URL belongs to ROLE writer, api, feed or worker; ROLE is all');
  if (workers === 'on' && role !== 'writer')
    problems.push(
      role === 'worker'
        ? 'WORKERS belongs to ROLE writer, which then leaves jobs to this process'
        : `WORKERS belongs to ROLE writer; ROLE is ${role}`,
    );
  if (role === 'all' || !(ROLES as readonly string[]).includes(role)) return problems;
  if (natsUrl === undefined)
    problems.push(`NATS_URL must be set with ROLE ${role}: it connects the writer and the other processes`);
  if (databaseUrl === undefined)
    problems.push(
      `DATABASE_URL must be set with ROLE ${role}: other machines do not reach the embedded database`,
    );
  return problems;
}
