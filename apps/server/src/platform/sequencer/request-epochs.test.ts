import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RequestEpochs } from './request-epochs.ts';

describe('request epochs', () => {
  it('LED-775 the oldest epoch is that of the oldest running request, in any order of starts and ends', () => {
    const action = fc.oneof(fc.constant<'enter'>('enter'), fc.constant<'advance'>('advance'), fc.nat(20));
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
        const epochs = new RequestEpochs();
        const running: number[] = [];
        const epochStarts: { readonly oldest: number; readonly expected: number }[] = [];
        for (const action of actions) {
          if (action === 'enter') {
            running.push(epochs.enter());
          } else if (action === 'advance') {
            const { current, oldest } = epochs.advance();
            epochStarts.push({ oldest, expected: Math.min(current, ...running) });
          } else if (running.length > 0) {
            const [epoch] = running.splice(action % running.length, 1);
            epochs.leave(epoch!);
          }
        }
        expect(epochStarts.map(({ oldest }) => oldest)).toEqual(epochStarts.map(({ expected }) => expected));
      }),
    );
  });

  it('LED-775 a request that is not running cannot end', () => {
    const epochs = new RequestEpochs();
    const epoch = epochs.enter();
    epochs.leave(epoch);
    expect(() => epochs.leave(epoch)).toThrow('under way');
  });
});
