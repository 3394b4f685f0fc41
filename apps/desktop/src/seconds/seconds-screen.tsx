import { Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { linkOf } from '@exchange/web-kit/market/pair.ts';
import { IndexChart } from '@exchange/web-kit/seconds/index-chart.tsx';
import { SourceLights, SpanChoice } from '@exchange/web-kit/seconds/index-head.tsx';
import { LimitsForm } from '@exchange/web-kit/seconds/limits-form.tsx';
import { HistoryTable, OpenPositions } from '@exchange/web-kit/seconds/positions.tsx';
import { ProofView } from '@exchange/web-kit/seconds/proof-view.tsx';
import { RiskView } from '@exchange/web-kit/seconds/risk-view.tsx';
import { StatisticsView } from '@exchange/web-kit/seconds/statistics.tsx';
import { OpenButtons, TicketPanel } from '@exchange/web-kit/seconds/ticket-panel.tsx';
import { TransferForm } from '@exchange/web-kit/seconds/transfer-form.tsx';
import { useSecondsScreen } from '@exchange/web-kit/seconds/use-screen.ts';
import { loginPathFor } from '@exchange/web-kit/shell/guard.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Select, Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import css from './seconds.module.css';

const Dialog = lazy(async () => ({ default: (await import('@exchange/web-kit/ui/overlay.tsx')).Dialog }));

type Sheet = 'transfer' | 'limits' | 'risk' | 'statistics';
type Screen = ReturnType<typeof useSecondsScreen>;

/** The index second by second, the ticket beside it, and the own positions below. */
export default function SecondsScreen() {
  const t = useWords('seconds');
  useTitle(t('title'));
  const [query, setQuery] = useSearchParams();
  const screen = useSecondsScreen(query.get('symbol'));
  const [sheet, setSheet] = useState<Sheet>();
  const { terms, control, isSignedIn } = screen;
  const change = (name: 'symbol' | 'order', value: string | undefined) => {
    const next = new URLSearchParams(query);
    if (value === undefined) next.delete(name);
    else next.set(name, value);
    setQuery(next, { replace: true, preventScrollReset: true });
  };
  const gate = useGate(screen, () => setSheet('risk'));
  const order = query.get('order');
  return (
    <div className={css.screen}>
      <Head isSignedIn={isSignedIn} onOpen={setSheet} />
      <div className={css.columns}>
        <MarketCard screen={screen} onPair={(link) => change('symbol', link)} />
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
      {isSignedIn ? <Records count={screen.openCount} onOpen={(id) => change('order', id)} /> : null}
      <Sheets screen={screen} sheet={sheet} onClose={() => setSheet(undefined)} />
      {order === null ? null : (
        <Framed title={t('proofTitle')} onClose={() => change('order', undefined)}>
          <ProofView id={order} />
        </Framed>
      )}
    </div>
  );
}

interface HeadProps {
  readonly isSignedIn: boolean;
  readonly onOpen: (sheet: Sheet) => void;
}

function Head({ isSignedIn, onOpen }: HeadProps) {
  const t = useWords('seconds');
  return (
    <header className={css.head}>
      <h1>{t('title')}</h1>
      <p>{t('lead')}</p>
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
    </header>
  );
}

interface MarketCardProps {
  readonly screen: Screen;
  readonly onPair: (link: string) => void;
}

/** The pair, its index and the line of the last minutes. */
function MarketCard({ screen, onPair }: MarketCardProps) {
  const t = useWords('seconds');
  const { offered, pair, points, marks, digits, index, span, setSpan } = screen;
  return (
    <section className={css.card} aria-label={t('index')}>
      <div className={css.market}>
        <Select
          label={t('pair')}
          value={linkOf(pair)}
          onChange={onPair}
          options={(offered.length === 0 ? [pair] : offered).map((one) => ({
            value: linkOf(one),
            label: `${one.base}/${one.quote}`,
          }))}
        />
        <SpanChoice value={span} onChange={setSpan} />
        <SourceLights symbol={pair.symbol} />
        <p className={css.price}>
          <small>{t('index')}</small>
          <Price value={index} digits={digits} className={css.index} />
        </p>
      </div>
      <div className={css.chart}>
        <IndexChart points={points} marks={marks} span={span} digits={digits} />
      </div>
    </section>
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

interface SheetsProps {
  readonly screen: Screen;
  readonly sheet: Sheet | undefined;
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
    <Suspense fallback={null}>
      <Dialog isOpen onClose={props.onClose} width={560} title={props.title} closeLabel={shell('close')}>
        {props.children}
      </Dialog>
    </Suspense>
  );
}
