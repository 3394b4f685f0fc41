import { ListEnd } from '../api/list-state.tsx';
import { Amount, Price, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { useDigits } from '../market/digits.ts';
import { notify } from '../notify.ts';
import { DataTable } from '../ui/data-table.tsx';
import { Over, type OverlayLook } from '../ui/overlay.tsx';
import { Badge } from '../ui/parts.tsx';
import { CardFrame } from './algo-card.tsx';
import css from './algo.module.css';
import { GridComparison } from './grid-comparison.tsx';
import { differenceOf } from './grid-form.ts';
import { useCancelGrid, useGridOrders, useGridResults, type Grid } from './grids.ts';
import { useOrderWords } from './order-words.ts';

interface GridCardProps {
  readonly grid: Grid;
  readonly onOpen: () => void;
}

/**
 * Card of a grid: its results beside those of holding and of buying the coin, its progress, a button that shows its
 * orders, and until its end a button that cancels it.
 */
export function GridCard({ grid, onOpen }: GridCardProps) {
  const t = useWords('grid');
  const algo = useWords('algo');
  const digits = useDigits()(grid.symbol);
  const cancel = useCancelGrid();
  const hasEnded = grid.status === 'ended';
  const end = (): void =>
    cancel.mutate(grid.id, {
      onSuccess: () => notify.success(t('cancelled')),
    });
  return (
    <CardFrame
      kind={t('grid')}
      order={grid}
      state={<State grid={grid} />}
      figures={[
        {
          label: t('range'),
          value: (
            <>
              <Price value={grid.lowerPrice} digits={digits.price} /> –{' '}
              <Price value={grid.upperPrice} digits={digits.price} />
            </>
          ),
        },
        { label: t('levels'), value: `${grid.levels} · ${t(grid.spacing)}` },
        {
          label: t('gridProfit'),
          value: <Amount value={grid.gridProfit} kind="sum" coin={grid.quoteCoin} signed />,
        },
        { label: t('rounds'), value: grid.rounds },
        {
          label: t('used'),
          value: <Amount value={grid.invested} kind="sum" coin={grid.quoteCoin} />,
        },
        {
          label: t('has'),
          value: (
            <>
              <Amount value={grid.base} coin={grid.baseCoin} /> +{' '}
              <Amount value={grid.quote} kind="sum" coin={grid.quoteCoin} />
            </>
          ),
        },
        {
          label: algo('fee'),
          value: (
            <>
              <Amount value={grid.quoteFee} coin={grid.quoteCoin} /> +{' '}
              <Amount value={grid.baseFee} coin={grid.baseCoin} />
            </>
          ),
        },
        { label: algo('startPrice'), value: <Price value={grid.startPrice} digits={digits.price} /> },
      ]}
      onOpen={onOpen}
      openLabel={algo('orders')}
      onCancel={hasEnded ? undefined : end}
      cancelLabel={t('cancel')}
      isCancelling={cancel.isPending}
    >
      <Results grid={grid} />
    </CardFrame>
  );
}

type Ending = 'user' | 'selfTrade' | 'countdown' | 'rest';

/** Shows how many orders of a running grid are open, or how it has ended. */
function State({ grid: { status, reason, openCount, levels } }: { readonly grid: Grid }) {
  const t = useWords('grid');
  if (status === 'ended') return <Badge tone="neutral">{t(`end_${reason as Ending}`)}</Badge>;
  const isWhole = openCount === levels - 1;
  return (
    <Badge tone={isWhole ? 'accent' : 'warning'}>{t('openOf', { open: openCount, count: levels - 1 })}</Badge>
  );
}

/**
 * Value and result of a grid beside those of holding what it held at its start and of buying the coin for the whole
 * investment, and the differences.
 */
function Results({ grid }: { readonly grid: Grid }) {
  const t = useWords('grid');
  const digits = useDigits()(grid.symbol);
  const { price, ...results } = useGridResults(grid);
  const columns = [
    { label: t('grid'), value: results.grid.value, result: results.grid },
    { label: t('holding'), value: results.holding.value, result: results.holding },
    { label: t('allIn', { coin: grid.baseCoin }), value: results.allIn.value, result: results.allIn },
  ];
  const differences = [
    { label: t('lessHolding'), result: differenceOf(results.grid, results.holding) },
    { label: t('lessAllIn', { coin: grid.baseCoin }), result: differenceOf(results.grid, results.allIn) },
  ];
  return (
    <section className={css.results} aria-label={t('results')}>
      <b>
        {t('results')} ({grid.quoteCoin}) · <Price value={price} digits={digits.price} />
      </b>
      <GridComparison columns={columns} quote={grid.quoteCoin} />
      <GridComparison columns={differences} quote={grid.quoteCoin} />
    </section>
  );
}

interface GridOrdersProps {
  readonly id: string;
  readonly look: OverlayLook;
  readonly onClose: () => void;
}

/** Table of all orders that a grid has placed, newest first. */
export function GridOrders({ id, look, onClose }: GridOrdersProps) {
  const algo = useWords('algo');
  const shell = useWords('shell');
  const trade = useWords('trade');
  const words = useOrderWords();
  const digitsOf = useDigits();
  const list = useGridOrders(id);
  return (
    <Over isOpen look={look} width={560} onClose={onClose} title={algo('orders')} closeLabel={shell('close')}>
      <ListBody
        look="cards"
        skeletonRows={5}
        isLoading={list.isLoading}
        error={list.error}
        onRetry={() => void list.reload()}
        isEmpty={false}
        empty={undefined}
      >
        <div className={css.preview} tabIndex={0} role="group" aria-label={algo('orders')}>
          <DataTable
            dense
            caption={algo('orders')}
            rows={list.rows}
            rowKey={(order) => order.id}
            columns={[
              {
                key: 'time',
                title: algo('time'),
                cell: ({ createTime }) => <When at={createTime} look="second" />,
              },
              {
                key: 'side',
                title: trade('side'),
                cell: ({ tradeType }) => trade(tradeType === 1 ? 'buy' : 'sell'),
              },
              {
                key: 'price',
                title: trade('price'),
                align: 'end',
                cell: ({ price, symbol }) => <Price value={price} digits={digitsOf(symbol).price} />,
              },
              {
                key: 'filled',
                title: algo('filled'),
                align: 'end',
                cell: ({ filledAmount, amount, symbol }) => (
                  <>
                    <Amount value={filledAmount} digits={digitsOf(symbol).amount} /> /{' '}
                    <Amount value={amount} digits={digitsOf(symbol).amount} />
                  </>
                ),
              },
              {
                key: 'status',
                title: algo('status'),
                align: 'end',
                cell: (order) => words.status(order),
              },
            ]}
          />
          <ListEnd list={list} />
        </div>
      </ListBody>
    </Over>
  );
}
