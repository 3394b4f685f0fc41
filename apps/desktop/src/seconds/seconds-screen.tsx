import { Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { IndexChart } from '@exchange/web-kit/seconds/index-chart.tsx';
import { PairChoice, SourceLights, SpanChoice } from '@exchange/web-kit/seconds/index-head.tsx';
import { HistoryTable, OpenPositions } from '@exchange/web-kit/seconds/positions.tsx';
import { ProofSheet, Sheets, Tools, useGate, type SheetName } from '@exchange/web-kit/seconds/sheets.tsx';
import { OpenButtons, TicketPanel } from '@exchange/web-kit/seconds/ticket-panel.tsx';
import { useSecondsAddress, useSecondsScreen } from '@exchange/web-kit/seconds/use-screen.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import css from './seconds.module.css';
import { LazyDialog } from '@exchange/web-kit/part/lazy-dialog.tsx';

type Screen = ReturnType<typeof useSecondsScreen>;

/**
 * Screen of the seconds contract: the live index price, the ticket that opens a position, and the user's positions
 * below.
 */
export default function SecondsScreen() {
  const t = useWords('seconds');
  useTitle(t('title'));
  const { pathname, search } = useLocation();
  const address = useSecondsAddress();
  const screen = useSecondsScreen(address.symbol, useIsDemo());
  const [sheet, setSheet] = useState<SheetName>();
  const { terms, control, isSignedIn } = screen;
  const gate = useGate(screen, {
    login: loginPathFor(pathname + search),
    onRisk: () => setSheet('risk'),
  });
  return (
    <div className={css.screen}>
      <header className={css.head}>
        <h1>{t('title')}</h1>
        <p>{t('lead')}</p>
        <div className={css.tools}>
          <Tools isSignedIn={isSignedIn} onOpen={setSheet} />
        </div>
      </header>
      <div className={css.columns}>
        <MarketCard screen={screen} onPair={(link) => address.change('symbol', link)} />
        <section className={`${css.card} ${css.ticket}`} aria-label={t('title')}>
          <ListBody
            isLoading={terms.isPending}
            error={terms.error}
            onRetry={() => void terms.refetch()}
            isEmpty={control === undefined}
            empty={t('notOffered')}
            skeletonRows={8}
          >
            {control === undefined ? null : (
              <>
                <TicketPanel
                  control={control}
                  onTransfer={isSignedIn ? () => setSheet('transfer') : undefined}
                />
                <OpenButtons control={control} gate={gate} />
              </>
            )}
          </ListBody>
        </section>
      </div>
      {isSignedIn ? <Records count={screen.openCount} onOpen={(id) => address.change('order', id)} /> : null}
      <Sheets screen={screen} sheet={sheet} onClose={() => setSheet(undefined)} frame={SecondsDialog} />
      <ProofSheet
        order={address.order}
        onClose={() => address.change('order', undefined)}
        frame={SecondsDialog}
      />
    </div>
  );
}

interface MarketCardProps {
  readonly screen: Screen;
  readonly onPair: (link: string) => void;
}

/**
 * Card with the choices of the pair and of the period of the chart, the state of the price sources, the live index
 * price, and its chart.
 */
function MarketCard({ screen, onPair }: MarketCardProps) {
  const t = useWords('seconds');
  const { pair, points, past, marks, digits, index, span, setSpan } = screen;
  return (
    <section className={css.card} aria-label={t('index')}>
      <div className={css.market}>
        <PairChoice screen={screen} onChange={onPair} />
        <SpanChoice value={span} onChange={setSpan} />
        <SourceLights symbol={pair.symbol} />
        <p className={css.price}>
          <small>{t('index')}</small>
          <Price value={index} digits={digits} className={css.index} />
        </p>
      </div>
      <div className={css.chart}>
        <IndexChart points={points} past={past} marks={marks} span={span} digits={digits} />
      </div>
    </section>
  );
}

function Records({ count, onOpen }: { readonly count: number; readonly onOpen: (id: string) => void }) {
  const t = useWords('seconds');
  const [tab, setTab] = useState<'open' | 'history'>('open');
  return (
    <section className={`${css.card} ${css.records}`}>
      <Tabs<'open' | 'history'>
        label={t('title')}
        value={tab}
        onChange={setTab}
        options={[
          { value: 'open', label: t('openCount', { count }) },
          { value: 'history', label: t('history') },
        ]}
      />
      {tab === 'open' ? <OpenPositions /> : <HistoryTable onOpen={({ id }) => onOpen(id)} />}
    </section>
  );
}

function SecondsDialog(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const shell = useWords('shell');
  return (
    <LazyDialog isOpen onClose={props.onClose} width={560} title={props.title} closeLabel={shell('close')}>
      {props.children}
    </LazyDialog>
  );
}
