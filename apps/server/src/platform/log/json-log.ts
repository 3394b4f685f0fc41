import pino from 'pino';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

export type Level = 'debug' | 'info' | 'warn' | 'error';

const RESERVED: ReadonlySet<string> = new Set(['time', 'level', 'event']);

interface JsonLogOptions {
  readonly level: Level;
  readonly clock: Clock;
  /** Writes a line of the log. The line ends with a line break. */
  readonly write: (line: string) => void;
}

/**
 * Creates a log that writes one JSON object per line: `level`, `time` (ISO 8601, UTC), `event` and the redacted fields.
 * Entries below the given level are dropped. A field named `level`, `time` or `event` is written as `level_`, `time_`
 * or `event_`, so that it does not replace these.
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
  const writerOf = (eventLevel: Level) => (event: string, fields?: Readonly<Record<string, unknown>>) => {
    if (logger.isLevelEnabled(eventLevel))
      logger[eventLevel]({ event, ...(fields && withoutReserved(fields)) });
  };
  return {
    debug: writerOf('debug'),
    info: writerOf('info'),
    warn: writerOf('warn'),
    error: writerOf('error'),
  };
}

function withoutReserved(fields: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(redacted(fields) as object);
  return Object.fromEntries(entries.map(([name, value]) => [RESERVED.has(name) ? `${name}_` : name, value]));
}

type LevelledLog = (level: Level, message: string, fields?: Readonly<Record<string, unknown>>) => void;

/**
 * Adapts the log for code that passes the level as the first argument, such as the database code. The name of the event
 * is `prefix`, a dot, and the message with underscores instead of spaces.
 */
export function levelledLog(log: Log, prefix: string): LevelledLog {
  return (level, message, fields) => log[level](`${prefix}.${message.replaceAll(' ', '_')}`, fields);
}

/** Parts of field names that mark a field as secret, in lower case and without punctuation. */
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
/**
 * Names of fields that are secret only if this is the whole name, in lower case and without punctuation:
 * `code` is secret, `errorCode` is not.
 */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  'code',
  'googlecode',
  'newcode',
  'ticket',
  'key',
  'totp',
  'pin',
]);

const MAX_DEPTH = 6;
const MAX_LENGTH = 2_000;
const REDACTED = '[redacted]';

/** Returns whether a field with this name may contain a secret. */
function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return SECRET_WORDS.has(plain) || SECRET_NAMES.some((secret) => plain.includes(secret));
}

/**
 * Returns a copy of a value for JSON. Values of secret fields are replaced at any depth. Errors become objects with
 * name, message, error code, stack and cause. Bigints become text. Long texts and lists are cut, and objects below a
 * maximum depth are replaced by a mark.
 */
export function redacted(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[deeper]';
  if (value instanceof Error) return errorFields(value, depth);
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => redacted(item, depth + 1));
  if ('toJSON' in value && typeof value.toJSON === 'function') return redacted(value.toJSON(), depth + 1);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  return redactedFields(value as Record<string, unknown>, depth);
}

function redactedFields(fields: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    copy[name] = isSecretName(name) && value !== undefined ? REDACTED : redacted(value, depth + 1);
  }
  return copy;
}

function errorFields(error: Error, depth: number): Record<string, unknown> {
  // The `code` of an error is renamed, because a field named `code` would be redacted.
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
