import { ConfirmForm } from '@exchange/web-kit/form/confirm-form.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useCancelAllOrders } from '@exchange/web-kit/spot/actions.ts';
import { useCancelledSentences } from '@exchange/web-kit/spot/order-words.ts';
import { useOpenOrders, type OrderFilter } from '@exchange/web-kit/spot/queries.ts';
import { SegmentedControl } from '@exchange/web-kit/ui/choice.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { useState } from 'react';
import css from './cancel-sheet.module.css';
import { countCancellable, entriesOf } from '@exchange/web-kit/spot/entries.ts';

type Side = '' | '1' | '2';

interface CancelSheetProps {
  /**
   * The pair whose orders the sheet offers to cancel as an alternative to the orders of all pairs; undefined
   * if it offers all pairs only.
   */
  pair: { readonly base: string; readonly quote: string } | undefined;
  onClose: () => void;
}

/**
 * Sheet that cancels several open orders at once: buy orders, sell orders or both, of the displayed pair or of all
 * pairs. It shows the number of these orders before the user confirms.
 */
export default function CancelSheet({ pair, onClose }: CancelSheetProps) {
  const t = useWords('mobile-orders');
  const shell = useWords('shell');
  const [side, setSide] = useState<Side>('');
  const [scope, setScope] = useState<'pair' | 'every'>(pair === undefined ? 'every' : 'pair');
  const ofPair: OrderFilter =
    pair === undefined || scope === 'every' ? {} : { baseCoin: pair.base, quoteCoin: pair.quote };
  const { resting, waiting } = useOpenOrders(ofPair);
  const count = countCancellable(entriesOf(resting, waiting), side);
  const cancelAll = useCancelAllOrders();
  const sentences = useCancelledSentences();
  const cancelOrders = async () => {
    const filter = {
      baseCoin: ofPair.baseCoin,
      quoteCoin: ofPair.quoteCoin,
      tradeType: side === '' ? undefined : side,
    };
    const answer = await cancelAll.mutateAsync(filter);
    notify.success(sentences.all(answer.entries ?? answer.count, filter));
  };
  return (
    <Sheet isOpen onClose={onClose} title={t('cancelTitle')} closeLabel={shell('close')}>
      <div className={css.body}>
        {pair === undefined ? null : (
          <SegmentedControl
            label={t('cancelWhere')}
            className={css.segments}
            value={scope}
            onChange={setScope}
            options={[
              { value: 'pair', label: t('thisPair', { pair: `${pair.base}/${pair.quote}` }) },
              { value: 'every', label: t('everyPair') },
            ]}
          />
        )}
        <SegmentedControl<Side>
          label={t('cancelWhich')}
          className={css.segments}
          value={side}
          onChange={setSide}
          options={[
            { value: '', label: t('cancelAll') },
            { value: '1', label: t('cancelBuys') },
            { value: '2', label: t('cancelSells') },
          ]}
        />
        <ConfirmForm
          consequence={
            <p className={css.what}>{count === 0 ? t('cancelNothing') : t('cancelWhat', { count })}</p>
          }
          button={t('cancelNow', { count })}
          look="danger"
          isIdle={count === 0}
          act={cancelOrders}
          onDone={onClose}
        />
      </div>
    </Sheet>
  );
}
