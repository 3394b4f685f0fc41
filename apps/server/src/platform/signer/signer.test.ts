import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Decimal } from '@exchange/core/decimal.ts';
import { Transaction } from 'ethers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { account, ANVIL_CHAIN, testDepositKeys } from '../../../testing/anvil.ts';
import { approvedReturnDigest, aSigner, coldDigest, confirmedDigest } from '../../../testing/test-signer.ts';
import { readSigned } from './journal.ts';
import { GAS_TAG, type ColdRequest, type DepositRequest, type SigningRequest } from './protocol.ts';
import { SignerClient } from './client.ts';
import { readSigningTerms } from './settings.ts';

const TOKEN = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const OWNER = '0190a000-0000-7000-8000-000000000001';
const RECEIVER = '0x1111111111111111111111111111111111111111';
const COLD = '0xCccCcCcccCCCCcCCCccCCCCCccccccCCCCCCcccc'.toLowerCase();

let signer: Awaited<ReturnType<typeof aSigner>>;
beforeEach(async () => {
  signer = await aSigner(TOKEN, 'ETH=2/5, USDT=1000/5000', { cold: COLD, gas: '0.02/0.04' });
});
afterEach(() => signer.close());

function request(origin: string, changes: Partial<SigningRequest> = {}): SigningRequest {
  const payment = {
    owner: OWNER,
    network: 'ERC20',
    asset: 'ETH',
    address: RECEIVER,
    amount: '1.5',
    ...changes,
  };
  return {
    kind: 'pay',
    origin,
    memo: undefined,
    digest: confirmedDigest({
      id: origin.slice('withdrawal '.length),
      ...payment,
      memo: changes.memo,
      amount: Decimal.parse(payment.amount),
    }),
    chainId: ANVIL_CHAIN,
    approvedBy: 'a test',
    nonce: 7,
    gasLimit: '21000',
    maxFeePerGas: '30000000000',
    maxPriorityFeePerGas: '1000000000',
    ...payment,
  };
}

function coldTransfer(id: string, changes: Partial<ColdRequest> = {}): ColdRequest {
  const transfer = { network: 'ERC20', asset: 'ETH', address: COLD, amount: '700', ...changes };
  return {
    kind: 'cold',
    origin: `cold ${id}`,
    chainId: ANVIL_CHAIN,
    digest: coldDigest({ id, ...transfer, amount: Decimal.parse(transfer.amount) }),
    approvedBy: 'ann, approved by bob',
    nonce: 7,
    gasLimit: '21000',
    maxFeePerGas: '30000000000',
    maxPriorityFeePerGas: '1000000000',
    ...transfer,
  };
}

/**
 * Returns a request to return a transfer to its sender. Its digest covers the fields of the request, except
 * that `approved` contains the fields that two operators approved with other values than the request has.
 */
function returnRequest(
  reference: string,
  changes: Partial<SigningRequest> = {},
  approved: Partial<SigningRequest> = {},
): SigningRequest {
  const sent = request(`return ${reference}`, { owner: 'sender', ...changes });
  const { owner, network, asset, address, amount } = { ...sent, ...approved };
  const fields = { id: reference, owner, network, asset, address, memo: undefined };
  return { ...sent, digest: approvedReturnDigest({ ...fields, amount: Decimal.parse(amount) }) };
}

