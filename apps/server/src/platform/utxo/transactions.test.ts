import { HDNodeWallet } from 'ethers';
import { describe, expect, it } from 'vitest';
import { UTXO_NETWORKS } from '@exchange/core/utxo-network.ts';
import { vbytesOf } from '@exchange/core/utxo-transaction.ts';
import { addressCodec, bytesOf, placesOf } from './scripts.ts';
import { readPrevious, readTransaction, signTransaction } from './transactions.ts';

/** The mnemonic of the published vectors of hardware wallets. */
const PHRASE = `${'all '.repeat(11)}all`;
const FINAL = 0xff_ff_ff_ff;
/** Transaction 50f6f120… of Bitcoin's block 343014, which spends the first output of beafc7cb…, 174,998 units. */
const MINED =
  '01000000017a1ebb08f129fb1cc814b59d63284286d58a7602708ae8be6dd073d8cbc7afbe000000006a47304402204ec6818b86591bbbc2abd5a10d203df49996c4bd5621eb2fa85345bb05458fa602202c9553fb00fc18199af82f4ec8f1055e9aeda6a5bbead1e02303a95a8bc91d31012103f54094da6a0b2e0799286268bb59ca7c83538e81c78e64f6333f40f9e0e222c0ffffffff0222bc0100000000001976a914902c642ba3a22f5c6cfa30a1790c133ddf15cc8888ac50c30000000000001976a914a6450f1945831a81912616691e721b787383f4ed88ac00000000';
const MINED_ID = '50f6f1209ca92d7359564be803cb2c932cde7d370f7cee50fd1fad6790f6206d';
/** A published transaction of Dogecoin with amounts that a JavaScript number does not hold exactly. */
const DOGE =
  '010000000118e15e067bedcf9a2768f1d72a27a056bee41238e5f00137335574c2d5b74c0a0c0000006a4730440220630fb136ace260ea0e28039a1e847d52ab4ca826975bb923681d407375e9ccaa022012c060120d56d1908fe89353927e8746238811ce9e6c4593d7874bd2927beb750121021e49598faaca4bb40db6c73d2aafb93bae864d12b1af9e83c952412f3b02ae4cffffffff02f8500c5381cd04001976a914347b22316f4920eba6b61aa79889c314386f9a6088ac0000c16ff28623001976a914a1e0c04eb8da2d135c3249cf39b69c86494f78b688ac00000000';

