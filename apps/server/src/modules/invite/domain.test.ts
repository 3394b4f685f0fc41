import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MARK_REASONS, markReasons, type SharedSignals } from './domain.ts';

const NOTHING: SharedSignals = {
  device: false,
  mailbox: false,
  document: false,
  network: false,
  browser: false,
};

describe('an inviter and an invitee', () => {
  it('INV-922 are marked by a shared device, mailbox or document, or by a shared network with the same browser type', () => {
    for (const reason of ['device', 'mailbox', 'document'] as const)
      expect(markReasons({ ...NOTHING, [reason]: true })).toEqual([reason]);
    expect(markReasons({ ...NOTHING, network: true })).toEqual([]);
    expect(markReasons({ ...NOTHING, browser: true })).toEqual([]);
    expect(markReasons({ ...NOTHING, network: true, browser: true })).toEqual(['network', 'browser']);
  });

  it('INV-922 more similarities never remove a mark, and every reason is listed', () => {
    const signals = fc.record(Object.fromEntries(MARK_REASONS.map((reason) => [reason, fc.boolean()])));
    fc.assert(
      fc.property(signals, fc.constantFrom(...MARK_REASONS), (signalsSubset, reason) => {
        const fewerReasons = markReasons(signalsSubset as SharedSignals);
        const moreReasons = markReasons({ ...(signalsSubset as SharedSignals), [reason]: true });
        expect(moreReasons).toEqual(expect.arrayContaining([...fewerReasons]));
        expect(moreReasons.length === 0 || moreReasons.includes(reason)).toBe(true);
      }),
    );
  });
});
