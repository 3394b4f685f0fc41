import { createPublicKey } from 'node:crypto';
import { canonicalText } from '@exchange/core/canonical.ts';
import { checkLeaves } from '@exchange/core/proofs.ts';
import { CHANGES, people, proved, type Said } from '@exchange/core/testing/told-proofs.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SigningKey } from '../../apps/server/src/platform/secrets/signing-key.ts';
import { leafFault } from './proofs.mjs';

const signingKey = new SigningKey(Buffer.alloc(32, 5));
const keys = new Map([[signingKey.id, createPublicKey(signingKey.publicKey)]]);

/** A file as the page gives it. */
function fileOf({ published, own }: Said) {
  const said = { ...published, time: 1_795_219_200_000, entry: 7 };
  return {
    snapshot: { ...said, receipt: signingKey.sign(`liabilities|${canonicalText(said)}`) },
    leaf: own,
  };
}

describe('the stand-alone verifier of the proof of liabilities', () => {
  it('POL-010 takes what was counted, and finds the faults that the screen finds', () => {
    fc.assert(
      fc.property(people, fc.nat(), (all, where) => {
        const honest = proved(all, all[where % all.length]!);
        expect(leafFault(fileOf(honest as Said), { keys })).toBeUndefined();
        for (const [name, broken] of Object.entries(CHANGES)) {
          const said = structuredClone(honest) as Said;
          const leaf = said.own.leaves[where % said.own.leaves.length]!;
          broken(said, leaf, leaf.path[where % leaf.path.length]!);
          expect(Object.values(checkLeaves(said.published, said.own)), name).toContain(false);
          expect(leafFaultOf(fileOf(said)), name).toBeDefined();
        }
      }),
    );
  });

  it('POL-010 with the keys the snapshot has to be signed as it stands', () => {
    const [all] = fc.sample(people, 1);
    const file = fileOf(proved(all!, all![0]!) as Said);
    const later = { ...file, snapshot: { ...file.snapshot, time: file.snapshot.time + 1 } };
    expect(leafFault(later, { keys })).toBe('another signature');
    expect(leafFault(later)).toBeUndefined();
    const other = { ...file.snapshot, receipt: { ...file.snapshot.receipt, key: 'other' } };
    expect(leafFault({ ...file, snapshot: other }, { keys })).toBe('signed with an unknown key');
    expect(leafFault({ snapshot: file.snapshot }, { keys })).toBeUndefined();
  });
});

/** What it says, also where it stops reading. */
function leafFaultOf(file: object): string | undefined {
  try {
    return leafFault(file, { keys });
  } catch (cause) {
    return String(cause);
  }
}
