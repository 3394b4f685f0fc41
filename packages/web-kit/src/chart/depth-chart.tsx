import { useState, type PointerEvent } from 'react';
import { formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import classes from './depth-chart.module.css';
import { depthCurve, depthPath, levelAt } from './depth-curve.ts';

interface DepthChartProps {
  /** From the highest bid. */
  readonly bids: readonly { readonly price: string; readonly total: string }[];
  /** From the lowest ask. */
  readonly asks: readonly { readonly price: string; readonly total: string }[];
  readonly pricePrecision: number;
  readonly baseCoin: string;
}

/** The drawing's own units; CSS stretches it over its parent. */
const WIDTH = 1_000;
const HEIGHT = 400;

/** What waits on either side of the spread, cumulated; hovering shows a level's price and amount. */
export function DepthChart({ bids, asks, pricePrecision, baseCoin }: DepthChartProps) {
  const t = useWords('chart');
  const locale = useLocale();
  const [pointer, setPointer] = useState<number>();
  const curve = depthCurve(bids, asks);
  if (curve === undefined) return <p className={classes.empty}>{t('depthEmpty')}</p>;

  const follow = (event: PointerEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    setPointer(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
  };
  const level = pointer === undefined ? undefined : levelAt(curve, pointer);
  const prices = [0.1, 0.3, 0.5, 0.7, 0.9].map(
    (share) => curve.lowest + share * (curve.highest - curve.lowest),
  );
  const shown = (price: number): string => formatPrice(price.toFixed(pricePrecision), locale, pricePrecision);

  return (
    <figure className={classes.figure} aria-label={t('depth')}>
      <svg
        className={classes.drawing}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        onPointerMove={follow}
        onPointerLeave={() => setPointer(undefined)}
        aria-hidden="true"
      >
        <path className={classes.bids} d={depthPath(curve, 'bids', WIDTH, HEIGHT)} />
        <path className={classes.asks} d={depthPath(curve, 'asks', WIDTH, HEIGHT)} />
        {pointer !== undefined && (
          <line className={classes.pointer} x1={pointer * WIDTH} x2={pointer * WIDTH} y1="0" y2={HEIGHT} />
        )}
      </svg>
      <figcaption className={classes.axis} aria-hidden="true">
        {prices.map((price) => (
          <span key={price}>{shown(price)}</span>
        ))}
      </figcaption>
      {level !== undefined && (
        <p className={classes.note} data-side={level.side}>
          <b>{t(level.side)}</b> {shown(level.price)} · {level.total.toPrecision(6)} {baseCoin}
        </p>
      )}
    </figure>
  );
}