it('TRE-140 a return to its sender is signed once as two operators approved it, within the limits of payments, and survives a restart', async () => {
  const approved = returnRequest('a1-1', { amount: '2' });
  const { signer: running } = signer;
  const notApproved = { refused: 'the digest is not that of what the owner confirmed' };
  const changed: Partial<SigningRequest>[] = [
    { amount: '1.9' },
    { address: COLD },
    { asset: 'USDT' },
    { network: 'BEP20' },
    { owner: OWNER },
  ];
  for (const change of changed)
    expect(await running.sign(returnRequest('a1-1', {}, change))).toEqual(notApproved);
  // The digest of a return is valid only for the return's own payment id, and the digest of a withdrawal is not valid
  // for a return.
  expect(await running.sign({ ...approved, origin: 'return a1-2' })).toEqual(notApproved);
  expect(await running.sign({ ...approved, origin: 'withdrawal a1-1' })).toEqual(notApproved);
  const withdrawal = request('withdrawal a1-1', { owner: 'sender' });
  expect(await running.sign({ ...withdrawal, origin: 'return a1-1' })).toEqual(notApproved);

  const first = await running.sign(approved);
  expect(first).toMatchObject({ nonce: 7 });
  await signer.restart();
  expect(await signer.signer.sign(approved)).toEqual(first);
  expect(await signer.signer.sign(returnRequest('a1-1', { amount: '1' }))).toEqual({
    refused: 'another payment was signed under this name',
  });
  expect(await signer.signer.sign(returnRequest('b2-1', { amount: '2.1' }))).toEqual({
    refused: '2.1 ETH are more than 2 at once',
  });
  // Returns and withdrawals count towards the same limit of 24 hours.
  expect(await signer.signer.sign(request('withdrawal 1', { amount: '2' }))).toMatchObject({ nonce: 8 });
  expect(await signer.signer.sign(returnRequest('c3-1', { amount: '1.5' }))).toEqual({
    refused: 'with 1.5 ETH more than 5 within a day',
  });
  const voided = { kind: 'void', origin: 'return d4-1', chainId: ANVIL_CHAIN } as const;
  const fees = { maxFeePerGas: '30000000000', maxPriorityFeePerGas: '1000000000' };
  expect(await signer.signer.variants({ ...voided, ...fees })).toEqual({ signed: [], isVoided: true });
  expect(await signer.signer.sign(returnRequest('d4-1', { amount: '0.1' }))).toEqual({
    refused: 'the payment was voided',
  });
});

it('NET-003 a payment of another network is not signed, although its owner confirmed it', async () => {
  const { signer: running } = signer;
  const others = [request('withdrawal 1', { network: 'BEP20' }), coldTransfer('1', { network: 'BEP20' })];
  for (const other of others) expect(await running.sign(other)).toEqual({ refused: 'BEP20 is not ERC20' });
  expect(await running.sign(request('withdrawal 1'))).toMatchObject({ nonce: 7 });
  expect(readSigningTerms({ SIGNER_CHAIN_ID: '56' }).network).toBe('BEP20');
  expect(() => readSigningTerms({ SIGNER_NETWORK: 'BSC' })).toThrow('SIGNER_NETWORK must be ERC20 or BEP20');
  expect(() => readSigningTerms({ SIGNER_FEE_MODEL: 'free' })).toThrow('must be eip1559 or legacy');
});

it('NET-021 the bounds of gas and fees are those of the network, unless the settings name others', () => {
  const gwei = 1_000_000_000n;
  const polygon = readSigningTerms({ SIGNER_CHAIN_ID: '137' });
  expect([polygon.network, polygon.feeMax, polygon.gasMost, polygon.voidGas]).toEqual([
    'POLYGON',
    5_000n * gwei,
    200_000n,
    21_000n,
  ]);
  expect([...polygon.assets.keys()]).toEqual(['POL']);
  expect([polygon.gas.once.toString(), polygon.gas.day.toString()]).toEqual(['0.5', '50']);
  const arbitrum = readSigningTerms({
    SIGNER_CHAIN_ID: '1337',
    SIGNER_NETWORK: 'ARBITRUM',
    SIGNER_FEE_GWEI: '3',
  });
  expect([arbitrum.feeMax, arbitrum.gasMost, arbitrum.voidGas]).toEqual([3n * gwei, 3_000_000n, undefined]);
  expect([...readSigningTerms({ SIGNER_CHAIN_ID: '56', SIGNER_COIN: 'WBNB' }).assets.keys()]).toEqual([
    'WBNB',
  ]);
  expect(() => readSigningTerms({ SIGNER_NETWORK: 'BASE' })).toThrow('SIGNER_NETWORK must be ERC20 or BEP20');
});

