import { LOCALES, type Locale } from '@exchange/core/locale.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import { gridResults } from '@exchange/core/spot-grid.ts';
import { twapEndsAt } from '@exchange/core/spot-twap.ts';
import { timeText } from '../../../platform/time-text.ts';
import type { AddressedMessage, Message } from '../../messages/index.ts';
import type { AlgoEnding } from '../domain/algo-ending.ts';
import type { ChaseProgress } from '../domain/chase.ts';
import type { Grid, GridEnding } from '../domain/grid.ts';
import type { Iceberg } from '../domain/iceberg.ts';
import type { LadderProgress } from '../domain/ladder.ts';
import { averagePrice, feeAsset } from '../domain/order.ts';
import { slippageOf, TWAP_PAUSES, type Twap, type TwapEnding, type TwapPause } from '../domain/twap.ts';
import type { AlgoNews } from '../algo-repository.ts';
import type { AlgoNotice } from '../domain/algo-notice.ts';
import { algoMessages } from './messages.ts';

const { kinds } = algoMessages;
const NOTHING = '–';

type Reasons = Readonly<Record<Locale, string>>;

const PAUSES: Readonly<Record<TwapPause, Reasons>> = {
  halted: {
    'en-US': 'Trading of the pair is halted.',
    'zh-CN': '该交易对已暂停交易。',
    'ko-KR': '해당 페어의 거래가 중지되었습니다.',
    'ja-JP': 'この通貨ペアの取引は停止されています。',
  },
  book: {
    'en-US': 'There are no orders on the other side of the book.',
    'zh-CN': '对手方暂无挂单。',
    'ko-KR': '호가창 반대편에 주문이 없습니다.',
    'ja-JP': '板の反対側に注文がありません。',
  },
  limit: {
    'en-US': 'The price is beyond your limit price.',
    'zh-CN': '市价已超出您设置的限价。',
    'ko-KR': '시장 가격이 지정한 한도를 벗어났습니다.',
    'ja-JP': '市場価格が指値の範囲外です。',
  },
  band: {
    'en-US': 'The price is outside of the price band of the pair.',
    'zh-CN': '市价超出该交易对的价格范围。',
    'ko-KR': '시장 가격이 페어의 가격 제한 범위를 벗어났습니다.',
    'ja-JP': '市場価格が通貨ペアの価格制限の範囲外です。',
  },
  funds: {
    'en-US': 'The available balance is too small for its next order.',
    'zh-CN': '可用余额不足以提交下一笔子订单。',
    'ko-KR': '사용 가능 잔고가 다음 주문에 부족합니다.',
    'ja-JP': '利用可能残高が次の注文に足りません。',
  },
  orders: {
    'en-US': 'You have too many open orders on the pair.',
    'zh-CN': '您在该交易对上的未成交委托过多。',
    'ko-KR': '해당 페어의 미체결 주문이 너무 많습니다.',
    'ja-JP': 'この通貨ペアの未約定注文が多すぎます。',
  },
  account: {
    'en-US': 'Your account may not trade at present.',
    'zh-CN': '您的账户目前无法交易。',
    'ko-KR': '현재 계정에서 거래할 수 없습니다.',
    'ja-JP': '現在、お客様のアカウントでは取引できません。',
  },
};

const ENDINGS: Readonly<Record<Exclude<TwapEnding, 'filled' | 'user'>, Reasons>> = {
  time: {
    'en-US': 'Its time was over before everything was filled.',
    'zh-CN': '执行时长已到，尚未全部成交。',
    'ko-KR': '모두 체결되기 전에 실행 시간이 끝났습니다.',
    'ja-JP': 'すべて約定する前に実行期間が終了しました。',
  },
  rest: {
    'en-US': 'What remained was too small for an order.',
    'zh-CN': '剩余数量低于最小下单量。',
    'ko-KR': '남은 수량이 최소 주문 수량보다 적습니다.',
    'ja-JP': '残りの数量が最小注文数量を下回りました。',
  },
};

const PART_ENDINGS: Readonly<Record<Exclude<AlgoEnding, 'filled' | 'user'>, Reasons>> = {
  time: ENDINGS.time,
  selfTrade: {
    'en-US': 'An order of your own was on the other side.',
    'zh-CN': '对手方为您自己的委托。',
    'ko-KR': '반대편에 본인의 주문이 있었습니다.',
    'ja-JP': '反対側にご自身の注文がありました。',
  },
  countdown: {
    'en-US': 'The countdown of your trading program ran out.',
    'zh-CN': '您的交易程序的倒计时已到。',
    'ko-KR': '거래 프로그램의 카운트다운이 만료되었습니다.',
    'ja-JP': '取引プログラムのカウントダウンが終了しました。',
  },
};

