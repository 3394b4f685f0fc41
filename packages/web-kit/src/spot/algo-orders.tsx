import type { Read } from '../api/query-client.ts';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { DataTable, type Column } from '../ui/data-table.tsx';
import { Over, type OverlayLook } from '../ui/overlay.tsx';
import css from './algo.module.css';
import { useOrderWords } from './order-words.ts';
import type { Order } from './shapes.ts';

interface AlgoOrdersProps {
  readonly title: string;
  readonly look: OverlayLook;
  readonly onClose: () => void;
  readonly answer: Read<{ readonly orders: readonly Order[] }>;
  /** The table columns before the status column. */
  readonly columns: readonly Column<Order>[];
  /**
   * Text shown while the algo order has not placed an order; if undefined, the table is shown without rows
   * then.
   */
  readonly empty: string | undefined;
}

/** Dialog or sheet with a table of the orders that an algo order has placed. */
export function AlgoOrders({ title, look, onClose, answer, columns, empty }: AlgoOrdersProps) {
  const t = useWords('algo');
  const shell = useWords('shell');
  const words = useOrderWords();
  const { data, isPending, error, refetch } = answer;
  return (
    <Over isOpen look={look} width={560} onClose={onClose} title={title} closeLabel={shell('close')}>
      <ListBody
        look="cards"
        skeletonRows={5}
        isLoading={isPending}
        error={error}
        onRetry={() => void refetch()}
        isEmpty={empty !== undefined && data?.orders.length === 0}
        empty={empty}
      >
        <div className={css.preview} tabIndex={0} role="group" aria-label={title}>
          <DataTable
            dense
            caption={title}
            rows={data?.orders ?? []}
            rowKey={(order) => order.id}
            columns={[
              ...columns,
              {
                key: 'status',
                title: t('status'),
                align: 'end',
                cell: (order) => words.status(order),
              },
            ]}
          />
        </div>
      </ListBody>
    </Over>
  );
}
