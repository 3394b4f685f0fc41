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

describe('a pair of inviter and invited person', () => {
  it('INV-922 is marked by a device, a mailbox or a document, and by a network with the same kind of browser', () => {
    for (const reason of ['device', 'mailbox', 'document'] as const)
      expect(markReasons({ ...NOTHING, [reason]: true })).toEqual([reason]);
    expect(markReasons({ ...NOTHING, network: true })).toEqual([]);
    expect(markReasons({ ...NOTHING, browser: true })).toEqual([]);
    expect(markReasons({ ...NOTHING, network: true, browser: true })).toEqual(['network', 'browser']);
  });

  it('INV-922 more in common never unmarks a pair, and every reason is named', () => {
    const signals = fc.record(Object.fromEntries(MARK_REASONS.map((reason) => [reason, fc.boolean()])));
    fc.assert(
      fc.property(signals, fc.constantFrom(...MARK_REASONS), (some, reason) => {
        const less = markReasons(some as SharedSignals);
        const more = markReasons({ ...(some as SharedSignals), [reason]: true });
        expect(more).toEqual(expect.arrayContaining([...less]));
        expect(more.length === 0 || more.includes(reason)).toBe(true);
      }),
    );
  });
});
