import { Decimal } from '@exchange/core/decimal.ts';
import { useState, type ReactNode } from 'react';
import { ListEnd } from '../api/list-state.tsx';
import { formatFigure } from '../format/decimals.ts';
import { Amount, Price, When } from '../format/numbers.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { useDigits } from '../market/digits.ts';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/choice.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Over, type OverlayLook } from '../ui/overlay.tsx';
import { Badge } from '../ui/parts.tsx';
import { CardFrame } from './algo-card.tsx';
import css from './algo.module.css';
import { GridComparison } from './grid-comparison.tsx';
import { AT_END, differenceOf, type AtEnd } from './grid-form.ts';
import { useCancelGrid, useGridOrders, useGridResults, type Grid } from './grids.ts';
import { useOrderWords } from './order-words.ts';

interface GridCardProps {
  readonly grid: Grid;
  readonly look: OverlayLook;
  readonly onOpen: () => void;
}

/**
 * Card of a trading grid: its result beside the results of holding what it held at its start and of buying the coin for
 * the whole investment, its progress, a button that shows its orders, and until its end a button that opens the dialog
 * in which the user cancels it.
 */
export function GridCard({ grid, look, onOpen }: GridCardProps) {
  const t = useWords('grid');
  const algo = useWords('algo');
  const digits = useDigits()(grid.symbol);
  const [isCancelling, setIsCancelling] = useState(false);
  const hasEnded = grid.status === 'ended';
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
        ...useExitFigures(grid),
      ]}
      onOpen={onOpen}
      openLabel={algo('orders')}
      onCancel={hasEnded ? undefined : () => setIsCancelling(true)}
      cancelLabel={t('cancel')}
      isCancelling={false}
    >
      <Results grid={grid} />
      {isCancelling && !hasEnded ? (
        <CancelGrid grid={grid} look={look} onClose={() => setIsCancelling(false)} />
      ) : null}
    </CardFrame>
  );
}

/**
 * Returns the labelled figures of a grid that has exit prices or has sold its coins: take-profit and
 * stop-loss price, whether the coins are sold or kept when the grid ends, and the amount that was sold at the
 * end with its proceeds. Empty for other grids.
 */
function useExitFigures(grid: Grid) {
  const t = useWords('grid');
  const digits = useDigits()(grid.symbol);
  const { stopLossPrice, takeProfitPrice } = grid;
  const figures: { readonly label: string; readonly value: ReactNode }[] = [];
  if (stopLossPrice !== '')
    figures.push({ label: t('stopLossPrice'), value: <Price value={stopLossPrice} digits={digits.price} /> });
  if (takeProfitPrice !== '')
    figures.push({
      label: t('takeProfitPrice'),
      value: <Price value={takeProfitPrice} digits={digits.price} />,
    });
  if (figures.length > 0)
    figures.push({ label: t('atEnd'), value: t(grid.sellAtEnd === 1 ? 'sell' : 'keep') });
  if (Decimal.parse(grid.soldBase).isPositive())
    figures.push({
      label: t('soldAtEnd'),
      value: (
        <>
          <Amount value={grid.soldBase} coin={grid.baseCoin} /> →{' '}
          <Amount value={grid.soldQuote} kind="sum" coin={grid.quoteCoin} />
        </>
      ),
    });
  return figures;
}

type CancelProps = Omit<GridOrdersProps, 'id'> & { readonly grid: Grid };

/** Dialog in which the user chooses whether the coins of the grid are sold, and cancels it. */
function CancelGrid({ grid, look, onClose }: CancelProps) {
  const t = useWords('grid');
  const shell = useWords('shell');
  const locale = useLocale();
  const [atEnd, setAtEnd] = useState<AtEnd>('keep');
  const cancel = useCancelGrid();
  const end = (): void =>
    cancel.mutate(
      { id: grid.id, sells: atEnd === 'sell' },
      {
        onSuccess: ({ haltedOrders, soldBase, soldQuote }) => {
          const isSold = Decimal.parse(soldBase).isPositive();
          const sold = {
            sold: formatFigure(soldBase, locale, 'exact', grid.baseCoin),
            coin: grid.baseCoin,
            received: formatFigure(soldQuote, locale, 'sum', grid.quoteCoin),
            unit: grid.quoteCoin,
          };
          notify.success(isSold ? t('cancelledSold', sold) : t('cancelled'));
          if (haltedOrders > 0) notify.warning(t('cancelledHalted', { count: haltedOrders }));
          onClose();
        },
      },
    );
  return (
    <Over isOpen look={look} onClose={onClose} title={t('cancelTitle')} closeLabel={shell('close')}>
      <div className={css.form}>
        <dl className={css.facts}>
          <div>
            <dt>{t('has')}</dt>
            <dd>
              <Amount value={grid.base} coin={grid.baseCoin} /> +{' '}
              <Amount value={grid.quote} kind="sum" coin={grid.quoteCoin} />
            </dd>
          </div>
        </dl>
        <SegmentedControl
          label={t('coins')}
          value={atEnd}
          onChange={setAtEnd}
          options={AT_END.map((value) => ({ value, label: t(value) }))}
        />
        <p className={css.note}>
          {t(atEnd === 'sell' ? 'sellHint' : 'keepHint', { slippage: grid.slippage, coin: grid.baseCoin })}
        </p>
        <Button busy={cancel.isPending} onClick={end}>
          {t('cancel')}
        </Button>
      </div>
    </Over>
  );
}

type Ending = 'user' | 'selfTrade' | 'countdown' | 'rest' | 'stopLoss' | 'takeProfit';

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

/** Dialog or sheet with a table of all orders that a grid has placed, newest first. */
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
