import { lazy, Suspense } from 'react';
import { useWords } from '../i18n/words.ts';
import { LoadFailed } from '../list/load-failed.tsx';
import type { OverlayLook } from '../ui/overlay.tsx';
import { Banner, Skeleton } from '../ui/parts.tsx';
import { Step, Steps } from '../ui/steps.tsx';
import { DepositAddress } from './deposit-address.tsx';
import { NetworkChoice } from './network-choice.tsx';
import { CoinChoice, useRoute } from './parts.tsx';
import { useDepositAddress, useNetworks } from './queries.ts';
import { TestDeposit } from './test-deposit.tsx';
import css from './transfer.module.css';

const ProofPanel = lazy(() => import('./proof-panel.tsx'));

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
      {chosen?.channel === 'manual' ? (
        <Suspense fallback={null}>
          <ProofPanel key={`${coin} ${network}`} {...route} />
        </Suspense>
      ) : null}
    </div>
  );
}
