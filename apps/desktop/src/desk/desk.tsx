import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { symbolOfLink } from '@exchange/web-kit/market/pair.ts';
import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import { usePreparedOrder } from '@exchange/web-kit/spot/prepared-order.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import {
  type DockviewApi,
  DockviewReact,
  type DockviewReadyEvent,
  type DockviewTheme,
  type SerializedDockview,
} from 'dockview-react';
import 'dockview-react/dist/styles/dockview.css';
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useBookView } from '../trade/book-view.ts';
import { type DeskShared, DeskContext, type DeskPick } from './desk-context.ts';
import {
  type DeskLayout,
  type DeskPanel,
  freeId,
  gridOfLayout,
  layoutOfGrid,
  type PanelKind,
  withLink,
  withPair,
  withTimer,
} from './desk-layout.ts';
import classes from './desk.module.css';
import { DeskHeader } from './desk-header.tsx';
import { DeskToolbar } from './desk-toolbar.tsx';
import { GroupActions } from './group-actions.tsx';
import { focusNextGroup } from './moves.ts';
import { PANEL_TYPES } from './panel-types.tsx';
import { PanelFrame } from './panel-frame.tsx';
import { followPage } from './pop-out.ts';
import { FIRST_SYMBOL, type Preset, presetLayout } from './presets.ts';
import {
  changeDesk,
  readDesk,
  type SavedLayout,
  withoutSaved,
  withRenamed,
  withSaved,
} from './saved-layouts.ts';

/** Pixels between panels. */
const GAP_PX = 4;
/**
 * The theme of the dock, the library component that arranges the panels. Its colours and sizes are CSS variables of
 * `className`; the library looks for a class that begins with `dockview-theme-`.
 */
const THEME: DockviewTheme = {
  name: 'exchange',
  className: 'dockview-theme-exchange',
  gap: GAP_PX,
  tabGroupIndicator: 'none',
};
const PANEL = 'panel';
const COMPONENTS = { [PANEL]: PanelFrame };
/**
 * Milliseconds after a change until the layout is stored; while the user drags a divider, the layout changes
 * with every frame.
 */
const STORE_AFTER_MS = 300;

/**
 * The trading desk: panels that can be moved, resized, maximised and moved into windows of their own, and layouts of
 * them under names. The arrangement is stored on the device and restored at the next visit.
 */
export default function Desk() {
  const t = useWords('desk');
  const [api, setApi] = useState<DockviewApi>();
  const { panels, setPanels, shared } = usePanels();
  const layouts = useLayouts(api, panels, setPanels);
  useMinimumSizes(api);
  useWindows(api);
  usePairOfLink(api, shared);

  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'F6' || api === undefined) return;
    event.preventDefault();
    focusNextGroup(api, event.shiftKey ? -1 : 1);
  };

  return (
    <DeskContext value={shared}>
      <div className={classes.desk} onKeyDown={handleKeyDown}>
        {api === undefined ? <DeskHeader /> : <DeskToolbar api={api} {...layouts} />}
        <section className={classes.dock} aria-label={t('panels')}>
          <DockviewReact
            components={COMPONENTS}
            rightHeaderActionsComponent={GroupActions}
            watermarkComponent={NoPanels}
            theme={THEME}
            disableFloatingGroups
            // The library's announcements for screen readers are switched off, because they are in English only.
            announcements={false}
            disableTabsOverflowList
            scrollbars="native"
            onReady={({ api: ready }: DockviewReadyEvent) => setApi(ready)}
          />
        </section>
      </div>
    </DeskContext>
  );
}

function NoPanels() {
  const t = useWords('desk');
  return <EmptyState text={t('empty')} />;
}

type Panels = ReadonlyMap<string, DeskPanel>;
type SetPanels = (change: (before: Panels) => Panels) => void;

/** Hook with the panels with their pairs and link groups, and the state that all panels share. */
function usePanels() {
  const [panels, setPanels] = useState<Panels>(() => new Map());
  const [picked, setPicked] = useState<DeskPick>();
  const book = useBookView();
  const shared = useMemo(
    (): DeskShared => ({
      panels,
      book,
      picked,
      pickPrice: (symbol, price) => setPicked({ symbol, price: { price } }),
      choosePair: (id, symbol) => setPanels((before) => withPair(before, id, symbol)),
      chooseLink: (id, link) => setPanels((before) => withLink(before, id, link)),
      chooseTimer: (id, timer) => setPanels((before) => withTimer(before, id, timer)),
    }),
    [panels, book, picked],
  );
  return { panels, setPanels, shared };
}

/**
 * Hook with the layouts of the desk: the shown arrangement, which is stored on this device, the presets, and
 * the layouts that the user has saved under names.
 */
