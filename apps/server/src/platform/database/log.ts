/** Logger of the database code. The server passes its structured logger, and tests pass a collector. */
export type DatabaseLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;
