import { Decimal } from '@exchange/core/decimal.ts';
import { fillWords, LOCALES, type Locale } from '@exchange/core/locale.ts';
import type { Pair } from '@exchange/core/pair.ts';
import {
  ALERT_WINDOW_NAMES,
  averageName,
  crossedNames,
  isCross,
  TIMER_NAMES,
  type AlertCondition,
  type AlertSource,
  type AverageTerms,
  type CrossedWords,
} from '@exchange/core/price-alert.ts';
import { mailSubject } from '../../../platform/mail/subject.ts';
import { timeText } from '../../../platform/time-text.ts';
import type { Message } from '../../messages/index.ts';
import { ALERT_MAILS } from '../domain/alert-mails.ts';
import type { AlertChange } from '../domain/alert.ts';
import { alertMessages } from './messages.ts';

const { kinds } = alertMessages;
const CROSSED = { crossUp: kinds.candleCrossedUp, crossDown: kinds.candleCrossedDown } as const;
const KINDS = {
  last: { gte: 'priceRose', lte: 'priceFell', pct: 'priceMoved', move: kinds.priceSwung, ...CROSSED },
  index: { gte: 'indexRose', lte: 'indexFell', pct: 'indexMoved', move: kinds.indexSwung, ...CROSSED },
} as const satisfies Record<AlertSource, Record<AlertCondition, Message['kind']>>;
const INDICATORS = {
  crossUp: kinds.indicatorCrossedUp,
  crossDown: kinds.indicatorCrossedDown,
} as const;
const CROSSED_WORDS: Readonly<Record<Locale, CrossedWords>> = {
  'en-US': {
    close: 'the close',
    signal: 'the signal line',
    upper: 'the upper Bollinger band',
    lower: 'the lower Bollinger band',
  },
  'zh-CN': {
    close: '收盘价',
    signal: '信号线',
    upper: '布林带上轨',
    lower: '布林带下轨',
  },
  'ko-KR': {
    close: '종가',
    signal: '시그널',
    upper: '볼린저 밴드 상단',
    lower: '볼린저 밴드 하단',
  },
  'ja-JP': {
    close: '終値',
    signal: 'シグナル',
    upper: 'ボリンジャーバンド上限',
    lower: 'ボリンジャーバンド下限',
  },
};
/**
 * Number of decimals of a relative strength index in messages. A MACD has this many decimals more than the pair's
 * prices.
 */
const INDEX_DIGITS = 2;
const HUNDRED = Decimal.ofWhole(100);
const PERCENT_DIGITS = 2;

interface EmailWords {
  readonly several: string;
  readonly more: string;
  readonly lastOfDay: string;
  readonly closing: string;
}

const EMAIL_WORDS: Readonly<Record<Locale, EmailWords>> = {
  'en-US': {
    several: '{{count}} price alerts',
    more: '… and {{count}} more. If you chose inbox notifications, all of them are in your inbox.',
    lastOfDay:
      'This is the {{limit}}th price alert email in 24 hours, which is the most we send. Further alerts will be combined in the next email.',
    closing:
      'You chose email notifications when you set this price alert. You can remove alerts on the pair’s page. You do not need to do anything.\n\nAmethyst',
  },
  'zh-CN': {
    several: '{{count}} 条价格提醒',
    more: '……以及另外 {{count}} 条。如您选择了站内信，可在站内信中查看全部提醒。',
    lastOfDay: '这是 24 小时内的第 {{limit}} 封价格提醒邮件，已达每日上限。此后的提醒将汇总在下一封邮件中。',
    closing: '您在设置此价格提醒时选择了邮件通知，可在交易对页面删除提醒。您无需进行任何操作。\n\nAmethyst',
  },
  'ko-KR': {
    several: '가격 알림 {{count}}건',
    more: '… 외 {{count}}건. 알림 방법으로 메시지함을 선택했다면 메시지함에서 모두 확인할 수 있습니다.',
    lastOfDay:
      '24시간 동안 보내 드린 {{limit}}번째 가격 알림 이메일로, 발송 한도에 도달했습니다. 이후의 알림은 다음 이메일에 모아서 보냅니다.',
    closing:
      '가격 알림을 설정할 때 이메일 알림을 선택하셔서 보내 드리는 이메일입니다. 알림은 페어 페이지에서 삭제할 수 있습니다. 따로 하실 일은 없습니다.\n\nAmethyst',
  },
  'ja-JP': {
    several: '価格アラート{{count}}件',
    more: '… ほか{{count}}件。受信箱への通知を選択している場合は、受信箱ですべて確認できます。',
    lastOfDay:
      'このメールは24時間以内で{{limit}}通目の価格アラートメールで、送信の上限に達しました。以後のアラートは、次のメールにまとめてお送りします。',
    closing:
      'この価格アラートの設定時に、メール通知が選択されています。アラートはペアのページで削除できます。お手続きは必要ありません。\n\nAmethyst',
  },
};

