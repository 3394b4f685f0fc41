import { Decimal } from '@exchange/core/decimal.ts';
import { instant, SECOND_MS } from '@exchange/core/time.ts';
import { expect, it } from 'vitest';
import { seededRandom } from '../../../../testing/seeded-random.ts';
import { QuoteBuffer } from './quote-buffer.ts';

const START_MS = Date.UTC(2026, 0, 5);
const PRICE = Decimal.parse('1');

it('MKT-725 after a pause exactly the seconds with a listed quote are composed', () => {
  const random = seededRandom(3);
  for (let round = 0; round < 40; round += 1) {
    const buffer = new QuoteBuffer();
    // At most five quotes within a minute, so that there are long gaps between them. Some lie exactly on a
    // second, to test the boundaries.
    for (let count = random.whole(0, 5); count > 0; count -= 1) {
      const at = instant(
        START_MS + (random.chance(0.5) ? random.whole(0, 60) * SECOND_MS : random.whole(0, 60_000)),
      );
      buffer.add(random.pick(['btcusdt', 'ethusdt']), {
        id: random.pick(['one', 'two']),
        price: PRICE,
        at,
        receivedAt: at,
      });
    }
    const seconds = Array.from({ length: 70 }, (_, second) => instant(START_MS + second * SECOND_MS));
    const listed = seconds.filter((t) =>
      ['btcusdt', 'ethusdt'].some((symbol) => buffer.newest(symbol, t, () => true).length > 0),
    );
    expect([...buffer.filterListed(seconds)]).toEqual(listed);
  }
});
