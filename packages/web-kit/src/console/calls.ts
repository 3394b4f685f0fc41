import type { OperationField } from '@exchange/wire/operation.ts';

export type { OperationField, OperatorWarning } from '@exchange/wire/operation.ts';

/** Something that the operator who is signed in may see or do, as the server describes it. */
export interface Operation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly fields: Readonly<Record<string, OperationField>>;
  readonly mayNeedApproval: boolean;
  /** Whether its list is work that waits. */
  readonly isQueue: boolean;
  /** Whether it funds an account of the house. */
  readonly isFunding: boolean;
  /** Whether it answers a file to be saved. */
  readonly isFile: boolean;
  /** Whether it answers a picture. */
  readonly isPicture: boolean;
  /** Whether what it changes has versions: the one that was seen is sent along. */
  readonly isVersioned: boolean;
  /** Whether it is confirmed by a code of the caller's authenticator. */
  readonly takesCode: boolean;
  /** Whether the server shows what it proposes as users would see it. */
  readonly isPreviewed: boolean;
  /** The path of what it lists the published versions of. */
  readonly versionsOf?: string;
}

export interface OperatorSession {
  readonly name: string;
  readonly roles: readonly string[];
  readonly mode: string;
  readonly operations: readonly Operation[];
  /** The listed pairs, as links name them: `BTC_USDT`. */
  readonly pairs?: readonly string[];
}

/** A row of a list: plain values by their names. */
export type Row = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Why not, where it was refused. */
  readonly error: string | undefined;
}

interface CallMode {
  /** Asked by the page itself and not by somebody before it: it keeps no session alive. */
  readonly isBackground?: boolean;
  /** The same again is answered what it was answered, and done once. */
  readonly key?: string;
}

/** Calls the operator's port, where its own page comes from. */
export async function callOperators(
  path: string,
  fields?: Readonly<Record<string, string>>,
  { isBackground = false, key }: CallMode = {},
): Promise<Answer> {
  const headers = {
    ...(isBackground ? { 'x-background': '1' } : {}),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
  try {
    const response = await fetch(
      path,
      fields === undefined ? { headers } : { method: 'POST', headers, body: new URLSearchParams(fields) },
    );
    const body = (await response.json()) as Answer['body'];
    const error = response.ok || path === '/health' ? undefined : textOf(body['error'] ?? response.status);
    return { status: response.status, body, error };
  } catch {
    // Reason: whatever broke between here and there, nothing came back.
    return { status: 0, body: {}, error: 'The server does not answer.' };
  }
}

/** An operation's address with its named parts filled in from a row or a form; the missing stay out. */
export function addressOf(path: string, values: Row): string {
  return path.replaceAll(/:(\w+)/g, (_part, name: string) => encodeURIComponent(textOf(values[name])));
}

/** An address with what it is narrowed by; what is empty stays out. */
export function withQuery(path: string, asked: Readonly<Record<string, string>>): string {
  const given = Object.entries(asked).filter(([, value]) => value !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** The named parts of an operation's address. */
export function partsOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
}

/** The list of an answer: the first array of objects in it. */
export function rowsOf(body: Answer['body']): readonly Row[] {
  const found = Object.values(body).find((value) => Array.isArray(value) && typeof value[0] === 'object');
  return (found ?? []) as readonly Row[];
}

/** How many rows an answered list has in all; undefined where it does not say. */
export function totalOf(body: Answer['body']): number | undefined {
  const { total } = body;
  return typeof total === 'number' ? total : undefined;
}

/** Any value as a cell shows it. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const TIME_NAME = /(At|^at|since|Until)$/;

const CAMEL = /^[a-z]+(?:[A-Z][a-z]+)+$/;

/** A name of the code in words: `cancelOnly` is `cancel only`; anything else as it is. */
export function inWords(text: string): string {
  return CAMEL.test(text) ? text.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : text;
}

/** Whether a value is a moment in milliseconds, as its name tells. */
export function isMoment(name: string, value: unknown): boolean {
  return TIME_NAME.test(name) && typeof value === 'number' && value > 1e12;
}
