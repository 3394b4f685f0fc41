import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { LoadFailed } from '@exchange/web-kit/list/load-failed.tsx';
import { DayChange, LastPrice } from '@exchange/web-kit/market/live-figures.tsx';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { usePair, usePairs } from '@exchange/web-kit/market/queries.ts';
import { OverlayPlace } from '@exchange/web-kit/theme/overlay-place.tsx';
import { EmptyState, Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import type { DockviewPanelApi, IDockviewPanelProps } from 'dockview-react';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { useDesk } from './desk-context.ts';
import { type DeskPanel, LINKS } from './desk-layout.ts';
import classes from './desk.module.css';
import { PANEL_TYPES } from './panel-types.tsx';

/**
 * A panel of the desk: its title as a heading for screen readers, a line with its pair and its link group, and its
 * body. The library makes the group around it a region that has the same name.
 */
export function PanelFrame({ api }: IDockviewPanelProps) {
  const { panels } = useDesk();
  const panel = panels.get(api.id);
  return panel === undefined ? null : <Frame api={api} panel={panel} />;
}

interface FrameProps {
  readonly api: DockviewPanelApi;
  readonly panel: DeskPanel;
}

function Frame({ api, panel }: FrameProps) {
  const t = useWords('desk');
  const pair = usePair(panel.symbol);
  const { hasPairChoice, isKept } = PANEL_TYPES[panel.kind];
  const isVisible = useVisible(api);
  const title = usePanelTitle(panel, pair.data ?? undefined);
  useEffect(() => api.setTitle(title), [api, title]);
  return (
    <OverlayPlace body={useWindowBody(api)}>
      <div className={classes.panel} data-kind={panel.kind}>
        <h2 className="visually-hidden">{title}</h2>
        <div className={classes.line}>
          {hasPairChoice && <PairChoice panel={panel} pair={pair.data ?? undefined} />}
          {isVisible && panel.kind === 'chart' && pair.data && (
            <span className={classes.figures} data-live>
              <LastPrice pair={pair.data} />
              <DayChange pair={pair.data} />
            </span>
          )}
          <LinkChoice panel={panel} label={t('link')} />
        </div>
        <div className={classes.body}>
          {isVisible || isKept ? <Body panel={panel} /> : <Skeleton height="100%" />}
        </div>
      </div>
    </OverlayPlace>
  );
}

function Body({ panel }: { readonly panel: DeskPanel }) {
  const t = useWords('trade');
  const pair = usePair(panel.symbol);
  const { Body: Content } = PANEL_TYPES[panel.kind];
  if (pair.error !== null && pair.data === undefined)
    return <LoadFailed error={pair.error} onRetry={() => void pair.refetch()} />;
  if (pair.data === undefined) return <Skeleton height="100%" />;
  if (pair.data === null) return <EmptyState text={t('unknownPair', { pair: panel.symbol.toUpperCase() })} />;
  return <Content panel={panel} pair={pair.data} />;
}

interface PairChoiceProps {
  readonly panel: DeskPanel;
  readonly pair: MarketPair | undefined;
}

/** Menu that selects the pair of a panel: a native list, so that it also works while the panel has its own window. */
function PairChoice({ panel, pair }: PairChoiceProps) {
  const t = useWords('desk');
  const { choosePair } = useDesk();
  const pairs = usePairs().data ?? [];
  return (
    <select
      className={classes.choice}
      aria-label={t('pair')}
      value={panel.symbol}
      onChange={(event) => choosePair(panel.id, event.target.value)}
    >
      {pair === undefined && <option value={panel.symbol}>{panel.symbol.toUpperCase()}</option>}
      {pairs.map(({ symbol, base, quote }) => (
        <option key={symbol} value={symbol}>
          {base}/{quote}
        </option>
      ))}
    </select>
  );
}

/** Menu that selects the link group of a panel; it shows the group's letter and colour. */
function LinkChoice({ panel, label }: { readonly panel: DeskPanel; readonly label: string }) {
  const t = useWords('desk');
  const { chooseLink } = useDesk();
  return (
    <span className={classes.link} data-link={panel.link}>
      <select
        className={classes.choice}
        aria-label={label}
        title={panel.link === undefined ? t('linkNone') : t('linkOf', { group: panel.link.toUpperCase() })}
        value={panel.link ?? ''}
        onChange={({ target }) =>
          chooseLink(
            panel.id,
            LINKS.find((link) => link === target.value),
          )
        }
      >
        <option value="">{t('linkNone')}</option>
        {LINKS.map((link) => (
          <option key={link} value={link}>
            {link.toUpperCase()}
          </option>
        ))}
      </select>
    </span>
  );
}

/** Hook that returns a panel's title: its kind, and its pair if it has a choice of pairs. */
function usePanelTitle({ kind }: DeskPanel, pair: MarketPair | undefined): string {
  const t = useWords('desk');
  const name = t(`kind.${kind}`);
  return pair === undefined || !PANEL_TYPES[kind].hasPairChoice ? name : `${name} ${pair.base}/${pair.quote}`;
}

function useVisible(api: DockviewPanelApi): boolean {
  const watch = useCallback(
    (changed: () => void) => {
      const subscription = api.onDidVisibilityChange(changed);
      return () => subscription.dispose();
    },
    [api],
  );
  return useSyncExternalStore(watch, () => api.isVisible);
}

/**
 * Hook that returns the body of the separate browser window that displays the panel; undefined while the page
 * itself displays it.
 */
function useWindowBody(api: DockviewPanelApi): HTMLElement | undefined {
  const watch = useCallback(
    (changed: () => void) => {
      const subscription = api.onDidLocationChange(changed);
      return () => subscription.dispose();
    },
    [api],
  );
  return useSyncExternalStore(watch, () => {
    const { location } = api;
    return location.type === 'popout' ? location.getWindow().document.body : undefined;
  });
}
