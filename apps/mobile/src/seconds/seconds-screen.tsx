import { Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { linkOf } from '@exchange/web-kit/market/pair.ts';
import { IndexChart } from '@exchange/web-kit/seconds/index-chart.tsx';
import { SourceLights, SpanChoice } from '@exchange/web-kit/seconds/index-head.tsx';
import { LimitsForm } from '@exchange/web-kit/seconds/limits-form.tsx';
import { HistoryCards, OpenPositions } from '@exchange/web-kit/seconds/positions.tsx';
import { ProofView } from '@exchange/web-kit/seconds/proof-view.tsx';
import { RiskView } from '@exchange/web-kit/seconds/risk-view.tsx';
import { StatisticsView } from '@exchange/web-kit/seconds/statistics.tsx';
import { OpenButtons, TicketPanel } from '@exchange/web-kit/seconds/ticket-panel.tsx';
import { TransferForm } from '@exchange/web-kit/seconds/transfer-form.tsx';
import { useSecondsScreen } from '@exchange/web-kit/seconds/use-screen.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Select, Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { useState, type ReactNode } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { paths } from '../paths.ts';
import { Screen as Framework } from '../shell/screen.tsx';
import css from './seconds.module.css';

type Opened = 'transfer' | 'limits' | 'risk' | 'statistics';
type Screen = ReturnType<typeof useSecondsScreen>;

/** The index second by second, the ticket, the two ways to open at the thumb, and the own positions. */
export default function SecondsScreen() {
  const t = useWords('seconds');
  const [query, setQuery] = useSearchParams();
  const screen = useSecondsScreen(query.get('symbol'));
  const [sheet, setSheet] = useState<Opened>();
  const { terms, offered, pair, control, points, span, marks, digits, index, isSignedIn } = screen;
  const change = (name: 'symbol' | 'order', value: string | undefined) => {
    const next = new URLSearchParams(query);
    if (value === undefined) next.delete(name);
    else next.set(name, value);
    setQuery(next, { replace: true, preventScrollReset: true });
  };
  const gate = useGate(screen, () => setSheet('risk'));
  const order = query.get('order');
  return (
    <Framework
      title={t('title')}
      parent={paths.home}
      end={
        <Select
          label={t('pair')}
          value={linkOf(pair)}
          onChange={(value) => change('symbol', value)}
          options={(offered.length === 0 ? [pair] : offered).map((one) => ({
            value: linkOf(one),
            label: `${one.base}/${one.quote}`,
          }))}
        />
      }
    >
      <p className={css.market}>
        <small>{t('index')}</small>
        <Price value={index} digits={digits} className={css.index} />
      </p>
      <div className={css.chart}>
        <IndexChart points={points} marks={marks} span={span} digits={digits} />
      </div>
      <div className={css.under}>
        <SourceLights symbol={pair.symbol} />
        <SpanChoice value={span} onChange={screen.setSpan} />
      </div>
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
            <TicketPanel control={control} onTransfer={isSignedIn ? () => setSheet('transfer') : undefined} />
            <div className={css.bar}>
              <OpenButtons control={control} gate={gate} />
            </div>
          </>
        )}
      </ListBody>
      {isSignedIn ? <Records count={screen.openCount} onOpen={(id) => change('order', id)} /> : null}
      <Tools isSignedIn={isSignedIn} onOpen={setSheet} />
      <Sheets screen={screen} sheet={sheet} onClose={() => setSheet(undefined)} />
      {order === null ? null : (
        <Framed title={t('proofTitle')} onClose={() => change('order', undefined)}>
          <ProofView id={order} />
        </Framed>
      )}
    </Framework>
  );
}

interface ToolsProps {
  readonly isSignedIn: boolean;
  readonly onOpen: (sheet: Opened) => void;
}

function Tools({ isSignedIn, onOpen }: ToolsProps) {
  const t = useWords('seconds');
  return (
    <div className={css.tools}>
      <Button look="quiet" size="s" onClick={() => onOpen('statistics')}>
        {t('statistics')}
      </Button>
      <Button look="quiet" size="s" onClick={() => onOpen('risk')}>
        {t('risk')}
      </Button>
      {isSignedIn ? (
        <Button look="quiet" size="s" onClick={() => onOpen('limits')}>
          {t('limits')}
        </Button>
      ) : null}
    </div>
  );
}

/** What has to be done before a position can be opened, with the way there; undefined where nothing has. */
function useGate({ isSignedIn, isRegional, control }: Screen, onRisk: () => void): ReactNode | undefined {
  const t = useWords('seconds');
  const shell = useWords('shell');
  const { pathname, search } = useLocation();
  if (!isSignedIn)
    return (
      <>
        <p>{t('loginFirst')}</p>
        <ButtonLink to={loginPathFor(pathname + search)}>{shell('login')}</ButtonLink>
      </>
    );
  if (isRegional) return <p>{t('notInRegion')}</p>;
  if (control?.needsRisk !== true) return undefined;
  return (
    <>
      <p>{t('riskFirst')}</p>
      <Button onClick={onRisk}>{t('riskOpen')}</Button>
    </>
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

interface SheetsProps {
  readonly screen: Screen;
  readonly sheet: Opened | undefined;
  readonly onClose: () => void;
}

function Sheets({ screen, sheet, onClose }: SheetsProps) {
  const t = useWords('seconds');
  const { control, pair } = screen;
  if (sheet === 'transfer')
    return (
      <Framed title={t('transferTitle')} onClose={onClose}>
        <TransferForm coin={pair.quote} onDone={onClose} />
      </Framed>
    );
  if (sheet === 'limits' && control?.limits !== undefined)
    return (
      <Framed title={t('limits')} onClose={onClose}>
        <LimitsForm limits={control.limits} coin={pair.quote} />
      </Framed>
    );
  if (sheet === 'risk')
    return (
      <Framed title={t('risk')} onClose={onClose}>
        <RiskView canAccept={control?.needsRisk === true} onDone={onClose} />
      </Framed>
    );
  if (sheet === 'statistics')
    return (
      <Framed title={t('statistics')} onClose={onClose}>
        <StatisticsView />
      </Framed>
    );
  return null;
}

function Framed(props: {
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
