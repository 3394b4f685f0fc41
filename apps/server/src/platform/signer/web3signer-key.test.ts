import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Decimal } from '@exchange/core/decimal.ts';
import { keccak256, SigningKey, Transaction, type Signature } from 'ethers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { paymentsIn } from '../../commands/restore/signed-payments.ts';
import { account, ANVIL_CHAIN } from '../../../testing/anvil.ts';
import { confirmedDigest } from '../../../testing/test-signer.ts';
import { TEST_DIGEST_KEY } from '../../../testing/signers.ts';
import { SigningJournal } from './journal.ts';
import type { SigningRequest } from './protocol.ts';
import { readSigningTerms, readWeb3Signer } from './settings.ts';
import { Signer } from './signer.ts';
import { Web3SignerKey } from './web3signer-key.ts';

const WALLET = account(0);
const PUBLIC_KEY = WALLET.signingKey.publicKey.slice(4);
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const OWNER = '0190a000-0000-7000-8000-000000000001';
const FEES = { maxFeePerGas: '40000000000', maxPriorityFeePerGas: '4000000000' };

/**
 * Type of the functions that replace the simulated Web3Signer's signature by a faulty answer. A fault that
 * returns undefined has handled the connection itself.
 */
type Fault = (signature: Signature, response: ServerResponse) => string | undefined;

/**
 * A simulated Web3Signer with the published interface for secp256k1 keys. It signs the Keccak hash of the posted bytes
 * with the key that the path names, and answers with r, s and v in hex.
 */
class OwnWeb3Signer {
  readonly signedData: string[] = [];
  fault: Fault | undefined;
  private readonly server: Server;
  private readonly key = new SigningKey(WALLET.privateKey);

