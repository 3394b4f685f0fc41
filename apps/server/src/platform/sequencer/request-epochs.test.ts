import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RequestEpochs } from './request-epochs.ts';

describe('request epochs', () => {
  it('LED-775 the oldest epoch is that of the oldest request under way, in any order of begins and ends', () => {
    const action = fc.oneof(fc.constant<'enter'>('enter'), fc.constant<'advance'>('advance'), fc.nat(20));
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
        const epochs = new RequestEpochs();
        const underWay: number[] = [];
        const begun: { readonly oldest: number; readonly expected: number }[] = [];
        for (const next of actions) {
          if (next === 'enter') {
            underWay.push(epochs.enter());
          } else if (next === 'advance') {
            const { current, oldest } = epochs.advance();
            begun.push({ oldest, expected: Math.min(current, ...underWay) });
          } else if (underWay.length > 0) {
            const [epoch] = underWay.splice(next % underWay.length, 1);
            epochs.leave(epoch!);
          }
        }
        expect(begun.map(({ oldest }) => oldest)).toEqual(begun.map(({ expected }) => expected));
      }),
    );
  });

  it('LED-775 a request that is not under way cannot end', () => {
    const epochs = new RequestEpochs();
    const epoch = epochs.enter();
    epochs.leave(epoch);
    expect(() => epochs.leave(epoch)).toThrow('under way');
  });
});
