import { CANDLE_SECONDS, type CandleTimer } from '@exchange/core/candle.ts';
import { Decimal, greatest, least } from '@exchange/core/decimal.ts';
import { purchaseFor, thresholdOf, unitValue, WARNING_RATIOS } from '@exchange/core/fund.ts';
import { instant, later, SECOND_MS, type Instant } from '@exchange/core/time.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Demo } from '../../platform/demo.ts';
import type { Market } from '../market/index.ts';
import { TERMS_TITLE, type ByLocale, type Fund, type FundTerms } from './domain.ts';
import { candlesOf, saveCandles } from './records-repository.ts';
import { everyFund } from './repository.ts';
import type { Funds } from './service.ts';
import { STORED_TIMERS, type FundCandle, type ValueCandle } from './values.ts';

const d = (text: string): Decimal => Decimal.parse(text);
const ASSET = 'USDT';
const PUBLICATION = { by: 'demo', reason: 'the demo’s funds' };
/** Number of past candles of each interval that the demo generates for each fund. */
const PAST: Readonly<Record<(typeof STORED_TIMERS)[number], number>> = {
  '1min': 1_500,
  '60min': 800,
  '1day': 400,
};

/** A fund of the demo: code, name, basket (coin and its share of the value), leverages, minimum margin. */
type Row = readonly [string, ByLocale, readonly (readonly [string, string])[], readonly number[], string];
const ROWS: readonly Row[] = [
  [
    ...([
      'top-2',
      { 'en-US': 'Top 2', 'zh-CN': '双雄指数', 'ko-KR': '톱 2', 'ja-JP': 'トップ2' },
      [
        ['btc', '0.6'],
        ['eth', '0.4'],
      ],
    ] as const),
    ...([[1, 2, 3, 5], '10'] as const),
  ],
  [
    ...([
      'majors-5',
      { 'en-US': 'Majors 5', 'zh-CN': '主流五强', 'ko-KR': '메이저 5', 'ja-JP': 'メジャー5' },
      [
        ['btc', '0.4'],
        ['eth', '0.3'],
        ['xrp', '0.12'],
        ['ada', '0.1'],
        ['ltc', '0.08'],
      ],
    ] as const),
    ...([[1, 2, 3], '10'] as const),
  ],
  [
    ...([
      'payments',
      { 'en-US': 'Payments', 'zh-CN': '支付板块', 'ko-KR': '결제 코인', 'ja-JP': '決済' },
      [
        ['xrp', '0.5'],
        ['ltc', '0.5'],
      ],
    ] as const),
    ...([[1, 2, 3], '20'] as const),
  ],
  [
    ...([
      'meme',
      { 'en-US': 'Meme coins', 'zh-CN': '迷因板块', 'ko-KR': '밈 코인', 'ja-JP': 'ミームコイン' },
      [
        ['doge', '0.2'],
        ['shib', '0.8'],
      ],
    ] as const),
    ...([[1, 2, 3, 5], '10'] as const),
  ],
  [
    ...([
      'contracts-3',
      {
        'en-US': 'Smart contracts 3',
        'zh-CN': '智能合约三强',
        'ko-KR': '스마트 컨트랙트 3',
        'ja-JP': 'スマートコントラクト3',
      },
      [
        ['eth', '0.5'],
        ['ada', '0.3'],
        ['eos', '0.2'],
      ],
    ] as const),
    ...([[1, 2, 3], '10'] as const),
  ],
];
const CLOSED = 'contracts-3';
/** Code of the demo's fund with the most volatile coins, which requires more margin. */
const RISKY = 'meme';
const TERMS: ByLocale = {
  'en-US':
    'Every second, the unit value is calculated as the sum of weight × index price of every coin in the basket, divided by the divisor. Purchases and sales are executed at the first unit value after they are accepted. With leverage, you borrow the part of the position that your margin does not cover. If your equity falls below the maintenance margin, the position is closed at that unit value, and a fee goes to the insurance fund. You can lose your whole margin, but never more.',
  'zh-CN':
    '基金净值为组合内各币种“权重 × 指数”之和除以除数，每秒计算一次。买入与卖出均按受理后的第一个净值成交。使用杠杆时，保证金以外的部分为借款；当权益低于维持保证金时，持仓将按该净值强制平仓，并有一笔费用进入保险基金。您可能损失全部保证金，但不会超过保证金。',
  'ko-KR':
    '기준가는 바스켓에 담긴 각 코인의 “가중치 × 지수”를 모두 더해 제수로 나눈 값이며, 매초 산출합니다. 매수와 매도는 접수 후 첫 기준가로 체결됩니다. 레버리지를 사용하면 증거금을 초과하는 부분을 차입하게 됩니다. 평가 자산이 유지 증거금 아래로 내려가면 해당 기준가로 포지션이 청산되고 수수료가 보험 기금에 납입됩니다. 증거금 전액을 잃을 수 있지만, 그 이상은 잃지 않습니다.',
  'ja-JP':
    '基準価額は、バスケット内の各コインの「ウェイト×インデックス」の合計を除数で割った値で、毎秒算出します。購入と売却は、受付後最初の基準価額で約定します。レバレッジを使う場合、ポジションのうち証拠金を超える部分は借入となります。評価額が維持証拠金を下回ると、その基準価額でポジションを清算し、手数料を保険基金に納めます。証拠金の全額を失うことがありますが、損失が証拠金を超えることはありません。',
};

