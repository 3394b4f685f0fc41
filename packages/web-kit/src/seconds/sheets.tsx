import { SECONDS_COIN } from '@exchange/core/seconds.ts';
import { type ComponentType, type ReactNode, useState } from 'react';
import { paragraphsOf, useAgreement } from '../form/agreements.ts';
import { Amount, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { VisitorButton } from '../form/visitor-button.tsx';
import { acceptRisk } from './actions.ts';
import { LimitsForm } from './limits-form.tsx';
import { ProofView } from './proof-view.tsx';
import { useStatistics, type Statistics } from './queries.ts';
import css from './seconds.module.css';
import { TransferForm } from './transfer-form.tsx';
import type { useSecondsScreen } from './use-screen.ts';

export type SheetName = 'transfer' | 'limits' | 'risk' | 'statistics';

/**
 * Type of the component with which an app frames the content of a sheet: a dialog or a bottom sheet with a
 * title, which calls `onClose` when the user closes it.
 */
type Frame = ComponentType<{
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}>;

type Screen = ReturnType<typeof useSecondsScreen>;

interface SheetsProps {
  readonly screen: Screen;
  readonly sheet: SheetName | undefined;
  readonly onClose: () => void;
  readonly frame: Frame;
}

/**
 * Renders the sheet of the seconds contract that is open. Renders nothing if none is open, and for the sheet of the
 * limits until they are loaded.
 */
export function Sheets({ screen: { control, pair }, sheet, onClose, frame: Frame }: SheetsProps) {
  const t = useWords('seconds');
  if (sheet === 'transfer')
    return (
      <Frame title={t('transferTitle')} onClose={onClose}>
        <TransferForm coin={pair.quote} onDone={onClose} />
      </Frame>
    );
  if (sheet === 'limits' && control?.limits !== undefined)
    return (
      <Frame title={t('limits')} onClose={onClose}>
        <LimitsForm limits={control.limits} coin={pair.quote} />
      </Frame>
    );
  if (sheet === 'risk')
    return (
      <Frame title={t('risk')} onClose={onClose}>
        <RiskView canAccept={control?.needsRisk === true} onDone={onClose} />
      </Frame>
    );
  if (sheet === 'statistics')
    return (
      <Frame title={t('statistics')} onClose={onClose}>
        <StatisticsView />
      </Frame>
    );
  return null;
}

interface ProofSheetProps {
  /** ID of the position whose settlement record is shown; null while the sheet is closed. */
  readonly order: string | null;
  readonly onClose: () => void;
  readonly frame: Frame;
}

/** Sheet with the settlement record of a position, which shows how its result was determined. */
export function ProofSheet({ order, onClose, frame: Frame }: ProofSheetProps) {
  const t = useWords('seconds');
  if (order === null) return null;
  return (
    <Frame title={t('proofTitle')} onClose={onClose}>
      <ProofView id={order} />
    </Frame>
  );
}

interface ToolsProps {
  readonly isSignedIn: boolean;
  readonly onOpen: (sheet: SheetName) => void;
}

/** Buttons that open the sheets for statistics, risk disclosure and, for signed-in users, the user's limits. */
export function Tools({ isSignedIn, onOpen }: ToolsProps) {
  const t = useWords('seconds');
  const names = isSignedIn ? (['statistics', 'risk', 'limits'] as const) : (['statistics', 'risk'] as const);
  return names.map((name) => (
    <Button key={name} look="quiet" size="s" onClick={() => onOpen(name)}>
      {t(name)}
    </Button>
  ));
}

interface GateLinks {
  /** Path of the login page, with this screen as the target after login. */
  readonly login: string;
  readonly onRisk: () => void;
}

/**
 * What the ticket shows in place of its up and down buttons: for visitors links to the login; for a signed-in user
 * from an excluded region, or with an unaccepted risk disclosure, this reason. Undefined for a signed-in user who can
 * open positions, and while that user's limits or the terms are loading.
 */
export function useGate(
  { isSignedIn, isRegional, control }: Screen,
  links: GateLinks,
): ReactNode | undefined {
  const t = useWords('seconds');
  if (!isSignedIn) return <VisitorSides login={links.login} />;
  if (isRegional) return <p>{t('notInRegion')}</p>;
  if (control?.needsRisk !== true) return undefined;
  return (
    <>
      <p>{t('riskFirst')}</p>
      <Button onClick={links.onRisk}>{t('riskOpen')}</Button>
    </>
  );
}

/** The up and down buttons that visitors see; each is a link to the login. */
function VisitorSides({ login }: Pick<GateLinks, 'login'>) {
  const t = useWords('seconds');
  return (
    <div className={css.sides}>
      <VisitorButton look="buy" to={login}>
        <span aria-hidden="true">▲</span> {t('up')}
      </VisitorButton>
      <VisitorButton look="sell" to={login}>
        <span aria-hidden="true">▼</span> {t('down')}
      </VisitorButton>
    </div>
  );
}

/** The risk disclosure; if the user has not accepted its current version, with a button to accept it. */
function RiskView({ canAccept, onDone }: { readonly canAccept: boolean; readonly onDone: () => void }) {
  const t = useWords('seconds');
  const [isRead, setRead] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const risk = useAgreement('seconds');
  const accept = async (version: string) => {
    setBusy(true);
    try {
      await acceptRisk(version);
      onDone();
    } catch (cause) {
      notify.failure(cause);
    } finally {
      setBusy(false);
    }
  };
  return (
    <ListBody
      isLoading={risk.isPending}
      error={risk.error}
      onRetry={() => void risk.refetch()}
      skeletonRows={8}
    >
      <div className={css.risk}>
        {paragraphsOf(risk.data?.text)
          .slice(1)
          .map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        {canAccept ? (
          <>
            <Checkbox checked={isRead} onChange={setRead} label={t('riskRead')} />
            <Button
              wide
              disabled={!isRead}
              busy={isBusy}
              onClick={() => void accept(risk.data?.version ?? '')}
            >
              {t('riskAccept')}
            </Button>
          </>
        ) : null}
      </div>
    </ListBody>
  );
}

/** Public statistics of the seconds contract: results, refunds and their reasons, the reserve, and the public keys. */
function StatisticsView() {
  const t = useWords('seconds');
  const { data, isPending, error, refetch } = useStatistics();
  return (
    <ListBody isLoading={isPending} error={error} onRetry={() => void refetch()} skeletonRows={6}>
      {data === undefined ? null : (
        <div className={css.statistics}>
          <Durations rows={data.durations} />
          {data.durations.length === 0 ? <p className={css.quiet}>{t('noResults')}</p> : null}
          <dl className={css.facts}>
            {data.reserve.map(({ currency, funded, used }) => (
              <div key={currency}>
                <dt>{t('reserve')}</dt>
                <dd>
                  <Amount value={used} /> / <Amount value={funded} coin={currency} />
                </dd>
              </div>
            ))}
            {data.voids.map(({ reason, count, houseGain }) => (
              <div key={reason}>
                <dt>
                  {t(`reason.${reason as 'interval'}`)} · {count}
                </dt>
                <dd>
                  {t('houseWould')} <Amount value={houseGain} coin="USDT" />
                </dd>
              </div>
            ))}
            {data.refunds.count === 0 ? null : (
              <div>
                <dt>
                  {t('lossesRefunded')} · {data.refunds.count}
                </dt>
                <dd>
                  <Amount value={data.refunds.amount} coin={SECONDS_COIN} />
                </dd>
              </div>
            )}
          </dl>
          {data.intervals.map(({ id, symbol, from, to, reason, count, refundedCount, refunded }) => (
            <p key={id} className={css.quiet}>
              {symbol.toUpperCase()} <When at={from} /> – <When at={to} look="second" />: {reason} ({count})
              {refundedCount === 0 ? null : (
                <>
                  {' '}
                  {t('lossesRefunded')} · {refundedCount}: <Amount value={refunded} coin={SECONDS_COIN} />
                </>
              )}
            </p>
          ))}
          <details>
            <summary>{t('keys')}</summary>
            {data.keys.map(({ id, publicKey }) => (
              <pre key={id}>
                {id}
                {'\n'}
                {publicKey}
              </pre>
            ))}
          </details>
        </div>
      )}
    </ListBody>
  );
}

function Durations({ rows }: { readonly rows: Statistics['durations'] }) {
  const t = useWords('seconds');
  return (
    <table>
      <caption>{t('byDuration')}</caption>
      <thead>
        <tr>
          {(['duration', 'win', 'lose', 'draw', 'void', 'winRate'] as const).map((key) => (
            <th key={key} scope="col">
              {t(key)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ second, wins, losses, draws, voids }) => (
          <tr key={second}>
            <th scope="row">{t('secondsShort', { count: second })}</th>
            <td>{wins}</td>
            <td>{losses}</td>
            <td>{draws}</td>
            <td>{voids}</td>
            <td>{wins + losses === 0 ? '–' : `${((100 * wins) / (wins + losses)).toFixed(1)}%`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
