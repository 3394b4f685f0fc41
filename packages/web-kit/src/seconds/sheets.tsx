import type { ComponentType, ReactNode } from 'react';
import { useWords } from '../i18n/words.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { LimitsForm } from './limits-form.tsx';
import { ProofView } from './proof-view.tsx';
import { RiskView } from './risk-view.tsx';
import { StatisticsView } from './statistics.tsx';
import { TransferForm } from './transfer-form.tsx';
import type { useSecondsScreen } from './use-screen.ts';

/** What opens over the screen. */
export type SheetName = 'transfer' | 'limits' | 'risk' | 'statistics';

/** How a site frames what opens over its screen: a dialog or a sheet. */
export type Frame = ComponentType<{
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

/** The sheet that is open, if any. */
export function Sheets({ screen: { control, pair }, sheet, onClose, frame: Framed }: SheetsProps) {
  const t = useWords('seconds');
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

interface ProofSheetProps {
  /** The position; null for none. */
  readonly order: string | null;
  readonly onClose: () => void;
  readonly frame: Frame;
}

/** How a position's result came about. */
export function ProofSheet({ order, onClose, frame: Framed }: ProofSheetProps) {
  const t = useWords('seconds');
  if (order === null) return null;
  return (
    <Framed title={t('proofTitle')} onClose={onClose}>
      <ProofView id={order} />
    </Framed>
  );
}

interface ToolsProps {
  readonly isSignedIn: boolean;
  readonly onOpen: (sheet: SheetName) => void;
}

/** The ways to what there is to read, and to the own limits. */
export function Tools({ isSignedIn, onOpen }: ToolsProps) {
  const t = useWords('seconds');
  const names = isSignedIn ? (['statistics', 'risk', 'limits'] as const) : (['statistics', 'risk'] as const);
  return names.map((name) => (
    <Button key={name} look="quiet" size="s" onClick={() => onOpen(name)}>
      {t(name)}
    </Button>
  ));
}

interface Ways {
  /** Leads back here. */
  readonly login: string;
  readonly onRisk: () => void;
}

/** What has to be done before a position can be opened, with the way there; undefined where nothing has. */
export function useGate({ isSignedIn, isRegional, control }: Screen, ways: Ways): ReactNode | undefined {
  const t = useWords('seconds');
  const shell = useWords('shell');
  if (!isSignedIn)
    return (
      <>
        <p>{t('loginFirst')}</p>
        <ButtonLink to={ways.login}>{shell('login')}</ButtonLink>
      </>
    );
  if (isRegional) return <p>{t('notInRegion')}</p>;
  if (control?.needsRisk !== true) return undefined;
  return (
    <>
      <p>{t('riskFirst')}</p>
      <Button onClick={ways.onRisk}>{t('riskOpen')}</Button>
    </>
  );
}
