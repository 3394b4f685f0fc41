import { setTimeout as sleep } from 'node:timers/promises';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { enterAsDemoTrader } from '../../e2e/stage/acts.ts';
import { addressOf, DESKTOP, PHONE, type launchBrowser, type Seat } from '../../e2e/stage/browser.ts';
import { watchMachine } from '../measuring/machine.ts';
import { watchOwnPage, type Noticed, type Probe } from './probe.ts';
import { tasksOf, type Task, type TraceEvent } from './trace.ts';

export type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

/** One way of looking at a pair. */
export interface Screen {
  readonly name: string;
  readonly seat: Seat;
  /** Address below the site's; without one the page stays empty, which shows what the machine itself can do. */
  readonly path?: string;
  /** What has to be drawn before anything is measured. */
  readonly shows: readonly string[];
  /** How many times slower the page's processor is made; a quarter of its speed unless said otherwise. */
  readonly slower?: number;
}

const BOOK = '[aria-label="Order book"] button';
const CHART = 'canvas';
const DESK = { seat: { ...DESKTOP, width: 1920, height: 1080 }, path: '/trade', shows: [BOOK, CHART] };
/** What the machine itself can do: every other screen's frames are told as a part of its. */
export const EMPTY_PAGE = 'empty page';
export const SCREENS: readonly Screen[] = [
  { name: EMPTY_PAGE, seat: { ...DESKTOP, width: 1920, height: 1080 }, shows: [] },
  { name: 'desktop', ...DESK },
  { name: 'full speed desktop', ...DESK, slower: 1 },
  { name: 'mobile', seat: PHONE, path: '/trade', shows: [BOOK] },
  { name: 'mobile chart', seat: PHONE, path: '/trade?view=chart', shows: [CHART] },
];

/** What is seen of a screen while it is left alone with its feed. */
export interface Seen extends Noticed {
  readonly seconds: number;
  /** Share of processor time that the host gave to other guests meanwhile; 0 where it is not told. */
  readonly steal: number;
  readonly tasks: { readonly long: readonly Task[]; readonly count: number; readonly busyMs: number };
  /** Of the page's scripts after a collection, before and after. */
  readonly heapBytes: readonly [before: number, after: number];
}

export const LONG_MS = 50;
const SLOWER = 4;
const SETTLING_MS = 6_000;
const WATCHED_MS = 20_000;
const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8'];
/** Tells the functions too, at the price of some time in every task. */
const PROFILER = 'disabled-by-default-v8.cpu_profiler';
const PHONE_AGENT =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

/** Where the trace of every screen is left, if anywhere, and whether it names the functions. */
export interface Tracing {
  readonly directory: string | undefined;
  readonly isProfiled: boolean;
}

/** Opens a screen as the demo trader, slows the page's processor and watches it for 20 seconds. */
export async function watchScreen(
  browser: Browser,
  origin: string,
  screen: Screen,
  tracing: Tracing,
): Promise<Seen> {
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
  // The loader that runs this file names functions with a helper that pages do not have.
  await context.addInitScript('globalThis.__name = (named) => named');
  await context.addInitScript(watchOwnPage);
  const page = await context.newPage();
  await openScreen(page, screen);
  const { seen, trace } = await watched(browser, page, { slower, isProfiled: tracing.isProfiled });
  if (tracing.directory !== undefined) {
    await mkdir(tracing.directory, { recursive: true });
    const file = `${screen.name.replaceAll(' ', '-')}-${Date.now()}.json`;
    await writeFile(join(tracing.directory, file), trace);
  }
  await context.close();
  return seen;
}

async function openScreen(page: Page, { seat, path, shows }: Screen): Promise<void> {
  if (path === undefined) {
    await page.goto('about:blank');
    return;
  }
  await page.goto(addressOf(seat.site, '/login/login'));
  await enterAsDemoTrader(page);
  await page.goto(addressOf(seat.site, path));
  for (const part of shows) await page.locator(part).first().waitFor();
}

async function watched(
  browser: Browser,
  page: Page,
  { slower, isProfiled }: { readonly slower: number; readonly isProfiled: boolean },
): Promise<{ seen: Seen; trace: Buffer }> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await sleep(SETTLING_MS);
  const heap = async () => {
    await tools.send('HeapProfiler.collectGarbage');
    return (await tools.send('Runtime.getHeapUsage')).usedSize;
  };
  const before = await heap();
  await browser.startTracing(page, { categories: isProfiled ? [...CATEGORIES, PROFILER] : CATEGORIES });
  await takeNoticed(page);
  const seenMachine = watchMachine();
  const beganMs = performance.now();
  await sleep(WATCHED_MS);
  const noticed = await takeNoticed(page);
  const seconds = (performance.now() - beganMs) / 1_000;
  const { steal = 0 } = seenMachine();
  const trace = await browser.stopTracing();
  const after = await heap();
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const tasks = tasksOf(traceEvents, LONG_MS);
  return { seen: { ...noticed, seconds, steal, tasks, heapBytes: [before, after] }, trace };
}

function takeNoticed(page: Page): Promise<Noticed> {
  return page.evaluate(() => (window as unknown as { benchProbe: Probe }).benchProbe.take());
}
