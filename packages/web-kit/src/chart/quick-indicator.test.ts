import type { IndicatorDrawParams } from 'klinecharts';
import { describe, expect, it } from 'vitest';
import { drawIndicator } from './quick-drawing.ts';

type Place = IndicatorDrawParams<unknown, unknown, unknown>;
type Figures = Place['indicator']['figures'];

const UP = '#2ebd85';
const FLAT = '#848e9c';

/** An indicator over four candles, ten pixels apart, of which the last three are seen; a value of 1 is 100 pixels down. */
function placed(figures: Figures, result: readonly Readonly<Record<string, number>>[]) {
  const calls: unknown[] = [];
  const ctx = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...given: number[]) =>
          void calls.push([name, ...given]),
      set: (_, name, value) => {
        if (name === 'fillStyle' || name === 'strokeStyle') calls.push(value);
        return true;
      },
    },
  );
  const indicatorStyles = { lines: [{ color: '#e0a526', size: 1 }], bars: [{ noChangeColor: FLAT }] };
  const place = {
    ctx,
    chart: {
      getStyles: () => ({ indicator: indicatorStyles }),
      getVisibleRange: () => ({ from: 1, to: 4 }),
      getBarSpace: () => ({ bar: 10, halfBar: 5, gapBar: 6, halfGapBar: 3 }),
    },
    indicator: { figures, result },
    xAxis: { convertToPixel: (index: number) => index * 10 },
    yAxis: { convertToPixel: (value: number) => value * 100, getRange: () => ({ from: 0 }) },
  };
  return { calls, isDrawn: drawIndicator(place as unknown as Place) };
}

describe('an indicator', () => {
  it('WEB-169 draws a line as one path, broken where there is no value', () => {
    const line = [{ key: 'ma', type: 'line' }];
    const { calls, isDrawn } = placed(line, [{ ma: 1 }, { ma: 2 }, {}, { ma: 3 }, { ma: 4 }]);
    expect(isDrawn).toBe(true);
    expect(calls.filter((call) => Array.isArray(call) && call[0] !== 'setLineDash')).toEqual([
      ['beginPath'],
      ['moveTo', 10.5, 200.5],
      ['moveTo', 30.5, 300.5],
      ['lineTo', 40.5, 400.5],
      ['stroke'],
    ]);
  });

  it('WEB-169 draws a bar from its base to its value, in the colour the indicator gives it', () => {
    const bars: Figures = [
      {
        key: 'volume',
        type: 'bar',
        baseValue: 0,
        styles: ({ data }) => ({ color: (data.current as { up: number }).up > 0 ? UP : FLAT }),
      },
    ];
    const values = [1, -1, 0, 0.001].map((volume, index) => ({ volume, up: index % 2 }));
    const { calls } = placed(bars, values);
    expect(calls).toEqual([
      UP,
      ['fillRect', 7, -100, 6, 100],
      FLAT,
      ['fillRect', 17, 0, 6, 0],
      UP,
      ['fillRect', 27, 0, 6, 1],
    ]);
  });

  it('WEB-169 draws a hollow bar within its edges', () => {
    const bars: Figures = [
      { key: 'macd', type: 'bar', baseValue: 0, styles: () => ({ style: 'stroke', color: UP }) },
    ];
    const { calls } = placed(bars, [{}, { macd: 1 }]);
    expect(calls).toContainEqual(['strokeRect', 7.5, 0.5, 5, 99]);
  });

  it('WEB-169 leaves other figures to the library', () => {
    const { calls, isDrawn } = placed([{ key: 'sar', type: 'circle' }], [{ sar: 1 }]);
    expect(isDrawn).toBe(false);
    expect(calls).toEqual([]);
  });
});
