import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { ALERT_WINDOWS, type AlertCondition } from '@exchange/core/price-alert.ts';
import { instant, later } from '@exchange/core/time.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlertChange, PriceAlert } from './alert.ts';
import { AlertWatch } from './alert-watch.ts';
import { NearestBounds } from './nearest-bounds.ts';
import { NaiveWatch } from '../testing/naive-watch.ts';

const START = instant(1_800_000_000_000);
const d = (text: string) => Decimal.parse(text);

function anAlert(
  id: string,
  condition: AlertCondition,
  price: string,
  overrides: Partial<PriceAlert> = {},
): PriceAlert {
  return {
    id,
    owner: 'someone' as UserId,
    symbol: 'btcusdt',
    condition,
    price: d(price),
    from: d('100'),
    source: 'last',
    pauseMinutes: 1,
    repeats: false,
    channels: ['inbox'],
    order: undefined,
    createdAt: START,
    triggeredAt: undefined,
    isArmed: true,
    sequence: 0,
    ...overrides,
  };
}

/** A watch with price alerts on a single pair, to which a test passes prices at given seconds. */
class Scenario {
  readonly watch = new AlertWatch({ pricesPersist: true });
  private sequence = 0;

  constructor(...alerts: PriceAlert[]) {
    this.watch.updatePrice('btcusdt', { price: d('100'), at: START, sequence: 0 });
    for (const alert of alerts) this.watch.add(alert, START, 0);
  }

  /**
   * Trades at a price and returns the alerts that changed: `id` for a triggered alert, `(id)` for an alert that can
   * trigger again.
   */
  deal(price: string, atSecond: number): string[] {
    this.sequence += 1;
    const at = later(START, atSecond * 1_000);
    return changeTexts(this.watch.updatePrice('btcusdt', { price: d(price), at, sequence: this.sequence }));
  }

  pass(atSecond: number): string[] {
    return changeTexts(this.watch.advanceTime(later(START, atSecond * 1_000), this.sequence));
  }
}

function changeTexts(changes: readonly AlertChange[]): string[] {
  return changes.map(({ kind, before }) => (kind === 'triggered' ? before.id : `(${before.id})`));
}