it('NET-004 with one gas price, payments, their replacements and voids state it, and are a tenth higher', async () => {
  const legacy = await aSigner(TOKEN, 'ETH=2/5', { feeModel: 'legacy' });
  try {
    const first = await legacy.signer.sign(request('withdrawal 1'));
    if ('refused' in first) throw new Error(first.refused);
    expect(Transaction.from(first.raw)).toMatchObject({ type: 0, gasPrice: 30_000_000_000n, nonce: 7 });
    const variant = (kind: 'replace' | 'void', gwei: string) =>
      legacy.signer.variants({
        kind,
        origin: 'withdrawal 1',
        chainId: ANVIL_CHAIN,
        maxFeePerGas: `${gwei}000000000`,
        maxPriorityFeePerGas: `${gwei}000000000`,
      });
    expect(await variant('replace', '32')).toEqual({
      refused: 'the fees are not a tenth higher than before',
    });
    const replaced = await variant('replace', '33');
    const voided = await variant('void', '40');
    if ('refused' in replaced || 'refused' in voided) throw new Error('refused');
    expect(Transaction.from(replaced.signed[1]!.raw)).toMatchObject({
      type: 0,
      gasPrice: 33_000_000_000n,
      to: RECEIVER,
      chainId: BigInt(ANVIL_CHAIN),
    });
    expect(Transaction.from(voided.signed[2]!.raw)).toMatchObject({ type: 0, value: 0n, nonce: 7 });
  } finally {
    await legacy.close();
  }
});

it('TRE-039 surplus is signed to the signer’s own cold wallet only, once, and counts towards no limit', async () => {
  const { signer: running } = signer;
  const first = await running.sign(coldTransfer('1'));
  if ('refused' in first) throw new Error(first.refused);
  expect(Transaction.from(first.raw)).toMatchObject({ value: 700n * 10n ** 18n, data: '0x', nonce: 7 });
  expect(Transaction.from(first.raw).to?.toLowerCase()).toBe(COLD);
  const token = await running.sign(coldTransfer('2', { asset: 'USDT', amount: '90000' }));
  if ('refused' in token) throw new Error(token.refused);
  expect(Transaction.from(token.raw).to?.toLowerCase()).toBe(TOKEN);
  expect(Transaction.from(token.raw).data).toContain(COLD.slice(2));
  expect(await running.sign(coldTransfer('3', { address: RECEIVER }))).toEqual({
    refused: `${RECEIVER} is not the cold wallet ${COLD}`,
  });
  // The digest covers the details of the approved transfer, so a request with other details is refused.
  const notApproved = { refused: 'the digest is not that of what two operators approved' };
  expect(await running.sign({ ...coldTransfer('3'), amount: '701' })).toEqual(notApproved);
  expect(await running.sign({ ...coldTransfer('3'), origin: 'cold 4' })).toEqual(notApproved);
  expect(await running.sign({ ...coldTransfer('3'), origin: 'withdrawal 3' })).toMatchObject({
    refused: expect.stringContaining('no transfer to the cold wallet'),
  });
  // An owner's confirmation cannot replace an approval of operators, nor can an approval replace a confirmation.
  expect(await running.sign({ ...coldTransfer('3'), digest: request('withdrawal 3').digest })).toEqual(
    notApproved,
  );
  const asPayment = { ...request('withdrawal 3', { address: COLD }), digest: coldTransfer('3').digest };
  expect(await running.sign(asPayment)).toMatchObject({ refused: expect.stringContaining('the owner') });
  await signer.restart();
  expect(await signer.signer.sign(coldTransfer('1', { nonce: 40 }))).toEqual(first);
  expect(await signer.signer.sign(request('withdrawal 1', { amount: '2' }))).toMatchObject({ nonce: 9 });
  const closed = await aSigner(TOKEN, 'ETH=2/5');
  expect(await closed.signer.sign(coldTransfer('1'))).toEqual({
    refused: 'no cold wallet is configured here',
  });
  await closed.close();
});

function deposit(
  kind: 'sweep' | 'gas',
  id: string,
  changes: Partial<Omit<DepositRequest, 'kind'>> = {},
): DepositRequest {
  const { index = 3 } = changes;
  return {
    kind,
    origin: `${kind} ${id}`,
    chainId: ANVIL_CHAIN,
    network: 'ERC20',
    asset: 'ETH',
    index,
    address: testDepositKeys().deriveChild(index).address,
    amount: '0.01',
    nonce: 0,
    gasLimit: '22000',
    maxFeePerGas: '30000000000',
    maxPriorityFeePerGas: '1000000000',
    ...changes,
  };
}

