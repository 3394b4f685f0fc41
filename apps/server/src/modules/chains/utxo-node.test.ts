import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aRecordedNode } from '../../../testing/recorded/recorded-node.ts';
import { ChannelUnavailable } from './channel.ts';
import { UtxoNode } from './utxo-node.ts';

it('DEP-039 a node of the Bitcoin family is not believed about another transaction than was asked for', async () => {
  const [txid, other, blockhash] = ['a1', 'a2', 'b1'].map((start) => start.padEnd(64, '0')) as [
    string,
    string,
    string,
  ];
  const answers = new Map<unknown, unknown>([
    ['getrawtransaction', { txid, blockhash, vin: [], vout: [] }],
    ['getblockheader', { hash: blockhash, height: 7, confirmations: 1 }],
    ['getblockhash', blockhash],
  ]);
  const { url, stop } = await aRecordedNode(({ body: { method } }) => ({
    result: answers.get(method),
    error: null,
  }));
  const folder = mkdtempSync(join(tmpdir(), 'exchange-node-'));
  try {
    const authFile = join(folder, 'cookie');
    writeFileSync(authFile, 'name:password');
    const node = new UtxoNode(url, authFile);
    expect(await node.mined(txid)).toMatchObject({ transaction: { txid }, block: 7 });
    await expect(node.mined(other)).rejects.toThrow(ChannelUnavailable);
  } finally {
    stop();
    rmSync(folder, { recursive: true });
  }
});
