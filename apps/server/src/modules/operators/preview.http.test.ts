import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import { announcements } from '@exchange/wire/board.ts';
import { financeDetail, financeProducts } from '@exchange/wire/finance.ts';
import { fundList } from '@exchange/wire/fund.ts';
import { miningProducts } from '@exchange/wire/mining.ts';
import { secondsFullConfig } from '@exchange/wire/seconds.ts';
import { projects } from '@exchange/wire/subscription.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange } from '../../../testing/exchange.ts';
import { operate, operateAs } from '../../../testing/operators.ts';
import { createProduct } from '../finance/testing/products.ts';
import { createMiningProduct } from '../mining/testing/products.ts';

type Body = Record<string, unknown>;
interface Preview {
  readonly kind: string;
  readonly views: readonly { readonly locale: string; readonly inEnglish: string[]; readonly shown: Body }[];
}

const bodyOf = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Body;
const texts = (name: string, words: string) => ({ [`${name}En`]: words, [`${name}Zh`]: `中 ${words}` });

describe('proposed terms as users would see them', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
    await exchange.setPrice('btcusdt', '50000');
    await exchange.setPrice('ethusdt', '2500');
  });
  afterAll(() => exchange.close());

  const previewOf = async (path: string, fields: Record<string, string>, name = 'owner') =>
    (await bodyOf(operateAs(exchange, name, `${path}/preview`, fields))) as unknown as Preview & Body;
  const shownIn = ({ views }: Preview, locale: string) => views.find((view) => view.locale === locale)!.shown;
  const product = (overrides: Record<string, string> = {}) => ({
    asset: 'usdt',
    ...texts('name', '<b>Fixed</b>'),
    ...texts('source', 'The house.'),
    period: '30',
    dailyRate: '0.0002',
    payMode: 'maturity',
    startAmount: '10',
    maxAmount: '5000',
    capacity: '100000',
    manual: '0',
    opensAt: String(exchange.clock.now() - 1000),
    closesAt: '',
    ...overrides,
  });
  const miningProduct = (overrides: Record<string, string> = {}) => {
    const { period: cycle, payMode: _, manual: __, ...sharedFields } = product(overrides);
    return { ...sharedFields, cycle };
  };

  it('OPS-073 a preview shows what the public endpoint answers after publication, also to approvers, and changes nothing', async () => {
    await exchange.doors.finance.finance.fund('USDT', Decimal.parse('1000000'), 'demo');
    await exchange.doors.mining.mining.fund('USDT', Decimal.parse('1000000'), 'demo');
    const opensAt = later(exchange.clock.now(), DAY_MS);
    const project = {
      symbol: 'newc',
      ...texts('name', 'New coin'),
      ...texts('about', 'About'),
      quote: 'USDT',
      ...texts('tokenomics', 'Tokens'),
      ...texts('whitepaper', 'Paper'),
      totalSupply: '1000000',
      issueAmount: '1000',
      ratio: '10',
      hardCapUser: '500',
      tokenDigits: '2',
      minAmount: '10',
      maxAmount: '1000',
      softCap: '',
      startAt: String(opensAt),
      endAt: String(opensAt + DAY_MS),
      listAt: String(opensAt + 2 * DAY_MS),
      lockDays: '10',
      linearDays: '10',
    };
    const fund = {
      asset: 'USDT',
      ...texts('name', 'Majors'),
      constituents: 'btcusdt=0.1 ethusdt=2',
      divisor: '100',
      leverages: '1 2 3',
      minAmount: '10',
      step: '0.001',
      manageRate: '0.0001',
      financeRate: '0.0005',
      mmr: '0.01',
      liqFee: '0.005',
      ...texts('document', 'A test.'),
      open: '1',
    };
    const news = { ...texts('title', 'News'), ...texts('content', 'Words'), topic: 'notice', untilAt: '' };
    const note = { ...news, fromAt: String(exchange.clock.now()) };
    const all = (locale: string) => ({ headers: { 'x-lang': locale } });
    const everything = [
      ['/ops/finance/products/fresh', product(), financeProducts, ['schedule', 'id']],
      ['/ops/mining/products/fresh', miningProduct(), miningProducts, ['schedule', 'id']],
      [
        '/ops/fund/funds/fresh',
        fund,
        fundList,
        ['documents', 'example', 'id', 'navTime', 'spark', 'coverable'],
      ],
      [
        '/ops/subscription/projects/fresh',
        project,
        projects,
        'about tokenomics whitepaper agreementVersion algorithm myCommitted estimate id version'.split(' '),
      ],
      ['/ops/board/announcements/fresh', note, announcements, []],
    ] as const;
    for (const [path, fields, call, extraFields] of everything as readonly (readonly [
      string,
      Record<string, string>,
      typeof financeProducts,
      readonly string[],
    ])[]) {
      const before = await previewOf(path, fields, 'approver');
      expect([path, before.views?.map(({ locale }) => locale)]).toEqual([
        path,
        ['en-US', 'zh-CN', 'ko-KR', 'ja-JP'],
      ]);
      expect(await listed(call)).toEqual([]);
      expect((await operate(exchange, path, { ...fields, reason: 'news' })).status).toBe(200);
      for (const locale of ['en-US', 'zh-CN', 'ja-JP'] as const) {
        const [published] = await eventually(async () => {
          const list = await listed(call, all(locale).headers);
          // A fund has no unit value in the first second after its publication; the attempt is repeated until it has
          // one.
          const isWithout = path.includes('/fund/') && list[0]?.['nav'] === undefined;
          expect([list.length, isWithout]).toEqual([1, false]);
          return list;
        });
        const apart = ([name]: [string, unknown]) => !extraFields.includes(name);
        const only = (row: Body) => Object.fromEntries(Object.entries(row).filter(apart));
        expect([path, only(shownIn(before, locale))]).toEqual([path, only(published!)]);
      }
    }
    const { audit } = (await bodyOf(operateAs(exchange, 'owner', '/ops/audit'))) as { audit: Body[] };
    expect(audit.filter(({ action }) => String(action).endsWith('/preview'))).toEqual([]);
  });

  const listed = async (call: typeof financeProducts, headers: Record<string, string> = {}) =>
    (await exchange.call(call, {}, { headers })).data.list as readonly Body[];

  it('OPS-073 the example is calculated like the product’s detail page', async () => {
    const id = await createProduct(exchange, 'example', { payMode: 'daily' });
    const fields = product({ payMode: 'daily', dailyRate: '0.001', period: '7', startAmount: '100' });
    const preview = await previewOf('/ops/finance/products/example', { ...fields, maxAmount: '600' });
    const { schedule } = (await exchange.call(financeDetail, { id, amount: '600' })).data;
    expect(shownIn(preview, 'en-US')['schedule']).toEqual(schedule);
    expect(shownIn(preview, 'en-US')['schedule']).toMatchObject({ amount: '600', totalProfit: '4.2' });
    expect(shownIn(preview, 'en-US')).toMatchObject({ id, version: 2, maxAmount: '600' });
  });

  it('OPS-073 terms of the seconds contract are previewed as users get them after publication; invalid terms are refused by their field', async () => {
    const path = '/ops/seconds/terms';
    const terms = {
      open: '1',
      durations: '30:0.8:5 60:0.85:20',
      symbols: 'btcusdt ethusdt',
      feeRate: '0.01',
      maxStake: '100',
    };
    const { kind, views } = await previewOf(path, terms, 'approver');
    expect([kind, views.length]).toEqual(['seconds', 4]);
    expect((await operate(exchange, path, { ...terms, reason: 'new terms' })).status).toBe(200);
    await eventually(async () => {
      const { data } = await exchange.call(secondsFullConfig);
      const { version: _, updated: __, ...published } = data;
      expect(shownIn({ kind, views }, 'ja-JP')).toMatchObject(published);
      expect(published.seconds.map(({ second }) => second)).toEqual([30, 60]);
    });
    const refusedBy = async (fields: Record<string, string>) =>
      (await previewOf(path, { ...terms, ...fields }))['field'];
    expect(await refusedBy({ symbols: 'nopenope' })).toBe('symbols');
    expect(await refusedBy({ durations: '30:1.2:5' })).toBe('durations');
    expect(await refusedBy({ feeRate: '' })).toBe('feeRate');
  });

  it('OPS-074 missing translations are listed and shown in English', async () => {
    const partlyTranslated = { ...product(), nameJa: '定期', sourceKo: '하우스' };
    const { kind, views } = await previewOf('/ops/finance/products/words', partlyTranslated);
    expect(kind).toBe('finance');
    expect(views.map(({ locale, inEnglish }) => [locale, inEnglish])).toEqual([
      ['en-US', []],
      ['zh-CN', []],
      ['ko-KR', ['name']],
      ['ja-JP', ['source']],
    ]);
    expect(shownIn({ kind, views }, 'ko-KR')).toMatchObject({ name: '<b>Fixed</b>', source: '하우스' });
    expect(shownIn({ kind, views }, 'ja-JP')).toMatchObject({ name: '定期', source: 'The house.' });
  });

  it('SUB-696 a whitepaper of 20,000 characters in each of four languages is previewed; a longer one is refused by its field', async () => {
    const opensAt = later(exchange.clock.now(), DAY_MS);
    const paper = (characters: number) => ({
      whitepaperEn: 'a'.repeat(20_000),
      whitepaperZh: '白'.repeat(20_000),
      whitepaperJa: '紙'.repeat(20_000),
      whitepaperKo: '백'.repeat(characters),
    });
    const sale = {
      symbol: 'papers',
      ...texts('name', 'Papers'),
      ...texts('about', 'About'),
      ...texts('tokenomics', 'Tokens'),
      quote: 'USDT',
      totalSupply: '1000000',
      issueAmount: '1000',
      ratio: '10',
      hardCapUser: '500',
      tokenDigits: '2',
      minAmount: '10',
      maxAmount: '1000',
      softCap: '',
      startAt: String(opensAt),
      endAt: String(opensAt + DAY_MS),
      listAt: String(opensAt + 2 * DAY_MS),
      lockDays: '10',
      linearDays: '10',
    };
    const path = '/ops/subscription/projects/papers';
    const fits = await previewOf(path, { ...sale, ...paper(20_000) });
    expect(String(shownIn(fits, 'ko-KR')['whitepaper'])).toHaveLength(20_000);
    const published = await operate(exchange, path, { ...sale, ...paper(20_000), reason: 'a sale' });
    expect(published.status).toBe(200);
    expect(
      await bodyOf(operateAs(exchange, 'owner', `${path}/preview`, { ...sale, ...paper(20_001) })),
    ).toMatchObject({
      key: 'l.field_too_long',
      field: 'whitepaperKo',
    });
    const existingSymbol = { ...sale, symbol: 'btc', ...paper(10), reason: 'a sale' };
    expect(
      await bodyOf(operateAs(exchange, 'owner', '/ops/subscription/projects/disguise', existingSymbol)),
    ).toMatchObject({
      key: 'l.asset_exists',
      field: 'symbol',
    });
  });

  it('OPS-073 terms that could not be published are refused by their field, and nobody without a session is answered', async () => {
    await createProduct(exchange, 'taken');
    await createMiningProduct(exchange, 'taken');
    const refusedBy = async (path: string, fields: Record<string, string>) =>
      (await previewOf(path, fields))['field'];
    expect(await refusedBy('/ops/finance/products/taken', product({ asset: 'BTC' }))).toBe('asset');
    expect(await refusedBy('/ops/mining/products/taken', miningProduct({ asset: 'BTC' }))).toBe('asset');
    expect(await refusedBy('/ops/finance/products/new', product({ asset: 'NOPE' }))).toBe('asset');
    expect(await refusedBy('/ops/finance/products/new', product({ period: '0' }))).toBe('period');
    expect(await refusedBy('/ops/finance/products/new', product({ nameEn: '' }))).toBe('nameEn');
    const banner = {
      ...texts('title', 'x'),
      ...texts('content', 'x'),
      fromAt: '0',
      position: '1',
      picture: 'fund',
    };
    expect(await refusedBy('/ops/board/banners/new', { ...banner, link: '//evil.example' })).toBe('link');
    // A code identifies either an announcement or a banner, never both.
    const news = {
      ...texts('title', 'x'),
      ...texts('content', 'x'),
      topic: 'notice',
      fromAt: '0',
      untilAt: '',
    };
    const published = await operate(exchange, '/ops/board/announcements/shared', { ...news, reason: 'news' });
    expect(published.status).toBe(200);
    expect(await refusedBy('/ops/board/banners/shared', banner)).toBe('code');
    const fund = { asset: 'USDT', ...texts('name', 'x'), constituents: 'nopenope=1', divisor: '1' };
    const rates = { leverages: '1', minAmount: '1', step: '0.1', manageRate: '0.001', financeRate: '0.001' };
    const requiredFields = { mmr: '0.01', liqFee: '0.01', ...texts('document', 'x') };
    expect(await refusedBy('/ops/fund/funds/new', { ...fund, ...rates, ...requiredFields })).toBe(
      'constituents',
    );
    const requestPreview = (init: RequestInit) =>
      fetch(`${exchange.consoleUrl}/ops/finance/products/new/preview`, {
        method: 'POST',
        body: new URLSearchParams(product()),
        ...init,
      });
    expect((await requestPreview({})).status).toBe(401);
    expect((await requestPreview({ headers: { origin: 'https://evil.example' } })).status).toBe(403);
    expect((await requestPreview({ body: new URLSearchParams({ nameEn: 'x'.repeat(20_000) }) })).status).toBe(
      413,
    );
    expect(
      (await bodyOf(operateAs(exchange, 'owner', '/ops/pairs/btcusdt/status/preview', {})))['error'],
    ).toBeDefined();
  });
});
