import { useState } from 'react';
import { ListEnd } from '../api/list-state.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import type { MarketPair } from '../market/pair.ts';
import { lazyPart } from '../part/lazy-part.tsx';
import { Button } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/choice.tsx';
import type { OverlayLook } from '../ui/overlay.tsx';
import css from './algo.module.css';
import { LadderCard, LadderOrders } from './ladder-card.tsx';
import { TwapCard, TwapOrders } from './twap-card.tsx';
import { useAlgoOrders } from './twaps.ts';

const LadderDialog = lazyPart('ladder-dialog', () => import('./ladder-dialog.tsx'), {
  whenMissing: 'dialog',
});
const TwapDialog = lazyPart('twap-dialog', () => import('./twap-dialog.tsx'), { whenMissing: 'dialog' });

interface AlgoListProps {
  /** The pair of a new algo order; undefined hides the buttons. */
  readonly pair: MarketPair | undefined;
  readonly look: OverlayLook;
}

type Kind = 'ladder' | 'twap';

/** The user's TWAP orders and ladders with their progress, and buttons for new ones. */
export function AlgoList({ pair, look }: AlgoListProps) {
  const t = useWords('algo');
  const [view, setView] = useState<'current' | 'ended'>('current');
  const [opened, setOpened] = useState<{ readonly kind: Kind; readonly id: string }>();
  const [creating, setCreating] = useState<Kind>();
  const hasEnded = view === 'ended';
  const list = useAlgoOrders(hasEnded);
  const close = () => setOpened(undefined);
  const stop = () => setCreating(undefined);
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
            <Button size="s" onClick={() => setCreating('twap')}>
              {t('newTwap')}
            </Button>
            <Button size="s" onClick={() => setCreating('ladder')}>
              {t('newLadder')}
            </Button>
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
          {list.rows.map(({ id, twap, ladder }) =>
            twap === undefined ? (
              ladder && (
                <LadderCard key={id} ladder={ladder} onOpen={() => setOpened({ kind: 'ladder', id })} />
              )
            ) : (
              <TwapCard key={id} twap={twap} onOpen={() => setOpened({ kind: 'twap', id })} />
            ),
          )}
        </ul>
        <ListEnd list={list} />
      </ListBody>
      {opened?.kind === 'ladder' ? <LadderOrders id={opened.id} look={look} onClose={close} /> : null}
      {opened?.kind === 'twap' ? <TwapOrders id={opened.id} look={look} onClose={close} /> : null}
      {creating === 'ladder' && pair !== undefined ? (
        <LadderDialog pair={pair} look={look} onClose={stop} />
      ) : null}
      {creating === 'twap' && pair !== undefined ? (
        <TwapDialog pair={pair} look={look} onClose={stop} />
      ) : null}
    </div>
  );
}
