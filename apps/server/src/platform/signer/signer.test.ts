import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Transaction } from 'ethers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { account, ANVIL_CHAIN } from '../../../testing/anvil.ts';
import { aSigner } from '../../../testing/test-signer.ts';
import { readSigned } from './journal.ts';
import type { SigningRequest } from './protocol.ts';
import { SignerClient } from './client.ts';
import { readSigningTerms } from './settings.ts';

const TOKEN = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const RECEIVER = '0x1111111111111111111111111111111111111111';

let signer: Awaited<ReturnType<typeof aSigner>>;
beforeEach(async () => {
  signer = await aSigner(TOKEN, 'ETH=2/5, USDT=1000/5000');
});
afterEach(() => signer.close());

function request(origin: string, changes: Partial<SigningRequest> = {}): SigningRequest {
  return {
    origin,
    chainId: ANVIL_CHAIN,
    asset: 'ETH',
    address: RECEIVER,
    amount: '1.5',
    approvedBy: 'a test',
    nonce: 7,
    gasLimit: '21000',
    maxFeePerGas: '30000000000',
    maxPriorityFeePerGas: '1000000000',
    ...changes,
  };
}

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
  // Three payments of 1.5 are signed, of 5 per day.
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
});

it('KEY-020 a signer at a network address answers a client with its secret and no other', async () => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const remote = await aSigner(TOKEN, 'ETH=2/5', `127.0.0.1:${port}`);
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
