import type { ChartTimer } from '@exchange/core/candle.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { createContext, useContext } from 'react';
import type { BookViewControl } from '../trade/book-view.ts';
import type { PickedPrice } from '../trade/picked-price.ts';
import type { DeskPanel, PanelLink } from './desk-layout.ts';

/** The props of a panel's body: the panel, and the pair that it shows. */
export interface PanelBodyProps {
  readonly panel: DeskPanel;
  /** The listed pair with the symbol `panel.symbol`, which the panel shows. */
  readonly pair: MarketPair;
}

/** A price that the user picked in a book, ladder or chart, and the pair to which it belongs. */
export interface DeskPick {
  readonly symbol: string;
  readonly price: PickedPrice;
}

/**
 * What the panels of a desk share: the map of the panels, the order books' view settings, the latest picked
 * price, and functions that pass on a picked price or change a panel's pair, link group or candle interval.
 */
export interface DeskShared {
  readonly panels: ReadonlyMap<string, DeskPanel>;
  /** View settings that all order books of the desk share. */
  readonly book: BookViewControl;
  /** The latest picked price; undefined before the first. */
  readonly picked: DeskPick | undefined;
  /** Passes a picked price to the order tickets on the desk that show the pair. */
  readonly pickPrice: (symbol: string, price: string) => void;
  /** Shows a pair in a panel and in all panels of its link group. */
  readonly choosePair: (panelId: string, symbol: string) => void;
  /**
   * Moves a panel to a link group, whose pair it then shows if the group has other panels; undefined removes
   * it from its group, and it keeps its pair.
   */
  readonly chooseLink: (panelId: string, link: PanelLink | undefined) => void;
  /**
   * Changes the candle interval of a chart panel; the interval is stored with the arrangement of the desk.
   */
  readonly chooseTimer: (panelId: string, timer: ChartTimer) => void;
}

export const DeskContext = createContext<DeskShared | undefined>(undefined);

/** Hook that returns the data and functions that the panels of a desk share. Throws outside of a desk. */
export function useDesk(): DeskShared {
  const desk = useContext(DeskContext);
  if (desk === undefined) throw new Error('A panel needs a desk around it.');
  return desk;
}
