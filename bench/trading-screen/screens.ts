import { setTimeout as sleep } from 'node:timers/promises';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { enterAsDemoTrader } from '../../e2e/stage/acts.ts';
import { addressOf, DESKTOP, PHONE, type launchBrowser, type Seat } from '../../e2e/stage/browser.ts';
import { monotonicMs, quietMachine, recordSteal, watchMachine } from '../measuring/machine.ts';
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

/** What is seen of a screen during some seconds in which it is left alone with its feed. */
export interface Seen extends Noticed {
  readonly seconds: number;
  /** Share of processor time that the host gave to other guests meanwhile; 0 where it is not told. */
  readonly steal: number;
  readonly tasks: { readonly long: readonly LongTask[]; readonly count: number; readonly busyMs: number };
}

/** A long task, and whether the host took a processor away meanwhile. */
export interface LongTask extends Omit<Task, 'beganMs'> {
  readonly isDisturbed: boolean;
}

/** One visit to a screen. */
export interface Visit {
  /** The stretches of it that count, and how many there were in all. */
  readonly seen: readonly Seen[];
  readonly stretches: number;
  /** Of the page's scripts after a collection, before and after. */
  readonly heapBytes: readonly [before: number, after: number];
}

export interface Watching {
  /** Above this share taken by the host a stretch is the host's: another is watched in its place. */
  readonly stealMost: number;
  /** Until when, on the monotonic clock, a screen waits for the host and is watched again. */
  readonly patientUntilMs: number;
}

export const LONG_MS = 50;
const SLOWER = 4;
const SETTLING_MS = 6_000;
/** The host takes processors away in bursts of seconds: a short stretch between two of them can be kept. */
const STRETCH_MS = 5_000;
const STRETCHES = 4;
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

/** Opens a screen as the demo trader, slows the page's processor and watches it for 20 seconds that count. */
export async function watchScreen(
  browser: Browser,
  origin: string,
  screen: Screen,
  { tracing, watching }: { readonly tracing: Tracing; readonly watching: Watching },
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
  // The loader that runs this file names functions with a helper that pages do not have.
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
  const stretch = () => watchStretch(browser, page, screen.name, tracing);
  const { seen, stretches } = await leastDisturbed(stretch, watching);
  const after = await heap();
  await context.close();
  return { seen, stretches, heapBytes: [before, after] };
}

/** As many stretches as are needed that the host hardly disturbed, or of all that there were those it disturbed least. */
async function leastDisturbed(
  watch: () => Promise<Seen>,
  { stealMost, patientUntilMs }: Watching,
): Promise<Pick<Visit, 'seen' | 'stretches'>> {
  const all: Seen[] = [];
  const isEnough = () => all.filter(({ steal }) => steal <= stealMost).length >= STRETCHES;
  while (!isEnough() && (all.length < STRETCHES || monotonicMs() < patientUntilMs)) {
    await quietMachine(stealMost, patientUntilMs);
    all.push(await watch());
  }
  const best = all.toSorted((a, b) => a.steal - b.steal).slice(0, STRETCHES);
  return { seen: all.filter((one) => best.includes(one)), stretches: all.length };
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

async function watchStretch(
  browser: Browser,
  page: Page,
  name: string,
  { directory, isProfiled }: Tracing,
): Promise<Seen> {
  await browser.startTracing(page, { categories: isProfiled ? [...CATEGORIES, PROFILER] : CATEGORIES });
  await takeNoticed(page);
  const seenMachine = watchMachine();
  const endSteal = recordSteal();
  const openedMs = performance.now();
  await sleep(STRETCH_MS);
  const noticed = await takeNoticed(page);
  const seconds = (performance.now() - openedMs) / 1_000;
  const isStolen = endSteal();
  const { steal = 0 } = seenMachine();
  const trace = await browser.stopTracing();
  if (directory !== undefined) {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, `${name.replaceAll(' ', '-')}-${Date.now()}.json`), trace);
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const { long, ...tasks } = tasksOf(traceEvents, LONG_MS);
  const judged = long.map(({ beganMs, ...task }) => ({
    ...task,
    isDisturbed: isStolen(beganMs, beganMs + task.ms),
  }));
  return { ...noticed, seconds, steal, tasks: { ...tasks, long: judged } };
}

function takeNoticed(page: Page): Promise<Noticed> {
  return page.evaluate(() => (window as unknown as { benchProbe: Probe }).benchProbe.take());
}
