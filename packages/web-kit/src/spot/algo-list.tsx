import { useState } from 'react';
import { ListEnd } from '../api/list-state.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import type { MarketPair } from '../market/pair.ts';
import { lazyPart } from '../part/lazy-part.tsx';
import { Button } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/choice.tsx';
import type { OverlayLook } from '../ui/overlay.tsx';
import { useAlgoOrders } from './algo-calls.ts';
import css from './algo.module.css';
import { ChaseCard, ChaseOrders } from './chase-card.tsx';
import { GridCard, GridOrders } from './grid-card.tsx';
import { IcebergCard, IcebergOrders } from './iceberg-card.tsx';
import { LadderCard, LadderOrders } from './ladder-card.tsx';
import { TwapCard, TwapOrders } from './twap-card.tsx';

const whenMissing = { whenMissing: 'dialog' } as const;
/** The dialogs with the forms of new algo orders, in the sequence of the buttons that open them. */
const DIALOGS = {
  twap: lazyPart('twap-dialog', () => import('./twap-dialog.tsx'), whenMissing),
  iceberg: lazyPart('iceberg-dialog', () => import('./iceberg-dialog.tsx'), whenMissing),
  chase: lazyPart('chase-dialog', () => import('./chase-dialog.tsx'), whenMissing),
  grid: lazyPart('grid-dialog', () => import('./grid-dialog.tsx'), whenMissing),
  ladder: lazyPart('ladder-dialog', () => import('./ladder-dialog.tsx'), whenMissing),
};
const ORDERS = {
  twap: TwapOrders,
  iceberg: IcebergOrders,
  chase: ChaseOrders,
  grid: GridOrders,
  ladder: LadderOrders,
};
type Kind = keyof typeof DIALOGS;
const KINDS = Object.keys(DIALOGS) as Kind[];

interface AlgoListProps {
  /**
   * The pair for which the user can place new algo orders. If undefined, the buttons that open their forms are not
   * shown.
   */
  readonly pair: MarketPair | undefined;
  readonly look: OverlayLook;
}

/**
 * The user's algo orders with their progress: those that have not ended, or, if the user chooses so, the
 * ended ones. If `pair` is given, also the buttons that open the forms of new ones.
 */
export function AlgoList({ pair, look }: AlgoListProps) {
  const t = useWords('algo');
  const [view, setView] = useState<'current' | 'ended'>('current');
  const [opened, setOpened] = useState<{ readonly kind: Kind; readonly id: string }>();
  const [creating, setCreating] = useState<Kind>();
  const hasEnded = view === 'ended';
  const list = useAlgoOrders(hasEnded);
  const Dialog = creating && DIALOGS[creating];
  const Orders = opened && ORDERS[opened.kind];
  return (
    <div className={css.list} data-look={look}>
      <div className={css.tools}>
        <SegmentedControl
          label={t('show')}
          value={view}
          onChange={setView}
          options={[
            { value: 'current', label: t('current') },
            { value: 'ended', label: t('ended') },
          ]}
        />
        {pair === undefined ? null : (
          <div className={css.actions}>
            {KINDS.map((kind) => (
              <Button key={kind} size="s" onClick={() => setCreating(kind)}>
                {t(`new_${kind}`)}
              </Button>
            ))}
          </div>
        )}
      </div>
      <ListBody
        look="cards"
        skeletonRows={2}
        isLoading={list.isLoading}
        error={list.error}
        onRetry={() => void list.reload()}
        isEmpty={list.rows.length === 0}
        empty={t(hasEnded ? 'noneEnded' : 'none')}
      >
        <ul className={css.cards}>
          {list.rows.map(({ id, twap, iceberg, chase, grid, ladder }) => {
            const open = (kind: Kind) => () => setOpened({ kind, id });
            if (twap !== undefined) return <TwapCard key={id} twap={twap} onOpen={open('twap')} />;
            if (iceberg !== undefined)
              return <IcebergCard key={id} iceberg={iceberg} onOpen={open('iceberg')} />;
            if (chase !== undefined) return <ChaseCard key={id} chase={chase} onOpen={open('chase')} />;
            if (grid !== undefined)
              return <GridCard key={id} grid={grid} look={look} onOpen={open('grid')} />;
            return ladder && <LadderCard key={id} ladder={ladder} onOpen={open('ladder')} />;
          })}
        </ul>
        <ListEnd list={list} />
      </ListBody>
      {Orders ? <Orders id={opened.id} look={look} onClose={() => setOpened(undefined)} /> : null}
      {Dialog && pair !== undefined ? (
        <Dialog pair={pair} look={look} onClose={() => setCreating(undefined)} />
      ) : null}
    </div>
  );
}
