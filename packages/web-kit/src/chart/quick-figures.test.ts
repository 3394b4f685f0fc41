import { getFigureClass } from 'klinecharts';
import { beforeEach, describe, expect, it } from 'vitest';
import { registerQuickFigures } from './quick-drawing.ts';

/** A canvas that records what it was asked, calls and settings. */
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

describe('the figures of the chart', () => {
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
  ])('WEB-169 a box with %s is left to the library', (_, styles) => {
    draw('rect', BOX, styles);
    expect(names()).toContain('beginPath');
  });

  it('WEB-169 a transparent box leaves what is there', () => {
    draw('rect', BOX, { color: 'transparent' });
    expect(canvas.calls).toEqual([]);
  });

  const WORDS = { color: '#848e9c', family: 'system-ui', size: 10 };

  it('WEB-169 a plain text is written where the library would, without being measured', () => {
    const at = { x: 100, y: 50, text: '59,600.00' };
    draw('text', [at, { ...at, align: 'right', baseline: 'middle' }], { ...WORDS, paddingRight: 4 });
    expect(canvas.calls).toEqual([
      ['fillText', '59,600.00', 100, 50],
      ['fillText', '59,600.00', 96, 45],
    ]);
    expect(canvas.settings).toMatchObject({ font: 'normal 10px system-ui', textAlign: 'right' });
  });

  it('WEB-169 a tag, a text on a ground of its own, is left to the library', () => {
    draw('text', { x: 0, y: 0, text: '1', width: 20, height: 14 }, { ...WORDS, backgroundColor: '#f6465d' });
    expect(names()).toContain('beginPath');
  });
});
