import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readProof } from '../../../../../tools/verify/stamp.mjs';
import {
  attestedMessages,
  fileBytes,
  PROOF_BYTES_MAX,
  readTimestamp,
  timestampBytes,
  upgraded,
  type Timestamp,
} from './opentimestamps.ts';

/**
 * Two published example proofs of OpenTimestamps, without file headers. Bitcoin block 358391 attests `HELLO`, the proof
 * of `Hello World!` with a line feed. Only a calendar attests `INCOMPLETE`.
 */
const HELLO =
  '03f1c8010100000001e482f9d32ecc3ba657b69d898010857b54457a90497982ff56f97c4ec58e6f98010000006b483045022100b253add1d1cf90844338a475a04ff13fc9e7bd242b07762dea07f5608b2de367022000b268ca9c3342b3769cdd062891317cdcef87aac310b6855e9d93898ebbe8ec0121020d8e4d107d2b339b0050efdd4b4a09245aa056048f125396374ea6a2ab0709c6ffffffff026533e605000000001976a9140bf057d40fbba6744862515f5b55a2310de5772f88aca0860100000000001976a914f00688ac000000000808f120a987f716c533913c314c78e35d35884cac943fa42cac49d2b2c69f4003f85f880808f120dec55b3487e1e3f722a49b55a7783215862785f4a3acb392846019f71dc64a9d0808f120b2ca18f485e080478e025dab3d464b416c0e1ecb6629c9aefce8c8214d0424320808f02011b0e90661196ff4b0813c3eda141bab5e91604837bdf7a0c9df37db0e3a11980808f020c34bc1a4a1093ffd148c016b1e664742914e939efabe4d3d356515914b26d9e20808f020c3e6e7c38c69f6af24c2be34ebac48257ede61ec0a21b9535e4443277be306460808f1200798bf8606e00024e5d5d54bf0c960f629dfb9dad69157455b6f2652c0e8de810808f0203f9ada6d60baa244006bb0aad51448ad2fafb9d4b6487a0999cff26b91f0f5360808f120c703019e959a8dd3faef7489bb328ba485574758e7091f01464eb65872c975c80808f020cbfefff513ff84b915e3fed6f9d799676630f8364ea2a6c7557fad94a5b5d7880808f1200be23709859913babd4460bbddf8ed213e7c8773a4b1face30f8acfdf093b7050808000588960d73d7190103f7ef15';
const HELLO_TEXT = 'Hello World!\n';
/** The Merkle root of block 358391 in the byte order of explorers, which is the reverse of the order in the header. */
const HELLO_ROOT = '8a1b66ecb7cbd07d8139a7e7d7f2c41aab1f5009b8364aaf61d03ad245e47e00';
const INCOMPLETE =
  'f010e754bf93806a7ebaa680ef7bd0114bf408f010b573e8850cfd9e63d1f043fbb6fc250e08f10457cfa5c4f0086fb1ac8d4e4eb0e70083dfe30d2ef90c8e2e2d68747470733a2f2f616c6963652e6274632e63616c656e6461722e6f70656e74696d657374616d70732e6f7267';
const INCOMPLETE_DIGEST = '05c4f616a8e5310d19d938cfd769864d7f4ccdc2ca8b479b10af83564b097af9';
const ALICE = 'https://alice.btc.calendar.opentimestamps.org';

const bytes = (hex: string) => Buffer.from(hex, 'hex');
const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest();

describe('the format of OpenTimestamps', () => {
  it('STAMP-001 published proofs lead to the Merkle root of their block and to their calendar, and keep their bytes', () => {
    const hello = readTimestamp(bytes(HELLO));
    const [attested] = attestedMessages(sha256(HELLO_TEXT), hello);
    expect(attested?.attestation).toEqual({ kind: 'bitcoin', height: 358_391 });
    expect(Buffer.from(attested!.message).reverse().toString('hex')).toBe(HELLO_ROOT);
    const incomplete = readTimestamp(bytes(INCOMPLETE));
    expect(attestedMessages(bytes(INCOMPLETE_DIGEST), incomplete)).toMatchObject([
      { attestation: { kind: 'pending', url: ALICE } },
    ]);
    for (const [proof, timestamp] of [
      [HELLO, hello],
      [INCOMPLETE, incomplete],
    ] as const)
      expect(timestampBytes(timestamp).toString('hex')).toBe(proof);
  });

  it('STAMP-001 the rest of a proof replaces only the attestation that it continues', () => {
    const digest = bytes(INCOMPLETE_DIGEST);
    const timestamp: Timestamp = {
      items: [
        ...readTimestamp(bytes(INCOMPLETE)).items,
        { attestation: { kind: 'pending', url: 'https://another.example' } },
        { attestation: { kind: 'other', tag: '0102030405060708', payload: Buffer.from('kept') } },
      ],
    };
    const [attested] = attestedMessages(digest, timestamp);
    const message = attested!.message;
    const upgrade: Timestamp = {
      items: [
        {
          operation: { kind: 'prepend', argument: Buffer.alloc(300, 7) },
          next: { items: [{ attestation: { kind: 'bitcoin', height: 871_234 } }] },
        },
      ],
    };
    const next = upgraded(digest, timestamp, { url: ALICE, attested: message, upgrade });
    const again = readTimestamp(timestampBytes(next));
    expect(attestedMessages(digest, again).map(({ attestation }) => attestation.kind)).toEqual([
      'bitcoin',
      'pending',
      'other',
    ]);
    expect(upgraded(digest, next, { url: ALICE, attested: Buffer.alloc(32), upgrade })).toEqual(next);
    // The proof file is also read by the stand-alone verifier, which shares no code with the exchange.
    const file = readProof(fileBytes(digest, again));
    expect(file.digest).toEqual(digest);
    expect(file.attested.map(({ height }) => height)).toEqual([871_234, undefined, undefined]);
  });

  it('STAMP-001 refuses whatever is not exactly one proof of a bounded size', () => {
    const proof = bytes(INCOMPLETE);
    for (let end = 0; end < proof.length; end += 1)
      expect(() => readTimestamp(proof.subarray(0, end)), `${end} bytes`).toThrow('ends too early');
    expect(() => readTimestamp(Buffer.concat([proof, Buffer.of(0)]))).toThrow('after its end');
    expect(() => readTimestamp(Buffer.of(0x67))).toThrow('unknown operation');
    expect(() => readTimestamp(Buffer.alloc(5_000, 0x08))).toThrow('nested');
    expect(() => readTimestamp(Buffer.alloc(PROOF_BYTES_MAX + 1))).toThrow('bytes');
    expect(() => readTimestamp(Buffer.concat([Buffer.of(0xf0), Buffer.alloc(9, 0xff)]))).toThrow('too large');
    for (let round = 0; round < 500; round += 1) expect(() => readTimestamp(randomBytes(40))).toThrow(Error);
  });
});
