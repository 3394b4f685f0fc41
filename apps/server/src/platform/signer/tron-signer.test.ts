import { Decimal } from '@exchange/core/decimal.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TRON_USDT } from '../../../testing/fake-tron.ts';
import { approvedReturnDigest, coldDigest, confirmedDigest } from '../../../testing/test-signer.ts';
import { aTronSigner } from '../../../testing/test-tron-signer.ts';
import { readTronTransfer } from '../tron/transactions.ts';
import type { TronAnswer, TronPaymentRequest, TronRequest } from './tron-protocol.ts';

const RECIPIENT = 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9';
const COLD = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
/** The test wallet's deposit address with index 1. */
const DEPOSIT = 'TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C';
const MINUTE_MS = 60_000;
let signer: Awaited<ReturnType<typeof aTronSigner>>;
let now: number;

beforeEach(async () => {
  now = 1_800_000_000_000;
  signer = await aTronSigner({ limit: '50/100', cold: COLD, gas: '30/50', now: () => now });
});
afterEach(() => signer.close());

const validity = () => ({
  refBlock: { number: 70_000, hash: `${(70_000).toString(16).padStart(16, '0')}${'ab'.repeat(24)}` },
  expiration: now + 5 * MINUTE_MS,
  feeLimit: '30000000',
});
const payable = (origin: string) => ({
  origin,
  account: signer.signer.address,
  asset: 'USDT',
  address: RECIPIENT,
  amount: '30',
  serial: 0,
  ...validity(),
});
const withdrawal = (id: string) => ({
  id,
  owner: 'ann',
  network: 'TRC20',
  asset: 'USDT',
  address: RECIPIENT,
  memo: undefined,
  amount: Decimal.parse('30'),
});

function payment(
  id: string,
  changes: Partial<Extract<TronRequest, { kind: 'pay' }>> = {},
): TronPaymentRequest {
  return {
    kind: 'pay',
    ...payable(`withdrawal ${id}`),
    owner: 'ann',
    approvedBy: 'an operator',
    digest: confirmedDigest(withdrawal(id)),
    ...changes,
  };
}

const renewal = (id: string, known = 1) =>
  ({
    kind: 'renew',
    known,
    origin: `withdrawal ${id}`,
    account: signer.signer.address,
    ...validity(),
  }) as const;
const answerTo = (request: TronRequest) => signer.signer.answerTo(request);
const refusalOf = async (request: TronRequest) => {
  const answer = await answerTo(request);
  return 'refused' in answer ? answer.refused : undefined;
};
const read = (answer: TronAnswer) =>
  Promise.all('signed' in answer ? answer.signed.map(({ raw }) => readTronTransfer(raw)) : []);

it('TRON-002 a payment is signed once as it was confirmed, also after a restart and for two requests at once', async () => {
  const [[first], [same]] = await Promise.all([
    answerTo(payment('a')).then(read),
    answerTo(payment('a')).then(read),
  ]);
  expect(first).toMatchObject({
    owner: signer.signer.address,
    contract: TRON_USDT,
    address: RECIPIENT,
    units: 30_000_000n,
    feeLimit: 30_000_000n,
    refBytes: '1170',
    refHash: 'abababababababab',
    expiration: now + 5 * MINUTE_MS,
  });
  expect(same).toEqual(first);
  await signer.restart();
  now += MINUTE_MS;
  expect(await read(await answerTo(payment('a', { serial: 90 })))).toEqual([first]);
  expect(await refusalOf(payment('a', { asset: 'USDT', amount: '31' }))).toMatch('another payment');
  expect(await answerTo(payment('b'))).toMatchObject({ serial: 2, isVoided: false });
  expect(await answerTo(payment('c', { serial: 40 }))).toMatchObject({ serial: 40 });
  expect(signer.journal.count).toBe(3);
});

it('TRON-006 equal payments at the same time have different transactions, also after a restart and after the clock was set back', async () => {
  const [[first], [second]] = [
    await read(await answerTo(payment('a'))),
    await read(await answerTo(payment('b'))),
  ];
  await signer.restart();
  now -= 10;
  const [third] = await read(await answerTo(payment('c')));
  expect(new Set([first!.txid, second!.txid, third!.txid]).size).toBe(3);
});

