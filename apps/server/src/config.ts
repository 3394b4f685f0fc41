import { join, resolve } from 'node:path';
import * as z from 'zod';
import { addressProblem, findCoinNetwork } from '@exchange/core/network.ts';
import { accepted, refused, type Result } from '@exchange/core/result.ts';
import type { S3Settings } from './platform/files/s3-file-store.ts';
import { EVM_SETTINGS, evmOf, evmProblems, type EvmConfig } from './evm-config.ts';
import { OPERATOR_SETTINGS, operatorOf, type OperatorConfig } from './operator-config.ts';
import { choice, mustBe, POSTGRES, secretly, url, type Environment } from './setting-fields.ts';

export const VERSION = '0.1.0';

export type Mode = 'demo' | 'live';
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Everything about a server that its operator chooses. */
export interface Config {
  readonly version: string;
  readonly mode: Mode;
  readonly host: string;
  readonly port: number;
  readonly consoleHost: string;
  readonly consolePort: number;
  /** Absolute; holds the embedded database, keys and kept files. */
  readonly dataDirectory: string;
  /** Where the built pages and the migrations lie: the checkout's root. */
  readonly rootDirectory: string;
  /** A PostgreSQL server of the operator's own; the embedded one where there is none. */
  readonly databaseUrl: string | undefined;
  /** The same database as the role that owns and migrates its tables; without it DATABASE_URL's role does that. */
  readonly databaseOwnerUrl: string | undefined;
  /** A copy of that database that may lag behind, for reads that can bear it. */
  readonly replicaDatabaseUrl: string | undefined;
  /** 64 hex digits that every server on one database shares; kept in a file where it is not set. */
  readonly serverSecret: string | undefined;
  /** Name of the header in which the one proxy in front of us reports the caller's address. */
  readonly proxyHeader: string | undefined;
  /** JSON file with the venues of the index in live mode; the usual ones without it. */
  readonly priceSourcesFile: string | undefined;
  /** Where backups are made, and looked for at a start in live mode. */
  readonly backupFolder: string | undefined;
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** How browsers reach us, without a slash at the end. */
  readonly publicUrl: string | undefined;
  /** By what operators open the console, besides the loopback and plain addresses. */
  readonly consoleUrl: string | undefined;
  /** The live chat of customer service: its address, and the key that signs who somebody is. */
  readonly chat: { readonly url: string; readonly key: string | undefined } | undefined;
  /** Who runs this exchange, for the legal pages. */
  readonly operator: OperatorConfig;
  /** Where uploaded pictures lie, unless it is a folder of this machine. */
  readonly bucket: S3Settings | undefined;
  /** A real chain that coins come in and go out on. */
  readonly evm: EvmConfig | undefined;
  /** Addresses of the house by coin and network, e.g. `USDT/BEP20`, whose deposits people report and operators review. */
  readonly manualDeposits: ReadonlyMap<string, string>;
  readonly logLevel: LogLevel;
  /** Whether the house quotes every pair and, in a demo, simulated takers trade. */
  readonly houseTrades: boolean;
  /** Calls that take a visitor's address answer at multiples of it. */
  readonly visitorAnswersMs: number;
}

/** Whether mail stays here and is shown to everybody: only a demo that cannot send it does so. */
export function showsMail({ mode, smtpUrl }: Pick<Config, 'mode' | 'smtpUrl'>): boolean {
  return mode === 'demo' && smtpUrl === undefined;
}

/** The settings of this process, some of them replaced. */
export function readOwnConfig(
  rootDirectory: string,
  instead: Environment = {},
): Result<Config, readonly string[]> {
  return readConfig({ ...process.env, ...instead }, rootDirectory);
}

/**
 * Why this account must not run the server; undefined where it may. In live mode root may not: whoever breaks into the process
 * would have the machine with its backups and the signer. `userId` is undefined on systems without user ids.
 */
export function accountProblem(
  { mode }: Pick<Config, 'mode'>,
  userId: number | undefined,
): string | undefined {
  if (mode !== 'live' || userId !== 0) return undefined;
  return 'live mode does not run as root: start it as an account of its own (see the runbook)';
}

const PROXY_HEADERS = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip'] as const;

const whole = (otherwise: number, most: number, what: string) =>
  z
    .string()
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= most, mustBe(`${what} from 0 to ${most}`))
    .transform(Number)
    .default(otherwise);
