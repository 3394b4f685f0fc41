import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { drawInTwoFrames, drawSoon } from './draw-queue.ts';

const FRAME_MS = 16;

describe('drawing what the feed changed', () => {
  let drawn: string[];
  /** A drawing that takes some time, once it is its turn. */
  const drawing = (name: string, tookMs: number) => () => {
    passedMs += tookMs;
    drawn.push(name);
  };
  let passedMs: number;

  beforeEach(() => {
    drawn = [];
    passedMs = 0;
    vi.useFakeTimers({ toFake: ['requestAnimationFrame'] });
    vi.spyOn(performance, 'now').mockImplementation(() => passedMs);
  });
  afterEach(async () => {
    // The queue is the page's: the next test finds it at rest.
    await vi.advanceTimersByTimeAsync(10 * FRAME_MS);
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const nextFrame = () => vi.advanceTimersByTimeAsync(FRAME_MS);

  it('WEB-096 draws all that changed in one frame while they are quick, each once', async () => {
    const [book, deals] = [drawing('book', 1), drawing('deals', 1)];
    for (const draw of [book, deals, book, book]) drawSoon(draw);
    expect(drawn).toEqual([]);
    await nextFrame();
    expect(drawn).toEqual(['book', 'deals']);
    await nextFrame();
    expect(drawn).toEqual(['book', 'deals']);
  });

  it('WEB-096 leaves to the next frames what a slow device cannot draw in this one, in the order it came', async () => {
    const [book, deals, tickers] = [drawing('book', 9), drawing('deals', 2), drawing('tickers', 9)];
    for (const draw of [book, deals, tickers]) drawSoon(draw);
    await nextFrame();
    expect(drawn).toEqual(['book']);
    drawSoon(book);
    await nextFrame();
    expect(drawn).toEqual(['book', 'deals', 'tickers']);
    await nextFrame();
    expect(drawn).toEqual(['book', 'deals', 'tickers', 'book']);
  });

  it('WEB-096 leaves the frame after a chart to its canvases', async () => {
    const took = vi.fn<(ms: number) => void>();
    drawInTwoFrames(drawing('chart', 1), took);
    drawSoon(drawing('book', 1));
    await nextFrame();
    expect(drawn).toEqual(['chart']);
    await nextFrame();
    expect(drawn).toEqual(['chart']);
    await nextFrame();
    expect(drawn).toEqual(['chart', 'book']);
    expect(took).toHaveBeenCalledOnce();
  });

  it('WEB-096 goes on after a drawing that failed', async () => {
    const failures: unknown[] = [];
    const note = (failure: unknown) => failures.push(failure);
    process.on('uncaughtException', note);
    drawSoon(() => {
      throw new Error('no such row');
    });
    drawSoon(drawing('deals', 1));
    await nextFrame().catch(note);
    await nextFrame().catch(note);
    process.off('uncaughtException', note);
    expect(failures).toHaveLength(1);
    expect(drawn).toEqual(['deals']);
  });
});