it('TRE-045 a deposit address pays the hot wallet of the signer only, with nonces of its own, each origin once', async () => {
  const first = await signer.signer.sign(deposit('sweep', '1', { amount: '900' }));
  const token = await signer.signer.sign(deposit('sweep', '2', { asset: 'USDT', amount: '90000' }));
  if ('refused' in first || 'refused' in token) throw new Error('refused');
  const [coin, transfer] = [Transaction.from(first.raw), Transaction.from(token.raw)];
  expect(coin).toMatchObject({ to: account(0).address, data: '0x', value: 900n * 10n ** 18n, nonce: 0 });
  expect(coin.from).toBe(testDepositKeys().deriveChild(3).address);
  expect(transfer.to?.toLowerCase()).toBe(TOKEN);
  expect(transfer.data).toContain(account(0).address.slice(2).toLowerCase());
  expect(transfer).toMatchObject({ from: coin.from, nonce: 1 });
  await signer.restart();
  const { signer: running } = signer;
  expect(await running.sign(deposit('sweep', '1', { amount: '900', nonce: 9 }))).toEqual(first);
  expect(await running.sign(deposit('sweep', '1', { amount: '901' }))).toEqual({
    refused: 'another payment was signed under this name',
  });
  expect(await running.sign(deposit('sweep', '3', { index: 4 }))).toMatchObject({ nonce: 0 });
  expect(await running.sign(deposit('sweep', '4'))).toMatchObject({ nonce: 2 });
  // Transfers from deposit addresses use no nonce of the hot wallet and do not count towards its limits.
  expect(await running.sign(request('withdrawal 1', { amount: '2', nonce: 0 }))).toMatchObject({ nonce: 0 });
  const origin = 'sweep 1';
  const raised = await running.variants({ kind: 'replace', origin, chainId: ANVIL_CHAIN, ...fees(40) });
  if ('refused' in raised) throw new Error(raised.refused);
  const { from, to, value, nonce } = Transaction.from(raised.signed[1]!.raw);
  expect({ from, to, value, nonce }).toEqual({ from: coin.from, to: coin.to, value: coin.value, nonce: 0 });
});

it('TRE-045 gas goes to addresses that the signer derives itself, marked as gas and within its own limit', async () => {
  const { signer: running } = signer;
  const sent = await running.sign(deposit('gas', '1'));
  if ('refused' in sent) throw new Error(sent.refused);
  expect(Transaction.from(sent.raw)).toMatchObject({
    from: account(0).address,
    to: testDepositKeys().deriveChild(3).address,
    data: GAS_TAG,
    value: 10n ** 16n,
  });
  const refusals = [
    [deposit('gas', '2', { address: RECEIVER }), `${RECEIVER} is not the deposit address 3`],
    [deposit('sweep', '2', { address: RECEIVER }), `${RECEIVER} is not the deposit address 3`],
    [deposit('gas', '2', { amount: '0.021' }), '0.021 ETH of gas are more than 0.02'],
    [deposit('gas', '2', { asset: 'USDT' }), 'USDT pays for no gas'],
    [deposit('gas', '2', { origin: 'sweep 2' }), 'sweep 2 is not the name of a gas transfer'],
    [deposit('sweep', '2', { origin: 'withdrawal 2' }), 'withdrawal 2 is not the name of a sweep transfer'],
    [deposit('sweep', '2', { chainId: 1 }), 'chain 1 is not 31337'],
  ] as const;
  for (const [refused, because] of refusals)
    expect(await running.sign(refused)).toEqual({ refused: because });
  expect(await running.sign(deposit('gas', '2', { amount: '0.02' }))).toMatchObject({ nonce: 1 });
  await signer.restart();
  expect(await signer.signer.sign(deposit('gas', '3', { amount: '0.02' }))).toEqual({
    refused: 'with 0.02 ETH of gas more than 0.04 within a day',
  });
});

