import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { originOfId, stepId } from './step-ids.ts';

const SECRET = new Uint32Array([0x1234_5678, 0x9abc_def0, 7, 0xffff_ffff]);

describe('ids of steps', () => {
  it('SEQ-1100 an id leads back to its step and its number within it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 50 }),
        fc.integer({ min: 1, max: 2 ** 22 - 1 }),
        fc.integer({ min: 0, max: 2 ** 42 }),
        (sequence, count, nowMs) => {
          expect(originOfId(SECRET, stepId(SECRET, sequence, count, nowMs))).toEqual({ sequence, count });
        },
      ),
    );
  });
});
