import { operationNamed } from '@exchange/wire/console/catalogue.ts';
import { totpCode } from '../src/platform/secrets/totp.ts';
import { undescribedIn } from './described-rows.ts';
import type { TestExchange } from './exchange.ts';

const cookies = new WeakMap<TestExchange, Map<string, string>>();
/**
 * Maximum number of attempts of an operator's call. An attempt fails if a concurrent call of the same operator has used
 * the authenticator code; the next attempt uses a new code.
 */
const ATTEMPTS_MAX = 20;

/**
 * Calls an operation on the operators' port as one of the demo's operators. Signs the operator in if necessary and
 * confirms a request with fields by a code of the operator's authenticator; if the code is already used, sends the
 * request again, at most `ATTEMPTS_MAX` times in total.
 */
export async function operateAs(
  exchange: TestExchange,
  name: string,
  path: string,
  fields?: Readonly<Record<string, string>>,
): Promise<Response> {
  const cookiesByName = cookies.get(exchange) ?? new Map<string, string>();
  cookies.set(exchange, cookiesByName);
  const send = async () =>
    fetch(exchange.consoleUrl + path, {
      headers: { cookie: cookiesByName.get(name) ?? '' },
      ...(fields === undefined
        ? {}
        : { method: 'POST', body: new URLSearchParams(await confirmedBy(exchange, name, fields)) }),
    });
  let answer = await send();
  if (answer.status === 401) {
    cookiesByName.set(name, await signInAs(exchange, name));
    answer = await send();
  }
  for (let attempts = 1; attempts < ATTEMPTS_MAX && (await isCodeUsed(answer)); attempts += 1)
    answer = await send();
  return answer;
}

/**
 * Calls an operation as the operator `owner`, like `operateAs`. If the operation needs a second operator, the
 * operator `approver` approves it at once. Returns the response to the last request.
 */
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

/**
 * Returns the evidence that operators see for a proposal before they approve it, or the console's refusal. Throws if
 * the evidence differs from the operation's declaration of it.
 */
export async function evidenceOf(exchange: TestExchange, name: string, proposal: string) {
  const answer = await operateAs(exchange, name, `/ops/proposals/${proposal}/evidence`);
  const evidence = (await answer.json()) as Evidence;
  if (!answer.ok) return evidence;
  const { rows } = await exchange.database.pool.query<{ operation: string }>(
    'select operation from operator_proposal where id = $1',
    [proposal],
  );
  const described = operationNamed(rows[0]?.operation ?? '')?.evidence;
  const problems = [
    ...undescribedIn(described?.facts ?? {}, evidence.facts),
    ...undescribedIn(described?.context ?? {}, evidence.context),
  ];
  if (problems.length > 0) throw new Error(`${rows[0]?.operation}: ${problems.join('; ')}`);
  return evidence;
}

interface Evidence {
  readonly key?: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly context: Readonly<Record<string, unknown>>;
  readonly money?: { readonly amount: string; readonly asset: string; readonly destination?: string };
  readonly isChanged: boolean;
  readonly warnings: readonly { readonly field: string; readonly text: string }[];
}

/**
 * Approves a proposal as one of the demo's operators. If the proposal moves money, the request repeats the amount,
 * which the console requires.
 */
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

/** Returns the fields of a form with the current authenticator code of the operator `name`. */
export async function confirmedBy(
  exchange: TestExchange,
  name: string,
  fields: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  return { ...fields, authenticatorCode: await codeOf(exchange, name) };
}

/**
 * Returns the current authenticator code of a demo operator. Tests confirm more often than once in 30
 * seconds, so the last used code is cleared in the database first.
 */
export async function codeOf(exchange: TestExchange, name: string): Promise<string> {
  await exchange.database.pool.query('update operator set totp_step = null where name = $1', [name]);
  return totpCode(loginOf(exchange, name).key, exchange.clock.now());
}

/** Signs a demo operator in at the operators' port and returns the cookie. */
export async function signInAs(exchange: TestExchange, name: string): Promise<string> {
  const { password } = loginOf(exchange, name);
  return signInOperator(exchange.consoleUrl, { name, password, code: await codeOf(exchange, name) });
}

/** Signs an operator in and returns the cookie. Throws if the sign-in is refused. */
export async function signInOperator(
  origin: string,
  fields: { readonly name: string; readonly password: string; readonly code: string },
): Promise<string> {
  const answer = await fetch(`${origin}/ops/session`, { method: 'POST', body: new URLSearchParams(fields) });
  if (!answer.ok) throw new Error(await answer.text());
  return (answer.headers.get('set-cookie') ?? '').split(';')[0]!;
}

/** Returns the emails sent to an address, newest first. */
export async function mailsTo(
  { url }: TestExchange,
  email: string,
): Promise<readonly { readonly subject: string; readonly text: string; readonly code?: string }[]> {
  const answer = await fetch(`${url}/dev/mail.json?to=${email}`);
  return ((await answer.json()) as { list: Awaited<ReturnType<typeof mailsTo>> }).list;
}

function loginOf({ doors }: TestExchange, name: string) {
  const login = doors.operators.demoLogins.find((candidate) => candidate.name === name);
  if (login === undefined) throw new Error(`There is no operator ${name} in the demo.`);
  return login;
}

async function isCodeUsed(answer: Response): Promise<boolean> {
  if (answer.status !== 400) return false;
  return ((await answer.clone().json()) as { key?: string }).key === 'l.operator_code_used';
}