function useLayouts(api: DockviewApi | undefined, panels: Panels, setPanels: SetPanels) {
  const t = useWords('desk');
  const symbols = useStandardSymbols();
  const [stored, setStored] = useState(readDesk);
  const latest = useRef({ panels, name: stored.name, show });
  useLayoutEffect(() => {
    latest.current = { panels, name: stored.name, show };
  });

  useEffect(() => {
    if (api !== undefined) latest.current.show(api, readDesk().current);
  }, [api]);
  useStoring(api, panels, () => {
    if (api === undefined) return;
    const current = layoutOfGrid(api.toJSON(), latest.current.panels);
    changeDesk((desk) => ({ ...desk, current, name: latest.current.name }));
  });

  function show(dock: DockviewApi, layout: DeskLayout | undefined): void {
    const standard = presetLayout('one', symbols);
    const shown = layout ?? standard;
    setPanels(() => shown.panels);
    try {
      dock.fromJSON(serialized(dock, shown));
      activateMain(dock, shown);
    } catch {
      // A layout that the library refuses is replaced by the standard one.
      setPanels(() => standard.panels);
      dock.fromJSON(serialized(dock, standard));
      activateMain(dock, standard);
    }
  }
  function open(layout: DeskLayout, name: string | undefined): void {
    if (api === undefined) return;
    setStored(changeDesk((desk) => ({ ...desk, name })));
    show(api, layout);
  }
  return {
    name: stored.name,
    saved: stored.saved,
    onPreset: (preset: Preset) => open(presetLayout(preset, symbols), undefined),
    onOpen: ({ name, layout }: SavedLayout) => open(layout, name),
    onSave: (name: string) => {
      if (api === undefined) return;
      const layout = layoutOfGrid(api.toJSON(), panels);
      setStored(changeDesk((desk) => withSaved(desk, name, layout)));
      notify.success(t('savedNotice', { name }));
    },
    onRename: (before: string, name: string) =>
      setStored(changeDesk((desk) => withRenamed(desk, before, name))),
    onDelete: (name: string) => setStored(changeDesk((desk) => withoutSaved(desk, name))),
    onReset: () => {
      const shown = stored.saved.find(({ name }) => name === stored.name);
      open(shown?.layout ?? presetLayout('one', symbols), shown?.name);
    },
    onAdd: (kind: PanelKind) => {
      if (api !== undefined) addPanel(api, panels, setPanels, { kind, title: t(`kind.${kind}`), symbols });
    },
  };
}

/**
 * Hook that returns the symbols of all pairs in the order in which presets use them: those quoted in USDT
 * come first.
 */
function useStandardSymbols(): readonly string[] {
  const { data = [] } = usePairs();
  return useMemo(() => {
    const isStandard = ({ quote }: { readonly quote: string }) => quote === 'USDT';
    return [...data.filter(isStandard), ...data.filter((pair) => !isStandard(pair))].map(
      ({ symbol }) => symbol,
    );
  }, [data]);
}

/**
 * Hook that calls `storeNow` shortly after changes of the arrangement, but not while a panel is maximised;
 * changes that are not stored yet are stored when the desk or the page is left.
 */
function useStoring(api: DockviewApi | undefined, panels: Panels, storeNow: () => void): void {
  const latest = useRef(storeNow);
  const schedule = useRef<() => void>(undefined);
  useLayoutEffect(() => {
    latest.current = storeNow;
  });
  useLayoutEffect(() => {
    if (api === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = (): void => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      latest.current();
    };
    schedule.current = () => {
      clearTimeout(timer);
      // Serialising restores a maximised panel for an instant, so the layout is not stored until the panel is restored
      // or the desk is left.
      timer = setTimeout(() => {
        if (!api.hasMaximizedGroup()) flush();
      }, STORE_AFTER_MS);
    };
    const subscription = api.onDidLayoutChange(() => schedule.current?.());
    window.addEventListener('pagehide', flush);
    return () => {
      flush();
      schedule.current = undefined;
      subscription.dispose();
      window.removeEventListener('pagehide', flush);
    };
  }, [api]);
  useEffect(() => {
    // Before the first layout of the desk is shown there is no arrangement of panels to store.
    if (panels.size > 0) schedule.current?.();
  }, [panels]);
}

/**
 * Hook that lays the panels out again after one was moved or added, because the library applies the minimum
 * sizes of nested panels only when it lays the panels out.
 */
function useMinimumSizes(api: DockviewApi | undefined): void {
  useEffect(() => {
    if (api === undefined) return undefined;
    const layOut = (): void => queueMicrotask(() => api.layout(api.width, api.height, true));
    const subscriptions = [api.onDidMovePanel(layOut), api.onDidAddPanel(layOut)];
    return () => {
      for (const subscription of subscriptions) subscription.dispose();
    };
  }, [api]);
}

/**
 * Hook that keeps the look of the panels' windows equal to that of the page (see `followPage`), and notifies
 * the user when the browser blocks a window.
 */
