import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useCancelAllOrders } from '@exchange/web-kit/spot/actions.ts';
import { countCancellable, type OpenEntries } from '@exchange/web-kit/spot/entries.ts';
import { useCancelledSentences } from '@exchange/web-kit/spot/order-words.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Dropdown } from '../shell/dropdown.tsx';
import dropdown from '../shell/dropdown.module.css';
import classes from './orders-panel.module.css';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';
import { LazyDialog } from '@exchange/web-kit/part/lazy-dialog.tsx';

const ConfirmForm = lazyPart('confirm-form', async () => ({
  default: (await import('@exchange/web-kit/form/confirm-form.tsx')).ConfirmForm,
}));

/** Which open orders the user cancels together: all of them, all buy orders, or all sell orders. */
type Scope = 'all' | 'buys' | 'sells';

const SCOPES = { all: undefined, buys: '1', sells: '2' } as const;

interface CancelAllProps {
  /** The pair whose open orders are cancelled; undefined for the orders of all pairs. */
  readonly pair: MarketPair | undefined;
  /** The open orders in the user's list, all pages included; the two orders of an OCO are one entry. */
  readonly entries: OpenEntries;
}

/**
 * Buttons that cancel all listed orders, all buy orders or all sell orders, after a confirmation that states their
 * number.
 */
export function CancelAll({ pair, entries }: CancelAllProps) {
  const tOrders = useWords('orders');
  const tDesk = useWords('desktop-orders');
  const [scope, setScope] = useState<Scope>();
  const count = (scope: Scope): number => countCancellable(entries, SCOPES[scope] ?? '');
  return (
    <div className={classes.cancel}>
      <Button look="quiet" size="s" disabled={count('all') === 0} onClick={() => setScope('all')}>
        {tOrders('cancelAll')}
      </Button>
      <Dropdown
        key={scope}
        className={classes.more}
        label={tDesk('cancelMenu')}
        face={<ChevronDown size={14} aria-hidden="true" />}
      >
        {(['buys', 'sells'] as const).map((scope) => (
          <button
            key={scope}
            type="button"
            className={dropdown.item}
            disabled={count(scope) === 0}
            onClick={() => setScope(scope)}
          >
            {tOrders(scope === 'buys' ? 'cancelBuys' : 'cancelSells')}
            <span className={classes.count}>{count(scope)}</span>
          </button>
        ))}
      </Dropdown>
      {scope !== undefined && (
        <CancelAllDialog scope={scope} pair={pair} count={count(scope)} onClose={() => setScope(undefined)} />
      )}
    </div>
  );
}

interface CancelAllDialogProps {
  readonly scope: Scope;
  /** The pair whose orders are cancelled; undefined for all pairs. */
  readonly pair: MarketPair | undefined;
  /**
   * Number of open orders that the dialog states; the two orders of an OCO count as one, and so do the orders of an
   * OTO.
   */
  readonly count: number;
  readonly onClose: () => void;
}

/**
 * Dialog that cancels all open orders, all buy orders or all sell orders of one pair or of all pairs after
 * the user has confirmed.
 */
export function CancelAllDialog({ scope, pair, count, onClose }: CancelAllDialogProps) {
  const tOrders = useWords('orders');
  const tDesk = useWords('desktop-orders');
  const tShell = useWords('shell');
  const cancel = useCancelAllOrders();
  const sentences = useCancelledSentences();
  const tradeType = SCOPES[scope];
  const titles = { all: 'cancelAll', buys: 'cancelBuys', sells: 'cancelSells' } as const;
  const whats = { all: 'allOrders', buys: 'buyOrders', sells: 'sellOrders' } as const;

  const confirm = async () => {
    const filter = {
      baseCoin: pair?.base,
      quoteCoin: pair?.quote,
      tradeType,
    };
    const answer = await cancel.mutateAsync(filter);
    notify.success(sentences.all(answer.entries ?? answer.count, filter));
  };

  return (
    <LazyDialog isOpen onClose={onClose} title={tOrders(titles[scope])} closeLabel={tShell('back')}>
      <ConfirmForm
        consequence={
          <p>
            {tDesk('cancelAsk', {
              what: tDesk(whats[scope], { count }),
              pairs: pair === undefined ? tDesk('everyPair') : `${pair.base}/${pair.quote}`,
            })}
          </p>
        }
        button={tOrders(titles[scope])}
        look="danger"
        act={confirm}
        onDone={onClose}
        back={{ label: tShell('back'), onPress: onClose }}
      />
    </LazyDialog>
  );
}
