import { setTimeout as sleep } from 'node:timers/promises';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signInAsDemoTrader } from '../../e2e/fixtures/actions.ts';
import { addressOf, DESKTOP, PHONE, type launchBrowser, type Viewport } from '../../e2e/fixtures/browser.ts';
import { monotonicMs, waitForQuietMachine, recordSteal, watchMachine } from '../measuring/machine.ts';
import { watchOwnPage, type PageObservations, type Probe } from './probe.ts';
import { tasksOf, type Task, type TraceEvent } from './trace.ts';

export type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

/** A screen of the apps that is measured. */
export interface Screen {
  readonly name: string;
  readonly seat: Viewport;
  /**
   * Path of the screen below the site's URL. Undefined for an empty page, which shows the limits of the machine itself.
   */
  readonly path?: string;
  /** Selectors of elements that must be visible before the measurement. */
  readonly shows: readonly string[];
  /** Brings the opened screen into the state that is measured. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** Factor by which the page's processor is slowed down; 4 by default. */
  readonly slower?: number;
}

const BOOK = '[aria-label="Order book"] button';
const CHART = 'canvas';
const DESK = { seat: { ...DESKTOP, width: 1920, height: 1080 }, path: '/trade', shows: [BOOK, CHART] };
/** Four charts of the pair whose book changes, each with another candle interval, and the ticket. */
const FOUR_CHARTS = {
  seat: { ...DESKTOP, width: 1920, height: 1080 },
  path: '/trade/desk',
  shows: ['[data-kind="chart"]'],
  prepare: async (page: Page) => {
    await page.getByRole('button', { name: 'Layout', exact: true }).click();
    await page.getByRole('button', { name: 'Four charts' }).click();
    await page.locator('[data-kind="chart"]').nth(3).waitFor();
    for (const [at, interval] of ['1m', '5m', '15m', '1h'].entries()) {
      const chart = page.locator('[data-kind="chart"]').nth(at);
      await chart.getByLabel('Pair').selectOption({ label: 'BTC/USDT' });
      await chart.getByRole('button', { name: interval, exact: true }).click();
      await chart.locator('canvas').first().waitFor();
    }
  },
};
/**
 * Name of an empty page, which shows the limits of the machine. The frames of other screens are compared with those of
 * this page.
 */
export const EMPTY_PAGE = 'empty page';
export const SCREENS: readonly Screen[] = [
  { name: EMPTY_PAGE, seat: { ...DESKTOP, width: 1920, height: 1080 }, shows: [] },
  { name: 'desktop', ...DESK },
  { name: 'full speed desktop', ...DESK, slower: 1 },
  { name: 'desk of four charts', ...FOUR_CHARTS },
  { name: 'full speed desk of four charts', ...FOUR_CHARTS, slower: 1 },
  { name: 'mobile', seat: PHONE, path: '/trade', shows: [BOOK] },
  { name: 'mobile chart', seat: PHONE, path: '/trade?view=chart', shows: [CHART] },
];

/** Observations of a screen during one measured interval, without user input. */
export interface Observation extends PageObservations {
  readonly seconds: number;
  /**
   * Share (0 to 1) of processor time that the hypervisor used for other machines. 0 if the system does not report it.
   */
  readonly steal: number;
  readonly tasks: { readonly long: readonly LongTask[]; readonly count: number; readonly busyMs: number };
}

/**
 * A long task of the page. `isDisturbed` is true if the hypervisor used a processor for other virtual machines during
 * the task.
 */
export interface LongTask extends Omit<Task, 'beganMs'> {
  readonly isDisturbed: boolean;
}

/** Result of measuring a screen in intervals of 5 s. */
export interface Visit {
  /**
   * Observations of the intervals that count: those least disturbed by other virtual machines on the host. `stretches`
   * is the number of all measured intervals.
   */
  readonly seen: readonly Observation[];
  readonly stretches: number;
  /** Bytes of the page's heap before and after the measurement, each after a garbage collection. */
  readonly heapBytes: readonly [before: number, after: number];
}

export interface WatchLimits {
  /** Share (0 to 1) of stolen processor time above which an interval is measured again. */
  readonly stealMax: number;
  /**
   * Monotonic time in milliseconds after which the benchmark neither waits for a quiet host nor repeats an interval.
   */
  readonly deadlineMs: number;
}

export const LONG_MS = 50;
const SLOWER = 4;
const SETTLING_MS = 6_000;
/**
 * Length in milliseconds of a measured interval. The hypervisor uses processors for other virtual machines in bursts of
 * seconds, and short intervals fit between two bursts.
 */
