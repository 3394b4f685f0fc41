import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';
import { scaledPx } from '@exchange/web-kit/theme/text-size.ts';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import type { ComponentType } from 'react';
import type { PanelBodyProps } from './desk-context.ts';
import type { PanelKind } from './desk-layout.ts';
import type * as bodies from './panel-bodies.tsx';

/**
 * Properties with which the desk shows a kind of panel. The name of the kind is the text with the translation
 * key `kind.<kind>` in the namespace `desk`.
 */
export interface PanelType {
  readonly Body: ComponentType<PanelBodyProps>;
  /** Smallest width of the panel, in pixels. */
  readonly minimumWidth: number;
  /** Smallest height of the panel, in pixels. */
  readonly minimumHeight: number;
  /** True shows the pair with a choice of pairs above the panel. */
  readonly hasPairChoice: boolean;
  /** True keeps the panel mounted behind other tabs, because the user types into it or chooses a view in it. */
  readonly isKept: boolean;
}

const MARKET = { minimumHeight: scaledPx(160), hasPairChoice: true, isKept: false } as const;

/**
 * All kinds of panels. A new kind is added to `PANEL_KINDS`, here, and to the translations of the namespace `desk`.
 * Each body has an error boundary of its own, so that the other panels stay when it fails.
 */
export const PANEL_TYPES: Readonly<Record<PanelKind, PanelType>> = {
  chart: { ...MARKET, Body: body('chart', 'ChartBody'), minimumWidth: scaledPx(360) },
  book: { ...MARKET, Body: body('book', 'BookBody'), minimumWidth: scaledPx(252) },
  deals: { ...MARKET, Body: body('deals', 'DealsBody'), minimumWidth: scaledPx(224) },
  depth: { ...MARKET, Body: body('depth', 'DepthBody'), minimumWidth: scaledPx(240) },
  ladder: { ...MARKET, Body: body('ladder', 'LadderBody'), minimumWidth: scaledPx(264) },
  ticket: {
    Body: body('ticket', 'TicketBody'),
    minimumWidth: scaledPx(352),
    minimumHeight: scaledPx(240),
    hasPairChoice: true,
    isKept: true,
  },
  orders: {
    Body: body('orders', 'OrdersBody'),
    minimumWidth: scaledPx(360),
    minimumHeight: scaledPx(160),
    hasPairChoice: true,
    isKept: true,
  },
  pairs: {
    Body: body('pairs', 'PairsBody'),
    minimumWidth: scaledPx(216),
    minimumHeight: scaledPx(160),
    hasPairChoice: false,
    isKept: true,
  },
};

type BodyName = keyof typeof bodies;

function body(kind: PanelKind, name: BodyName): ComponentType<PanelBodyProps> {
  return lazyPart(`desk-${kind}`, async () => ({ default: (await import('./panel-bodies.tsx'))[name] }), {
    waiting: <Skeleton height="100%" />,
  });
}