it('WDR-026 the transaction is built from the payment, and nonces are consecutive', async () => {
  const first = await signer.signer.sign(request('withdrawal 1'));
  const second = await signer.signer.sign(request('withdrawal 2', { asset: 'USDT', amount: '12.5' }));
  if ('refused' in first || 'refused' in second) throw new Error('refused');
  expect([first.nonce, second.nonce]).toEqual([7, 8]);
  expect(Transaction.from(first.raw)).toMatchObject({ to: RECEIVER, value: 15n * 10n ** 17n, data: '0x' });
  const tokenTransfer = Transaction.from(second.raw);
  expect(tokenTransfer.from).toBe(account(0).address);
  expect(tokenTransfer.to?.toLowerCase()).toBe(TOKEN);
  expect(tokenTransfer.data.endsWith((12_500_000).toString(16).padStart(64, '0'))).toBe(true);
});

it('WDR-027 signed payments are remembered after a restart, and an incomplete line is not a payment', async () => {
  const first = await signer.signer.sign(request('withdrawal 1'));
  const file = join(signer.folder, 'signed.jsonl');
  await signer.restart(() => appendFileSync(file, '{"origin":"withdrawal 2","dig'));
  expect(await signer.signer.sign(request('withdrawal 1', { nonce: 40 }))).toEqual(first);
  expect(await signer.signer.sign(request('withdrawal 2'))).toMatchObject({ nonce: 8 });
  await signer.restart();
  expect(readFileSync(file, 'utf8').split('\n').filter(Boolean)).toHaveLength(2);
  expect(await signer.signer.sign(request('withdrawal 3'))).toMatchObject({ nonce: 9 });
  // The limit of 24 hours is 5 ETH, so three payments of 1.5 each are signed and the next one is refused.
  expect(await signer.signer.sign(request('withdrawal 4'))).toEqual({
    refused: 'with 1.5 ETH more than 5 within a day',
  });
});

it.each([
  ['more than at once', { amount: '2.1' }, '2.1 ETH are more than 2 at once'],
  ['another chain', { chainId: 1 }, 'chain 1 is not 31337'],
  ['an asset without a limit', { asset: 'SHIB' }, 'SHIB is not signed here'],
  ['too many digits', { asset: 'USDT', amount: '0.0000001' }, '0.0000001 is no amount of USDT'],
  ['nothing', { amount: '0' }, '0 is no amount of ETH'],
  ['much gas', { gasLimit: '200001' }, '200001 is too much gas'],
  ['dear gas', { maxFeePerGas: '500000000001' }, '500000000001 wei are too much for gas'],
])('WDR-025 %s is refused and uses no nonce', async (_, changes, refused) => {
  expect(await signer.signer.sign(request('withdrawal 1', changes))).toEqual({ refused });
  expect(await signer.signer.sign(request('withdrawal 1'))).toMatchObject({ nonce: 7 });
});

it('WDR-025 unreadable settings are refused with their text', () => {
  expect(() => readSigningTerms({ SIGNER_LIMITS: 'ETH=5' })).toThrow('"ETH=5" must be COIN=ONCE/DAY');
  expect(() => readSigningTerms({ SIGNER_TOKENS: 'USDT=0x1:6' })).toThrow('must be COIN=0x…:DIGITS');
  expect(() => readSigningTerms({ SIGNER_CHAIN_ID: 'one' })).toThrow('SIGNER_CHAIN_ID');
  expect(() => readSigningTerms({ SIGNER_GAS: '1' })).toThrow('SIGNER_GAS must be ONCE/DAY');
});

const fees = (gwei: number) => ({
  maxFeePerGas: `${gwei}000000000`,
  maxPriorityFeePerGas: `${gwei}00000000`,
});

it('WDR-1161 the signer refuses a payment that is not what its owner confirmed, and uses no nonce', async () => {
  const confirmed = request('withdrawal 1');
  const changed = [
    { address: '0x2222222222222222222222222222222222222222' },
    { amount: '1.6' },
    { asset: 'USDT' },
    { owner: '0190a000-0000-7000-8000-000000000002' },
    { network: 'BEP20' },
    { memo: '1' },
    { origin: 'withdrawal 2' },
    { origin: 'sweep 1' },
    { digest: '0'.repeat(64) },
  ];
  for (const fields of changed)
    expect(await signer.signer.sign({ ...confirmed, ...fields })).toEqual({
      refused: 'the digest is not that of what the owner confirmed',
    });
  expect(await signer.signer.sign({ ...confirmed, amount: '1.50' })).toMatchObject({ nonce: 7 });
});

