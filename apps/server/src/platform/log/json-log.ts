import pino from 'pino';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

export type Level = 'debug' | 'info' | 'warn' | 'error';

const RESERVED: ReadonlySet<string> = new Set(['time', 'level', 'event']);

interface JsonLogOptions {
  readonly level: Level;
  readonly clock: Clock;
  /** Takes one line that ends with a line break. */
  readonly write: (line: string) => void;
}

/**
 * A log of one JSON object per line: `level`, `time` (ISO, UTC), `event` and the fields, redacted. A field of one of these
 * three names is written as `time_`, `level_` or `event_`: alarms watch the names of events.
 */
export function jsonLog({ level, clock, write }: JsonLogOptions): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  const writerOf = (own: Level) => (event: string, fields?: Readonly<Record<string, unknown>>) => {
    if (logger.isLevelEnabled(own)) logger[own]({ event, ...(fields && besideOwn(fields)) });
  };
  return {
    debug: writerOf('debug'),
    info: writerOf('info'),
    warn: writerOf('warn'),
    error: writerOf('error'),
  };
}

function besideOwn(fields: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(redacted(fields) as object);
  return Object.fromEntries(entries.map(([name, value]) => [RESERVED.has(name) ? `${name}_` : name, value]));
}

type LevelledLog = (level: Level, message: string, fields?: Readonly<Record<string, unknown>>) => void;

/** The same log for parts that name the level as their first argument, as the database's do. */
export function levelledLog(log: Log, prefix: string): LevelledLog {
  return (level, message, fields) => log[level](`${prefix}.${message.replaceAll(' ', '_')}`, fields);
}

/** Parts of a field's name, in lower case without punctuation, that make its value unfit for a log. */
const SECRET_NAMES = [
  'password',
  'passwd',
  'pwd',
  'token',
  'secret',
  'authorization',
  'cookie',
  'idcard',
  'passphrase',
  'privatekey',
  'apikey',
  'mnemonic',
  'pepper',
  'smtpurl',
  'databaseurl',
  'connectionstring',
];
/** Names that are secret only on their own: an SQL `errorCode` is not. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  'code',
  'googlecode',
  'newcode',
  'ticket',
  'key',
  'totp',
  'pin',
]);

const GREATEST_DEPTH = 6;
const GREATEST_LENGTH = 2_000;
const REDACTED = '[redacted]';

/** Whether a field of this name may hold what nobody may read in a log. */
function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return SECRET_WORDS.has(plain) || SECRET_NAMES.some((secret) => plain.includes(secret));
}

/**
 * A copy of a value that can be printed as JSON: secrets replaced by the names of their fields at any
 * depth, errors with message, code, stack and cause, big integers as text, everything bounded.
 */
export function redacted(value: unknown, depth = 0): unknown {
  if (typeof value === 'string')
    return value.length > GREATEST_LENGTH ? `${value.slice(0, GREATEST_LENGTH)}…` : value;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= GREATEST_DEPTH) return '[deeper]';
  if (value instanceof Error) return errorFields(value, depth);
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => redacted(item, depth + 1));
  if ('toJSON' in value && typeof value.toJSON === 'function') return redacted(value.toJSON(), depth + 1);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  return redactedFields(value as Record<string, unknown>, depth);
}

function redactedFields(fields: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    kept[name] = isSecretName(name) && value !== undefined ? REDACTED : redacted(value, depth + 1);
  }
  return kept;
}

function errorFields(error: Error, depth: number): Record<string, unknown> {
  // A database error's code is its kind and may be read, unlike a field named code.
  const kind = 'code' in error && typeof error.code === 'string' ? { errorCode: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: redacted(error.cause, depth + 1) };
  return {
    name: error.name,
    message: redacted(error.message),
    ...kind,
    stack: redacted(error.stack),
    ...cause,
  };
}
