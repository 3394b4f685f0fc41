import { getFigureClass, type IndicatorDrawParams } from 'klinecharts';
import { beforeEach, describe, expect, it } from 'vitest';
import { registerQuickFigures, drawIndicator } from './quick-drawing.ts';

/** A simulated canvas that records all calls and settings. */
function recordingCanvas() {
  const calls: unknown[] = [];
  const target: Record<string, unknown> = {};
  const ctx = new Proxy(target, {
    get: (_, name) =>
      name in target ? target[String(name)] : (...given: unknown[]) => void calls.push([name, ...given]),
    set: (_, name, value) => {
      target[String(name)] = value;
      return true;
    },
  });
  return { ctx: ctx as unknown as CanvasRenderingContext2D, calls, settings: target };
}

const BOX = { x: 10, y: 20, width: 4, height: 30 };

describe('fast chart figures', () => {
  let canvas = recordingCanvas();
  beforeEach(() => {
    canvas = recordingCanvas();
    registerQuickFigures();
    registerQuickFigures();
  });
  const draw = (name: string, attrs: unknown, styles: unknown): void => {
    const Figure = getFigureClass(name)!;
    new Figure({ name, attrs, styles }).draw(canvas.ctx);
  };
  const names = () => canvas.calls.map((call) => (call as [string])[0]);

  it.each([
    ['a filled box', { color: '#2ebd85' }],
    ['a translucent one', { style: 'fill', color: '#2ebd8580' }],
    ['one with an edge of its colour', { style: 'stroke_fill', color: '#2ebd85', borderColor: '#2ebd85' }],
  ])('WEB-169 %s is filled in one call', (_, styles) => {
    draw('rect', BOX, styles);
    expect(canvas.calls).toEqual([['fillRect', 10, 20, 4, 30]]);
    expect(canvas.settings['fillStyle']).toBe(styles.color);
  });

  it.each([
    ['round corners', { color: '#2ebd85', borderRadius: 2 }],
    ['an edge of another colour', { style: 'stroke_fill', color: '#2ebd85', borderColor: '#ffffff' }],
    ['a translucent edge', { style: 'stroke_fill', color: '#2ebd8580', borderColor: '#2ebd8580' }],
    ['an edge alone', { style: 'stroke', borderColor: '#2ebd85' }],
  ])('WEB-169 a rectangle with %s is drawn by the library', (_, styles) => {
    draw('rect', BOX, styles);
    expect(names()).toContain('beginPath');
  });

  it('WEB-169 a transparent rectangle changes nothing', () => {
    draw('rect', BOX, { color: 'transparent' });
    expect(canvas.calls).toEqual([]);
  });

  const WORDS = { color: '#848e9c', family: 'system-ui', size: 10 };

  it('WEB-169 a plain text is written at the library’s position, without being measured', () => {
    const at = { x: 100, y: 50, text: '59,600.00' };
    draw('text', [at, { ...at, align: 'right', baseline: 'middle' }], { ...WORDS, paddingRight: 4 });
    expect(canvas.calls).toEqual([
      ['fillText', '59,600.00', 100, 50],
      ['fillText', '59,600.00', 96, 45],
    ]);
    expect(canvas.settings).toMatchObject({ font: 'normal 10px system-ui', textAlign: 'right' });
  });

  it('WEB-169 a tag, a text with a background, is drawn by the library', () => {
    draw('text', { x: 0, y: 0, text: '1', width: 20, height: 14 }, { ...WORDS, backgroundColor: '#f6465d' });
    expect(names()).toContain('beginPath');
  });
});

type Place = IndicatorDrawParams<unknown, unknown, unknown>;
type Figures = Place['indicator']['figures'];

const UP = '#2ebd85';
const FLAT = '#848e9c';

/**
 * Draws an indicator over candles that are ten pixels apart, of which those with the indexes 1 to 3 are visible. A
 * value of 1 is 100 pixels below the top. Returns the calls on the canvas.
 */
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

describe('a fast indicator', () => {
  it('WEB-169 draws a line as one path, interrupted where values are missing', () => {
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

  it('WEB-169 draws a bar from its base to its value, in the indicator’s colour', () => {
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

  it('WEB-169 draws a hollow bar within its bounds', () => {
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
