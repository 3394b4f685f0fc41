import { join, resolve } from 'node:path';
import * as z from 'zod';
import { accepted, refused, type Result } from '@exchange/core/result.ts';

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
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;
  /** How browsers reach us, without a slash at the end. */
  readonly publicUrl: string | undefined;
  readonly logLevel: LogLevel;
  /** Whether the house quotes every pair and, in a demo, simulated takers trade. */
  readonly houseTrades: boolean;
}

/** Whether mail stays here and is shown to everybody: only a demo that cannot send it does so. */
export function showsMail({ mode, smtpUrl }: Pick<Config, 'mode' | 'smtpUrl'>): boolean {
  return mode === 'demo' && smtpUrl === undefined;
}

/** The settings of this process. */
export function readOwnConfig(rootDirectory: string): Result<Config, readonly string[]> {
  return readConfig(process.env, rootDirectory);
}

type Environment = Readonly<Record<string, string | undefined>>;

const POSTGRES = ['postgres:', 'postgresql:'];
const PROXY_HEADERS = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip'] as const;

/** What is wrong, with the value where it cannot hold a secret. */
const mustBe = (rule: string) => ({
  error: ({ input }: { input?: unknown }) => `must be ${rule}, not "${String(input)}"`,
});
const secretly = (rule: string) => ({ error: () => `must be ${rule}` });

const port = (otherwise: number) =>
  z
    .string()
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, mustBe('a port from 0 to 65535'))
    .transform(Number)
    .default(otherwise);
const choice = <const Choices extends readonly string[]>(choices: Choices) =>
  z.enum(choices, mustBe(choices.join(' or ')));
const host = z
  .string()
  .regex(/^[A-Za-z0-9.:-]{1,255}$/, mustBe('an address or a host name'))
  .default('127.0.0.1');
/** May hold a password. A PostgreSQL address may leave the host out and name a socket instead. */
const url = (protocols: readonly string[]) =>
  z
    .string()
    .refine(
      (text) => {
        if (!URL.canParse(text)) return false;
        const { protocol, hostname } = new URL(text);
        return protocols.includes(protocol) && (hostname !== '' || protocols === POSTGRES);
      },
      secretly(`an address that begins with ${protocols.join('// or ')}//`),
    )
    .optional();

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
  SMTP_URL: url(['smtp:', 'smtps:']),
  MAIL_FROM: z
    .string()
    .regex(/^(?:[^<>\r\n]{0,100}<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, mustBe('a mail address'))
    .default('no-reply@amethyst.example'),
  PUBLIC_URL: url(['http:', 'https:']),
  LOG_LEVEL: choice(LOG_LEVELS).default('info'),
  HOUSE_TRADING: choice(['on', 'off']).default('on'),
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
 * | SMTP_URL      | smtp:// or smtps:// server that sends our mail; live needs one, a demo without it shows its mail to all who reach it | none |
 * | MAIL_FROM     | sender of our mail                                             | no-reply@amethyst.example |
 * | PUBLIC_URL    | http(s)://… by which browsers reach us; https switches HSTS on; a demo answers to its name too | none |
 * | LOG_LEVEL     | debug, info, warn or error                                     | info                      |
 * | HOUSE_TRADING | on: the house quotes every pair; off: only users trade, and its orders are withdrawn | on   |
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
    smtpUrl: data.SMTP_URL,
    mailFrom: data.MAIL_FROM,
    publicUrl: data.PUBLIC_URL?.replace(/\/+$/, ''),
    logLevel: data.LOG_LEVEL,
    houseTrades: data.HOUSE_TRADING === 'on',
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
  for (const name of ['DATABASE_OWNER_URL', 'REPLICA_DATABASE_URL'])
    if (given[name] !== undefined && given['DATABASE_URL'] === undefined)
      problems.push(`${name} belongs to DATABASE_URL, which is not set`);
  return problems;
}