const GRID_ENDINGS: Readonly<Record<Exclude<GridEnding, 'user'>, Reasons>> = {
  selfTrade: PART_ENDINGS.selfTrade,
  countdown: PART_ENDINGS.countdown,
  rest: {
    'en-US': 'What its last order received is too small for an order.',
    'zh-CN': '最后一笔委托所得低于最小下单量。',
    'ko-KR': '마지막 주문으로 받은 수량이 최소 주문 수량보다 적습니다.',
    'ja-JP': '最後の注文で受け取った数量が最小注文数量を下回りました。',
  },
  stopLoss: {
    'en-US': 'The price reached its stop-loss price.',
    'zh-CN': '市价已触及止损价。',
    'ko-KR': '시장 가격이 손절 가격에 도달했습니다.',
    'ja-JP': '市場価格が損切り価格に達しました。',
  },
  takeProfit: {
    'en-US': 'The price reached its take-profit price.',
    'zh-CN': '市价已触及止盈价。',
    'ko-KR': '시장 가격이 익절 가격에 도달했습니다.',
    'ja-JP': '市場価格が利確価格に達しました。',
  },
};

/** The inbox message about a pause of an algorithmic order (such as TWAP or iceberg), or about its end. */
export function algoMessage({ notice, order }: AlgoNews, pairOf: (symbol: string) => Pair): AddressedMessage {
  if (order.kind === 'ladder') return ladderMessage(order.ladder, pairOf(order.ladder.symbol));
  if (order.kind === 'chase') return chaseMessage(order.chase, pairOf(order.chase.symbol));
  if (order.kind === 'grid') return gridMessage(order.grid, pairOf(order.grid.symbol));
  if (order.kind === 'iceberg') return icebergMessage(order.iceberg, pairOf(order.iceberg.symbol));
  const { twap } = order;
  const pair = pairOf(twap.symbol);
  const { kind } = notice;
  if (!isPause(kind)) return endMessage(twap, pair);
  const figures = {
    pair: `${pair.base}/${pair.quote}`,
    coin: pair.base,
    amount: twap.filledAmount.toString(),
    whole: twap.amount.toString(),
    time: timeText(twapEndsAt(twap, twap.createdAt)),
  };
  return {
    userId: twap.owner,
    about: notice.id,
    message: {
      type: 'trade',
      kind: kinds.twapPaused,
      parameters: { ...figures, ...reasonParameters(PAUSES[kind]) },
    },
  };
}

function endMessage(twap: Twap, pair: Pair): AddressedMessage {
  const { filledAmount, filledTotal, ending } = twap;
  const average = averagePrice({ filledAmount, filledTotal, pair })?.toPlaces(pair.priceDigits);
  const averageText = average === undefined ? NOTHING : `${average} ${pair.quote}`;
  const figures = {
    pair: `${pair.base}/${pair.quote}`,
    coin: pair.base,
    unit: pair.quote,
    amount: filledAmount.toString(),
    whole: twap.amount.toString(),
    count: String(twap.placed),
    price: averageText,
    from: twap.startPrice.toPlaces(pair.priceDigits),
    slippage: slippageOf(twap)?.toString() ?? NOTHING,
    fee: twap.fee.toString(),
    feeCoin: feeAsset({ pair, side: twap.side }),
    time: timeText(twap.updatedAt),
  };
  const message: Message =
    ending === 'filled'
      ? { type: 'trade', kind: kinds.twapFilled, parameters: figures }
      : {
          type: 'trade',
          kind: kinds.twapEnded,
          parameters: { ...figures, ...reasonParameters(ENDINGS[ending === 'rest' ? 'rest' : 'time']) },
        };
  return { userId: twap.owner, about: twap.id, message };
}

function icebergMessage(iceberg: Iceberg, pair: Pair): AddressedMessage {
  const { filledAmount, filledTotal, ending } = iceberg;
  const average = averagePrice({ filledAmount, filledTotal, pair })?.toPlaces(pair.priceDigits);
  const figures = {
    pair: `${pair.base}/${pair.quote}`,
    coin: pair.base,
    amount: filledAmount.toString(),
    whole: iceberg.amount.toString(),
    count: String(iceberg.placed),
    price: average === undefined ? NOTHING : `${average} ${pair.quote}`,
    fee: iceberg.fee.toString(),
    feeCoin: feeAsset({ pair, side: iceberg.side }),
    time: timeText(iceberg.updatedAt),
  };
  const message: Message =
    ending === 'filled'
      ? { type: 'trade', kind: kinds.icebergFilled, parameters: figures }
      : {
          type: 'trade',
          kind: kinds.icebergEnded,
          parameters: { ...figures, ...reasonParameters(partEnding(ending)) },
        };
  return { userId: iceberg.owner, about: iceberg.id, message };
}

