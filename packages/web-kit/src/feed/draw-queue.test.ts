import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { drawSoon } from './draw-queue.ts';

const FRAME_MS = 16;

describe('drawing what the feed changed', () => {
  let drawn: string[];
  /** A drawing that takes some time, once it is its turn. */
  const drawing = (name: string, tookMs: number) => () => {
    passedMs += tookMs;
    drawn.push(name);
  };
  /** The queue's clock never goes back. */
  let passedMs = 0;

  beforeEach(() => {
    drawn = [];
    vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'setTimeout', 'clearTimeout'] });
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

  it('WEB-171 rests after a slow frame for half as long as it took in all, and not after a quick one', async () => {
    drawSoon(drawing('book', 40));
    await nextFrame();
    drawSoon(drawing('deals', 1));
    await vi.advanceTimersByTimeAsync(19);
    expect(drawn).toEqual(['book']);
    await nextFrame();
    expect(drawn).toEqual(['book', 'deals']);
    drawSoon(drawing('tickers', 1));
    await nextFrame();
    expect(drawn).toEqual(['book', 'deals', 'tickers']);
  });

  it('WEB-096 leaves to the next frames what a slow device cannot draw in this one, in the order it came', async () => {
    const [book, deals, tickers] = [drawing('book', 9), drawing('deals', 1), drawing('tickers', 9)];
    for (const draw of [book, deals, tickers]) drawSoon(draw);
    await nextFrame();
    expect(drawn).toEqual(['book']);
    drawSoon(book);
    await nextFrame();
    expect(drawn).toEqual(['book', 'deals', 'tickers']);
    await nextFrame();
    expect(drawn).toEqual(['book', 'deals', 'tickers', 'book']);
  });

  it('WEB-222 draws what belongs together in one frame, however long it takes and whatever waits between', async () => {
    drawSoon(drawing('header', 9), 'last price');
    drawSoon(drawing('book', 1));
    drawSoon(drawing('tape', 9), 'last price');
    await nextFrame();
    expect(drawn).toEqual(['header', 'tape']);
    await nextFrame();
    await nextFrame();
    expect(drawn).toEqual(['header', 'tape', 'book']);
  });

  it('WEB-096 goes on after a drawing that failed', async () => {
    const failures = await failuresDuring(async () => {
      drawSoon(() => {
        throw new Error('no such row');
      });
      drawSoon(drawing('deals', 1));
      await nextFrame();
    });
    expect(failures).toHaveLength(1);
    expect(drawn).toEqual(['deals']);
  });
});

/** What nobody caught meanwhile. */
async function failuresDuring(act: () => Promise<void>): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  const note = (failure: unknown) => failures.push(failure);
  process.on('uncaughtException', note);
  await act();
  process.off('uncaughtException', note);
  return failures;
}
