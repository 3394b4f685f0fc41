import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { stateOnChain, type ChainStates } from '../src/commands/restore/chain-states.ts';
import { paymentsIn } from '../src/commands/restore/signed-payments.ts';
import { compareWithChain, type SignedPayment } from '../src/modules/withdrawals/index.ts';
import { databaseOver } from '../src/platform/database/database.ts';
import type { TestExchange } from './exchange.ts';

/** Stored status number of a paid withdrawal. */
const FINISHED = 1;
/** Stored status number of a withdrawal whose amount was returned to its owner. */
const RETURNED = 6;

/**
 * Compares the withdrawals in the database of a test exchange with the payments that signers signed and with the chain.
 */
export function comparedWithChain(
  exchange: TestExchange,
  states: ChainStates,
  signed: AsyncIterable<SignedPayment>,
) {
  return compareWithChain({
    store: databaseOver(exchange.database.pool).store,
    signed,
    stateOf: (payment) => stateOnChain(states, payment),
  });
}

/**
 * Asserts that a comparison after a restore recognizes paid and unpaid withdrawals. The first comparison uses the
 * database as it is. For the second one, the signer's payments get ids of withdrawals that the database does not
 * contain, as after a restore of an older backup.
 *
 * @param folder the folder of a signer that runs in this process (`aSignerIn`)
 */
export async function expectComparison(exchange: TestExchange, folder: string, states: ChainStates) {
  const journal = [folder];
  const transactions = new Map<string, Set<string>>();
  for await (const { origin, txid, isVoid } of paymentsIn(journal)) {
    const id = origin.replace(/^withdrawal /, '');
    const known = transactions.get(id) ?? new Set();
    if (!isVoid) known.add(txid);
    transactions.set(id, known);
  }
  const { rows } = await exchange.database.pool.query<{ id: string; status: number; txid: string | null }>(
    'select id::text as id, status, txid from withdrawal',
  );
  const ofStatus = (wanted: number) =>
    rows.filter(({ status, id }) => status === wanted && transactions.has(id));
  const paid = ofStatus(FINISHED)
    .filter(({ id, txid }) => transactions.get(id)!.has(txid ?? ''))
    .map(({ id }) => id);
  const returned = ofStatus(RETURNED).map(({ id }) => id);
  const idsOf = (payments: readonly { readonly id: string }[]) => payments.map(({ id }) => id);

  const { paidKnown, paidUnknown } = await comparedWithChain(exchange, states, paymentsIn(journal));
  expect(paid.length).toBeGreaterThan(0);
  expect(idsOf(paidKnown)).toEqual(expect.arrayContaining(paid));
  expect(idsOf([...paidKnown, ...paidUnknown]).filter((id) => returned.includes(id))).toEqual([]);

  const lostIds = new Map<string, string>([...transactions.keys()].map((id) => [id, randomUUID()]));
  const lost = async function* () {
    for await (const payment of paymentsIn(journal)) {
      const id = lostIds.get(payment.origin.replace(/^withdrawal /, ''))!;
      yield Object.assign(payment, { origin: `withdrawal ${id}` });
    }
  };
  const unknown = await comparedWithChain(exchange, states, lost());
  expect(unknown.paidKnown).toEqual([]);
  const lostOf = (ids: readonly string[]) => ids.map((id) => lostIds.get(id)!);
  expect(idsOf(unknown.paidUnknown)).toEqual(expect.arrayContaining(lostOf(paid)));
  expect(idsOf(unknown.paidUnknown).filter((id) => lostOf(returned).includes(id))).toEqual([]);
  return { paid, returned, unknown: unknown.paidUnknown };
}
