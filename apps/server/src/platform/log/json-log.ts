import pino from 'pino';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { redacted } from './redaction.ts';

export type Level = 'debug' | 'info' | 'warn' | 'error';

const RESERVED: ReadonlySet<string> = new Set(['time', 'level', 'event']);

export interface JsonLogOptions {
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
      ...{ level, base: null },
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
