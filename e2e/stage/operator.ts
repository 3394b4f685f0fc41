import type { Exchange } from './exchange.ts';

/** Halts, closes or opens a pair over the operators' port, as the runbook says. */
export async function setPairStatus(
  { operator }: Exchange,
  symbol: string,
  status: 'open' | 'cancelOnly' | 'closed',
): Promise<void> {
  const response = await fetch(`${operator.origin}/ops/pairs/${symbol}/status`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${operator.token}` },
    body: new URLSearchParams({ status, reason: 'a journey tries it', by: 'Ada' }),
  });
  if (!response.ok) throw new Error(`The operator was refused: ${await response.text()}`);
}
