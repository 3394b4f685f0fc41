import type { TestExchange } from './exchange.ts';

const cookies = new WeakMap<TestExchange, Map<string, string>>();

/** Calls the operator's port as one of the demo's operators, who is signed in when they are not. */
export async function operateAs(
  exchange: TestExchange,
  name: string,
  path: string,
  fields?: Readonly<Record<string, string>>,
): Promise<Response> {
  const known = cookies.get(exchange) ?? new Map<string, string>();
  cookies.set(exchange, known);
  const ask = () =>
    fetch(exchange.consoleUrl + path, {
      headers: { cookie: known.get(name) ?? '' },
      ...(fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) }),
    });
  const answer = await ask();
  if (answer.status !== 401) return answer;
  const { password } = exchange.doors.operators.demoLogins.find((login) => login.name === name)!;
  known.set(name, await signInOperator(exchange.consoleUrl, { name, password }));
  return ask();
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
  return operateAs(exchange, 'approver', `/ops/proposals/${proposal}/approve`, { reason: 'looked at it' });
}

/** Signs in; gives the cookie. Throws when refused. */
export async function signInOperator(
  origin: string,
  fields: { readonly name: string; readonly password: string; readonly code?: string },
): Promise<string> {
  const answer = await fetch(`${origin}/ops/session`, { method: 'POST', body: new URLSearchParams(fields) });
  if (!answer.ok) throw new Error(await answer.text());
  return (answer.headers.get('set-cookie') ?? '').split(';')[0]!;
}
