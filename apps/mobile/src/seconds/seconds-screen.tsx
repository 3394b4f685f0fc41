import { Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { IndexChart } from '@exchange/web-kit/seconds/index-chart.tsx';
import { PairChoice, SourceLights, SpanChoice } from '@exchange/web-kit/seconds/index-head.tsx';
import { HistoryCards, OpenPositions } from '@exchange/web-kit/seconds/positions.tsx';
import { ProofSheet, type SheetName, Sheets, Tools, useGate } from '@exchange/web-kit/seconds/sheets.tsx';
import { OpenButtons, TicketPanel } from '@exchange/web-kit/seconds/ticket-panel.tsx';
import { useSecondsAddress, useSecondsScreen } from '@exchange/web-kit/seconds/use-screen.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen as Framework } from '../shell/screen.tsx';
import css from './seconds.module.css';

/**
 * Screen of the seconds contract: the live index price, the ticket, buttons at the bottom that open a position on a
 * rising or falling price, and the user's positions.
 */
export default function SecondsScreen() {
  const t = useWords('seconds');
  const { pathname, search } = useLocation();
  const address = useSecondsAddress();
  const screen = useSecondsScreen(address.symbol, useIsDemo());
  const [sheet, setSheet] = useState<SheetName>();
  const { terms, pair, control, points, past, span, marks, digits, index, isSignedIn } = screen;
  const gate = useGate(screen, {
    login: loginPathFor(pathname + search),
    onRisk: () => setSheet('risk'),
  });
  return (
    <Framework
      title={t('title')}
      parent={paths.home}
      end={<PairChoice screen={screen} onChange={(link) => address.change('symbol', link)} />}
    >
      <p className={css.market}>
        <small>{t('index')}</small>
        <Price value={index} digits={digits} className={css.index} />
      </p>
      <div className={css.chart}>
        <IndexChart points={points} past={past} marks={marks} span={span} digits={digits} />
      </div>
      <div className={css.under}>
        <SourceLights symbol={pair.symbol} />
        <SpanChoice value={span} onChange={screen.setSpan} />
      </div>
      <div data-in-order>
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
              <div className={css.bar}>
                <OpenButtons control={control} gate={gate} />
              </div>
            </>
          )}
        </ListBody>
        {isSignedIn ? (
          <Records count={screen.openCount} onOpen={(id) => address.change('order', id)} />
        ) : null}
        <div className={css.tools}>
          <Tools isSignedIn={isSignedIn} onOpen={setSheet} />
        </div>
      </div>
      <Sheets screen={screen} sheet={sheet} onClose={() => setSheet(undefined)} frame={SecondsSheet} />
      <ProofSheet
        order={address.order}
        onClose={() => address.change('order', undefined)}
        frame={SecondsSheet}
      />
    </Framework>
  );
}

function Records({ count, onOpen }: { readonly count: number; readonly onOpen: (id: string) => void }) {
  const t = useWords('seconds');
  const [tab, setTab] = useState<'open' | 'history'>('open');
  return (
    <section className={css.records}>
      <Tabs<'open' | 'history'>
        label={t('title')}
        value={tab}
        onChange={setTab}
        options={[
          { value: 'open', label: t('openCount', { count }) },
          { value: 'history', label: t('history') },
        ]}
      />
      {tab === 'open' ? <OpenPositions /> : <HistoryCards onOpen={({ id }) => onOpen(id)} />}
    </section>
  );
}

function SecondsSheet(props: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const shell = useWords('shell');
  return (
    <Sheet isOpen onClose={props.onClose} title={props.title} closeLabel={shell('close')}>
      {props.children}
    </Sheet>
  );
}
