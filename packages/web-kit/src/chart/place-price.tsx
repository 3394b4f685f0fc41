import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import classes from './candle-chart.module.css';
import { CANDLE_PANE } from './indicators.ts';
import type { DrawnChart } from './line-handles.ts';

interface PlacePriceProps {
  readonly drawn: DrawnChart;
  /**
   * Returns, for a vertical position of the pointer in the window, the price there and the position of the
   * plus, in pixels from the top of the candle pane. Returns undefined where the plus would cover a tag that
   * can be dragged or cancelled, while a line is dragged, and outside of the candle pane.
   */
  readonly freePriceAt: (clientY: number) => { readonly price: string; readonly y: number } | undefined;
  readonly digits: number;
  readonly onPlace: (price: string) => void;
}

interface Place {
  readonly price: string;
  readonly y: number;
  /** Distance from the right edge of the chart to the price axis, in pixels. */
  readonly right: number;
}

/**
 * A plus button at the price axis that follows the mouse. Pressing it fills the price at its position into the order
 * form and does not place an order. It is not shown on touch screens.
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
    const container = element?.parentElement;
    if (chart === undefined || element === null || !container) return undefined;
    const updatePlace = ({ pointerType, target, clientY, buttons }: PointerEvent): void => {
      // While the mouse is over the plus, the plus does not move, so that the user can press it.
      if (target instanceof Element && target.closest('[data-place]') !== null) return;
      const freePrice = pointerType === 'mouse' && buttons === 0 ? latest.current(clientY) : undefined;
      const axis = chart.getSize(CANDLE_PANE, 'yAxis')?.width ?? 0;
      setPlace(
        element.contains(target as Node) && freePrice !== undefined
          ? { ...freePrice, right: axis }
          : undefined,
      );
    };
    const hidePlace = (): void => setPlace(undefined);
    container.addEventListener('pointermove', updatePlace);
    container.addEventListener('pointerleave', hidePlace);
    return () => {
      container.removeEventListener('pointermove', updatePlace);
      container.removeEventListener('pointerleave', hidePlace);
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
