import type { OpenExchange } from './exchange.ts';

/** Halts, closes or opens a pair through the operators' port; one operator proposes and another approves. */
export async function setPairStatus(
  exchange: OpenExchange,
  symbol: string,
  status: 'open' | 'cancelOnly' | 'closed',
): Promise<void> {
  await byTwo(exchange, `/ops/pairs/${symbol}/status`, { status });
}

/** Declares an interval of a pair void (milliseconds); one operator proposes and another approves. */
export async function declareVoid(
  exchange: OpenExchange,
  symbol: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  await byTwo(exchange, `/ops/seconds/voids/${symbol}`, { from: String(from), to: String(to) });
}

async function byTwo(exchange: OpenExchange, path: string, fields: Record<string, string>): Promise<void> {
  const reason = 'a journey tries it';
  const { proposal } = await operate(exchange, 'owner', path, { ...fields, reason });
  if (proposal !== undefined)
    await operate(exchange, 'approver', `/ops/proposals/${proposal}/approve`, { reason });
}

/** Refuses a pending withdrawal for a reason from the fixed list. */
export async function rejectWithdrawal(exchange: OpenExchange, id: string, because: string): Promise<void> {
  await operate(exchange, 'owner', `/ops/withdrawals/${id}/reject`, {
    because,
    reason: 'a journey tries it',
  });
}

async function operate(
  { operator }: OpenExchange,
  name: string,
  path: string,
  fields: Record<string, string>,
): Promise<{ proposal?: string }> {
  const send = (to: string, form: Record<string, string>, cookie = '') =>
    fetch(operator.origin + to, { method: 'POST', headers: { cookie }, body: new URLSearchParams(form) });
  const { passwordOf, codeOf } = operator;
  const session = await send('/ops/session', { name, password: passwordOf(name), code: await codeOf(name) });
  const cookie = (session.headers.get('set-cookie') ?? '').split(';')[0];
  const response = await send(path, { ...fields, authenticatorCode: await codeOf(name) }, cookie);
  if (!response.ok) throw new Error(`The operator was refused: ${await response.text()}`);
  return (await response.json()) as { proposal?: string };
}
