import { join, resolve } from 'node:path';
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
  /** Who has it may do what operators may. A demo without it makes one. */
  readonly operatorToken: string | undefined;
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
 * | OPERATOR_TOKEN | what operators show on the console's port; 24 characters or more | demo: made at the first start; live: none, and no operator |
 *
 * A port of 0 means any free one. An empty value counts as none.
 */
export function readConfig(
  environment: Environment,
  rootDirectory: string,
): Result<Config, readonly string[]> {
  const problems: string[] = [];
  const settings = new Settings(environment, problems);
  const mode = settings.choice('MODE', ['demo', 'live'], 'demo');
  const port = settings.port('PORT', 3000);
  const consolePort = settings.port('CONSOLE_PORT', 3001);
  if (port !== 0 && port === consolePort)
    problems.push(`CONSOLE_PORT must differ from PORT, both are ${port}`);
  const smtpUrl = settings.url('SMTP_URL', ['smtp:', 'smtps:']);
  if (mode === 'live' && smtpUrl === undefined && settings.text('SMTP_URL') === undefined)
    problems.push('SMTP_URL must be set in live mode: codes for signing in are sent by mail');
  for (const name of ['DATABASE_OWNER_URL', 'REPLICA_DATABASE_URL'])
    if (settings.text(name) !== undefined && settings.text('DATABASE_URL') === undefined)
      problems.push(`${name} belongs to DATABASE_URL, which is not set`);
  const config: Config = {
    version: VERSION,
    mode,
    host: settings.host('HOST', '127.0.0.1'),
    port,
    consoleHost: settings.host('CONSOLE_HOST', '127.0.0.1'),
    consolePort,
    dataDirectory: resolve(settings.text('DATA_DIR') ?? join(rootDirectory, 'data')),
    rootDirectory,
    databaseUrl: settings.url('DATABASE_URL', POSTGRES),
    databaseOwnerUrl: settings.url('DATABASE_OWNER_URL', POSTGRES),
    replicaDatabaseUrl: settings.url('REPLICA_DATABASE_URL', POSTGRES),
    serverSecret: settings.secret('SERVER_SECRET'),
    proxyHeader: settings.proxyHeader('TRUSTED_PROXY'),
    smtpUrl,
    mailFrom: settings.sender('MAIL_FROM', 'no-reply@amethyst.example'),
    publicUrl: settings.url('PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    logLevel: settings.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    houseTrades: settings.choice('HOUSE_TRADING', ['on', 'off'], 'on') === 'on',
    operatorToken: settings.token('OPERATOR_TOKEN'),
  };
  return problems.length === 0 ? accepted(config) : refused(problems);
}

/** Reads single settings and collects what is wrong with them; never repeats a value that may hold a password. */
class Settings {
  readonly #environment: Environment;
  readonly #problems: string[];

  constructor(environment: Environment, problems: string[]) {
    this.#environment = environment;
    this.#problems = problems;
  }

  text(name: string): string | undefined {
    const value = this.#environment[name]?.trim();
    return value === '' ? undefined : value;
  }

  port(name: string, otherwise: number): number {
    const value = this.text(name);
    if (value === undefined) return otherwise;
    if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
    this.#problems.push(`${name} must be a port from 0 to 65535, not "${value}"`);
    return otherwise;
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[], otherwise: Choice): Choice {
    const value = this.text(name);
    if (value === undefined) return otherwise;
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined) this.#problems.push(`${name} must be ${choices.join(' or ')}, not "${value}"`);
    return chosen ?? otherwise;
  }

  host(name: string, otherwise: string): string {
    const value = this.text(name);
    if (value === undefined || /^[A-Za-z0-9.:-]{1,255}$/.test(value)) return value ?? otherwise;
    this.#problems.push(`${name} must be an address or a host name, not "${value}"`);
    return otherwise;
  }

  url(name: string, protocols: readonly string[]): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (URL.canParse(value)) {
      const { protocol, hostname } = new URL(value);
      // A PostgreSQL address may leave the host out and name a socket instead.
      if (protocols.includes(protocol) && (hostname !== '' || protocols === POSTGRES)) return value;
    }
    this.#problems.push(`${name} must be an address that begins with ${protocols.join('// or ')}//`);
    return undefined;
  }

  proxyHeader(name: string): string | undefined {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined || value === 'none') return undefined;
    if (PROXY_HEADERS.some((header) => header === value)) return value;
    this.#problems.push(`${name} must be none or the header ${PROXY_HEADERS.join(', ')}, not "${value}"`);
    return undefined;
  }

  token(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || /^[\x21-\x7e]{24,200}$/.test(value)) return value;
    this.#problems.push(`${name} must be 24 to 200 characters without spaces`);
    return undefined;
  }

  secret(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || /^[0-9a-fA-F]{64}$/.test(value)) return value;
    this.#problems.push(`${name} must be 64 hex digits`);
    return undefined;
  }

  sender(name: string, otherwise: string): string {
    const value = this.text(name);
    if (value === undefined) return otherwise;
    if (/^(?:[^<>\r\n]{0,100}<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(value)) return value;
    this.#problems.push(`${name} must be a mail address, not "${value}"`);
    return otherwise;
  }
}