interface Parts {
  readonly funds: Funds;
  readonly database: Database;
  readonly market: Pick<Market, 'latestPoint' | 'pastCandles'>;
  readonly settle: () => Promise<void>;
}

/**
 * Creates the demo's funds, their past candles, which are computed from the coins' candles, and positions of the demo
 * trader, which are bought and ended at past values with the ordinary commands; each only once, also after restarts. It
 * also raises the balances of the funds' accounts.
 */
export async function seedFunds(parts: Parts, { attempt, fund, once, trader, now }: Demo): Promise<void> {
  const { funds, database, market } = parts;
  await attempt('fund account', () => funds.fund('fund', ASSET, d('2000000'), 'demo'));
  await attempt('fund insurance', () => funds.fund('insurance', ASSET, d('50000'), 'demo'));
  const publishedCodes = new Set((await everyFund(database.store)).map(({ code }) => code));
  for (const row of ROWS)
    await attempt(`fund ${row[0]}`, async () => {
      if (publishedCodes.has(row[0])) return;
      const terms = termsOf(row, (symbol) => market.pastCandles(symbol, '1day', 2).at(-1)?.close);
      const { id } = await funds.publish(terms, PUBLICATION);
      const past = STORED_TIMERS.flatMap((timer) => pastOf({ ...terms, id }, timer, market));
      await saveCandles(database, past, undefined);
    });
  await once('fund margin', () => fund(trader, [{ asset: ASSET, amount: d('100000') }]));
  const byCode = new Map((await everyFund(database.store)).map((stored) => [stored.code, stored]));
  const fundOf = (code: string): Fund => {
    const fund = byCode.get(code);
    if (fund === undefined) throw new Error(`the demo has no fund ${code}`);
    return fund;
  };
  const enter = async (
    origin: string,
    code: string,
    margin: string,
    leverage: number,
    boughtAt: PastValue,
  ) => {
    const ticket = { fund: fundOf(code).id, margin: d(margin), leverage };
    const id = await funds.buyForDemo(trader, ticket, { origin: `demo:fund:${origin}`, ...boughtAt });
    return { id, fund: ticket.fund };
  };
  const past = (code: string, timer?: '1day') => pastValues(database, fundOf(code), now, timer);
  await once('fund exited', async () => {
    const pastOfClosed = await past(CLOSED);
    await enter('exited', CLOSED, '800', 2, pastOfClosed.at(-20 * 24) ?? pastOfClosed[0]!);
  });
  await once('fund liquidated', async () => {
    const meme = fundOf('meme');
    const fall =
      fallOf((await past('meme')).slice(0, -1), meme, WARNING_RATIOS.length) ??
      fallOf((await past('meme', '1day')).slice(0, -1), meme, 0);
    if (fall === undefined) return;
    const { id, fund: fundId } = await enter('liquidated', 'meme', '300', fall.leverage, fall.from);
    for (const value of fall.path) await funds.judgeForDemo(trader, fundId, id, value);
  });
  await once('fund sold', async () => {
    const top = await past('top-2');
    await enter('sold', 'top-2', '1000', 2, lowest(top.slice(-20 * 24, -10 * 24)));
    const sold = await funds.findByOrigin('demo:fund:sold');
    if (sold?.status === 'holding') await funds.sellForDemo(sold, highest(top.slice(-10 * 24, -8 * 24)));
  });
  await once('fund profit', async () =>
    enter('profit', 'top-2', '1500', 1, lowest((await past('top-2')).slice(-7 * 24))),
  );
  await once('fund middle', async () =>
    enter('middle', 'majors-5', '1200', 2, highest((await past('majors-5')).slice(-3 * 24))),
  );
  await once('fund near', async () => {
    const candidate = nearest([fundOf('meme'), fundOf('top-2')], [await past('meme'), await past('top-2')]);
    if (candidate !== undefined)
      await enter('near', candidate.fund.code, '400', candidate.leverage, candidate.from);
  });
  await parts.settle();
  await once('fund closed', async () => {
    await funds.close(CLOSED, { by: 'demo', reason: 'the demo shows a fund that was closed' });
    const last = (await past(CLOSED)).at(-1);
    const exited = await funds.findByOrigin('demo:fund:exited');
    if (last !== undefined && exited?.status === 'holding')
      await funds.judgeForDemo(trader, exited.fund, exited.id, { ...last, t: later(now, SECOND_MS * 5) });
  });
}

