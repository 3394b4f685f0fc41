import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { drawSoon } from './draw-queue.ts';

const FRAME_MS = 16;

describe('the draw queue', () => {
  let drawnNames: string[];
  /** A drawing callback that takes `tookMs` milliseconds of mocked time. */
  const slowDraw = (name: string, tookMs: number) => () => {
    passedMs += tookMs;
    drawnNames.push(name);
  };
  /**
   * The mocked time in milliseconds. It is not reset between tests: they share the draw queue, whose clock
   * must never go back.
   */
  let passedMs = 0;

  beforeEach(() => {
    drawnNames = [];
    vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'setTimeout', 'clearTimeout'] });
    vi.spyOn(performance, 'now').mockImplementation(() => passedMs);
  });
  afterEach(async () => {
    // The draw queue is shared by all tests of the process, so each test must leave it idle.
    await vi.advanceTimersByTimeAsync(10 * FRAME_MS);
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const nextFrame = () => vi.advanceTimersByTimeAsync(FRAME_MS);

  it('WEB-096 draws all changes in one frame while they are fast, each once', async () => {
    const [book, deals] = [slowDraw('book', 1), slowDraw('deals', 1)];
    for (const draw of [book, deals, book, book]) drawSoon(draw);
    expect(drawnNames).toEqual([]);
    await nextFrame();
    expect(drawnNames).toEqual(['book', 'deals']);
    await nextFrame();
    expect(drawnNames).toEqual(['book', 'deals']);
  });

  it('WEB-171 pauses after a slow frame for half of its total duration, and not after a fast one', async () => {
    drawSoon(slowDraw('book', 40));
    await nextFrame();
    drawSoon(slowDraw('deals', 1));
    await vi.advanceTimersByTimeAsync(19);
    expect(drawnNames).toEqual(['book']);
    await nextFrame();
    expect(drawnNames).toEqual(['book', 'deals']);
    drawSoon(slowDraw('tickers', 1));
    await nextFrame();
    expect(drawnNames).toEqual(['book', 'deals', 'tickers']);
  });

  it('WEB-096 moves draws that do not fit into this frame to the next frames, in their order', async () => {
    const [book, deals, tickers] = [slowDraw('book', 9), slowDraw('deals', 1), slowDraw('tickers', 9)];
    for (const draw of [book, deals, tickers]) drawSoon(draw);
    await nextFrame();
    expect(drawnNames).toEqual(['book']);
    drawSoon(book);
    await nextFrame();
    expect(drawnNames).toEqual(['book', 'deals', 'tickers']);
    await nextFrame();
    expect(drawnNames).toEqual(['book', 'deals', 'tickers', 'book']);
  });

  it('WEB-222 draws one group in one frame, however long it takes and whatever is queued between', async () => {
    drawSoon(slowDraw('header', 9), 'last price');
    drawSoon(slowDraw('book', 1));
    drawSoon(slowDraw('tape', 9), 'last price');
    await nextFrame();
    expect(drawnNames).toEqual(['header', 'tape']);
    await nextFrame();
    await nextFrame();
    expect(drawnNames).toEqual(['header', 'tape', 'book']);
  });

  it('WEB-096 continues after a failed draw', async () => {
    const failures = await failuresDuring(async () => {
      drawSoon(() => {
        throw new Error('no such row');
      });
      drawSoon(slowDraw('deals', 1));
      await nextFrame();
    });
    expect(failures).toHaveLength(1);
    expect(drawnNames).toEqual(['deals']);
  });
});

/** Runs `act` and returns the errors that nothing caught. */
async function failuresDuring(act: () => Promise<void>): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  const record = (failure: unknown) => failures.push(failure);
  process.on('uncaughtException', record);
  await act();
  process.off('uncaughtException', record);
  return failures;
}
