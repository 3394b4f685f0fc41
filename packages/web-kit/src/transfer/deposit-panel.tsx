import { useState } from 'react';
import { typedAmount } from '../form/decimal-text.ts';
import { LabelledAmount } from '../form/labelled-amount.tsx';
import { UnansweredNote } from '../form/unanswered-note.tsx';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useWords, refusalText } from '../i18n/words.ts';
import { LoadFailed } from '../list/load-failed.tsx';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import type { OverlayLook } from '../ui/overlay.tsx';
import { Banner, Skeleton, Badge } from '../ui/parts.tsx';
import { Step, Steps } from '../ui/steps.tsx';
import { DepositAddress } from './deposit-address.tsx';
import { NetworkChoice } from './network-choice.tsx';
import { CoinChoice, useRoute, type Route } from './parts.tsx';
import { useDepositAddress, useNetworks, sendTest } from './queries.ts';
import css from './transfer.module.css';
import { lazyPart } from '../part/lazy-part.tsx';

const ProofPanel = lazyPart('proof-panel', () => import('./proof-panel.tsx'));

const ADDRESS_HEIGHT = 232;

interface DepositPanelProps {
  /** The coin at first, by its ticker. */
  readonly first?: string | undefined;
  readonly look: OverlayLook;
}

/** Takes coins in: coin, network, address with its QR code; on a pretended network a test deposit. */
export function DepositPanel({ first, look }: DepositPanelProps) {
  const t = useWords('transfer');
  const { route, setRoute } = useRoute(first === undefined ? undefined : { coin: first });
  const { coin, network } = route;
  const networks = useNetworks(coin);
  const chosen = networks.data?.find((one) => one.network === network);
  const isOpen = chosen?.status === 1;
  const address = useDepositAddress(coin, network, isOpen);
  return (
    <div className={css.panel}>
      <Steps>
        <Step title={t('coin')}>
          <CoinChoice coin={coin} look={look} onChange={setRoute} />
        </Step>
        <Step title={t('network')}>
          <NetworkChoice {...route} of="deposit" onChange={(next) => setRoute({ coin, network: next })} />
        </Step>
        <Step title={t('depositAddress')}>
          {chosen !== undefined && !isOpen ? <Banner tone="warning">{t('closed')}</Banner> : null}
          {isOpen && address.isPending ? <Skeleton height={ADDRESS_HEIGHT} radius="var(--radius-l)" /> : null}
          {isOpen && address.error !== null ? (
            <LoadFailed error={address.error} onRetry={() => void address.refetch()} />
          ) : null}
          {isOpen && address.data !== undefined ? (
            <DepositAddress {...address.data} coin={coin} network={chosen.name} />
          ) : null}
        </Step>
      </Steps>
      {chosen?.channel === 'demo' ? <TestDeposit key={coin} {...route} least={chosen.minAmount} /> : null}
      {chosen?.channel === 'manual' ? <ProofPanel key={`${coin} ${network}`} {...route} /> : null}
    </div>
  );
}

const PLACES = 8;

/** Of a demo alone: has somebody on the pretended network send something to the own address. */
function TestDeposit({ coin, network, least }: Route & { readonly least: string }) {
  const t = useWords('transfer');
  const shell = useWords('shell');
  const [amount, setAmount] = useState(least);
  const { submit, isBusy, unanswered } = useKeyedSubmit({
    form: 'transfer test deposit',
    title: t('sendTest'),
    send: sendTest,
    onAnswered: () => notify.success(t('testSent')),
  });
  const send = () => {
    const typed = typedAmount(t('amount'), amount, PLACES);
    if (typed.ok)
      void submit(JSON.stringify([coin, network, amount]), () => ({ currency: coin, network, amount }));
    else notify.error(refusalText(typed.refusal));
  };
  return (
    <section className={css.demo} aria-label={t('testTitle')}>
      <h2>
        {t('testTitle')} <Badge tone="warning">{shell('demoShort')}</Badge>
      </h2>
      <p className={css.note}>{t('testText')}</p>
      <LabelledAmount label={t('amount')} coin={coin} value={amount} onChange={setAmount} places={PLACES} />
      <UnansweredNote unanswered={unanswered} />
      <Button look="secondary" busy={isBusy} onClick={send}>
        {t('sendTest')}
      </Button>
    </section>
  );
}
