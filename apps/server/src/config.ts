import { join, resolve } from 'node:path';
import * as z from 'zod';
import { Decimal } from '@exchange/core/decimal.ts';
import { addressProblem, findCoinNetwork } from '@exchange/core/network.ts';
import { accepted, refused, type Result } from '@exchange/core/result.ts';
import type { S3Settings } from './platform/files/s3-file-store.ts';
import { EVM_SETTINGS, evmOf, evmProblems, type EvmConfig } from './evm-config.ts';
import { OPERATOR_SETTINGS, operatorOf, type OperatorConfig } from './operator-config.ts';
import { choice, mustBe, POSTGRES, secretly, url, type Environment } from './setting-fields.ts';

export const VERSION = '0.1.0';

export type Mode = 'demo' | 'live';
export const ROLES = ['all', 'writer', 'feed'] as const;
/**
 * `all`: the whole exchange in this process. `writer`: the same, and it publishes to feed nodes. `feed`: serves live
 * data over WebSockets, from a writer.
 */
export type Role = (typeof ROLES)[number];
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The settings of a server. */
export interface Config {
  readonly version: string;
  readonly mode: Mode;
  readonly role: Role;
  /** Addresses of the NATS servers that connect the processes of an exchange; undefined for a single process. */
  readonly natsUrl: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly consoleHost: string;
  readonly consolePort: number;
  /** Absolute path of the folder with the embedded database, keys and files. */
  readonly dataDirectory: string;
  /** Root of the checkout, with the built pages and migrations. */
  readonly rootDirectory: string;
  /** URL of an external PostgreSQL server; undefined for the embedded one. */
  readonly databaseUrl: string | undefined;
  /**
   * The same database with the role that owns and migrates its tables; without it DATABASE_URL's role does
   * that.
   */
  readonly databaseOwnerUrl: string | undefined;
  /** A replica that may lag, for reads that tolerate it. */
  readonly replicaDatabaseUrl: string | undefined;
  /** 64 hex digits shared by all servers on one database; stored in a file if unset. */
  readonly serverSecret: string | undefined;
  /** Header in which the reverse proxy reports the caller's address; undefined without a proxy. */
  readonly proxyHeader: string | undefined;
  /** JSON file with the index venues of live mode; default venues without it. */
  readonly priceSourcesFile: string | undefined;
  /** Folder of backups; live mode checks it at the start. */
  readonly backupFolder: string | undefined;
  /** Folder with the files of sanctions lists; undefined if nothing is screened. */
  readonly sanctionsFolder: string | undefined;
  /** Value in USDT from which withdrawals need a travel-rule record; undefined if none does. */
  readonly travelRuleFrom: Decimal | undefined;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** Public URL of the site, without a trailing slash. */
  readonly publicUrl: string | undefined;
  /** URL by which operators open the console, in addition to loopback and plain addresses. */
  readonly consoleUrl: string | undefined;
  /** Live chat of customer service: its URL, and the key that signs the user's uid. */
  readonly chat: { readonly url: string; readonly key: string | undefined } | undefined;
  /** Operating company, for the legal pages. */
  readonly operator: OperatorConfig;
  /** Bucket for uploaded pictures; undefined for a local folder. */
  readonly bucket: S3Settings | undefined;
  /** A real blockchain for deposits and withdrawals. */
  readonly evm: EvmConfig | undefined;
  /**
   * Deposit addresses by coin and network, e.g. `USDT/BEP20`, whose deposits users report and operators
   * review.
   */
  readonly manualDeposits: ReadonlyMap<string, string>;
  readonly logLevel: LogLevel;
  /** Whether the exchange's market makers quote all pairs and, in a demo, simulated takers trade. */
  readonly houseTrades: boolean;
  /**
   * Time step in milliseconds: answers to calls with a visitor's email address are delayed to multiples of
   * it.
   */
  readonly visitorAnswersMs: number;
}

/**
 * Tells whether mail is shown on a public page instead of being sent; only in a demo without a mail server.
 */
export function showsMail({ mode, smtpUrl }: Pick<Config, 'mode' | 'smtpUrl'>): boolean {
  return mode === 'demo' && smtpUrl === undefined;
}

/** Reads the settings of this process; `instead` overrides environment variables. */
export function readOwnConfig(
  rootDirectory: string,
  instead: Environment = {},
): Result<Config, readonly string[]> {
  return readConfig({ ...process.env, ...instead }, rootDirectory);
}

/**
 * Returns the reason why this system account must not run the server. In live mode that is root: an attacker
 * in the process would control the machine with its backups and the signer. `userId` is undefined on systems
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

/** Parses `USDT/BEP20=0x…, BTC/BTC=bc1…`: a coin, a network of it without memos, and an address on it. */
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

/** Whether a text names NATS servers, all reached in the same way. */
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
  ...EVM_SETTINGS,
  ...OPERATOR_SETTINGS,
  CUSTOMER_SERVICE_URL: url(['https:']),
  CUSTOMER_SERVICE_KEY: z.string().min(32, secretly('32 characters at least')).optional(),
  LOG_LEVEL: choice(LOG_LEVELS).default('info'),
  HOUSE_TRADING: choice(['on', 'off']).default('on'),
  VISITOR_ANSWERS_MS: whole(25, 1_000, 'a whole number'),
});