/**
 * The words for the reason why an iceberg or chase order ended before it was filled, other than its owner's
 * cancellation.
 */
function partEnding(ending: AlgoEnding | undefined): Reasons {
  return PART_ENDINGS[ending === 'countdown' || ending === 'time' ? ending : 'selfTrade'];
}

function gridMessage(grid: Grid, pair: Pair): AddressedMessage {
  const price = grid.endPrice ?? grid.startPrice;
  const results = gridResults(grid, price);
  const amountText = (amount: Decimal) => amount.rounded(8, 'halfEven').toString();
  const ending = grid.ending === undefined || grid.ending === 'user' ? 'selfTrade' : grid.ending;
  const isSale = grid.sellsAtEnd === true && (ending === 'stopLoss' || ending === 'takeProfit');
  return {
    userId: grid.owner,
    about: grid.id,
    message: {
      type: 'trade',
      kind: isSale ? kinds.gridSold : kinds.gridEnded,
      parameters: {
        sold: grid.soldBase.toString(),
        received: amountText(grid.soldQuote),
        rest: amountText(grid.base),
        pair: `${pair.base}/${pair.quote}`,
        coin: pair.base,
        unit: pair.quote,
        count: String(grid.rounds),
        gridProfit: amountText(grid.roundProfit),
        invested: amountText(grid.invested),
        value: amountText(results.grid.value),
        profit: amountText(results.grid.profit),
        holding: amountText(results.holding.profit),
        price: price.rounded(pair.priceDigits, 'halfEven').toPlaces(pair.priceDigits),
        fee: amountText(grid.quoteFee),
        baseFee: amountText(grid.baseFee),
        time: timeText(grid.updatedAt),
        ...reasonParameters(GRID_ENDINGS[ending]),
      },
    },
  };
}

function chaseMessage(chase: ChaseProgress, pair: Pair): AddressedMessage {
  const { filledAmount, filledTotal, ending } = chase;
  const average = averagePrice({ filledAmount, filledTotal, pair })?.toPlaces(pair.priceDigits);
  const figures = {
    pair: `${pair.base}/${pair.quote}`,
    coin: pair.base,
    unit: pair.quote,
    amount: filledAmount.toString(),
    whole: chase.amount.toString(),
    count: String(chase.moves),
    price: average === undefined ? NOTHING : `${average} ${pair.quote}`,
    from: chase.startPrice.toPlaces(pair.priceDigits),
    fee: chase.fee.toString(),
    feeCoin: feeAsset({ pair, side: chase.side }),
    time: timeText(chase.updatedAt),
  };
  const message: Message =
    ending === 'filled'
      ? { type: 'trade', kind: kinds.chaseFilled, parameters: figures }
      : {
          type: 'trade',
          kind: kinds.chaseEnded,
          parameters: { ...figures, ...reasonParameters(partEnding(ending)) },
        };
  return { userId: chase.owner, about: chase.id, message };
}

function ladderMessage(ladder: LadderProgress, pair: Pair): AddressedMessage {
  const { filledAmount, filledTotal } = ladder;
  const average = averagePrice({ filledAmount, filledTotal, pair })?.toPlaces(pair.priceDigits);
  return {
    userId: ladder.owner,
    about: ladder.id,
    message: {
      type: 'trade',
      kind: kinds.ladderEnded,
      parameters: {
        pair: `${pair.base}/${pair.quote}`,
        coin: pair.base,
        count: String(ladder.filled),
        orders: String(ladder.count),
        amount: filledAmount.toString(),
        whole: ladder.amount.toString(),
        price: average === undefined ? NOTHING : `${average} ${pair.quote}`,
        fee: ladder.fee.toString(),
        feeCoin: feeAsset({ pair, side: ladder.side }),
        time: timeText(ladder.updatedAt),
      },
    },
  };
}

function isPause(kind: AlgoNotice['kind']): kind is TwapPause {
  return TWAP_PAUSES.some((pause) => pause === kind);
}

/**
 * Returns the reason why an algorithmic order paused or ended, in every language, as message parameters; the
 * message shows the reason in the language of its reader.
 */
function reasonParameters(reasons: Reasons): Record<string, string> {
  return Object.fromEntries(LOCALES.map((locale) => [`reason@${locale}`, reasons[locale]]));
}