describe('the watch', () => {
  it('WATCH-010 triggers once when the price is reached exactly or passed, and then ends', () => {
    const story = new Scenario(
      anAlert('up', 'gte', '110'),
      anAlert('down', 'lte', '90'),
      anAlert('far', 'gte', '120'),
    );
    expect(story.deal('109.99', 1)).toEqual([]);
    expect(story.deal('110', 2)).toEqual(['up']);
    expect(story.deal('100', 3)).toEqual([]);
    expect(story.deal('80', 4)).toEqual(['down']);
    expect(story.deal('110', 5)).toEqual([]);
    expect(story.watch.size).toBe(1);
  });

  it('WATCH-012 a percentage triggers on either side, relative to the price at creation', () => {
    const story = new Scenario(anAlert('three', 'pct', '3'), anAlert('five', 'pct', '5'));
    expect(story.deal('102.99', 1)).toEqual([]);
    expect(story.deal('97', 2)).toEqual(['three']);
    expect(story.deal('105', 3)).toEqual(['five']);
  });

  it('WATCH-013 a repeating alert triggers again only after the price was on the other side', () => {
    const story = new Scenario(anAlert('a', 'gte', '110', { repeats: true }));
    expect(story.deal('111', 1)).toEqual(['a']);
    expect(story.deal('115', 70)).toEqual([]);
    expect(story.deal('110', 80)).toEqual([]);
    expect(story.deal('109.99', 90)).toEqual(['(a)']);
    expect(story.deal('110', 91)).toEqual(['a']);
  });

  it('WATCH-013 a repeating percentage is relative to the price that triggered it', () => {
    const story = new Scenario(anAlert('p', 'pct', '10', { repeats: true }));
    expect(story.deal('112', 1)).toEqual(['p']);
    expect(story.pass(61)).toEqual([]);
    expect(story.deal('123.19', 62)).toEqual([]);
    expect(story.deal('123.2', 63)).toEqual(['p']);
  });

  it('WATCH-014 triggers at most once a minute; a condition that still holds after the minute triggers then', () => {
    const story = new Scenario(anAlert('a', 'lte', '90', { repeats: true }));
    expect(story.deal('89', 1)).toEqual(['a']);
    expect(story.deal('91', 10)).toEqual(['(a)']);
    expect(story.deal('88', 20)).toEqual([]);
    expect(story.pass(60)).toEqual([]);
    expect(story.pass(61)).toEqual(['a']);
    expect(story.deal('95', 62)).toEqual(['(a)']);
    expect(story.deal('85', 63)).toEqual([]);
    expect(story.deal('95', 64)).toEqual([]);
    expect(story.pass(121)).toEqual([]);
    expect(story.deal('90', 122)).toEqual(['a']);
  });

  it('ALRT-102 triggers at most once in the pause of its alert', () => {
    const story = new Scenario(anAlert('a', 'pct', '5', { repeats: true, pauseMinutes: 15 }));
    expect(story.deal('106', 1)).toEqual(['a']);
    expect(story.deal('120', 61)).toEqual([]);
    expect(story.pass(900)).toEqual([]);
    expect(story.pass(901)).toEqual(['a']);
  });

  it('ALRT-103 a move within a time is measured from the lowest and the highest price of its window', () => {
    const moves = { windowMinutes: 5 } as const;
    const story = new Scenario(
      anAlert('five', 'move', '5', moves),
      anAlert('hour', 'move', '5', { windowMinutes: 60 }),
    );
    expect(story.deal('104', 59)).toEqual([]);
    // The price of 100 was in force only in the first minute, which is no longer in the window of five minutes.
    expect(story.deal('105', 5 * 60)).toEqual(['hour']);
    expect(story.deal('106', 5 * 60 + 10)).toEqual([]);
    expect(story.deal('100.7', 5 * 60 + 20)).toEqual(['five']);
  });

  it('ALRT-104 a repeating alert on moves triggers again after the move within its time was smaller', () => {
    const story = new Scenario(anAlert('a', 'move', '5', { windowMinutes: 5, repeats: true }));
    expect(story.deal('110', 10)).toEqual(['a']);
    expect(story.deal('111', 120)).toEqual([]);
    // The minute with the price of 100 leaves the window because time passes, without a trade.
    expect(story.pass(299)).toEqual([]);
    expect(story.pass(300)).toEqual(['(a)']);
    expect(story.deal('117', 301)).toEqual(['a']);
  });

  it('ALRT-105 the index is a sample: minutes in which it was unknown are in no window', () => {
    const watch = new AlertWatch({ pricesPersist: false });
    const at = (second: number) => later(START, second * 1_000);
    watch.updatePrice('btcusdt', { price: d('100'), at: START, sequence: 0 });
    watch.add(anAlert('a', 'move', '5', { source: 'index', windowMinutes: 5 }), START, 0);
    const later110 = { price: d('110'), at: at(5 * 60), sequence: 0 };
    expect(changeTexts(watch.updatePrice('btcusdt', later110))).toEqual([]);
    expect(changeTexts(watch.updatePrice('btcusdt', { ...later110, price: d('104') }))).toEqual(['a']);
  });

  it('ALRT-106 windows keep at most their minutes, however long prices rise, and cost a deal constant time', () => {
    const watch = new AlertWatch({ pricesPersist: true });
    watch.add(anAlert('a', 'move', '1000', { windowMinutes: 1_440 }), START, 0);
    const startMs = performance.now();
    for (let n = 0; n < 200_000; n += 1) {
      const point = {
        price: Decimal.ofScaled(BigInt(100_000 + n), 3),
        at: later(START, n * 1_000),
        sequence: n,
      };
      watch.updatePrice('btcusdt', point);
    }
    expect(performance.now() - startMs).toBeLessThan(20_000);
    const windows = watch.windowsOf('btcusdt');
    expect(windows.storedMinutes).toBeLessThanOrEqual(
      2 * ALERT_WINDOWS.reduce((sum, minutes) => sum + minutes + 64, 0),
    );
  });

  it('WATCH-017 an ended alert does not trigger in any state', () => {
    const story = new Scenario(
      anAlert('watching', 'pct', '5'),
      anAlert('disarmed', 'gte', '101', { repeats: true }),
      anAlert('resting', 'pct', '1', { repeats: true }),
    );
    expect(story.deal('102', 1).toSorted()).toEqual(['disarmed', 'resting']);
    for (const id of ['watching', 'disarmed', 'resting', 'unknown']) story.watch.remove(id);
    expect(story.watch.size).toBe(0);
    expect([...story.deal('10', 2), ...story.deal('900', 3), ...story.pass(900)]).toEqual([]);
  });

  it('WATCH-020 triggers the same alerts as a check of every alert after every deal', () => {
    const price = fc.integer({ min: 60, max: 140 }).map((tenths) => Decimal.ofScaled(BigInt(tenths), 1));
    const alertTerms = fc.record({
      condition: fc.constantFrom<AlertCondition>('gte', 'lte', 'pct', 'move'),
      price,
      windowMinutes: fc.constantFrom(5 as const, 15 as const),
      repeats: fc.boolean(),
      pauseMinutes: fc.constantFrom(1 as const, 15 as const),
    });
    const event = fc.oneof(
      { weight: 6, arbitrary: fc.record({ price, ms: fc.nat(30_000) }) },
      { weight: 2, arbitrary: fc.record({ ms: fc.nat(90_000) }) },
      { weight: 1, arbitrary: fc.record({ ends: fc.nat(12) }) },
    );
    fc.assert(
      fc.property(
        price,
        fc.array(alertTerms, { maxLength: 12 }),
        fc.array(event, { maxLength: 60 }),
        (first, allTerms, events) => {
          const [watch, naive] = [new AlertWatch({ pricesPersist: true }), new NaiveWatch()];
          let [at, sequence] = [START, 0];
          const expectSame = (actual: readonly AlertChange[], expected: readonly AlertChange[]) =>
            expect(changeTexts(actual).toSorted()).toEqual(changeTexts(expected).toSorted());
          const point = { price: first, at, sequence };
          expectSame(watch.updatePrice('btcusdt', point), naive.updatePrice(point));
          for (const [n, { condition, price: limit, repeats, pauseMinutes, ...rest }] of allTerms.entries()) {
            const windowMinutes = condition === 'move' ? rest.windowMinutes : undefined;
            const terms = { repeats, pauseMinutes, windowMinutes, from: first };
            const alert = anAlert(String(n), condition, limit.toString(), terms);
            expectSame(watch.add(alert, at, sequence), naive.add(alert, at, sequence));
          }
          for (const step of events) {
            if ('ends' in step) {
              watch.remove(String(step.ends));
              naive.remove(String(step.ends));
              continue;
            }
            at = later(at, step.ms);
            if (!('price' in step)) {
              expectSame(watch.advanceTime(at, sequence), naive.advanceTime(at, sequence));
              continue;
            }
            sequence += 1;
            const next = { price: step.price, at, sequence };
            expectSame(watch.updatePrice('btcusdt', next), naive.updatePrice(next));
          }
          expect(watch.size).toBe(naive.size);
        },
      ),
    );
  });

  it('WATCH-021 a deal that reaches no alert costs the same with a hundred thousand alerts', () => {
    const watch = new AlertWatch({ pricesPersist: true });
    for (let n = 0; n < 50_000; n += 1) {
      watch.add(anAlert(`up${n}`, 'gte', `${200 + (n % 5_000)}`), START, 0);
      watch.add(anAlert(`down${n}`, 'lte', `${1 + (n % 50)}`), START, 0);
    }
    const prices = Array.from({ length: 100 }, (_, n) => d(`${100 + n / 2}`));
    const startMs = performance.now();
    for (let n = 0; n < 200_000; n += 1)
      watch.updatePrice('btcusdt', { price: prices[n % 100]!, at: START, sequence: n });
    // The loop takes tens of milliseconds; comparing each price with each alert would take 20 billion comparisons.
    expect(performance.now() - startMs).toBeLessThan(20_000);
  });
});

