import type { Log } from '../src/platform/log.ts';

/** A log for tests: keeps what was said instead of printing it. */
export interface KeptLog extends Log {
  readonly lines: { level: string; event: string; fields: Readonly<Record<string, unknown>> }[];
}

export function keptLog(): KeptLog {
  const lines: KeptLog['lines'] = [];
  const keep =
    (level: string) =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      lines.push({ level, event, fields });
    };
  return { lines, debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
}
