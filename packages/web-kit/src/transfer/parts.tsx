import { useState } from 'react';
import { CoinPicker } from '../balance/coin-picker.tsx';
import { CoinIcon } from '../format/coin-icon.tsx';
import { Amount, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import type { OverlayLook } from '../ui/overlay.tsx';
import { Banner } from '../ui/parts.tsx';
import { useCoins, useNetworks } from './queries.ts';

/** Data about the signed-in user that the screens of both apps pass to the components for deposits and withdrawals. */
export interface TransferUser {
  readonly email: string;
  /** The trade password of the shared demo account, if that account is signed in; otherwise undefined. */
  readonly demoPassword: string | undefined;
}

/** A coin and one of its networks. */
export interface Route {
  readonly coin: string;
  readonly network: string;
}

/** A coin and optionally one of its networks. */
export type Choice = Pick<Route, 'coin'> & { readonly network?: string | undefined };

const DEFAULT_COIN = 'USDT';
const TICKER = /^[A-Z0-9]{2,10}$/;

/**
 * State of the selected coin and network. Until the user selects a network, the first one on which the
 * exchange can receive the coin (`status` 1) is selected, or the first one if there is none; it stays
 * selected even when this changes. A coin code given by a link stays selected even if the coin has no network
 * or does not exist, so that the user never sees the address of another coin; without a coin code, `USDT` is
 * selected.
 */
export function useRoute(initial?: Choice) {
  const linkedCoin = initial?.coin.toUpperCase() ?? '';
  const [{ coin, network }, setRoute] = useState<Choice>(
    TICKER.test(linkedCoin) ? { coin: linkedCoin, network: initial?.network } : { coin: DEFAULT_COIN },
  );
  const coins = useCoins();
  const { data: networks = [] } = useNetworks(coin);
  const usual = (networks.find(({ status }) => status === 1) ?? networks[0])?.network;
  if (network === undefined && usual !== undefined) setRoute({ coin, network: usual });
  const listed = coins.find(({ currency }) => currency === coin)?.networks[0];
  const route: Route = { coin, network: network ?? usual ?? listed ?? '' };
  return { route, setRoute };
}

/** The pause of a network's deposits or withdrawals; undefined if there is none, and until the terms have loaded. */
export function usePauseOf({
  coin,
  network,
  direction,
}: Route & { readonly direction: 'deposit' | 'withdrawal' }) {
  const terms = useNetworks(coin).data?.find((row) => row.network === network);
  return direction === 'deposit' ? terms?.depositPause : terms?.withdrawalPause;
}

/**
 * Whether the sending of the coin, or all withdrawals on this network, are paused; the screens then promise no completion
 * time for a withdrawal.
 */
export function useIsSendingPaused({ coin, network }: Route): boolean {
  const terms = useNetworks(coin).data?.find((row) => row.network === network);
  return terms?.paused === 1 || terms?.withdrawalPause !== undefined;
}

/**
 * Explains that the deposits or withdrawals (`direction`) of a network are paused, or else that the sending
 * of the coin is paused and what this means for `direction`; renders nothing if neither is the case.
 */
export function PauseNote({
  coin,
  network,
  direction,
}: Route & { readonly direction: 'deposit' | 'withdrawal' }) {
  const t = useWords('transfer');
  const terms = useNetworks(coin).data?.find((row) => row.network === network);
  const pause = usePauseOf({ coin, network, direction });
  if (pause !== undefined)
    return (
      <Banner tone="warning">
        <b>
          {t(direction === 'deposit' ? 'pausedDeposits' : 'pausedWithdrawals', {
            network: terms?.name ?? network,
          })}
        </b>
        <br />
        {pause.note}
        {pause.expectedTime === undefined ? null : (
          <>
            <br />
            {t('expectedAgain')} <When at={pause.expectedTime} look="dated" />
          </>
        )}
      </Banner>
    );
  if (terms?.paused !== 1) return null;
  return (
    <Banner tone="warning">
      {t(direction === 'deposit' ? 'pausedDeposit' : 'pausedWithdraw', { coin })}
    </Banner>
  );
}

interface CoinChoiceProps {
  readonly coin: string;
  readonly onChange: (choice: Choice) => void;
  readonly look: OverlayLook;
}

export function CoinChoice({ coin, onChange, look }: CoinChoiceProps) {
  const t = useWords('transfer');
  const coins = useCoins();
  return (
    <CoinPicker
      label={t('coin')}
      look={look}
      coins={coins.map(({ currency }) => currency)}
      value={coin}
      onChange={(nextCoin) => onChange({ coin: nextCoin })}
    />
  );
}

export function CoinAmount({ coin, value }: { readonly coin: string; readonly value: string }) {
  return (
    <b>
      <CoinIcon coin={coin} size={20} />
      <Amount value={value} coin={coin} />
    </b>
  );
}
