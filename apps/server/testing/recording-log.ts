import type { Log } from '../src/platform/log.ts';

/** A log for tests that records lines instead of printing them. */
export interface RecordingLog extends Log {
  readonly lines: { level: string; event: string; fields: Readonly<Record<string, unknown>> }[];
}

export function recordingLog(): RecordingLog {
  const lines: RecordingLog['lines'] = [];
  const record =
    (level: string) =>
    (event: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      lines.push({ level, event, fields });
    };
  return {
    lines,
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  };
}
