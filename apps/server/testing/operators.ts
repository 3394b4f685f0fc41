import { totpCode } from '../src/platform/secrets/totp.ts';
import type { TestExchange } from './exchange.ts';

const cookies = new WeakMap<TestExchange, Map<string, string>>();
/** Of two calls of one operator at a time one may find its code used; it shows the next one as often as this. */
const TRIES = 20;

/**
 * Calls the operator's port as one of the demo's operators, who is signed in when they are not, and confirms what is sent
 * with a code of their authenticator.
 */
export async function operateAs(
  exchange: TestExchange,
  name: string,
  path: string,
  fields?: Readonly<Record<string, string>>,
): Promise<Response> {
  const known = cookies.get(exchange) ?? new Map<string, string>();
  cookies.set(exchange, known);
  const ask = async () =>
    fetch(exchange.consoleUrl + path, {
      headers: { cookie: known.get(name) ?? '' },
      ...(fields === undefined
        ? {}
        : { method: 'POST', body: new URLSearchParams(await confirmedBy(exchange, name, fields)) }),
    });
  let answer = await ask();
  if (answer.status === 401) {
    known.set(name, await enterAs(exchange, name));
    answer = await ask();
  }
  for (let tries = 1; tries < TRIES && (await isCodeUsed(answer)); tries += 1) answer = await ask();
  return answer;
}

/** The same as the owner, and where it takes a second person the approver approves at once. */
export async function operate(
  exchange: TestExchange,
  path: string,
  fields?: Readonly<Record<string, string>>,
): Promise<Response> {
  const answer = await operateAs(exchange, 'owner', path, fields);
  if (answer.status !== 202) return answer;
  const { proposal } = (await answer.json()) as { proposal: string };
  return approveAs(exchange, 'approver', proposal);
}

/** What an operator would see of a proposal before they approve it. */
export async function evidenceOf(exchange: TestExchange, name: string, proposal: string) {
  const answer = await operateAs(exchange, name, `/ops/proposals/${proposal}/evidence`);
  return (await answer.json()) as {
    readonly key?: string;
    readonly facts: Readonly<Record<string, unknown>>;
    readonly context: Readonly<Record<string, unknown>>;
    readonly money?: { readonly amount: string; readonly asset: string; readonly destination?: string };
    readonly isChanged: boolean;
    readonly warnings: readonly { readonly field: string; readonly text: string }[];
  };
}

/** Approves a proposal as one of the demo's operators, who types the amount again where money moves. */
export async function approveAs(
  exchange: TestExchange,
  name: string,
  proposal: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { money } = await evidenceOf(exchange, name, proposal);
  return operateAs(exchange, name, `/ops/proposals/${proposal}/approve`, {
    reason: 'looked at it',
    retyped: money?.amount ?? '',
    ...fields,
  });
}

/** A form with the code that confirms it. */
export async function confirmedBy(
  exchange: TestExchange,
  name: string,
  fields: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  return { ...fields, authenticatorCode: await codeOf(exchange, name) };
}

/**
 * What the authenticator of one of the demo's operators shows. A test decides more often than once in half a minute: its
 * database forgets which code was the last, which nothing but its owner can make it do.
 */
export async function codeOf(exchange: TestExchange, name: string): Promise<string> {
  await exchange.database.pool.query('update operator set totp_step = null where name = $1', [name]);
  return totpCode(loginOf(exchange, name).key, exchange.clock.now());
}

/** Signs one of the demo's operators in; gives the cookie. */
export async function enterAs(exchange: TestExchange, name: string): Promise<string> {
  const { password } = loginOf(exchange, name);
  return signInOperator(exchange.consoleUrl, { name, password, code: await codeOf(exchange, name) });
}

/** Signs in; gives the cookie. Throws when refused. */
export async function signInOperator(
  origin: string,
  fields: { readonly name: string; readonly password: string; readonly code: string },
): Promise<string> {
  const answer = await fetch(`${origin}/ops/session`, { method: 'POST', body: new URLSearchParams(fields) });
  if (!answer.ok) throw new Error(await answer.text());
  return (answer.headers.get('set-cookie') ?? '').split(';')[0]!;
}

/** What was mailed to an address, the newest first. */
export async function mailsTo(
  { url }: TestExchange,
  email: string,
): Promise<readonly { readonly subject: string; readonly text: string; readonly code?: string }[]> {
  const answer = await fetch(`${url}/dev/mail.json?to=${email}`);
  return ((await answer.json()) as { list: Awaited<ReturnType<typeof mailsTo>> }).list;
}

function loginOf({ doors }: TestExchange, name: string) {
  const login = doors.operators.demoLogins.find((one) => one.name === name);
  if (login === undefined) throw new Error(`There is no operator ${name} in the demo.`);
  return login;
}

async function isCodeUsed(answer: Response): Promise<boolean> {
  if (answer.status !== 400) return false;
  return ((await answer.clone().json()) as { key?: string }).key === 'l.operator_code_used';
}