it('TRON-003 payments that their owner did not confirm, above a limit, or with an invalid fee limit, expiration or coin are refused and not recorded', async () => {
  expect(await refusalOf(payment('a', { amount: '30.000001' }))).toMatch('digest');
  expect(await refusalOf(payment('a', { address: COLD }))).toMatch('digest');
  expect(await refusalOf(payment('a', { owner: 'bob' }))).toMatch('digest');
  expect(await refusalOf(payment('a', { origin: 'withdrawal b' }))).toMatch('digest');
  const network = confirmedDigest({ ...withdrawal('a'), network: 'ERC20' });
  expect(await refusalOf(payment('a', { digest: network }))).toMatch('digest');
  expect(await refusalOf(payment('a', { account: RECIPIENT }))).toMatch('not the account');
  expect(await refusalOf(payment('a', { asset: 'BTC' }))).toMatch('BTC is not signed');
  expect(await refusalOf(payment('a', { asset: 'TRX' }))).toMatch('TRX is not signed');
  expect(await refusalOf(payment('a', { amount: '30.0000001' }))).toMatch('no amount');
  expect(await refusalOf(payment('a', { feeLimit: '100000001' }))).toMatch('more than 100 TRX');
  expect(await refusalOf(payment('a', { expiration: now }))).toMatch('ended already');
  expect(await refusalOf(payment('a', { expiration: now + 121 * MINUTE_MS }))).toMatch('end too late');
  expect(signer.journal.count).toBe(0);
  for (const id of ['a', 'b', 'c']) expect(await refusalOf(payment(id))).toBeUndefined();
  expect(await refusalOf(payment('d'))).toMatch('within a day');
  now += 25 * 60 * MINUTE_MS;
  expect(await refusalOf(payment('d'))).toBeUndefined();
});

it('TRON-004 a payment is signed again only after all its transactions have expired, and counts towards the daily limit again', async () => {
  const [first] = await read(await answerTo(payment('a')));
  expect(await refusalOf(renewal('b'))).toMatch('nothing was signed');
  expect(await refusalOf(renewal('a'))).toMatch('may be paid until');
  now = first!.expiration + 2 * MINUTE_MS - 1;
  expect(await refusalOf(renewal('a'))).toMatch('may be paid until');
  now += 1;
  await signer.restart();
  expect(await refusalOf({ ...renewal('a'), feeLimit: '100000001' })).toMatch('more than 100 TRX');
  const [, second] = await read(await answerTo(renewal('a')));
  expect(second).toMatchObject({ owner: first!.owner, address: RECIPIENT, units: first!.units });
  expect(second!.timestamp).toBeGreaterThan(first!.expiration);
  expect(await refusalOf(renewal('a', 2))).toMatch('may be paid until');
  now = second!.expiration + 2 * MINUTE_MS;
  // The signer refuses, because the exchange does not know the second transaction and so has not checked whether a
  // block contains it.
  expect(await refusalOf(renewal('a'))).toMatch('2 transactions were signed under this name, not 1');
  expect(await refusalOf(renewal('a', 2))).toBeUndefined();
  // Three transactions of 30 USDT were signed. A fourth would exceed the limit of 100 within 24 hours.
  now += 10 * MINUTE_MS;
  expect(await refusalOf(renewal('a', 3))).toMatch('within a day');
});

it('TRON-005 a voided payment is never signed again, and one that was voided before its first signature is never signed', async () => {
  const target = (id: string) => ({ origin: `withdrawal ${id}`, account: signer.signer.address });
  await answerTo(payment('a'));
  expect(await answerTo({ kind: 'void', ...target('a') })).toMatchObject({
    signed: [{ refBlock: 70_000 }],
    isVoided: true,
  });
  expect(await answerTo({ kind: 'void', ...target('b') })).toMatchObject({ signed: [], isVoided: true });
  await signer.restart();
  now += 20 * MINUTE_MS;
  for (const id of ['a', 'b']) {
    expect(await refusalOf(payment(id))).toMatch('voided');
    expect(await refusalOf(renewal(id))).toMatch('voided');
    expect(await answerTo({ kind: 'find', ...target(id) })).toMatchObject({ isVoided: true });
  }
});