interface PastValue {
  readonly t: Instant;
  readonly value: Decimal;
}

/**
 * Hourly or daily closing values of the generated past candles of a fund, oldest first, at most 700; candles that
 * opened within the last hour are left out.
 */
async function pastValues(
  database: Database,
  fund: Fund,
  now: Instant,
  timer: '60min' | '1day' = '60min',
): Promise<PastValue[]> {
  const candles = await candlesOf(database.store, fund.id, timer, Math.floor(now / SECOND_MS) - 3_600, 700);
  return candles.map(({ opened, close }) => ({
    t: instant((opened + CANDLE_SECONDS[timer] - 1) * SECOND_MS),
    value: close,
  }));
}

function lowest(values: readonly PastValue[]): PastValue {
  return values.reduce((best, candidate) => (candidate.value.isLess(best.value) ? candidate : best));
}

function highest(values: readonly PastValue[]): PastValue {
  return values.reduce((best, candidate) => (candidate.value.isMore(best.value) ? candidate : best));
}

/**
 * The unit value at which a position bought at `purchase` has the margin ratio `ratio`; if `ratio` is undefined, the
 * unit value at which it is liquidated.
 */
function thresholdFrom(
  purchase: PastValue,
  leverage: number,
  { step, mmr }: Fund,
  ratio?: Decimal,
): Decimal | undefined {
  const { quantity, usedMargin } = purchaseFor(d('1000'), leverage, purchase.value, step);
  const holding = { quantity, margin: usedMargin, buyPrice: purchase.value, costs: Decimal.zero, leverage };
  return thresholdOf(holding, mmr, ratio);
}

/**
 * Finds the latest fall in the past values of a fund that liquidates a position of the highest leverage after
 * `warnings` warnings. Returns the purchase, and the values that cause the warnings and then the liquidation;
 * undefined if there is no such fall.
 */
function fallOf(values: readonly PastValue[], fund: Fund, warnings: number) {
  const leverage = Math.max(...fund.leverages);
  for (let index = values.length - 2; index >= 0; index -= 1) {
    const purchase = values[index]!;
    const bounds = [...WARNING_RATIOS.slice(0, warnings), undefined].map((ratio) =>
      thresholdFrom(purchase, leverage, fund, ratio),
    );
    const path = bounds.map((bound) =>
      values.slice(index + 1).find(({ value }) => bound !== undefined && value.isLess(bound)),
    );
    const [to] = path.slice(-1);
    // Each warning needs a unit value of its own, because a fall through two thresholds at once sends only
    // the warning of the lower threshold.
    if (to !== undefined && new Set(path).size === path.length)
      return { from: purchase, leverage, path: path.filter((value) => value !== undefined) };
  }
  return undefined;
}