it('WDR-1162 a payment is signed again with higher fees only, and counts once towards the limit of a day', async () => {
  const { signer: running } = signer;
  const replace = (gwei: number) =>
    signer.signer.variants({ kind: 'replace', origin: 'withdrawal 1', chainId: ANVIL_CHAIN, ...fees(gwei) });
  expect(await replace(40)).toEqual({ refused: 'nothing was signed under this name' });
  const first = await running.sign(request('withdrawal 1'));
  if ('refused' in first) throw new Error('refused');
  expect(await replace(32)).toEqual({ refused: 'the fees are not a tenth higher than before' });
  expect(await replace(501)).toMatchObject({ refused: expect.stringContaining('too much for gas') });
  const answer = await replace(40);
  if ('refused' in answer) throw new Error(answer.refused);
  expect(answer.signed.map(({ isVoid }) => isVoid)).toEqual([false, false]);
  const [before, after] = answer.signed.map(({ raw }) => Transaction.from(raw));
  const { to, value, data, nonce, gasLimit } = before!;
  expect(after).toMatchObject({ to, value, data, nonce, gasLimit, maxFeePerGas: 40_000_000_000n });
  await signer.restart();
  const found = await signer.signer.variants({ kind: 'find', origin: 'withdrawal 1', chainId: ANVIL_CHAIN });
  expect(found).toEqual(answer);
  expect(await signer.signer.sign(request('withdrawal 1'))).toEqual(first);
  // The limit of 24 hours is 5 ETH. Replacements of a payment do not count towards it, so three payments of
  // 1.5 each are signed.
  expect(await signer.signer.sign(request('withdrawal 2'))).toMatchObject({ nonce: 8 });
  expect(await signer.signer.sign(request('withdrawal 3'))).toMatchObject({ nonce: 9 });
});

it('WDR-1163 a voided payment is never signed: nothing was, or a transfer of nothing takes its nonce', async () => {
  const voided = (origin: string, gwei: number) =>
    signer.signer.variants({ kind: 'void', origin, chainId: ANVIL_CHAIN, ...fees(gwei) });
  expect(await voided('withdrawal 1', 40)).toEqual({ signed: [], isVoided: true });
  await signer.restart();
  expect(await voided('withdrawal 1', 40)).toEqual({ signed: [], isVoided: true });
  expect(await signer.signer.sign(request('withdrawal 1'))).toEqual({ refused: 'the payment was voided' });

  expect(await signer.signer.sign(request('withdrawal 2'))).toMatchObject({ nonce: 7 });
  const answer = await voided('withdrawal 2', 40);
  if ('refused' in answer) throw new Error(answer.refused);
  expect(answer).toMatchObject({ isVoided: true, signed: [{ isVoid: false }, { isVoid: true }] });
  expect(Transaction.from(answer.signed[1]!.raw)).toMatchObject({
    to: account(0).address,
    value: 0n,
    data: '0x',
    nonce: 7,
  });
  expect(await voided('withdrawal 2', 41)).toEqual(answer);
  await signer.restart();
  expect(await signer.signer.sign(request('withdrawal 2'))).toEqual({ refused: 'the payment was voided' });
  const replaced = { kind: 'replace', origin: 'withdrawal 2', chainId: ANVIL_CHAIN, ...fees(60) } as const;
  expect(await signer.signer.variants(replaced)).toEqual({ refused: 'the payment was voided' });
  expect(await voided('withdrawal 2', 60)).toMatchObject({ signed: { length: 3 } });
  // Voiding a payment does not use another nonce, and does not count towards the limit of 24 hours.
  for (const [at, nonce] of [8, 9].entries())
    expect(await signer.signer.sign(request(`withdrawal ${3 + at}`))).toMatchObject({ nonce });
});