it('TRON-007 surplus is paid only to the cold wallet of the settings, deposit addresses pay only the hot wallet, and deposit addresses receive TRX within a limit', async () => {
  const approved = { id: 'x', network: 'TRC20', asset: 'USDT', address: COLD, amount: Decimal.parse('30') };
  const cold = {
    kind: 'cold',
    ...payable('cold x'),
    address: COLD,
    approvedBy: 'two operators',
    digest: coldDigest(approved),
  } as const;
  expect(await refusalOf({ ...cold, address: RECIPIENT })).toMatch('not the cold wallet');
  expect(await refusalOf({ ...cold, amount: '31' })).toMatch('two operators approved');
  expect(await refusalOf(cold)).toBeUndefined();
  const sweep = { kind: 'sweep', ...payable('sweep s'), address: DEPOSIT, index: 1 } as const;
  expect(await refusalOf({ ...sweep, index: 0 })).toMatch('not the deposit address 0');
  expect(await refusalOf({ ...sweep, origin: 'gas s' })).toMatch('not the name');
  expect(await refusalOf({ ...sweep, asset: 'TRX' })).toMatch('not signed');
  expect(await read(await answerTo(sweep))).toMatchObject([
    { owner: DEPOSIT, address: signer.signer.address, contract: TRON_USDT, units: 30_000_000n },
  ]);
  const gas = {
    kind: 'gas',
    ...payable('gas s'),
    address: DEPOSIT,
    index: 1,
    asset: 'TRX',
    feeLimit: '0',
  } as const;
  expect(await refusalOf({ ...gas, address: RECIPIENT })).toMatch('not the deposit address 1');
  expect(await refusalOf({ ...gas, asset: 'USDT' })).toMatch('not signed');
  expect(await refusalOf({ ...gas, amount: '30.1' })).toMatch('at once');
  expect(await read(await answerTo(gas))).toMatchObject([
    { owner: signer.signer.address, address: DEPOSIT, contract: undefined, units: 30_000_000n },
  ]);
  expect(await refusalOf({ ...gas, origin: 'gas t' })).toMatch('within a day');
  now += 10 * MINUTE_MS;
  // A sweep is signed again without any amount limit. A transfer of gas is signed again only within the limits of gas.
  expect(await refusalOf({ ...renewal('s'), origin: 'sweep s' })).toBeUndefined();
  expect(await refusalOf({ ...renewal('s'), origin: 'gas s', feeLimit: '0' })).toMatch('within a day');
});

it('TRE-140 TRON-024 a return to its sender is signed as two operators approved it, once, within the limits of payments', async () => {
  const returned = (amount: string, approved = amount) => {
    const digest = approvedReturnDigest({
      id: 'a1-1',
      owner: 'sender',
      network: 'TRC20',
      asset: 'USDT',
      address: RECIPIENT,
      memo: undefined,
      amount: Decimal.parse(approved),
    });
    return payment('', { origin: 'return a1-1', owner: 'sender', amount, digest });
  };
  expect(await refusalOf(returned('30', '29'))).toBe('the digest is not that of what the owner confirmed');
  expect(await refusalOf(returned('50.1'))).toBe('50.1 USDT are more than 50 at once');
  const [signed] = await read(await answerTo(returned('50')));
  expect(signed).toMatchObject({ address: RECIPIENT, units: 50_000_000n });
  expect(await read(await answerTo(returned('50')))).toEqual([signed]);
  expect(await refusalOf(payment('a'))).toBeUndefined();
  expect(await refusalOf(payment('b'))).toContain('within a day');
});

it('TRE-162 TRON-031 what transactions of a day can burn is limited, with bandwidth and each renewal, also after a restart', async () => {
  await signer.close();
  signer = await aTronSigner({ gas: '30/50', feesDay: '150', now: () => now });
  const dear = { feeLimit: '70000000' };
  expect(await refusalOf(payment('a', dear))).toBeUndefined();
  // Each transaction counts with its fee limit of 70 TRX plus the 2 TRX that it can burn beyond the limit. Of
  // the 150 TRX of 24 hours, 78 are left after this payment, and 6 after the next one.
  expect(await refusalOf(payment('b', dear))).toBeUndefined();
  await signer.restart();
  expect(await refusalOf(payment('c', { feeLimit: '4000001' }))).toBe(
    'with a network fee of 4.000001 TRX more than 150 TRX of fees within a day',
  );
  expect(signer.journal.count).toBe(2);
  now += 10 * MINUTE_MS;
  expect(await refusalOf({ ...renewal('a'), feeLimit: '4000001' })).toMatch('within a day');
  expect(await refusalOf({ ...renewal('a'), feeLimit: '4000000' })).toBeUndefined();
  expect(await refusalOf(payment('c', { feeLimit: '0' }))).toMatch('within a day');
  now += 25 * 60 * MINUTE_MS;
  expect(await refusalOf(payment('c', dear))).toBeUndefined();
});
