import { Decimal } from '@exchange/core/decimal.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { approvedReturnDigest, coldDigest, confirmedDigest } from '../../../testing/test-signer.ts';
import { anXrpSigner, XRP_TEST_NETWORK } from '../../../testing/test-xrp-signer.ts';
import { readXrpTransaction } from '../xrp/transactions.ts';
import type { XrpAnswer, XrpRequest } from './xrp-protocol.ts';

const RECIPIENT = 'rDNvjMc6LjtpR7BdfiSNvavUBjznhhmpNq';
const COLD = 'rEiq1iAcpzP8WLjezP9MzAQEJ7jqKMLFSA';
let signer: Awaited<ReturnType<typeof anXrpSigner>>;
let now = Date.UTC(2026, 10, 27);

beforeEach(async () => {
  signer = await anXrpSigner({ limit: '50/80', cold: COLD, now: () => now });
});
afterEach(() => signer.close());

const target = (origin: string) => ({
  origin,
  account: signer.signer.address,
  networkId: XRP_TEST_NETWORK,
});

function payment(id: string, changes: Partial<Extract<XrpRequest, { kind: 'pay' }>> = {}): XrpRequest {
  const request = {
    kind: 'pay' as const,
    ...target(`withdrawal ${id}`),
    owner: 'ann',
    address: RECIPIENT,
    tag: 7,
    drops: '30000000',
    sequence: 40,
    lastLedger: 100,
    fee: '12',
    approvedBy: 'an operator',
    digest: '',
  };
  const digest = confirmedDigest({
    id,
    owner: 'ann',
    network: 'XRP',
    asset: 'XRP',
    address: RECIPIENT,
    memo: '7',
    amount: Decimal.parse('30'),
  });
  return { ...request, digest, ...changes };
}

const refusalOf = async (request: XrpRequest) => {
  const answer = await signer.signer.answerTo(request);
  return 'refused' in answer ? answer.refused : undefined;
};
const read = (answer: XrpAnswer) =>
  Promise.all(
    'signed' in answer
      ? answer.signed.map(async ({ raw, isVoid }) => ({ ...(await readXrpTransaction(raw)), isVoid }))
      : [],
  );

it('XRP-010 a payment is signed once with one sequence number, also after a restart', async () => {
  const [first] = await read(await signer.signer.answerTo(payment('a')));
  expect(first).toMatchObject({ sequence: 40, lastLedger: 100, payment: { address: RECIPIENT, tag: 7 } });
  await signer.restart();
  expect(await read(await signer.signer.answerTo(payment('a', { sequence: 90, lastLedger: 500 })))).toEqual([
    first,
  ]);
  expect(await read(await signer.signer.answerTo(payment('b')))).toMatchObject([{ sequence: 41 }]);
  expect(signer.journal.count).toBe(2);
});

it('XRP-011 what its owner did not confirm, another tag, too much, and a dear fee are refused and not recorded', async () => {
  expect(await refusalOf(payment('a', { tag: 8 }))).toMatch('digest');
  expect(await refusalOf(payment('a', { tag: undefined }))).toMatch('digest');
  expect(await refusalOf(payment('a', { drops: '30000001' }))).toMatch('digest');
  expect(await refusalOf(payment('a', { address: COLD }))).toMatch('digest');
  expect(await refusalOf(payment('a', { owner: 'bob' }))).toMatch('digest');
  expect(await refusalOf(payment('a', { fee: '5001' }))).toMatch('fee');
  expect(await refusalOf(payment('a', { networkId: 0 }))).toMatch('network');
  expect(await refusalOf(payment('a', { account: RECIPIENT }))).toMatch('account');
  expect(signer.journal.count).toBe(0);
  for (const id of ['a', 'b']) expect(await refusalOf(payment(id))).toBeUndefined();
  expect(await refusalOf(payment('c'))).toMatch('within a day');
  now += 25 * 3_600_000;
  expect(await refusalOf(payment('c'))).toBeUndefined();
});

it('XRP-012 a payment is signed again with its own sequence number only, and with a later end', async () => {
  await signer.signer.answerTo(payment('a'));
  await signer.signer.answerTo(payment('b'));
  const renew = (lastLedger: number) =>
    ({ kind: 'renew', ...target('withdrawal a'), lastLedger, fee: '20' }) as const;
  expect(await refusalOf(renew(99))).toMatch('before 100');
  const [first, second] = await read(await signer.signer.answerTo(renew(180)));
  expect(second).toMatchObject({ sequence: 40, lastLedger: 180, fee: 20n, payment: first!.payment });
  expect(await read(await signer.signer.answerTo(renew(180)))).toHaveLength(2);
  expect(await refusalOf({ ...renew(200), origin: 'withdrawal c' })).toMatch('nothing was signed');
});

