import { KNOWN_NETWORKS } from '@exchange/core/network-table.ts';
import { LOCALES } from '@exchange/core/locale.ts';
import { instant } from '@exchange/core/time.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { statusPages } from '../apps/server/src/modules/status/page.ts';
import type { ExchangeStatus } from '../apps/server/src/modules/status/service.ts';
import { STATUS_STYLE } from '../apps/server/src/modules/status/style.ts';
import { closeProfiles, sharedBrowser } from './fixtures/browser.ts';
import { openContext } from './fixtures/contexts.ts';
import { accessibilityViolations, textOutside } from './fixtures/inspection.ts';

const AT = instant(Date.UTC(2026, 0, 5, 12, 34));
const TODAY = 20_458;
const WIDTHS = [320, 1_920] as const;
const NOTE = {
  'en-US': 'The node is upgraded: https://explorer.example/a-long-address-without-any-space-in-it',
  'zh-CN': '节点正在升级，请稍候，预计今天恢复。',
  'ko-KR': '노드를 업그레이드하고 있습니다. 오늘 안에 재개될 예정입니다.',
  'ja-JP': 'ノードをアップグレードしています。本日中に再開する予定です。',
} as const;
const OPEN = { state: 'open', pause: undefined } as const;
const PAUSED = {
  state: 'paused',
  pause: {
    note: NOTE,
    since: AT,
    expectedAt: AT,
  },
} as const;
const PAUSE = {
  coin: undefined,
  cause: 'technical',
  newsTime: AT,
  note: NOTE,
} as const;
/** Test data for a bad day: every part of the page has content, and every known network is offered. */
const TROUBLED: ExchangeStatus = {
  at: AT,
  latencies: [1, 20, 300, 4_000, 50_000, 600_000, 70_000, 8_000, 900, 10, 2, 1, 1],
  days: Array.from({ length: 90 }, (_, place) => ({
    day: TODAY - 89 + place,
    uptime: place < 30 ? undefined : 1 - (place % 4) / 100,
  })),
  incidents: [
    {
      id: '1',
      component: 'transfers',
      title: NOTE,
      startedAt: AT,
      endedAt: undefined,
      reports: [
        { at: AT, stage: 'identified', content: NOTE },
        { at: AT, stage: 'watching', content: NOTE },
      ],
    },
  ],
  haltedCoins: [{ coin: 'ETH', pause: PAUSE }],
  pausedCoins: ['USDT'],
  pairs: [{ symbol: 'BTC_USDT', status: 'cancelOnly', pause: PAUSE }],
  withdrawals: [{ network: 'ARBITRUM', finished: 12_345, medianSeconds: 3_600, p95Seconds: 86_400 }],
  networks: KNOWN_NETWORKS.map(({ code, name }, place) => ({
    code,
    name,
    isDelayed: place === 2,
    deposits: place === 2 ? PAUSED : OPEN,
    withdrawals: place === 2 ? PAUSED : OPEN,
  })),
};

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await sharedBrowser();
  page = await (await openContext(browser, {})).newPage();
});
afterAll(() => closeProfiles(browser));

it.each(LOCALES)(
  'JRN-201 on a bad day the status page fits small and large windows in %s, and has no fault for screen readers',
  async (locale) => {
    const [statusPage] = statusPages({ status: () => Promise.resolve(TROUBLED) });
    const { body } = await statusPage!.serve(new URLSearchParams({ lang: locale }));
    await page.setContent(body.replace(/<link rel="stylesheet".*?>/, `<style>${STATUS_STYLE}</style>`));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await accessibilityViolations(page)]).toEqual([colorScheme, []]);
    }
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await page.evaluate(textOutside)]).toEqual([width, []]);
    }
  },
);
