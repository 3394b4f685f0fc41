import { useState } from 'react';
import { paragraphsOf, useAgreement } from '../form/agreements.ts';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { acceptRisk } from './actions.ts';
import css from './seconds.module.css';

/** The risk text, and where it has not been accepted in this version, the way to do so. */
export function RiskView({
  canAccept,
  onDone,
}: {
  readonly canAccept: boolean;
  readonly onDone: () => void;
}) {
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