function useWindows(api: DockviewApi | undefined): void {
  const t = useWords('desk');
  const blocked = t('blocked');
  useEffect(() => {
    if (api === undefined) return undefined;
    const endings = new Map<string, () => void>();
    const subscriptions = [
      api.onDidAddPopoutGroup(({ id, window: opened }) => endings.set(id, followPage(opened))),
      api.onDidRemovePopoutGroup(({ id }) => {
        endings.get(id)?.();
        endings.delete(id);
      }),
      api.onDidOpenPopoutWindowFail(() => notify.warning(blocked)),
    ];
    return () => {
      for (const subscription of subscriptions) subscription.dispose();
      for (const end of endings.values()) end();
    };
  }, [api, blocked]);
}

/**
 * Hook that shows the pair that the parameter `symbol` of the URL names, such as `BTC_USDT`, and then removes
 * the parameter. The pair is shown in the first order form, so that it can receive a prepared order, or else
 * in the active panel. A prepared order for which the desk has no order form is shown on the trading screen.
 */
function usePairOfLink(api: DockviewApi | undefined, { panels, choosePair }: DeskShared): void {
  const [parameters, setParameters] = useSearchParams();
  const { data: pairs } = usePairs();
  const linked = symbolOfLink(parameters.get('symbol'));
  const isPrepared = usePreparedOrder(linked ?? '') !== undefined;
  const navigate = useNavigate();
  useEffect(() => {
    if (linked === undefined || api === undefined || panels.size === 0) return;
    const ticket = api.panels.find(({ id }) => panels.get(id)?.kind === 'ticket');
    const panel = ticket ?? api.activePanel;
    const pair = pairs?.find(({ symbol }) => symbol === linked);
    if (pair !== undefined && isPrepared && ticket === undefined) {
      void navigate(tradePath(pair), { replace: true });
      return;
    }
    if (pair !== undefined && panel !== undefined) {
      // The pair of the panel is changed first, and the parameter is removed from the URL in a later run of this
      // effect. The URL is updated with low priority, so it would not be updated between quickly repeated changes of
      // panels.
      if (panels.get(panel.id)?.symbol !== linked) {
        choosePair(panel.id, linked);
        return;
      }
      panel.api.setActive();
    }
    setParameters(
      (before) => {
        before.delete('symbol');
        return before;
      },
      { replace: true },
    );
  }, [api, choosePair, isPrepared, linked, navigate, pairs, panels, setParameters]);
}

interface NewPanel {
  readonly kind: PanelKind;
  readonly title: string;
  /** Symbols of the pairs; a panel that is added to an empty desk shows the first. */
  readonly symbols: readonly string[];
}

/**
 * Adds a panel to the right of the active one, or below the active panel if that is not wider than high; the
 * new panel has the active panel's pair and link group. On a desk without panels the new panel has the first
 * pair and the link group A.
 */
function addPanel(api: DockviewApi, panels: Panels, setPanels: SetPanels, added: NewPanel): void {
  if (api.hasMaximizedGroup()) api.exitMaximizedGroup();
  const { kind, title, symbols } = added;
  const active = api.activePanel;
  const beside = active === undefined ? undefined : panels.get(active.id);
  const id = freeId(panels, kind);
  const panel: DeskPanel = {
    id,
    kind,
    link: beside === undefined ? 'a' : beside.link,
    symbol: beside?.symbol ?? symbols[0] ?? FIRST_SYMBOL,
    timer: undefined,
  };
  setPanels((before) => new Map([...before, [id, panel]]));
  api.addPanel({
    id,
    component: PANEL,
    title,
    ...minimumSizes(kind),
    ...(active?.api.location.type === 'grid' && {
      position: {
        referencePanel: active.id,
        direction: active.api.width > active.api.height ? 'right' : 'below',
      },
    }),
  });
}

/** Activates the first chart that is shown, otherwise the first shown panel: new panels are added beside it. */
function activateMain(api: DockviewApi, { panels }: DeskLayout): void {
  const shown = api.panels.filter((panel) => panel.api.isVisible);
  const main = shown.find(({ id }) => panels.get(id)?.kind === 'chart') ?? shown[0];
  main?.api.setActive();
}

/**
 * Returns the minimum width and height, in pixels, that the dock library receives for a kind of panel: those
 * of `PANEL_TYPES` plus the gap between panels, which the library counts as a part of the panel.
 */
function minimumSizes(kind: PanelKind) {
  const { minimumWidth, minimumHeight } = PANEL_TYPES[kind];
  return { minimumWidth: minimumWidth + GAP_PX, minimumHeight: minimumHeight + GAP_PX };
}

/** Converts a layout to the format that the dock library loads, for a dock of the current size. */
function serialized({ width, height }: DockviewApi, layout: DeskLayout): SerializedDockview {
  const panels = [...layout.panels.values()].map(({ id, kind }) => {
    return [
      id,
      {
        id,
        contentComponent: PANEL,
        title: id,
        ...minimumSizes(kind),
      },
    ] as const;
  });
  return {
    grid: gridOfLayout(layout, { width, height }) as unknown as SerializedDockview['grid'],
    panels: Object.fromEntries(panels),
  };
}