  constructor() {
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  async listen(): Promise<URL> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return new URL(`http://127.0.0.1:${(this.server.address() as AddressInfo).port}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (request.method !== 'POST' || request.url !== `/api/v1/eth1/sign/0x${PUBLIC_KEY}`) {
      response.writeHead(404).end();
      return;
    }
    const { data } = JSON.parse(body) as { data: string };
    this.signedData.push(data);
    const signature = this.key.sign(keccak256(data));
    const text = this.fault === undefined ? signature.serialized : this.fault(signature, response);
    if (text !== undefined) response.writeHead(200, { 'content-type': 'text/plain' }).end(text);
  }
}

describe('a key in Web3Signer', () => {
  let remote: OwnWeb3Signer;
  let url: URL;
  let folder: string;
  let journal: SigningJournal;
  let signer: Signer;
  const open = () => {
    journal = new SigningJournal(folder);
    signer = new Signer({
      terms: readSigningTerms({ SIGNER_CHAIN_ID: String(ANVIL_CHAIN), SIGNER_LIMITS: 'ETH=2/5' }),
      wallet: new Web3SignerKey({ url, publicKey: PUBLIC_KEY, tls: undefined, now: () => Date.now() }),
      deposits: undefined,
      journal,
      secret: '',
      digestKey: TEST_DIGEST_KEY,
      now: () => Date.now(),
    });
  };
  const restart = () => {
    journal.close();
    open();
  };
  const lines = () => readFileSync(join(folder, 'signed.jsonl'), 'utf8').split('\n').filter(Boolean).length;

  beforeEach(async () => {
    remote = new OwnWeb3Signer();
    url = await remote.listen();
    folder = mkdtempSync(join(tmpdir(), 'exchange-web3signer-'));
    open();
  });
  afterEach(async () => {
    journal.close();
    rmSync(folder, { recursive: true });
    await remote.close();
  });

  function request(id: string, changes: Partial<SigningRequest> = {}): SigningRequest {
    const payment = {
      owner: OWNER,
      network: 'ERC20',
      asset: 'ETH',
      address: '0x1111111111111111111111111111111111111111',
      amount: '1.5',
    };
    const digest = confirmedDigest({
      id,
      ...payment,
      memo: undefined,
      amount: Decimal.parse(payment.amount),
    });
    return {
      kind: 'pay',
      origin: `withdrawal ${id}`,
      memo: undefined,
      digest,
      chainId: ANVIL_CHAIN,
      approvedBy: 'a test',
      nonce: 7,
      gasLimit: '21000',
      maxFeePerGas: '30000000000',
      maxPriorityFeePerGas: '1000000000',
      ...payment,
      ...changes,
    };
  }
  async function signed(id: string, changes: Partial<SigningRequest> = {}) {
    const answer = await signer.sign(request(id, changes));
    if ('refused' in answer) throw new Error(answer.refused);
    return Transaction.from(answer.raw);
  }
  const lost: Fault = (_signature, response) => {
    response.destroy();
    return undefined;
  };

  it('KEY-027 signs the same transactions as a key in a file, with all checks before the key is used', async () => {
    expect(signer.address).toBe(WALLET.address);
    const transaction = await signed('1');
    expect(transaction).toMatchObject({ from: WALLET.address, nonce: 7, value: 15n * 10n ** 17n });
    expect(remote.signedData).toEqual([transaction.unsignedSerialized]);
    expect(await signer.sign(request('2', { amount: '2.1' }))).toMatchObject({ refused: expect.any(String) });
    expect(await signer.sign(request('2', { digest: '0'.repeat(64) }))).toMatchObject({
      refused: 'the digest is not that of what the owner confirmed',
    });
    expect(remote.signedData).toHaveLength(1);
    const replaced = await signer.variants({
      kind: 'replace',
      origin: 'withdrawal 1',
      chainId: ANVIL_CHAIN,
      ...FEES,
    });
    expect(replaced).toMatchObject({ signed: { length: 2 }, isVoided: false });
    restart();
    expect((await signed('1')).hash).toBe(transaction.hash);
    expect(remote.signedData).toHaveLength(2);
  });

  it.each<readonly [string, Fault, string]>([
    ['a lost answer', lost, 'cannot be used'],
    ['half an answer', ({ serialized }) => serialized.slice(0, 90), 'no signature'],
    ['another text', () => 'ok', 'no signature'],
    ['a long answer', () => '0'.repeat(10_000), 'no signature'],
    [
      'the signature of another key',
      () => new SigningKey(account(1).privateKey).sign(keccak256('0x01')).serialized,
      'another key',
    ],
    [
      'the signature of other data',
      () => WALLET.signingKey.sign(keccak256('0x01')).serialized,
      'another key',
    ],
    [
      'the other value of s',
      ({ r, s, yParity }) =>
        `${r}${(ORDER - BigInt(s)).toString(16).padStart(64, '0')}${yParity === 0 ? '1c' : '1b'}`,
      'no chain accepts',
    ],
    [
      'an error',
      (_signature, response) => {
        response.writeHead(500).end();
        return undefined;
      },
      'answered with 500',
    ],
  ])(
    'KEY-028 after %s the same transaction is signed later, and nothing else with its nonce',
    async (_, fault, text) => {
      remote.fault = fault;
      await expect(signer.sign(request('1'))).rejects.toThrow(text);
      remote.fault = undefined;
      // After the failed signature of payment 1, payment 2 gets the next nonce, also after a restart. Payment 1 keeps
      // its transaction with nonce 7, although the new request states another nonce and a higher fee.
      restart();
      expect((await signed('2')).nonce).toBe(8);
      const transaction = await signed('1', { nonce: 12, maxFeePerGas: '50000000000' });
      expect(transaction.unsignedSerialized).toBe(remote.signedData[0]);
      expect(transaction.nonce).toBe(7);
      // Each payment of 1.5 counts once towards the limit of 5 within 24 hours.
      expect((await signed('3')).nonce).toBe(9);
      restart();
      expect(await signer.sign(request('4'))).toMatchObject({
        refused: expect.stringContaining('within a day'),
      });
      expect(journal.count).toBe(3);
    },
  );

  it('KEY-028 an intent that is not signed yet counts towards the daily limit, and no other payment can use its name', async () => {
    remote.fault = lost;
    for (const id of ['1', '2', '3'])
      await expect(signer.sign(request(id))).rejects.toThrow('cannot be used');
    restart();
    expect(await signer.sign(request('4'))).toMatchObject({
      refused: expect.stringContaining('within a day'),
    });
    expect(await signer.sign(request('1', { amount: '1.4' }))).toEqual({
      refused: 'another payment was signed under this name',
    });
    const find = { kind: 'find', origin: 'withdrawal 1', chainId: ANVIL_CHAIN } as const;
    expect(await signer.variants(find)).toEqual({ signed: [], isVoided: false });
    expect(await signer.variants({ ...find, ...FEES, kind: 'replace' })).toEqual({
      refused: 'nothing was signed under this name',
    });
    const payments = [];
    for await (const payment of paymentsIn([folder])) payments.push(payment);
    expect(payments).toEqual([]);
  });

  it('KEY-028 a payment that may have been signed is voided with the same nonce and higher fees, and never paid', async () => {
    remote.fault = lost;
    await expect(signer.sign(request('1'))).rejects.toThrow('cannot be used');
    const request1 = {
      kind: 'void',
      origin: 'withdrawal 1',
      chainId: ANVIL_CHAIN,
      maxFeePerGas: '20000000000',
      maxPriorityFeePerGas: '1000000000',
    } as const;
    await expect(signer.variants(request1)).rejects.toThrow('cannot be used');
    restart();
    remote.fault = undefined;
    const answer = await signer.variants(request1);
    if ('refused' in answer) throw new Error(answer.refused);
    expect(answer).toMatchObject({ isVoided: true, signed: [{ isVoid: false }, { isVoid: true }] });
    const [payment, nothing] = answer.signed.map(({ raw }) => Transaction.from(raw));
    expect(payment!.unsignedSerialized).toBe(remote.signedData[0]);
    expect(nothing).toMatchObject({ nonce: 7, to: WALLET.address, value: 0n, maxFeePerGas: 33_000_000_000n });
    expect(await signer.sign(request('1'))).toEqual({ refused: 'the payment was voided' });
    // The signature of payment 2's first transaction is lost. The request that voids the payment signs this transaction
    // again first, and then the signature of the voiding transaction is lost.
    remote.fault = lost;
    await expect(signer.sign(request('2'))).rejects.toThrow('cannot be used');
    let answers = 0;
    remote.fault = (signature, response) =>
      answers++ === 0 ? signature.serialized : lost(signature, response);
    const request2 = { ...request1, origin: 'withdrawal 2' };
    await expect(signer.variants(request2)).rejects.toThrow('cannot be used');
    remote.fault = undefined;
    expect(await signer.sign(request('2'))).toMatchObject({ nonce: 8 });
    expect(await signer.variants(request2)).toMatchObject({
      refused: 'the fees are not a tenth higher than before',
    });
    expect(await signer.variants({ ...request2, ...FEES })).toMatchObject({ isVoided: true });
  });

  it('KEY-028 an incomplete line of an intent is removed from the journal at the next start', async () => {
    const complete = lines();
    appendFileSync(join(folder, 'signed.jsonl'), '{"origin":"withdrawal 1","digest":"x","kind":"inte');
    restart();
    expect(lines()).toBe(complete);
    expect((await signed('1')).nonce).toBe(7);
  });

  it('KEY-027 an unknown key and unsafe settings are named', async () => {
    const other = new Web3SignerKey({
      url,
      publicKey: account(1).signingKey.publicKey.slice(4),
      tls: undefined,
      now: () => Date.now(),
    });
    await expect(other.signTransaction({ to: WALLET.address, chainId: 1, type: 2 })).rejects.toThrow(
      `Web3Signer has no key of ${account(1).address}`,
    );
    const settings = (changes: Readonly<Record<string, string>>) =>
      readWeb3Signer({
        SIGNER_WEB3SIGNER_URL: 'http://127.0.0.1:9000',
        SIGNER_WEB3SIGNER_PUBLIC_KEY: `0x${PUBLIC_KEY}`,
        ...changes,
      });
    expect(settings({})).toMatchObject({ publicKey: PUBLIC_KEY, tls: undefined });
    expect(readWeb3Signer({})).toBeUndefined();
    expect(() => settings({ SIGNER_KEYSTORE: 'key.json' })).toThrow('only one of SIGNER_KEYSTORE');
    expect(() => settings({ SIGNER_WEB3SIGNER_URL: 'ftp://x' })).toThrow('must begin with https://');
    expect(() => settings({ SIGNER_WEB3SIGNER_PUBLIC_KEY: WALLET.address })).toThrow('128 hex digits');
    expect(() => settings({ SIGNER_WEB3SIGNER_URL: 'https://10.0.0.8:9000' })).toThrow(
      'is not on this machine',
    );
    expect(() =>
      settings({
        SIGNER_WEB3SIGNER_URL: 'http://10.0.0.8:9000',
        SIGNER_WEB3SIGNER_CA_FILE: 'a',
        SIGNER_WEB3SIGNER_CERT_FILE: 'b',
        SIGNER_WEB3SIGNER_KEY_FILE: 'c',
        SIGNER_WEB3SIGNER_NAME: 'keys.internal',
      }),
    ).toThrow('must begin with https://');
  });
});