describe('bounds', () => {
  it.each(['up', 'down'] as const)(
    'WATCH-020 %s are removed in the order in which a price reaches them',
    (side) => {
      const bound = fc.tuple(fc.bigInt({ min: 0n, max: 30n }), fc.nat(9).map(String));
      fc.assert(
        fc.property(
          fc.uniqueArray(bound, { selector: String }),
          fc.array(bound),
          fc.bigInt({ min: 0n, max: 30n }),
          (added, removed, at) => {
            const bounds = new NearestBounds(side);
            for (const [atoms, id] of added) bounds.add(atoms, `${atoms}.${id}`);
            for (const [atoms, id] of removed) bounds.remove(`${atoms}.${id}`);
            const remaining = added.filter(
              ([atoms, id]) => !removed.some(([a, i]) => a === atoms && i === id),
            );
            const reached = remaining.filter(([atoms]) => (side === 'up' ? at >= atoms : at <= atoms));
            expect(bounds.isReached(at)).toBe(reached.length > 0);
            const removedIds = bounds.removeReached(at);
            expect(removedIds.toSorted()).toEqual(reached.map(([atoms, id]) => `${atoms}.${id}`).toSorted());
            const distances = removedIds.map((id) => Number(id.split('.')[0]) * (side === 'up' ? 1 : -1));
            expect(distances).toEqual(distances.toSorted((a, b) => a - b));
            expect(bounds.size).toBe(remaining.length - reached.length);
          },
        ),
      );
    },
  );
});
