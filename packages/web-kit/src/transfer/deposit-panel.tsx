import { hasNetworks } from '@exchange/core/network.ts';
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
import { CoinWithoutNetwork, type CoinWays } from './coin-without-network.tsx';
import { DepositAddress } from './deposit-address.tsx';
import { NetworkChoice } from './network-choice.tsx';
import { CoinChoice, PauseNote, usePauseOf, useRoute, type Route } from './parts.tsx';
import { useDepositAddress, useNetworks, sendTest } from './queries.ts';
import css from './transfer.module.css';
import { lazyPart } from '../part/lazy-part.tsx';

const ProofPanel = lazyPart('proof-panel', () => import('./proof-panel.tsx'));

const ADDRESS_HEIGHT = 232;

interface DepositPanelProps {
  /** Code of the coin that is selected initially; by default `USDT`. */
  readonly first?: string | undefined;
  readonly look: OverlayLook;
  readonly ways: CoinWays;
}

/**
 * Deposit screen: coin, network, and the deposit address with its QR code; for a coin without a network, an explanation
 * instead of the last two. A simulated network also has a button for a test deposit; a manually reviewed network also
 * has a form with which the user reports a deposit. Both are hidden while deposits are paused.
 */
export function DepositPanel({ first, look, ways }: DepositPanelProps) {
  const t = useWords('transfer');
  const { route, setRoute } = useRoute(first === undefined ? undefined : { coin: first });
  const { coin } = route;
  if (!hasNetworks(coin))
    return (
      <div className={css.panel}>
        <Steps>
          <Step title={t('coin')}>
            <CoinChoice coin={coin} look={look} onChange={setRoute} />
          </Step>
        </Steps>
        <CoinWithoutNetwork coin={coin} direction="deposit" ways={ways} />
      </div>
    );
  return (
    <div className={css.panel}>
      <Steps>
        <Step title={t('coin')}>
          <CoinChoice coin={coin} look={look} onChange={setRoute} />
        </Step>
        <Step title={t('network')}>
          <NetworkChoice {...route} direction="deposit" onChange={(network) => setRoute({ coin, network })} />
          <PauseNote {...route} direction="deposit" />
        </Step>
        <Step title={t('depositAddress')}>
          <AddressPanel {...route} />
        </Step>
      </Steps>
      <Channel {...route} />
    </div>
  );
}

/**
 * The user's deposit address on a network on which the exchange can receive the coin; on any other network,
 * and while deposits are paused, a note instead.
 */
function AddressPanel({ coin, network }: Route) {
  const t = useWords('transfer');
  const terms = useNetworks(coin).data?.find((row) => row.network === network);
  const isOpen = terms?.status === 1;
  const pause = usePauseOf({ coin, network, direction: 'deposit' });
  const address = useDepositAddress(coin, network, isOpen && pause === undefined);
  if (terms === undefined) return null;
  if (!isOpen) return <Banner tone="warning">{t('closed')}</Banner>;
  // The note about paused deposits does not contain the reason for the pause, which is shown beside the
  // network.
  if (pause !== undefined) return <Banner tone="warning">{t('networkPaused')}</Banner>;
  if (address.error !== null)
    return <LoadFailed error={address.error} onRetry={() => void address.refetch()} />;
  if (address.data === undefined) return <Skeleton height={ADDRESS_HEIGHT} radius="var(--radius-l)" />;
  return <DepositAddress key={`${coin} ${network}`} {...address.data} coin={coin} network={terms.name} />;
}

/**
 * The test deposit of a simulated network, or the deposit report of a manually reviewed one; nothing for other networks
 * and during a pause.
 */
function Channel({ coin, network }: Route) {
  const terms = useNetworks(coin).data?.find((row) => row.network === network);
  if (usePauseOf({ coin, network, direction: 'deposit' }) !== undefined) return null;
  if (terms?.channel === 'demo')
    return <TestDeposit key={coin} coin={coin} network={network} least={terms.minAmount} />;
  if (terms?.channel === 'manual')
    return <ProofPanel key={`${coin} ${network}`} coin={coin} network={network} />;
  return null;
}

const PLACES = 8;

/** Form that sends a simulated deposit to the user's deposit address on a simulated network. */
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
