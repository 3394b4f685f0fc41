import {
  type DeskLayout,
  type DeskPanel,
  type PanelKind,
  type PanelLink,
  type PanelPart,
} from './desk-layout.ts';

/** Names of the arrangements that the desk comes with; the first one names the standard layout. */
export const PRESETS = ['one', 'four', 'scalper'] as const;
export type Preset = (typeof PRESETS)[number];

/** Symbol of the pair of a desk on an exchange that lists no pair. */
export const FIRST_SYMBOL = 'btcusdt';

/**
 * Returns the layout of a preset. `symbols` are the pairs of its charts, from the first chart on; with fewer
 * pairs than charts, the first pair is repeated.
 */
export function presetLayout(preset: Preset, symbols: readonly string[]): DeskLayout {
  const first = symbols[0] ?? FIRST_SYMBOL;
  if (preset === 'four') return fourCharts([0, 1, 2, 3].map((at) => symbols[at] ?? first));
  const panel = (kind: PanelKind) => panelOf(kind, 1, 'a', first);
  if (preset === 'scalper') {
    const panels = [panel('chart'), panel('ladder'), panel('deals'), panel('ticket')];
    return layoutOf(
      [group(46, 'chart-1'), group(20, 'ladder-1'), group(14, 'deals-1'), group(20, 'ticket-1')],
      panels,
    );
  }
  const panels = [
    panel('pairs'),
    panel('chart'),
    panel('orders'),
    panel('book'),
    panel('deals'),
    panel('ticket'),
  ];
  return layoutOf(
    [
      split(14, group(58, 'pairs-1'), group(42, 'deals-1')),
      split(48, group(68, 'chart-1'), group(32, 'orders-1')),
      group(17, 'book-1'),
      group(21, 'ticket-1'),
    ],
    panels,
  );
}

/**
 * Returns a layout with four charts, the first three in the link groups A to C and the fourth in none, and a
 * ticket in the group of the first chart.
 */
function fourCharts(symbols: readonly string[]): DeskLayout {
  const links = ['a', 'b', 'c', undefined] as const;
  const charts = links.map((link, at) => panelOf('chart', at + 1, link, symbols[at] ?? FIRST_SYMBOL));
  const ticket = panelOf('ticket', 1, 'a', symbols[0] ?? FIRST_SYMBOL);
  return layoutOf(
    [
      split(38, group(1, 'chart-1'), group(1, 'chart-3')),
      split(38, group(1, 'chart-2'), group(1, 'chart-4')),
      group(24, 'ticket-1'),
    ],
    [...charts, ticket],
  );
}

function panelOf(kind: PanelKind, number: number, link: PanelLink | undefined, symbol: string): DeskPanel {
  return {
    id: `${kind}-${number}`,
    kind,
    link,
    symbol,
    timer: undefined,
  };
}

function layoutOf(parts: readonly PanelPart[], panels: readonly DeskPanel[]): DeskLayout {
  return { direction: 'row', parts, panels: new Map(panels.map((panel) => [panel.id, panel])) };
}

function group(share: number, id: string): PanelPart {
  return { kind: 'group', share, panels: [id], active: id };
}

function split(share: number, ...parts: readonly PanelPart[]): PanelPart {
  return { kind: 'split', share, parts };
}
