/**
 * `npm run pictures [-- NAME…]`: takes the pictures of the README of a new demo exchange and writes them to
 * `docs/images`, all of them or only those with the given names. The exchange must be built.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { paths } from '@exchange/web-kit/paths.ts';
import type { Browser, Page } from 'playwright-core';
import { openSecondsPosition, signInAsDemoTrader } from './fixtures/actions.ts';
import { DESKTOP, launchBrowser, open, openPerson, PHONE, type Viewport } from './fixtures/browser.ts';
import { openConsole, signInAs } from './fixtures/console.ts';
import { startExchange, type Exchange } from './fixtures/exchange.ts';

interface Picture {
  /** File name of the picture, without its ending. */
  readonly name: string;
  readonly viewport: Viewport;
  readonly scheme: 'dark' | 'light';
  readonly path: string;
  /** Brings the opened screen into the state of the picture. */
  readonly arrange?: (page: Page) => Promise<void>;
}

const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url));
/**
 * Milliseconds after the start of the exchange until the chart of the index price, which shows the last five
 * minutes, is filled.
 */
const WARM_UP_MS = 330_000;
/** Milliseconds after the last request of a screen until its charts are drawn. */
const DRAWN_MS = 2_500;
/** Number of colours of the pictures; more do not look better and make the files larger. */
const COLOURS = 256;

const onDesktop = (name: string, path: string, arrange?: Picture['arrange']): Picture => ({
  name: `desktop-${name}-dark`,
  viewport: DESKTOP,
  scheme: 'dark',
  path,
  ...(arrange === undefined ? {} : { arrange }),
});

const PICTURES: readonly Picture[] = [
  onDesktop('trade', `${paths.trade}?symbol=BTC_USDT`),
  {
    name: 'desktop-desk-dark',
    viewport: { ...DESKTOP, width: 1920, height: 1080 },
    scheme: 'dark',
    path: paths.desk,
    arrange: async (page) => {
      await page.getByRole('button', { name: /^Layout/ }).click();
      await page.getByText('Four charts', { exact: true }).click();
    },
  },
  onDesktop('ladder', `${paths.trade}?symbol=BTC_USDT`, async (page) => {
    await page.getByText('Ladder', { exact: true }).click();
    await page.getByText('Click to place', { exact: true }).click();
  }),
  { name: 'desktop-home-light', viewport: DESKTOP, scheme: 'light', path: paths.home },
  onDesktop('assets', paths.assets),
  onDesktop('seconds', paths.seconds, (page) => openSecondsPosition(page, 'Up')),
  onDesktop('earn', paths.finance),
  onDesktop('mining', paths.mining),
  onDesktop('fund', paths.fund),
  onDesktop('launchpad', paths.subscribe),
  onDesktop('deposit', paths.deposit),
  onDesktop('withdraw', paths.withdraw),
  onDesktop('security', paths.security),
  onDesktop('proofs', paths.proofs),
  onDesktop('tax', paths.taxReport),
  onDesktop('replay', `${paths.replay}?symbol=BTC_USDT`),
  onDesktop('verify', paths.seconds, async (page) => {
    // A position of the seconds contract must have been settled, such as the one opened for an earlier picture.
    await page.getByText('History', { exact: true }).click();
    const settled = page.getByRole('row').filter({ hasText: /Win|Loss/ });
    await settled.first().getByRole('button', { name: 'Verify' }).click();
    const proof = page.getByRole('dialog', { name: 'Proof of the result' });
    await proof.getByRole('button', { name: 'Verify this result' }).click();
    await proof.getByText(': holds').nth(4).waitFor({ state: 'attached' });
  }),
  { name: 'mobile-home-light', viewport: PHONE, scheme: 'light', path: paths.home },
  { name: 'mobile-trade-dark', viewport: PHONE, scheme: 'dark', path: `${paths.trade}?symbol=BTC_USDT` },
  { name: 'mobile-seconds-dark', viewport: PHONE, scheme: 'dark', path: paths.seconds },
];
const CONSOLE = 'operator-console-dark';

async function take(browser: Browser, { origin }: Exchange, picture: Picture): Promise<void> {
  const { context, page } = await openPerson(browser, origin, picture.viewport);
  await page.emulateMedia({ colorScheme: picture.scheme });
  await signInAsDemoTrader(page);
  await open(page, picture.viewport, picture.path);
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await picture.arrange?.(page);
  await pause(DRAWN_MS);
  await store(page, picture.name);
  await context.close();
}

async function takeConsole(browser: Browser, exchange: Exchange): Promise<void> {
  const page = await openConsole(browser, exchange);
  await signInAs(page, 'owner');
  await pause(DRAWN_MS);
  await store(page, CONSOLE);
}

async function store(page: Page, name: string): Promise<void> {
  // The server's own library for pictures makes the files small.
  const sharp = createRequire(new URL('../apps/server/package.json', import.meta.url))('sharp') as (
    picture: Buffer,
  ) => { png(options: object): { toBuffer(): Promise<Buffer> } };
  const picture = sharp(await page.screenshot());
  writeFileSync(`${FOLDER}${name}.png`, await picture.png({ palette: true, colours: COLOURS }).toBuffer());
  process.stdout.write(`${name}\n`);
}

const wanted = new Set(process.argv.slice(2));
const isWanted = (name: string) => wanted.size === 0 || wanted.has(name);
// The demo data are created anew, because the charts of older demo data have no prices between their creation and now.
process.env['SEEDED_DATA'] = '';
const exchange = await startExchange();
await pause(WARM_UP_MS);
const browser = await launchBrowser();
try {
  for (const picture of PICTURES) if (isWanted(picture.name)) await take(browser, exchange, picture);
  if (isWanted(CONSOLE)) await takeConsole(browser, exchange);
} finally {
  await browser.close();
  await exchange.stop();
}