interface EmailContent {
  /** The alerts that the email lists, in the order in which they triggered. */
  readonly lines: readonly { readonly title: string; readonly content: string }[];
  /** Number of all alerts of the email, including those that it only counts. */
  readonly count: number;
  readonly isLastOfDay: boolean;
}

/** Returns the subject and text of an email about one or several alerts. */
export function alertEmail(
  locale: Locale,
  { lines, count, isLastOfDay }: EmailContent,
): { readonly subject: string; readonly text: string } {
  const words = EMAIL_WORDS[locale];
  const isSingle = count === 1;
  const paragraphs = [
    ...lines.map(({ title, content }) => (isSingle ? content : `${title}\n${content}`)),
    ...(count > lines.length ? [fillWords(words.more, { count: count - lines.length }, locale)] : []),
    ...(isLastOfDay ? [fillWords(words.lastOfDay, { limit: ALERT_MAILS.perDay }, locale)] : []),
    words.closing,
  ];
  const title = isSingle ? (lines[0]?.title ?? '') : fillWords(words.several, { count }, locale);
  return { subject: mailSubject(locale, title), text: `${paragraphs.join('\n\n')}\n` };
}

/**
 * Returns the message to the owner of a triggered alert: the pair, the reached price and the terms of the
 * alert. The parameter `from` is, for a move within a window, the price at which the move began, for an alert
 * on an average the value of the average that the closing price crossed, and otherwise the watched price when
 * the alert was created or last triggered.
 */
export function alertMessage(change: AlertChange, pair: Pair): Message {
  const { before, point, base } = change;
  if (before.average !== undefined && isIndicator(before.average))
    return indicatorMessage(change, before.average, pair);
  const { condition, source, price, windowMinutes, average } = before;
  const from = base ?? before.from;
  const priceText = (value: Decimal) =>
    value.rounded(pair.priceDigits, 'halfEven').toPlaces(pair.priceDigits);
  const isPercent = condition === 'pct' || condition === 'move';
  return {
    type: 'system',
    kind: KINDS[source][condition],
    parameters: {
      pair: `${pair.base}/${pair.quote}`,
      unit: pair.quote,
      price: priceText(point.price),
      limit: isPercent ? price.toString() : priceText(price),
      from: priceText(from),
      percent: isCross(condition) ? '' : percentText(from, point.price),
      time: timeText(point.at),
      window: windowMinutes === undefined ? '' : ALERT_WINDOW_NAMES[windowMinutes],
      average: average === undefined ? '' : averageName(average),
      interval: average === undefined ? '' : TIMER_NAMES[average.timer],
    },
  };
}

/**
 * Returns whether the alert compares something else than the closing price with a single moving average of
 * it.
 */
function isIndicator({ kind }: AverageTerms): boolean {
  return kind !== 'ma' && kind !== 'ema';
}

/**
 * Builds the message about an indicator that has crossed its line. It contains the names of both, in every
 * language, and their values.
 */
function indicatorMessage(
  { before, point, base, crossing }: AlertChange,
  average: AverageTerms,
  pair: Pair,
): Message {
  const digits =
    average.kind === 'rsi' ? INDEX_DIGITS : pair.priceDigits + (average.kind === 'macd' ? INDEX_DIGITS : 0);
  const valueText = (value: Decimal | undefined) => value?.rounded(digits, 'halfEven').toPlaces(digits) ?? '';
  const names = LOCALES.flatMap((locale) => {
    const { subject, target } = crossedNames(average, CROSSED_WORDS[locale]);
    return [
      [`subject@${locale}`, subject],
      [`target@${locale}`, target],
    ];
  });
  const parameters: Record<string, string> = {
    pair: `${pair.base}/${pair.quote}`,
    unit: pair.quote,
    price: point.price.toPlaces(pair.priceDigits),
    from: valueText(base),
    value: valueText(crossing),
    time: timeText(point.at),
    interval: TIMER_NAMES[average.timer],
  };
  return {
    type: 'system',
    kind: INDICATORS[before.condition === 'crossUp' ? 'crossUp' : 'crossDown'],
    parameters: Object.assign(parameters, Object.fromEntries(names)),
  };
}

/**
 * Returns the text of the change from one price to another in per cent, with sign, truncated to two decimals.
 */
function percentText(from: Decimal, to: Decimal): string {
  const change = to.minus(from).times(HUNDRED, 'down').over(from, 'down', PERCENT_DIGITS);
  return change.isNegative() ? `−${change.absolute()}` : `+${change}`;
}
