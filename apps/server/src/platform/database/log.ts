/** How this folder reports what it does; the server passes its structured logger, tests a collector. */
export type DatabaseLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;