describe('transactions without segregated witness', () => {
  const keyAt = async (code: string, path: string) => {
    const place = await placesOf(UTXO_NETWORKS.get(code)!);
    const { privateKey, publicKey } = HDNodeWallet.fromPhrase(PHRASE, '', path);
    return { privateKey: bytesOf(privateKey.slice(2)), ...place(bytesOf(publicKey.slice(2))) };
  };

  it('UTXO-044 signatures are those of the published vectors, down to the id of a mined transaction', async () => {
    const doge = await addressCodec(UTXO_NETWORKS.get('DOGE')!);
    const own = await keyAt('DOGE', "m/44'/3'/0'/1/0");
    const input = {
      txid: '0a4cb7d5c27455333701f0e53812e4be56a0272ad7f168279acfed7b065ee118',
      vout: 12,
      units: 11_351_855_244_633_976n,
      branch: 1,
      index: 0,
    } as const;
    const outputs = [
      { script: doge.scriptOf('D9vbBhmwXgRegm5kVAcx8j6H2GDM87D58T')!, units: 1_351_855_234_633_976n },
      { script: own.script, units: 10_000_000_000_000_000n },
    ];
    expect(await signTransaction('pkh', [input], outputs, () => own, FINAL)).toBe(DOGE);
    const bitcoinKey = await keyAt('BTC', "m/44'/0'/0'/0/4");
    const hash = '15T9DSqc6wjkPxcr2MNVSzF9JAePdvS3n1';
    const script = (await addressCodec(UTXO_NETWORKS.get('BTC')!)).scriptOf(hash)!;
    const spent = {
      ...input,
      txid: 'beafc7cbd873d06dbee88a7002768ad5864228639db514c81cfb29f108bb1e7a',
      vout: 0,
    };
    const mined = await readTransaction(MINED);
    const key = { privateKey: bitcoinKey.privateKey, script };
    const units = 174_998n;
    expect(await signTransaction('pkh', [{ ...spent, units }], mined.outputs, () => key, FINAL)).toBe(MINED);
    expect(mined.txid).toBe(MINED_ID);
  });

  it('UTXO-044 on a network without witness an address of a witness program, which anybody could spend, is none', async () => {
    const [doge, litecoin] = await Promise.all(
      ['DOGE', 'LTC'].map((code) => addressCodec(UTXO_NETWORKS.get(code)!)),
    );
    const scripts = {
      program: `0014${'11'.repeat(20)}`,
      taproot: '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
      keyHash: `76a914${'11'.repeat(20)}88ac`,
      scriptHash: `a914${'11'.repeat(20)}87`,
    };
    for (const program of [scripts.program, scripts.taproot]) {
      const spelled = litecoin!.addressOf(program)!;
      expect(litecoin!.scriptOf(spelled)).toBe(program);
      expect(doge!.addressOf(program)).toBeUndefined();
    }
    // The library accepts a witness address with a Dogecoin prefix, although Dogecoin has no such addresses; the codec
    // must not.
    const { Address, OutScript } = await import('@scure/btc-signer');
    const spelled = Address(UTXO_NETWORKS.get('DOGE')!.versions).encode(
      OutScript.decode(bytesOf(scripts.program)),
    );
    expect(spelled).toMatch(/^doge1q/);
    expect(doge!.scriptOf(spelled)).toBeUndefined();
    for (const script of [scripts.keyHash, scripts.scriptHash])
      expect(doge!.scriptOf(doge!.addressOf(script)!)).toBe(script);
  });

  it('UTXO-043 a previous transaction has the id of its contents, with or without witnesses', async () => {
    const { txid, outputs } = await readPrevious(MINED);
    expect(txid).toBe(MINED_ID);
    expect(outputs.map(({ units }) => units)).toEqual([113_698n, 50_000n]);
    expect(outputs).toEqual((await readTransaction(MINED)).outputs);
    // The example of BIP 143 spends an output without and one with a witness; its id does not cover the witness.
    const mixed =
      '01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc26ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4dbe6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb3566bb0ad253f62fc70f07aeee635711000000';
    const body = mixed.slice(mixed.indexOf('0001') + 4, mixed.indexOf('000247304402203609'));
    const stripped = `01000000${body}11000000`;
    expect(await readPrevious(mixed)).toEqual(await readPrevious(stripped));
    expect((await readPrevious(stripped)).txid).toBe((await readTransaction(stripped)).txid);
    // A changed amount results in another id. A text with missing or additional bytes is refused.
    const changed = await readPrevious(MINED.replace('22bc01', '22bd01'));
    expect([changed.txid === MINED_ID, changed.outputs[0]!.units]).toEqual([false, 113_954n]);
    for (const wrong of ['', '00', `${MINED}00`, MINED.slice(2), MINED.slice(0, -2), '0g'])
      await expect(readPrevious(wrong)).rejects.toThrow(/./);
  });

  it('UTXO-044 the planned size of a transaction is the size that it has at most', async () => {
    const own = await keyAt('DOGE', "m/44'/3'/0'/1/0");
    for (const [inputs, made] of [
      [1, 1],
      [1, 2],
      [7, 101],
      [100, 3],
    ] as const) {
      const spent = Array.from({ length: inputs }, (_, vout) => ({
        txid: '0a4cb7d5c27455333701f0e53812e4be56a0272ad7f168279acfed7b065ee118',
        vout,
        units: 100_000_000_000n,
        branch: 1 as const,
        index: 0,
      }));
      const outputs = Array.from({ length: made }, () => ({ script: own.script, units: 1_000_000n }));
      const bytes = (await signTransaction('pkh', spent, outputs, () => own)).length / 2;
      const planned = vbytesOf(
        inputs,
        outputs.map(({ script }) => script),
        'pkh',
      );
      expect(bytes).toBeLessThanOrEqual(planned);
      // A signature has 71 or 72 bytes, rarely fewer.
      expect(bytes).toBeGreaterThan(planned - 2 * inputs - 1);
    }
  });
});