/**
 * Finds, among all funds and leveraged purchases between 14 days and six hours ago, the one whose position is now
 * closest to its first margin warning, and whose unit values since then were all at least 2 % above the value of that
 * warning.
 */
function nearest(funds: readonly Fund[], pasts: readonly (readonly PastValue[])[]) {
  let best: { fund: Fund; from: PastValue; leverage: number; room: Decimal } | undefined;
  for (const [place, fund] of funds.entries()) {
    const values = pasts[place]!;
    const current = values.at(-1)!.value;
    for (const leverage of fund.leverages.filter((factor) => factor > 1))
      for (let index = Math.max(0, values.length - 14 * 24); index < values.length - 6; index += 1) {
        const purchase = values[index]!;
        const warning = thresholdFrom(purchase, leverage, fund, WARNING_RATIOS[0]);
        if (warning === undefined) continue;
        // Lowest unit value that is accepted: 2 % above the value at which the first warning is sent. The difference
        // leaves room for costs and for price changes in the next minutes.
        const safeValue = warning.times(d('1.02'), 'up');
        if (values.slice(index).some(({ value }) => value.isLess(safeValue))) continue;
        const room = current.minus(warning).over(current, 'down');
        if (best === undefined || room.isLess(best.room)) best = { fund, from: purchase, leverage, room };
      }
  }
  return best;
}

function termsOf(
  [code, name, basket, leverages, minAmount]: Row,
  priceOf: (symbol: string) => Decimal | undefined,
): FundTerms {
  const weights = basket.map(([coin, share]) => {
    const symbol = `${coin}usdt`;
    // The weights are scaled so that a unit is worth 100 at a divisor of 100; the small weights of expensive coins then
    // still have enough digits.
    const weight = d(share)
      .times(d('10000'), 'down')
      .over(priceOf(symbol) ?? Decimal.one, 'halfEven', 6);
    return { symbol, weight: weight.isPositive() ? weight : d('0.000001') };
  });
  return {
    code,
    name,
    asset: ASSET,
    constituents: weights,
    divisor: d('100'),
    leverages,
    minAmount: d(minAmount),
    step: d('0.0001'),
    isOpen: true,

    manageRate: d('0.00005'),
    financeRate: d('0.0002'),
    mmr: d(code === RISKY ? '0.098' : '0.01'),
    liqFee: d('0.005'),
    documents: [{ title: TERMS_TITLE, text: TERMS }],
  };
}

/**
 * The past candles of a fund. Open and close are the values of its basket at the coins' open and close; high and low
 * are estimated halfway between these and the values at the coins' highs and lows. A candle for which a coin has no
 * price is left out.
 */
function pastOf(
  fund: FundTerms & { readonly id: string },
  timer: (typeof STORED_TIMERS)[number],
  market: Parts['market'],
): FundCandle[] {
  const series = new Map(
    fund.constituents.map(({ symbol }) => [
      symbol,
      new Map(
        market
          .pastCandles(symbol, timer satisfies CandleTimer, PAST[timer])
          .map((candle) => [candle.opened, candle]),
      ),
    ]),
  );
  const first = series.get(fund.constituents[0]!.symbol)!;
  return [...first.keys()].flatMap((opened) => {
    const valueOf = (key: Exclude<keyof ValueCandle, 'opened'>) =>
      unitValue(fund, (symbol) => {
        const price = series.get(symbol)?.get(opened)?.[key];
        return price && { price, isDegraded: false };
      }).value;
    const [open, high, low, close] = [valueOf('open'), valueOf('high'), valueOf('low'), valueOf('close')];
    if (open === null || high === null || low === null || close === null) return [];
    const midpoint = (left: Decimal, right: Decimal) => left.plus(right).over(d('2'), 'halfEven', 8);
    const [top, bottom] = [greatest(open, close), least(open, close)];
    const candle = { opened, open, close, high: midpoint(high, top), low: midpoint(low, bottom) };
    return [{ ...candle, fund: fund.id, timer }];
  });
}
