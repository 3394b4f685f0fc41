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
}

export interface OperationField {
  readonly label: string;
  readonly kind: 'text' | 'longText' | 'decimal' | 'whole' | 'choice' | 'time' | 'day' | 'switch';
  readonly choices?: readonly string[];
  readonly isOptional?: boolean;
}

export interface OperatorSession {
  readonly name: string;
  readonly roles: readonly string[];
  readonly mode: string;
  readonly operations: readonly Operation[];
}

/** A row of a list: plain values by their names. */
export type Row = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** Why not, where it was refused. */
  readonly error: string | undefined;
}

/** Calls the operator's port, where its own page comes from. */
export async function callOperators(
  path: string,
  fields?: Readonly<Record<string, string>>,
): Promise<Answer> {
  try {
    const response = await fetch(
      path,
      fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) },
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

/** Any value as a cell shows it. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const TIME_NAME = /(At|^at|since|Until)$/;

/** A cell's text; moments in milliseconds as UTC. */
export function cellOf(name: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (!isMoment(name, value)) return inWords(textOf(value));
  return `${new Date(value as number).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

const CAMEL = /^[a-z]+(?:[A-Z][a-z]+)+$/;

/** A name of the code in words: `cancelOnly` is `cancel only`; anything else as it is. */
export function inWords(text: string): string {
  return CAMEL.test(text) ? text.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) : text;
}

/** Whether a value is a moment in milliseconds, as its name tells. */
export function isMoment(name: string, value: unknown): boolean {
  return TIME_NAME.test(name) && typeof value === 'number' && value > 1e12;
}
