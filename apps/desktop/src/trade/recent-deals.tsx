import { formatTime, formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { writeLines } from '@exchange/web-kit/market/book-columns.tsx';
import {
  type Deal,
  followDeals,
  useThrottledDeals,
  useDealsKnown,
  useDealsRefused,
} from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { TopicRefused } from '@exchange/web-kit/market/topic-refused.tsx';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { memo, type ReactNode, useLayoutEffect, useRef } from 'react';
import classes from './recent-deals.module.css';
import { scaledPx } from '@exchange/web-kit/theme/text-size.ts';

interface DealsProps {
  readonly pair: MarketPair;
}

/** List of the latest public trades of a pair, newest first; the colour shows the side of the taker. */
export function RecentDeals({ pair }: DealsProps) {
  const t = useWords('trade');
  const deals = useThrottledDeals(pair.symbol);
  const isKnown = useDealsKnown(pair.symbol);
  const refused = useDealsRefused(pair.symbol);
  return (
    <section className={classes.deals} aria-label={t('deals')} data-live>
      <h2>{t('deals')}</h2>
      <div className={classes.head} aria-hidden="true">
        <span>{t('price')}</span>
        <span>{t('amount')}</span>
        <span>{t('time')}</span>
      </div>
      {deals.length > 0 ? (
        <DealColumns pair={pair}>
          <ol className="visually-hidden">
            {deals.map((deal) => (
              <SpokenDeal key={deal.id} deal={deal} pair={pair} />
            ))}
          </ol>
        </DealColumns>
      ) : isKnown ? (
        <EmptyState text={t('dealsEmpty')} />
      ) : refused !== undefined ? (
        <TopicRefused topic={refused} />
      ) : (
        <div className={classes.skeleton}>
          <SkeletonRows rows={8} height={10} gap={10} />
        </div>
      )}
    </section>
  );
}

/** List item with a public trade as text for screen readers. */
const SpokenDeal = memo(function SpokenDeal({ deal, pair }: DealsProps & { readonly deal: Deal }) {
  const locale = useLocale();
  const t = useWords('trade');
  const price = formatPrice(deal.price, locale, pair.priceDigits);
  const amount = formatPrice(deal.amount, locale, pair.amountDigits);
  return <li>{`${t(deal.direction)} ${price}, ${amount}, ${formatTime(deal.ts, locale, 'time')}`}</li>;
});

const AMOUNT_DIGITS = 5;
const LINE_PX = scaledPx(20);
/**
 * Number of additional lines rendered above and below the visible part of the list, so that no gap shows while
 * scrolling.
 */
const OVERSCAN_LINES = 4;

interface DealColumnsProps {
  readonly pair: MarketPair;
  /** The complete list of trades, hidden visually, which screen readers read instead of the columns. */
  readonly children: ReactNode;
}

/**
 * The visible lines of the list of trades, rendered as text columns like the order book. The prices of buys and of
 * sells are two overlapping columns, each in its colour. A new trade moves all lines, so only the visible ones are
 * rendered.
 */
function DealColumns({ pair, children }: DealColumnsProps) {
  const t = useWords('trade');
  const locale = useLocale();
  const box = useRef<HTMLDivElement>(null);
  const { symbol, priceDigits, amountDigits } = pair;

  useLayoutEffect(() => {
    if (box.current === null) return undefined;
    const view = box.current;
    const priceOf = ({ price }: Deal) => formatPrice(price, locale, priceDigits);
    const amountOf = ({ amount }: Deal) =>
      formatNarrow(amount, locale, Math.min(amountDigits, AMOUNT_DIGITS));
    const texts: readonly ((deal: Deal) => string)[] = [
      (deal) => (deal.direction === 'buy' ? priceOf(deal) : ''),
      (deal) => (deal.direction === 'sell' ? priceOf(deal) : ''),
      amountOf,
      ({ ts }) => formatTime(ts, locale, 'time'),
    ];
    let deals: readonly Deal[] = [];
    let range = linesIn(view);
    const renderLines = (): void => {
      const [lines] = view.children;
      if (!(lines instanceof HTMLElement)) return;
      const visibleDeals = deals.slice(range.first, range.end);
      lines.style.height = `${deals.length * LINE_PX}px`;
      lines.style.paddingTop = `${range.first * LINE_PX}px`;
      for (const [index, text] of texts.entries()) writeLines(lines.children[index], visibleDeals, text);
    };
    const updateRange = (): void => {
      range = linesIn(view);
      renderLines();
    };
    const resized = new ResizeObserver(updateRange);
    resized.observe(view);
    view.addEventListener('scroll', updateRange, { passive: true });
    const stop = followDeals(symbol, (latest) => {
      deals = latest;
      renderLines();
    });
    return () => {
      stop();
      resized.disconnect();
      view.removeEventListener('scroll', updateRange);
    };
  }, [symbol, priceDigits, amountDigits, locale]);

  return (
    <div ref={box} className={classes.rows} tabIndex={0} role="group" aria-label={t('deals')}>
      <div className={classes.columns} aria-hidden="true">
        <pre className={classes.buys} translate="no" />
        <pre className={classes.sells} translate="no" />
        <pre translate="no" />
        <pre className={classes.times} translate="no" />
      </div>
      {children}
    </div>
  );
}

/**
 * Returns the range of lines of a scrolling list that are rendered: the visible ones and `OVERSCAN_LINES`
 * above and below; `end` is exclusive.
 */
function linesIn(view: HTMLElement): { readonly first: number; readonly end: number } {
  const { scrollTop, clientHeight } = view;
  return {
    first: Math.max(0, Math.floor(scrollTop / LINE_PX) - OVERSCAN_LINES),
    end: Math.ceil((scrollTop + clientHeight) / LINE_PX) + OVERSCAN_LINES,
  };
}
