import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeDrawings, storedDrawings, type StoredDrawing } from './drawing-memory.ts';
import { Drawings, type ShownDrawing, isNear, registerDrawings } from './drawings.ts';
import { frames, stagedChart, type StagedChart } from './testing/staged-chart.ts';

const MINUTE_MS = 60_000;
const LINE: StoredDrawing = {
  tool: 'segment',
  points: [
    { timestamp: 35 * MINUTE_MS, value: 10 },
    { timestamp: 45 * MINUTE_MS, value: 11 },
  ],
};
const LEVEL: StoredDrawing = { tool: 'priceLine', points: [{ timestamp: 40 * MINUTE_MS, value: 9.5 }] };
const REACH_PX = 6;

let stage: StagedChart;
let publishedDrawings: readonly ShownDrawing[] = [];
const selected = () => publishedDrawings.map(({ isSelected }) => isSelected);
const tools = () => storedDrawings('btcusdt').map(({ tool }) => tool);

async function drawingsOf(isTouched: boolean, ...kept: readonly StoredDrawing[]): Promise<Drawings> {
  storeDrawings('btcusdt', kept);
  const drawings = new Drawings(stage.chart, 'btcusdt', {
    isTouched,
    onChange: (now) => (publishedDrawings = now),
  });
  drawings.show();
  await frames();
  return drawings;
}

beforeEach(async () => {
  localStorage.clear();
  stage = await stagedChart();
  registerDrawings(REACH_PX);
});
afterEach(() => stage.close());

describe('a drawing', () => {
  it('WEB-166 is selected by a click near its line and removed alone, from storage too', async () => {
    const drawings = await drawingsOf(false, LINE, LEVEL);
    expect(selected()).toEqual([false, false]);
    expect(drawings.remove()).toBe(false);
    await stage.click(40, 10.5, REACH_PX - 1);
    expect(selected()).toEqual([true, false]);
    expect(drawings.remove()).toBe(true);
    await frames();
    expect(publishedDrawings).toEqual([{ tool: 'priceLine', price: 9.5, isSelected: false }]);
    expect(tools()).toEqual(['priceLine']);
  });

  it('WEB-166 is deselected by a click elsewhere or on another drawing', async () => {
    await drawingsOf(false, LINE, LEVEL);
    await stage.click(40, 10.5);
    await stage.click(40, 9.5);
    expect(selected()).toEqual([false, true]);
    await stage.click(36, 11.5);
    expect(selected()).toEqual([false, false]);
  });

  it('WEB-166 is selected by keyboard and deselected in place', async () => {
    const drawings = await drawingsOf(false, LINE, LEVEL);
    drawings.select(0);
    expect(selected()).toEqual([true, false]);
    drawings.select(1);
    expect(selected()).toEqual([false, true]);
    expect(drawings.deselect()).toBe(true);
    expect(drawings.deselect()).toBe(false);
    expect(publishedDrawings.map(({ tool }) => tool)).toEqual(['segment', 'priceLine']);
    expect(storedDrawings('btcusdt')).toEqual([LINE, LEVEL]);
  });

  it('WEB-166 that was deselected is selected by the next click', async () => {
    const drawings = await drawingsOf(false, LINE);
    await stage.click(40, 10.5);
    drawings.deselect();
    await frames();
    await stage.click(40, 10.5);
    expect(selected()).toEqual([true]);
  });

  it('WEB-166 is not moved by a finger that scrolls the chart before it is selected', async () => {
    const drawings = await drawingsOf(true, LEVEL);
    const locks = () => stage.chart.getOverlays({ groupId: 'drawings' }).map(({ lock }) => lock);
    expect(locks()).toEqual([true]);
    drawings.select(0);
    expect(locks()).toEqual([false]);
    drawings.deselect();
    expect(locks()).toEqual([true]);
  });
});

describe('creating a drawing', () => {
  it('WEB-166 ends with the new drawing selected and stored', async () => {
    const drawings = await drawingsOf(false, LEVEL);
    let done = 0;
    drawings.start('segment', () => (done += 1));
    await stage.click(36, 11.5);
    await stage.click(42, 11);
    expect([done, tools(), selected()]).toEqual([1, ['priceLine', 'segment'], [false, true]]);
  });

  it('WEB-166 that is abandoned leaves nothing', async () => {
    const drawings = await drawingsOf(false, LEVEL);
    let done = 0;
    expect(drawings.abandon()).toBe(false);
    drawings.start('segment', () => (done += 1));
    await stage.click(36, 11.5);
    expect(drawings.abandon()).toBe(true);
    await frames();
    expect([done, tools(), selected()]).toEqual([1, ['priceLine'], [false]]);
    expect(stage.chart.getOverlays({ groupId: 'drawings' }).length).toBe(1);
  });
});

it('WEB-166 a line is hit beside it, but not beyond its ends', () => {
  const line = [
    { x: 0, y: 0 },
    { x: 100, y: 0 },
    { x: 100, y: 50 },
  ];
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 90 }), fc.integer({ min: -20, max: 20 }), (x, y) => {
      expect(isNear({ x, y }, line, REACH_PX)).toBe(Math.abs(y) <= REACH_PX);
    }),
  );
  expect(isNear({ x: 104, y: 25 }, line, REACH_PX)).toBe(true);
  expect(isNear({ x: -5, y: 4 }, line, REACH_PX)).toBe(false);
  expect(isNear({ x: 0, y: 0 }, line.slice(0, 1), REACH_PX)).toBe(false);
});