/**
 * Reads the settings from an environment; `rootDirectory` is the root of the checkout. Returns the settings,
 * or one sentence for each invalid setting.
 *
 * | name          | meaning                                                        | default                   |
 * | ------------- | -------------------------------------------------------------- | ------------------------- |
 * | PORT          | port of the exchange                                           | 3000                      |
 * | HOST          | address the exchange listens on; 0.0.0.0: all interfaces | 127.0.0.1 |
 * | CONSOLE_PORT  | port of the operator's page, health and metrics; never PORT    | 3001                      |
 * | CONSOLE_HOST  | address of those                                               | 127.0.0.1                 |
 * | DATA_DIR      | folder for stored data                                         | ./data                    |
 * | DATABASE_URL  | postgres://… of a server, version 15 or later                  | an embedded one           |
 * | DATABASE_OWNER_URL | the same database as the role that owns its tables and migrates them | DATABASE_URL's role does |
 * | REPLICA_DATABASE_URL | a copy that may lag behind, for exports, statements and the audit | DATABASE_URL |
 * | SERVER_SECRET | secret.key's lines with commas; equal on every server           | a file in DATA_DIR         |
 * | MODE          | demo: simulated prices and play money; live: real ones         | demo                      |
 * | ROLE          | all: the whole exchange; writer: that, and it publishes to feed nodes; feed: a feed node (guide "A feed node") | all |
 * | NATS_URL      | nats://… or tls://… of the NATS servers, with commas; ROLE writer and feed need it | none |
 * | TRUSTED_PROXY | header of the proxy in front: x-forwarded-for, x-real-ip, …    | none: the socket's address |
 * | PRICE_SOURCES | JSON file of the venues whose prices make the index in live mode | six large venues |
 * | BACKUP_FOLDER | where `npm run backup` writes, and where live mode looks at a start whether it did | none |
 * | SANCTIONS_FOLDER | files of sanctions lists: OFAC's sdn.csv, alt.csv or sdn.xml, and .txt with one address or name a line | none: nothing is screened |
 * | TRAVEL_RULE_USDT | value from which a withdrawal names its recipient, for the travel-rule record | none: no withdrawal does |
 * | SMTP_URL      | smtp:// or smtps:// server that sends our mail; live needs one, a demo without it shows its mail to all who reach it | none |
 * | MAIL_FROM     | sender of our mail                                             | no-reply@amethyst.example |
 * | CONSOLE_URL   | http(s)://… by which operators open the console, where that is neither the loopback nor a plain address | none |
 * | PUBLIC_URL    | http(s)://… by which browsers reach us; https switches HSTS on; a demo answers to its name too | none |
 * | MANUAL_DEPOSITS | `USDT/BEP20=0x…, …`: deposit addresses that are reviewed manually | a demo: one for USDT on BEP20 |
 * | FILES_URL     | http(s)://… of an S3 bucket for uploaded pictures, which are encrypted before | a folder in DATA_DIR |
 * | FILES_REGION  | the bucket's region                                            | us-east-1                 |
 * | FILES_ACCESS_KEY_ID, FILES_SECRET_ACCESS_KEY | who may read and write the bucket | none               |
 * | EVM_RPC_URL   | http(s)://… of a node of an Ethereum-like chain that coins come in and go out on | none |
 * | EVM_CHAIN_ID  | the chain that it must be on; a demo takes local test chains only (1337, 31337) | 1 |
 * | EVM_NETWORK   | its network here: ERC20 or BEP20                               | ERC20                     |
 * | EVM_XPUB      | extended public key from which users' addresses are derived      | none                      |
 * | EVM_TOKENS    | `USDT=0x…:6, …`: contracts and the digits of their units       | none                      |
 * | EVM_CONFIRMATIONS | blocks until a transfer counts                             | the network's own, 12     |
 * | EVM_START_BLOCK | where to begin on a new database                             | the newest block          |
 * | EVM_RESERVES  | `0x…, …`: further addresses whose coins back the liabilities to users | none |
 * | EVM_WALLET    | the account that pays                                          | none: nothing is sent     |
 * | EVM_SIGNER    | where its signer listens: a socket's path, or ADDRESS:PORT     | none: nothing is sent     |
 * | EVM_SIGNER_SECRET_FILE | the secret that is shared with the signer             | none                      |
 * | EVM_SIGNER_CA_FILE | certificate of the own authority; needed with the next three for a signer on another machine | none |
 * | EVM_SIGNER_CERT_FILE, EVM_SIGNER_KEY_FILE | the exchange's certificate from that authority, and its key | none |
 * | EVM_SIGNER_NAME | the name in the signer's certificate                         | none                      |
 * | EVM_COLD_WALLET | the cold wallet: it refills EVM_WALLET, takes its surplus, and backs the liabilities | none |
 * | EVM_HOT_BOUNDS | `USDT=20000/50000/100000, …`: least, target and most of a coin in EVM_WALLET | none: it is not watched |
 * | EVM_TRACE     | `debug` if the node has debug_traceBlockByHash: coins from inside contracts are deposits | none |
 * | EVM_SWEEP_FACTOR | how many times its gas a deposit must be worth to be moved into EVM_WALLET | none: nothing is moved |
 * | EVM_SWEEP_GWEI | the highest fee per unit of gas at which deposits are moved | 50                            |
 * | EVM_REPLACE_MINUTES | after how long in no block a payment is sent again with a higher fee | 10            |
 * | EVM_REPLACE_GWEI | the highest fee per unit of gas up to which that happens automatically | 100            |
 * | CUSTOMER_SERVICE_URL | https://… of a live chat that pages show in a frame | none: a form only |
 * | CUSTOMER_SERVICE_KEY | signs the uid that the chat is given; 32 characters at least | none: it is given no uid |
 * | LEGAL_ENTITY  | who runs the exchange, as the legal pages name them               | none: the pages say so |
 * | LEGAL_ADDRESS, GOVERNING_LAW | their address, and the law that the user agreement is under | none: not shown |
 * | SUPPORT_EMAIL | address of customer service that the pages name | parameter `customer_service_email` |
 * | LOG_LEVEL     | debug, info, warn or error                                     | info                      |
 * | HOUSE_TRADING | on: the exchange quotes every pair; off: only users trade, and its orders are cancelled | on   |
 * | VISITOR_ANSWERS_MS | calls that take a visitor's address answer at multiples of it, so that timing reveals nothing | 25 |
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
  return accepted({
    version: VERSION,
    mode: data.MODE,
    role: data.ROLE,
    natsUrl: data.NATS_URL,
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
    travelRuleFrom: data.TRAVEL_RULE_USDT,
    smtpUrl: data.SMTP_URL,
    mailFrom: data.MAIL_FROM,
    consoleUrl: data.CONSOLE_URL,
    publicUrl: data.PUBLIC_URL?.replace(/\/+$/, ''),
    chat:
      data.CUSTOMER_SERVICE_URL === undefined
        ? undefined
        : { url: data.CUSTOMER_SERVICE_URL, key: data.CUSTOMER_SERVICE_KEY },
    operator: operatorOf(data),
    manualDeposits: data.MANUAL_DEPOSITS ?? (data.MODE === 'demo' ? DEMO_MANUAL_DEPOSITS : new Map()),
    bucket:
      data.FILES_URL === undefined
        ? undefined
        : {
            url: data.FILES_URL,
            region: data.FILES_REGION,
            accessKeyId: data.FILES_ACCESS_KEY_ID ?? '',
            secretAccessKey: data.FILES_SECRET_ACCESS_KEY ?? '',
          },
    evm: evmOf(data),
    logLevel: data.LOG_LEVEL,
    houseTrades: data.HOUSE_TRADING === 'on',
    visitorAnswersMs: data.VISITOR_ANSWERS_MS,
  });
}

/** Problems that concern several settings together. */
function problemsBetween(settings: Environment): string[] {
  const problems: string[] = [];
  const isFeedNode = settings['ROLE'] === 'feed';
  if (settings['TRAVEL_RULE_USDT'] !== undefined && settings['LEGAL_ENTITY'] === undefined)
    problems.push('LEGAL_ENTITY must be set with TRAVEL_RULE_USDT: records name the exchange');
  const port = settings['PORT'] ?? '3000';
  if (port !== '0' && port === settings['CONSOLE_PORT'])
    problems.push(`CONSOLE_PORT must differ from PORT, both are ${port}`);
  if (settings['MODE'] === 'live' && !isFeedNode && settings['SMTP_URL'] === undefined)
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
  problems.push(...evmProblems(settings), ...roleProblems(settings));
  const [chat, site] = [settings['CUSTOMER_SERVICE_URL'], settings['PUBLIC_URL']].map((address) =>
    address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined,
  );
  if (chat !== undefined && chat === site)
    problems.push(
      'CUSTOMER_SERVICE_URL must be of another origin than PUBLIC_URL: its frame may run scripts',
    );
  return problems;
}

/** Problems of the settings by which several processes form one exchange. */
function roleProblems(settings: Environment): string[] {
  const { ROLE: role = 'all', NATS_URL: natsUrl, DATABASE_URL: databaseUrl } = settings;
  const problems: string[] = [];
  if (role === 'all' && natsUrl !== undefined)
    problems.push('NATS_URL belongs to ROLE writer or feed; ROLE is all');
  if (role !== 'writer' && role !== 'feed') return problems;
  if (natsUrl === undefined)
    problems.push(`NATS_URL must be set with ROLE ${role}: it connects the writer and the feed nodes`);
  if (databaseUrl === undefined)
    problems.push(
      `DATABASE_URL must be set with ROLE ${role}: other machines do not reach the embedded database`,
    );
  return problems;
}