const port = (otherwise: number) => whole(otherwise, 65_535, 'a port');
const host = z
  .string()
  .regex(/^[A-Za-z0-9.:-]{1,255}$/, mustBe('an address or a host name'))
  .default('127.0.0.1');
const DEMO_MANUAL_DEPOSITS: ReadonlyMap<string, string> = new Map([
  ['USDT/BEP20', '0x43367AC27272F42A8309b883355b7618Bb2A58D1'],
]);

/** Reads `USDT/BEP20=0x…, BTC/BTC=bc1…`: a coin, one of its networks without memos, and an address there. */
function readManualDeposits(text: string, context: z.RefinementCtx): ReadonlyMap<string, string> {
  const read = text.split(',').map((part) => {
    const [route = '', address = ''] = part.trim().split('=');
    const [asset = '', code = ''] = route.split('/');
    const coin = findCoinNetwork(asset, code);
    const isRight =
      coin !== undefined && !coin.network.memo && addressProblem(coin, { address }) === undefined;
    return { route, address, isRight };
  });
  if (!read.every(({ isRight }) => isRight))
    context.addIssue({ code: 'custom', message: 'must be COIN/NETWORK=ADDRESS, parted by commas' });
  return new Map(read.map(({ route, address }) => [route, address]));
}

const SETTINGS = z.object({
  MODE: choice(['demo', 'live']).default('demo'),
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
    .regex(/^[0-9a-fA-F]{64}$/, secretly('64 hex digits'))
    .optional(),
  TRUSTED_PROXY: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['none', ...PROXY_HEADERS], mustBe(`none or the header ${PROXY_HEADERS.join(', ')}`)))
    .optional(),
  PRICE_SOURCES: z.string().max(4_096).optional(),
  BACKUP_FOLDER: z.string().max(4_096).optional(),
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
 * Reads the settings from an environment; `rootDirectory` is the checkout's root. Gives the settings, or
 * one sentence for each that is wrong, all at once.
 *
 * | name          | meaning                                                        | default                   |
 * | ------------- | -------------------------------------------------------------- | ------------------------- |
 * | PORT          | port of the exchange                                           | 3000                      |
 * | HOST          | address the exchange listens on; 0.0.0.0: all, for whoever reaches this machine | 127.0.0.1 |
 * | CONSOLE_PORT  | port of the operator's page, health and metrics; never PORT    | 3001                      |
 * | CONSOLE_HOST  | address of those                                               | 127.0.0.1                 |
 * | DATA_DIR      | folder for everything that is kept                             | ./data                    |
 * | DATABASE_URL  | postgres://… of a server, version 15 or later                  | an embedded one           |
 * | DATABASE_OWNER_URL | the same database as the role that owns its tables and migrates them | DATABASE_URL's role does |
 * | REPLICA_DATABASE_URL | a copy that may lag behind, for exports, statements and the audit | DATABASE_URL |
 * | SERVER_SECRET | 64 hex digits; every server on one database needs the same      | a file in DATA_DIR         |
 * | MODE          | demo: simulated prices and play money; live: real ones         | demo                      |
 * | TRUSTED_PROXY | header of the proxy in front: x-forwarded-for, x-real-ip, …    | none: the socket's address |
 * | PRICE_SOURCES | JSON file of the venues whose prices make the index in live mode | six large venues |
 * | BACKUP_FOLDER | where `npm run backup` writes, and where live mode looks at a start whether it did | none |
 * | SMTP_URL      | smtp:// or smtps:// server that sends our mail; live needs one, a demo without it shows its mail to all who reach it | none |
 * | MAIL_FROM     | sender of our mail                                             | no-reply@amethyst.example |
 * | CONSOLE_URL   | http(s)://… by which operators open the console, where that is neither the loopback nor a plain address | none |
 * | PUBLIC_URL    | http(s)://… by which browsers reach us; https switches HSTS on; a demo answers to its name too | none |
 * | MANUAL_DEPOSITS | `USDT/BEP20=0x…, …`: addresses of the house whose deposits are reviewed by hand | a demo: one for USDT on BEP20 |
 * | FILES_URL     | http(s)://… of an S3 bucket for uploaded pictures, which are encrypted before | a folder in DATA_DIR |
 * | FILES_REGION  | the bucket's region                                            | us-east-1                 |
 * | FILES_ACCESS_KEY_ID, FILES_SECRET_ACCESS_KEY | who may read and write the bucket | none               |
 * | EVM_RPC_URL   | http(s)://… of a node of an Ethereum-like chain that coins come in and go out on | none |
 * | EVM_CHAIN_ID  | the chain that it must be on; a demo takes local test chains only (1337, 31337) | 1 |
 * | EVM_NETWORK   | its network here: ERC20 or BEP20                               | ERC20                     |
 * | EVM_XPUB      | extended public key below which everybody gets an address      | none                      |
 * | EVM_TOKENS    | `USDT=0x…:6, …`: contracts and the digits of their units       | none                      |
 * | EVM_CONFIRMATIONS | blocks until a transfer counts                             | the network's own, 12     |
 * | EVM_START_BLOCK | where to begin on a new database                             | the newest block          |
 * | EVM_RESERVES  | `0x…, …`: further addresses of the house whose coins back what users are owed | none |
 * | EVM_WALLET    | the account that pays                                          | none: nothing is sent     |
 * | EVM_SIGNER    | where its signer listens: a socket's path, or 127.0.0.1:PORT   | none: nothing is sent     |
 * | EVM_SIGNER_SECRET_FILE | the secret that is shared with the signer             | none                      |
 * | CUSTOMER_SERVICE_URL | https://… of a live chat that pages show in a frame | none: a form only |
 * | CUSTOMER_SERVICE_KEY | signs the uid that the chat is given; 32 characters at least | none: it is given no uid |
 * | LEGAL_ENTITY  | who runs the exchange, as the legal pages name them               | none: the pages say so |
 * | LEGAL_ADDRESS, GOVERNING_LAW | their address, and the law that the user agreement is under | none: not shown |
 * | SUPPORT_EMAIL | address of customer service that the pages name | parameter `customer_service_email` |
 * | LOG_LEVEL     | debug, info, warn or error                                     | info                      |
 * | HOUSE_TRADING | on: the house quotes every pair; off: only users trade, and its orders are withdrawn | on   |
 * | VISITOR_ANSWERS_MS | calls that take a visitor's address answer at multiples of it, so that time tells nothing | 25 |
 *
 * A port of 0 means any free one. An empty value counts as none.
 */
