import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { AlertCondition } from '@exchange/core/price-alert.ts';
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
  more: Partial<PriceAlert> = {},
): PriceAlert {
  return {
    id,
    owner: 'someone' as UserId,
    symbol: 'btcusdt',
    condition,
    price: d(price),
    from: d('100'),

    repeats: false,
    channels: ['inbox'],
    createdAt: START,
    triggeredAt: undefined,
    isArmed: true,
    sequence: 0,
    ...more,
  };
}

/** A watch on one pair, driven by prices a second apart. */
class Story {
  readonly watch = new AlertWatch();
  private sequence = 0;

  constructor(...alerts: PriceAlert[]) {
    this.watch.move('btcusdt', { price: d('100'), at: START, sequence: 0 });
    for (const alert of alerts) this.watch.begin(alert, START, 0);
  }

  /** What a deal at this price triggers, as `id` or, for one that is armed again, `(id)`. */
  deal(price: string, atSecond: number): string[] {
    this.sequence += 1;
    const at = later(START, atSecond * 1_000);
    return said(this.watch.move('btcusdt', { price: d(price), at, sequence: this.sequence }));
  }

  pass(atSecond: number): string[] {
    return said(this.watch.pass(later(START, atSecond * 1_000), this.sequence));
  }
}

function said(changes: readonly AlertChange[]): string[] {
  return changes.map(({ kind, before }) => (kind === 'triggered' ? before.id : `(${before.id})`));
}

describe('the watch', () => {
  it('WATCH-010 triggers once when the price is reached exactly or jumped over, and then is done', () => {
    const story = new Story(
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

  it('WATCH-012 a percentage triggers on either side, counted from the price at setting', () => {
    const story = new Story(anAlert('three', 'pct', '3'), anAlert('five', 'pct', '5'));
    expect(story.deal('102.99', 1)).toEqual([]);
    expect(story.deal('97', 2)).toEqual(['three']);
    expect(story.deal('105', 3)).toEqual(['five']);
  });

  it('WATCH-013 a repeating price triggers again only after the price has been on the other side', () => {
    const story = new Story(anAlert('a', 'gte', '110', { repeats: true }));
    expect(story.deal('111', 1)).toEqual(['a']);
    expect(story.deal('115', 70)).toEqual([]);
    expect(story.deal('110', 80)).toEqual([]);
    expect(story.deal('109.99', 90)).toEqual(['(a)']);
    expect(story.deal('110', 91)).toEqual(['a']);
  });

  it('WATCH-013 a repeating percentage counts from the price that triggered it', () => {
    const story = new Story(anAlert('p', 'pct', '10', { repeats: true }));
    expect(story.deal('112', 1)).toEqual(['p']);
    expect(story.pass(61)).toEqual([]);
    expect(story.deal('123.19', 62)).toEqual([]);
    expect(story.deal('123.2', 63)).toEqual(['p']);
  });

  it('WATCH-014 triggers at most once a minute; what is still so after the minute triggers then', () => {
    const story = new Story(anAlert('a', 'lte', '90', { repeats: true }));
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

  it('WATCH-017 an ended alert is silent, wherever it waits', () => {
    const story = new Story(
      anAlert('watching', 'pct', '5'),
      anAlert('disarmed', 'gte', '101', { repeats: true }),
      anAlert('resting', 'pct', '1', { repeats: true }),
    );
    expect(story.deal('102', 1).toSorted()).toEqual(['disarmed', 'resting']);
    for (const id of ['watching', 'disarmed', 'resting', 'unknown']) story.watch.end(id);
    expect(story.watch.size).toBe(0);
    expect([...story.deal('10', 2), ...story.deal('900', 3), ...story.pass(900)]).toEqual([]);
  });

  it('WATCH-020 triggers what looking at every alert after every deal would trigger', () => {
    const price = fc.integer({ min: 60, max: 140 }).map((tenths) => Decimal.ofScaled(BigInt(tenths), 1));
    const asked = fc.record({
      condition: fc.constantFrom<AlertCondition>('gte', 'lte', 'pct'),
      price,
      repeats: fc.boolean(),
    });
    const event = fc.oneof(
      { weight: 6, arbitrary: fc.record({ price, ms: fc.nat(30_000) }) },
      { weight: 2, arbitrary: fc.record({ ms: fc.nat(90_000) }) },
      { weight: 1, arbitrary: fc.record({ ends: fc.nat(12) }) },
    );
    fc.assert(
      fc.property(
        price,
        fc.array(asked, { maxLength: 12 }),
        fc.array(event, { maxLength: 60 }),
        (first, all, events) => {
          const [watch, naive] = [new AlertWatch(), new NaiveWatch()];
          let [at, sequence] = [START, 0];
          const same = (one: readonly AlertChange[], other: readonly AlertChange[]) =>
            expect(said(one).toSorted()).toEqual(said(other).toSorted());
          const point = { price: first, at, sequence };
          same(watch.move('btcusdt', point), naive.move(point));
          for (const [n, { condition, price: limit, repeats }] of all.entries()) {
            const alert = anAlert(String(n), condition, limit.toString(), { repeats, from: first });
            same(watch.begin(alert, at, sequence), naive.begin(alert, at, sequence));
          }
          for (const happened of events) {
            if ('ends' in happened) {
              watch.end(String(happened.ends));
              naive.end(String(happened.ends));
              continue;
            }
            at = later(at, happened.ms);
            if (!('price' in happened)) {
              same(watch.pass(at, sequence), naive.pass(at, sequence));
              continue;
            }
            sequence += 1;
            const next = { price: happened.price, at, sequence };
            same(watch.move('btcusdt', next), naive.move(next));
          }
          expect(watch.size).toBe(naive.size);
        },
      ),
    );
  });

  it('WATCH-021 a deal that is near no alert costs the same with a hundred thousand of them', () => {
    const watch = new AlertWatch();
    for (let n = 0; n < 50_000; n += 1) {
      watch.begin(anAlert(`up${n}`, 'gte', `${200 + (n % 5_000)}`), START, 0);
      watch.begin(anAlert(`down${n}`, 'lte', `${1 + (n % 50)}`), START, 0);
    }
    const prices = Array.from({ length: 100 }, (_, n) => d(`${100 + n / 2}`));
    const begun = performance.now();
    for (let n = 0; n < 200_000; n += 1)
      watch.move('btcusdt', { price: prices[n % 100]!, at: START, sequence: n });
    // Some tens of milliseconds; looking at each alert would take 20 billion comparisons, minutes on any machine.
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});

describe('bounds', () => {
  it.each(['up', 'down'] as const)(
    'WATCH-020 %s come off in the order in which a price meets them',
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
            const left = added.filter(([atoms, id]) => !removed.some(([a, i]) => a === atoms && i === id));
            const reached = left.filter(([atoms]) => (side === 'up' ? at >= atoms : at <= atoms));
            expect(bounds.isReached(at)).toBe(reached.length > 0);
            const taken = bounds.takeReached(at);
            expect(taken.toSorted()).toEqual(reached.map(([atoms, id]) => `${atoms}.${id}`).toSorted());
            const distances = taken.map((id) => Number(id.split('.')[0]) * (side === 'up' ? 1 : -1));
            expect(distances).toEqual(distances.toSorted((one, other) => one - other));
            expect(bounds.size).toBe(left.length - reached.length);
          },
        ),
      );
    },
  );
});