it('XRP-013 a voided payment is never signed: nothing was, or a transaction of nothing takes its sequence number', async () => {
  const voided = (origin: string) =>
    ({ kind: 'void', ...target(origin), lastLedger: 200, fee: '20' }) as const;
  expect(await signer.signer.answerTo(voided('withdrawal a'))).toEqual({ signed: [], isVoided: true });
  expect(await refusalOf(payment('a'))).toMatch('voided');
  await signer.signer.answerTo(payment('b'));
  const [, nothing] = await read(await signer.signer.answerTo(voided('withdrawal b')));
  expect(nothing).toMatchObject({ sequence: 40, payment: undefined, isVoid: true });
  await signer.restart();
  expect(await refusalOf(payment('b'))).toMatch('voided');
  expect(await refusalOf({ kind: 'renew', ...target('withdrawal b'), lastLedger: 300, fee: '20' })).toMatch(
    'voided',
  );
});

it('XRP-011 surplus moves to the cold wallet of the own settings only', async () => {
  const transfer = (address: string): XrpRequest => ({
    kind: 'cold',
    ...target('cold 1'),
    address,
    drops: '900000000',
    sequence: 40,
    lastLedger: 100,
    fee: '12',
    approvedBy: 'two operators',
    digest: coldDigest({ id: '1', network: 'XRP', asset: 'XRP', address, amount: Decimal.parse('900') }),
  });
  expect(await refusalOf(transfer(RECIPIENT))).toMatch('not the cold wallet');
  expect(await refusalOf(transfer(COLD))).toBeUndefined();
  expect(await refusalOf(payment('a'))).toBeUndefined();
});

it('TRE-140 XRP-032 a return to its sender is signed with the tag that two operators approved, within the limits of payments', async () => {
  const returned = (drops: string, tag: number, approvedTag = tag) => {
    const digest = approvedReturnDigest({
      id: 'a1-1',
      owner: 'sender',
      network: 'XRP',
      asset: 'XRP',
      address: RECIPIENT,
      memo: String(approvedTag),
      amount: Decimal.ofScaled(BigInt(drops), 6),
    });
    return payment('', { origin: 'return a1-1', owner: 'sender', drops, tag, digest });
  };
  expect(await refusalOf(returned('30000000', 8, 7))).toBe(
    'the digest is not that of what the owner confirmed',
  );
  expect(await refusalOf(returned('50000001', 7))).toBe('50.000001 XRP are more than 50 at once');
  const [signed] = await read(await signer.signer.answerTo(returned('50000000', 7)));
  expect(signed).toMatchObject({ payment: { address: RECIPIENT, tag: 7, drops: 50_000_000n } });
  expect(await refusalOf(payment('b', { tag: 7 }))).toBeUndefined();
  expect(await refusalOf(payment('c'))).toContain('within a day');
});

it('TRE-162 the fees of a day are limited, and of the transactions of a payment only the dearest counts', async () => {
  await signer.close();
  signer = await anXrpSigner({ limit: '50/1000', feesDay: '0.006', now: () => now });
  expect(await refusalOf(payment('a', { fee: '4000' }))).toBeUndefined();
  const again = (kind: 'renew' | 'void', fee: string) =>
    ({ kind, ...target('withdrawal a'), lastLedger: 200, fee }) as const;
  expect(await refusalOf(again('renew', '4900'))).toBeUndefined();
  await signer.restart();
  expect(await refusalOf(payment('b', { fee: '1101' }))).toBe(
    'with a network fee of 0.001101 XRP more than 0.006 XRP of fees within a day',
  );
  expect(await refusalOf(again('renew', '5001'))).toMatch('more than 0.005 XRP at once');
  expect(await refusalOf(payment('b', { fee: '1100' }))).toBeUndefined();
  // The fee limit of 24 hours is used up. A further transaction of a payment whose fee is not higher than
  // that of an earlier one adds nothing to the fees of the last 24 hours, so it is signed.
  expect(await refusalOf(again('void', '4901'))).toMatch('within a day');
  expect(await refusalOf(again('void', '4900'))).toBeUndefined();
  now += 25 * 3_600_000;
  expect(await refusalOf(payment('c', { fee: '5000' }))).toBeUndefined();
});