export function readConfig(
  environment: Environment,
  rootDirectory: string,
): Result<Config, readonly string[]> {
  const given = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value = '']) =>
      value.trim() === '' ? [] : [[name, value.trim()]],
    ),
  );
  const read = SETTINGS.safeParse(given);
  const problems = [
    ...(read.error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`),
    ...problemsBetween(given),
  ];
  if (!read.success || problems.length > 0) return refused(problems);
  const { data } = read;
  return accepted({
    version: VERSION,
    mode: data.MODE,
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

/** What is wrong with settings that are right each on its own. */
function problemsBetween(given: Environment): string[] {
  const problems: string[] = [];
  const port = given['PORT'] ?? '3000';
  if (port !== '0' && port === given['CONSOLE_PORT'])
    problems.push(`CONSOLE_PORT must differ from PORT, both are ${port}`);
  if (given['MODE'] === 'live' && given['SMTP_URL'] === undefined)
    problems.push('SMTP_URL must be set in live mode: codes for signing in are sent by mail');
  if (given['MODE'] === 'live' && !given['PUBLIC_URL']?.startsWith('https://'))
    problems.push('PUBLIC_URL must be an https:// address in live mode: passwords travel over TLS only');
  for (const name of ['DATABASE_OWNER_URL', 'REPLICA_DATABASE_URL'])
    if (given[name] !== undefined && given['DATABASE_URL'] === undefined)
      problems.push(`${name} belongs to DATABASE_URL, which is not set`);
  for (const name of ['FILES_ACCESS_KEY_ID', 'FILES_SECRET_ACCESS_KEY'])
    if ((given[name] === undefined) !== (given['FILES_URL'] === undefined))
      problems.push(
        `FILES_URL, FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY belong together; ${name} does not fit`,
      );
  problems.push(...evmProblems(given));
  const [chat, own] = [given['CUSTOMER_SERVICE_URL'], given['PUBLIC_URL']].map((address) =>
    address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined,
  );
  if (chat !== undefined && chat === own)
    problems.push(
      'CUSTOMER_SERVICE_URL must be of another origin than PUBLIC_URL: its frame may run scripts',
    );
  return problems;
}
