import { bodyOf as formBody, currentValues } from '../../../../console/src/form-values.ts';
import type { Operation as Described } from '@exchange/web-kit/console/calls.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, instant, later } from '@exchange/core/time.ts';
import { buyFinance, financeOrders, financeProducts } from '@exchange/wire/finance.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { operate, operateAs } from '../../../testing/operators.ts';
import { createProduct, createSaver, purchase, terms } from '../finance/testing/products.ts';
import { TERMS_TITLE } from '../fund/domain.ts';
import { createFund } from '../fund/testing/funds.ts';
import { createMiningProduct } from '../mining/testing/products.ts';
import { DEMO_TERMS } from '../seconds/demo.ts';
import { createProject } from '../subscription/testing/projects.ts';

type Body = Record<string, unknown>;

const SHOWN = 20;
const WHY = { by: 'test', reason: 'a test' };
const d = (text: string) => Decimal.parse(text);
/** Rounds a time down to a full second, because forms accept times with a precision of one second. */
const toTheSecond = (at: number) => instant(Math.floor(at / 1_000) * 1_000);
const bodyOf = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Body;

describe('versions of published terms', () => {
  let exchange: TestExchange;
  let operations: readonly Described[];
  beforeAll(async () => {
    exchange = await anExchange();
    await exchange.setPrice('btcusdt', '50000');
    await exchange.setPrice('ethusdt', '2500');
    // The first call signs the operator in; requests without a session are refused.
    await operateAs(exchange, 'owner', '/ops/pairs');
    const session = await bodyOf(operateAs(exchange, 'owner', '/ops/session'));
    operations = session['operations'] as Described[];
  });
  afterAll(() => exchange.close());

  const versionsOf = async (path: string, before = '') => {
    const url = `${path}/versions${before === '' ? '' : `?before=${before}`}`;
    return (await bodyOf(operateAs(exchange, 'approver', url))) as { versions: Body[]; next?: string };
  };
  const operationOf = (path: string) =>
    operations.find((operation) => operation.method === 'POST' && operation.path === path)!;
  /** The fields that the console sends when an operator proposes an earlier version again. */
  const formOf = (path: string, version: Body, seenVersion: number) => ({
    ...formBody(operationOf(path), currentValues(operationOf(path), version)),
    version: String(seenVersion),
    reason: 'as before',
  });

  it('OPS-071 versions are listed newest first, in pages, with author, time, reason and changes', async () => {
    await createProduct(exchange, 'paged');
    const { finance } = exchange.doors.finance;
    for (let rate = 2; rate <= SHOWN + 3; rate += 1)
      await finance.publish(terms(exchange, 'paged', { dailyRate: d(`0.000${rate + 10}`) }), {
        by: 'owner, approved by approver',
        reason: `rate ${rate}`,
      });
    const path = '/ops/finance/products/paged';
    const first = await versionsOf(path);
    expect(first.versions.map(({ version }) => version)).toEqual(
      Array.from({ length: SHOWN }, (_, index) => SHOWN + 3 - index),
    );
    expect(first.versions[0]).toMatchObject({
      by: 'owner, approved by approver',
      reason: 'rate 23',
      dailyRate: '0.00033',
      period: 7,
      was: { dailyRate: '0.00032' },
    });
    expect(first.versions[0]!['at']).toBeGreaterThan(0);
    const last = await versionsOf(path, first.next);
    expect(last.versions.map(({ version }) => version)).toEqual([3, 2, 1]);
    expect(last.next).toBeUndefined();
    expect(last.versions.at(-1)).not.toHaveProperty('was');
    expect(await versionsOf('/ops/finance/products/nowhere')).toEqual({ versions: [] });
    expect(await versionsOf(path, 'x')).toMatchObject({ key: 'l.field_number', field: 'before' });
    expect((await versionsOf(path, '9007199254740991')).versions).toHaveLength(SHOWN);
  });

  it('OPS-072 an earlier version is published again through two operators as the next one, and orders keep their terms', async () => {
    const opensAt = toTheSecond(exchange.clock.now() - DAY_MS);
    const id = await createProduct(exchange, 'again', { dailyRate: d('0.002'), opensAt });
    await exchange.doors.finance.finance.publish(
      terms(exchange, 'again', { dailyRate: d('0.001'), name: { 'en-US': 'Other', 'zh-CN': '其他' } }),
      WHY,
    );
    const saver = await createSaver(exchange, { USDT: '1000' });
    await saver.request(buyFinance, purchase(id, '400'));
    const [path, url] = ['/ops/finance/products/:code', '/ops/finance/products/again'];
    const before = await versionsOf(url);
    const oldest = before.versions.at(-1)!;

    const proposed = await operateAs(exchange, 'owner', url, formOf(path, oldest, 2));
    expect(proposed.status).toBe(202);
    const { proposal } = await bodyOf(proposed);
    const approve = (name: string) =>
      bodyOf(operateAs(exchange, name, `/ops/proposals/${proposal as string}/approve`, { reason: 'ok' }));
    expect(await approve('owner')).toMatchObject({ key: 'l.second_person' });
    expect(await versionsOf(url)).toEqual(before);
    expect(await approve('approver')).toMatchObject({ version: 3 });

    const { versions } = await versionsOf(url);
    expect(versions.slice(1)).toEqual(before.versions);
    expect(versions[0]).toMatchObject({ version: 3, by: 'owner, approved by approver', reason: 'as before' });
    const contentOf = ({ version: _, at: __, by: ___, reason: ____, was: _____, ...content }: Body) =>
      content;
    expect(contentOf(versions[0]!)).toEqual(contentOf(oldest));
    const offered = (await exchange.call(financeProducts, { pageSize: '100' })).data.list;
    expect(offered.find((product) => product.id === id)).toMatchObject({ dailyRate: '0.002', version: 3 });
    const { list } = await saver.request(financeOrders, {});
    expect(list).toMatchObject([{ dailyRate: '0.001', name: 'Fixed again' }]);
    await expect(
      exchange.database.pool.query(`update finance_product_version set reason = 'other'`),
    ).rejects.toThrow('append-only');
  });

  it('OPS-072 a proposal from an earlier version refers to the published version that was seen', async () => {
    await createProduct(exchange, 'moved', { dailyRate: d('0.002') });
    const { finance } = exchange.doors.finance;
    await finance.publish(terms(exchange, 'moved'), WHY);
    const [path, url] = ['/ops/finance/products/:code', '/ops/finance/products/moved'];
    const oldest = (await versionsOf(url)).versions.at(-1)!;
    const waiting = await bodyOf(operateAs(exchange, 'owner', url, formOf(path, oldest, 2)));
    await finance.publish(terms(exchange, 'moved', { dailyRate: d('0.0015') }), WHY);
    const outdatedProposal = await operateAs(
      exchange,
      'approver',
      `/ops/proposals/${waiting['proposal'] as string}/approve`,
      {
        reason: 'ok',
      },
    );
    expect(await bodyOf(outdatedProposal)).toMatchObject({ key: 'l.version_changed' });
    expect(await bodyOf(operateAs(exchange, 'owner', url, formOf(path, oldest, 1)))).toMatchObject({
      key: 'l.version_changed',
    });
    expect((await versionsOf(url)).versions[0]).toMatchObject({ version: 3, dailyRate: '0.0015' });
  });

  it('OPS-071 OPS-072 every product, the seconds contract’s terms and the board have versions that the form accepts unchanged', async () => {
    const { mining } = exchange.doors.mining;
    const { funds } = exchange.doors.fund;
    const { subscription } = exchange.doors.subscription;
    const { seconds } = exchange.doors.seconds;
    await createMiningProduct(exchange, 'mine', { opensAt: toTheSecond(exchange.clock.now()) });
    const document = [{ title: TERMS_TITLE, text: { 'en-US': 'A test.', 'zh-CN': '测试。' } }];
    await createFund(exchange, 'basket', { documents: document });
    const startAt = later(toTheSecond(exchange.clock.now()), DAY_MS);
    const times = { startAt, endAt: later(startAt, DAY_MS), listAt: later(startAt, 2 * DAY_MS) };
    await createProject(exchange, 'coin', times);
    await seconds.publish({ ...DEMO_TERMS, blockedCountries: ['US'] }, WHY);
    const text = (words: string) => ({
      titleEn: words,
      titleZh: words,
      contentEn: words,
      contentZh: words,
      reason: 'news',
      fromAt: '0',
      untilAt: '',
    });
    await operate(exchange, '/ops/board/announcements/news', { ...text('One'), topic: 'notice' });
    const banner = { position: '3', picture: 'fund', link: '/market' };
    await operate(exchange, '/ops/board/banners/news-banner', { ...text('One'), ...banner });

    const everything: readonly (readonly [path: string, url: string, changes: Record<string, string>])[] = [
      ['/ops/mining/products/:code', '/ops/mining/products/mine', { dailyRate: '0.0005' }],
      ['/ops/fund/funds/:code', '/ops/fund/funds/basket', { leverages: '1 2', open: '0' }],
      ['/ops/subscription/projects/:code', '/ops/subscription/projects/coin', { ratio: '20' }],
      ['/ops/seconds/terms', '/ops/seconds/terms', { blockedCountries: 'US GB', open: '0' }],
      ['/ops/board/announcements/:code', '/ops/board/announcements/news', { titleEn: 'Two' }],
      ['/ops/board/banners/:code', '/ops/board/banners/news-banner', { link: '', position: '1' }],
    ];
    for (const [path, url, changes] of everything) {
      const [first] = (await versionsOf(url)).versions;
      const changed = { ...formOf(path, first!, 1), ...changes };
      expect([path, (await operate(exchange, url, changed)).status]).toEqual([path, 200]);
      const [second, oldest] = (await versionsOf(url)).versions;
      expect([path, oldest]).toEqual([path, first]);
      expect([path, Object.keys(second!['was'] as Body).length]).toEqual([path, Object.keys(changes).length]);
      expect([path, (await operate(exchange, url, formOf(path, oldest!, 2))).status]).toEqual([path, 200]);
      const [thirdVersion] = (await versionsOf(url)).versions;
      expect([path, thirdVersion!['version']]).toEqual([path, 3]);
      const form = (row: Body) => currentValues(operationOf(path), row);
      expect([path, form(thirdVersion!)]).toEqual([path, form(oldest!)]);
      expect(thirdVersion!['was']).toEqual(
        Object.fromEntries(Object.keys(second!['was'] as Body).map((name) => [name, second![name] ?? null])),
      );
    }
    expect([(await mining.listProducts(undefined)).length, (await funds.listFunds()).length]).toEqual([1, 1]);
    expect((await subscription.projects()).map(({ project }) => project.version)).toEqual([3]);

    const withdrawn = await operateAs(exchange, 'approver', '/ops/board/withdraw/news', { reason: 'wrong' });
    expect(withdrawn.status).toBe(200);
    const [withdrawnVersion] = (await versionsOf('/ops/board/announcements/news')).versions;
    expect(withdrawnVersion).toMatchObject({ version: 4, by: 'approver', was: { isWithdrawn: false } });
    // A banner can be withdrawn even if the screen to which it links no longer exists.
    await exchange.database.pool.query(
      `update board_entry set body = jsonb_set(body::jsonb, '{link}', '"/no-such-screen"') where code = 'news-banner'`,
    );
    const withdrawBanner = '/ops/board/withdraw/news-banner';
    expect((await operateAs(exchange, 'approver', withdrawBanner, { reason: 'old' })).status).toBe(200);
    // The code `news` belongs to an announcement, so the list of versions of a banner with this code is empty.
    expect(await versionsOf('/ops/board/banners/news')).toEqual({ versions: [] });
  });

  it('OPS-071 versions are not shown without a session', async () => {
    expect((await fetch(`${exchange.consoleUrl}/ops/finance/products/paged/versions`)).status).toBe(401);
  });
});