it('KEY-020 a signer at a network address answers a client with its secret and no other', async () => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const remote = await aSigner(TOKEN, 'ETH=2/5', { address: `127.0.0.1:${port}` });
  try {
    const other = join(remote.folder, 'other');
    writeFileSync(other, 'some other secret of the right length');
    const stranger = new SignerClient({ place: remote.place, secretFile: other });
    await expect(stranger.sign(request('withdrawal 1'))).rejects.toThrow('hung up');
    const answer = await new SignerClient(remote).sign(request('withdrawal 1'));
    expect(answer).toMatchObject({ nonce: 7 });
    expect(await new SignerClient(remote).sign(request('withdrawal 1'))).toEqual(answer);
    const entries: string[] = [];
    for await (const { origin } of readSigned(remote.folder)) entries.push(origin);
    expect(entries).toEqual(['withdrawal 1']);
    appendFileSync(join(remote.folder, 'signed.jsonl'), '{"origin":"withdrawal 2","dig');
    const again: string[] = [];
    for await (const { origin } of readSigned(remote.folder)) again.push(origin);
    expect(again).toEqual(entries);
  } finally {
    await remote.close();
  }
});

it('TRE-162 a transaction whose gas can cost too much, or too much within a day, is refused; replacements and voids count what they add', async () => {
  await signer.close();
  signer = await aSigner(TOKEN, 'ETH=2/50', { feeLimits: { once: '0.002', day: '0.004' } });
  const pay = (id: number, gwei: number, gasLimit = '21000') =>
    signer.signer.sign(request(`withdrawal ${id}`, { gasLimit, maxFeePerGas: fees(gwei).maxFeePerGas }));
  const again = (kind: 'replace' | 'void', id: number, gwei: number) =>
    signer.signer.variants({ kind, origin: `withdrawal ${id}`, chainId: ANVIL_CHAIN, ...fees(gwei) });
  expect(await pay(1, 96)).toEqual({
    refused: 'a network fee of 0.002016 ETH is more than 0.002 ETH at once',
  });
  expect(await pay(1, 15, '200000')).toMatchObject({ refused: expect.stringContaining('at once') });
  expect(await pay(1, 60)).toMatchObject({ nonce: 7 });
  expect(await again('replace', 1, 96)).toMatchObject({ refused: expect.stringContaining('at once') });
  expect(await again('replace', 1, 90)).toMatchObject({ signed: { length: 2 } });
  await signer.restart();
  // The fees of the last 24 hours are 0.00189 ETH: 0.00126 of the first transaction, plus the 0.00063 by
  // which the replacement's fee exceeds it.
  expect(await pay(2, 90)).toMatchObject({ nonce: 8 });
  expect(await pay(3, 11)).toEqual({
    refused: 'with a network fee of 0.000231 ETH more than 0.004 ETH of fees within a day',
  });
  expect(await pay(3, 10)).toMatchObject({ nonce: 9 });
  expect(await again('void', 3, 12)).toMatchObject({ refused: expect.stringContaining('within a day') });
  const entries = [];
  for await (const { fee } of readSigned(signer.folder)) entries.push(fee);
  expect(entries).toEqual(['1260000000000000', '630000000000000', '1890000000000000', '210000000000000']);
});

it('TRE-162 the limits of fees have defaults in the coin of the network, and invalid ones are refused by their names', () => {
  const limits = (settings: Readonly<Record<string, string>>) => readSigningTerms(settings).fees;
  const milli = 10n ** 15n;
  expect(limits({})).toEqual({ coin: 'ETH', digits: 18, once: 50n * milli, day: 5_000n * milli });
  expect(limits({ SIGNER_CHAIN_ID: '137' })).toMatchObject({ coin: 'POL', once: 500n * milli });
  expect(limits({ SIGNER_FEE_ONCE: '1', SIGNER_FEE_DAY: '7' })).toMatchObject({
    once: 1_000n * milli,
    day: 7_000n * milli,
  });
  for (const text of ['0', '-1', 'much', '0.0000000000000000001'])
    expect(() => limits({ SIGNER_FEE_ONCE: text })).toThrow('SIGNER_FEE_ONCE must be a number of ETH');
  expect(() => limits({ SIGNER_FEE_DAY: 'much' })).toThrow('SIGNER_FEE_DAY must be a number of ETH');
  expect(() => limits({ SIGNER_FEE_DAY: '0.01' })).toThrow('SIGNER_FEE_DAY must not be less');
});