const STRETCH_MS = 5_000;
const STRETCHES = 4;
const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8'];
/** Trace category that also records functions. It makes every task slightly slower. */
const PROFILER = 'disabled-by-default-v8.cpu_profiler';
const PHONE_AGENT =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

/**
 * `directory` is the folder for the trace files of all screens; if it is undefined, no file is written. If
 * `isProfiled` is true, the traces also contain the JavaScript functions that ran.
 */
export interface Tracing {
  readonly directory: string | undefined;
  readonly isProfiled: boolean;
}

/**
 * Opens a screen, slows down the page's processor and measures the page in at least four intervals of 5 s, of which the
 * four least disturbed count.
 */
export async function watchScreen(
  browser: Browser,
  origin: string,
  screen: Screen,
  { tracing, watching }: { readonly tracing: Tracing; readonly watching: WatchLimits },
): Promise<Visit> {
  const { seat, slower = SLOWER } = screen;
  const isPhone = seat.site === 'mobile';
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: seat.width, height: seat.height },
    hasTouch: isPhone,
    isMobile: isPhone,
    ...(isPhone ? { userAgent: PHONE_AGENT } : {}),
    colorScheme: 'dark',
    locale: 'en-US',
  });
  // The build tool adds calls of a helper function `__name` to this file's code. The helper does not exist in pages, so
  // the page gets a replacement.
  await context.addInitScript('globalThis.__name = (named) => named');
  await context.addInitScript(watchOwnPage);
  const page = await context.newPage();
  await openScreen(page, screen);
  const tools = await context.newCDPSession(page);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await sleep(SETTLING_MS);
  const heap = async () => {
    await tools.send('HeapProfiler.collectGarbage');
    return (await tools.send('Runtime.getHeapUsage')).usedSize;
  };
  const before = await heap();
  const watchNext = () => watchStretch(browser, page, screen.name, tracing);
  const { seen, stretches } = await leastDisturbed(watchNext, watching);
  const after = await heap();
  await context.close();
  return { seen, stretches, heapBytes: [before, after] };
}

/**
 * Measures at least four intervals, until in four of them the share of stolen processor time is at most
 * `stealMax`, or until the deadline. Returns the four least disturbed ones in the order of their measurement.
 */
async function leastDisturbed(
  watch: () => Promise<Observation>,
  { stealMax, deadlineMs }: WatchLimits,
): Promise<Pick<Visit, 'seen' | 'stretches'>> {
  const stretches: Observation[] = [];
  const isEnough = () => stretches.filter(({ steal }) => steal <= stealMax).length >= STRETCHES;
  while (!isEnough() && (stretches.length < STRETCHES || monotonicMs() < deadlineMs)) {
    await waitForQuietMachine(stealMax, deadlineMs);
    stretches.push(await watch());
  }
  const best = stretches.toSorted((a, b) => a.steal - b.steal).slice(0, STRETCHES);
  return { seen: stretches.filter((stretch) => best.includes(stretch)), stretches: stretches.length };
}

async function openScreen(page: Page, { seat, path, shows, prepare }: Screen): Promise<void> {
  if (path === undefined) {
    await page.goto('about:blank');
    return;
  }
  await signInAsDemoTrader(page);
  await page.goto(addressOf(seat.site, path));
  for (const part of shows) await page.locator(part).first().waitFor();
  await prepare?.(page);
}

async function watchStretch(
  browser: Browser,
  page: Page,
  name: string,
  { directory, isProfiled }: Tracing,
): Promise<Observation> {
  await browser.startTracing(page, { categories: isProfiled ? [...CATEGORIES, PROFILER] : CATEGORIES });
  await takeNoticed(page);
  const disturbanceSoFar = watchMachine();
  const endSteal = recordSteal();
  const startMs = performance.now();
  await sleep(STRETCH_MS);
  const noticed = await takeNoticed(page);
  const seconds = (performance.now() - startMs) / 1_000;
  const isStolen = endSteal();
  const { steal = 0 } = disturbanceSoFar();
  const trace = await browser.stopTracing();
  if (directory !== undefined) {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, `${name.replaceAll(' ', '-')}-${Date.now()}.json`), trace);
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const { long, ...tasks } = tasksOf(traceEvents, LONG_MS);
  const longTasks = long.map(({ beganMs, ...task }) => ({
    ...task,
    isDisturbed: isStolen(beganMs, beganMs + task.ms),
  }));
  return { ...noticed, seconds, steal, tasks: { ...tasks, long: longTasks } };
}

function takeNoticed(page: Page): Promise<PageObservations> {
  return page.evaluate(() => (window as unknown as { benchProbe: Probe }).benchProbe.drain());
}
