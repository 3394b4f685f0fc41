import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import classes from './candle-chart.module.css';
import { CANDLE_PANE } from './indicators.ts';
import type { DrawnChart } from './line-handles.ts';

interface PlacePriceProps {
  readonly drawn: DrawnChart;
  /** The price at a height of the page; undefined where a plus would be in the way. */
  readonly freePriceAt: (clientY: number) => { readonly price: string; readonly y: number } | undefined;
  readonly digits: number;
  readonly onPlace: (price: string) => void;
}

interface Place {
  readonly price: string;
  readonly y: number;
  /** From the right edge of the stage to the price axis. */
  readonly right: number;
}

/**
 * A plus beside the price axis, at the height of the mouse: a press hands its price to the order form and places nothing.
 * It is an extra of the mouse; without one the price is typed into the form.
 */
export function PlacePrice({ drawn: { chart, canvas }, freePriceAt, digits, onPlace }: PlacePriceProps) {
  const t = useWords('chart');
  const locale = useLocale();
  const [place, setPlace] = useState<Place>();
  const latest = useRef(freePriceAt);
  useEffect(() => {
    latest.current = freePriceAt;
  });
  useEffect(() => {
    const element = canvas.current;
    const around = element?.parentElement;
    if (chart === undefined || element === null || !around) return undefined;
    const follow = ({ pointerType, target, clientY, buttons }: PointerEvent): void => {
      // Over the plus itself it stays where it is.
      if (target instanceof Element && target.closest('[data-place]') !== null) return;
      const free = pointerType === 'mouse' && buttons === 0 ? latest.current(clientY) : undefined;
      const axis = chart.getSize(CANDLE_PANE, 'yAxis')?.width ?? 0;
      setPlace(element.contains(target as Node) && free !== undefined ? { ...free, right: axis } : undefined);
    };
    const leave = (): void => setPlace(undefined);
    around.addEventListener('pointermove', follow);
    around.addEventListener('pointerleave', leave);
    return () => {
      around.removeEventListener('pointermove', follow);
      around.removeEventListener('pointerleave', leave);
    };
  }, [chart, canvas]);

  if (place === undefined) return null;
  const label = t('placeAt', { price: formatPrice(place.price, locale, digits) });
  return (
    <button
      type="button"
      data-place=""
      className={classes.place}
      style={{ top: place.y, right: place.right }}
      tabIndex={-1}
      aria-label={label}
      title={label}
      onClick={() => onPlace(place.price)}
    >
      <Plus size={12} aria-hidden="true" />
    </button>
  );
}
