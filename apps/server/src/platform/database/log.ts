/** Logger of the database code; the server passes its structured logger, tests pass a collector. */
export type DatabaseLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;
