/**
 * Logger of the database code. The server passes its structured logger; tests pass an object that collects the
 * messages.
 */
export type DatabaseLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;
