import { createPublicKey } from 'node:crypto';
import { canonicalText } from '@exchange/core/canonical.ts';
import { checkLeaves } from '@exchange/core/proofs.ts';
import { CHANGES, people, proofFor, type ForgedProof } from '@exchange/core/testing/forged-proofs.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SigningKey } from '../../apps/server/src/platform/secrets/signing-key.ts';
import { leafFault } from './proofs.mjs';

const signingKey = new SigningKey(Buffer.alloc(32, 5));
const keys = new Map([[signingKey.id, createPublicKey(signingKey.publicKey)]]);

/** Creates a proof file as users download it from the page. */
function fileOf({ published, own }: ForgedProof) {
  const statement = { ...published, time: 1_795_219_200_000, entry: 7 };
  return {
    snapshot: { ...statement, receipt: signingKey.sign(`liabilities|${canonicalText(statement)}`) },
    leaf: own,
  };
}

describe('the stand-alone verifier of the proof of liabilities', () => {
  it('POL-010 accepts a correct proof and finds the faults that the screen finds', () => {
    fc.assert(
      fc.property(people, fc.nat(), (all, where) => {
        const honest = proofFor(all, all[where % all.length]!);
        expect(leafFault(fileOf(honest as ForgedProof), { keys })).toBeUndefined();
        for (const [name, change] of Object.entries(CHANGES)) {
          const proof = structuredClone(honest) as ForgedProof;
          const leaf = proof.own.leaves[where % proof.own.leaves.length]!;
          change(proof, leaf, leaf.path[where % leaf.path.length]!);
          expect(Object.values(checkLeaves(proof.published, proof.own)), name).toContain(false);
          expect(leafFaultOf(fileOf(proof)), name).toBeDefined();
        }
      }),
    );
  });

  it('POL-010 with keys the snapshot must have a valid signature', () => {
    const [all] = fc.sample(people, 1);
    const file = fileOf(proofFor(all!, all![0]!) as ForgedProof);
    const later = { ...file, snapshot: { ...file.snapshot, time: file.snapshot.time + 1 } };
    expect(leafFault(later, { keys })).toBe('another signature');
    expect(leafFault(later)).toBeUndefined();
    const other = { ...file.snapshot, receipt: { ...file.snapshot.receipt, key: 'other' } };
    expect(leafFault({ ...file, snapshot: other }, { keys })).toBe('signed with an unknown key');
    expect(leafFault({ snapshot: file.snapshot }, { keys })).toBeUndefined();
  });
});

/**
 * Returns the fault that the verifier finds in a proof file, or the message of the error that it throws; undefined if
 * the file has no fault.
 */
function leafFaultOf(file: object): string | undefined {
  try {
    return leafFault(file, { keys });
  } catch (cause) {
    return String(cause);
  }
}
