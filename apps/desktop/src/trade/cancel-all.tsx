import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { notify } from '@exchange/web-kit/shell/notify.ts';
import { useCancelAllOrders } from '@exchange/web-kit/spot/actions.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { lazy, Suspense, useState } from 'react';
import classes from './orders-panel.module.css';

const Dialog = lazy(async () => ({ default: (await import('@exchange/web-kit/ui/overlay.tsx')).Dialog }));

interface CancelAllProps {
  /** Only this pair's orders; all of them when left out. */
  readonly pair: MarketPair | undefined;
  readonly count: number;
}

/** Cancels everything shown, after saying how much that is. */
export function CancelAll({ pair, count }: CancelAllProps) {
  const tOrders = useWords('orders');
  const tShell = useWords('shell');
  const [isAsking, setAsking] = useState(false);
  const cancel = useCancelAllOrders();

  const confirm = (): void =>
    cancel.mutate(pair === undefined ? {} : { baseCoin: pair.base, quoteCoin: pair.quote }, {
      onSuccess: (answer) => notify.success(tOrders('allCancelled', { count: answer.count })),
      onError: notify.failure,
      onSettled: () => setAsking(false),
    });

  return (
    <>
      <Button look="quiet" size="s" disabled={count === 0} onClick={() => setAsking(true)}>
        {tOrders('cancelAll')}
      </Button>
      {isAsking && (
        <Suspense fallback={null}>
          <Dialog
            isOpen
            onClose={() => setAsking(false)}
            title={tOrders('cancelAll')}
            closeLabel={tShell('back')}
          >
            <p>
              {pair === undefined
                ? tOrders('cancelAllEvery')
                : tOrders('cancelAllAsk', { pair: `${pair.base}/${pair.quote}` })}
            </p>
            <div className={classes.answers}>
              <Button look="secondary" onClick={() => setAsking(false)}>
                {tShell('back')}
              </Button>
              <Button look="danger" busy={cancel.isPending} onClick={confirm}>
                {tOrders('cancelAll')}
              </Button>
            </div>
          </Dialog>
        </Suspense>
      )}
    </>
  );
}
