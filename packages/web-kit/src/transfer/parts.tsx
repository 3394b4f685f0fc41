import { networksOf } from '@exchange/core/network.ts';
import { useState } from 'react';
import { CoinPicker } from '../balance/coin-picker.tsx';
import { CoinIcon } from '../format/coin-icon.tsx';
import { Amount } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import type { OverlayLook } from '../ui/overlay.tsx';
import { useCoins, useNetworks } from './queries.ts';

/** What the screens around know of the person. */
export interface Person {
  readonly email: string;
  /** What the shared account of a demo signs with. */
  readonly demoPassword: string | undefined;
}

/** A coin on one of its networks. */
export interface Route {
  readonly coin: string;
  readonly network: string;
}

/** A coin, and one of its networks where somebody has chosen one. */
export type Choice = Pick<Route, 'coin'> & { readonly network?: string | undefined };

const USUAL = 'USDT';
const TICKER = /^[A-Z0-9]{2,10}$/;

/** Whether coins can come and go on any network. */
export function hasNetworks(coin: string): boolean {
  return networksOf(coin).length > 0;
}

/**
 * A coin and one of its networks on screen. Until a network is chosen it is one that is connected, and it stays the
 * same whatever becomes of it. A coin that is named stays the coin, also where it has no network or is unknown: whoever
 * follows a link to one coin never sees the address of another.
 */
export function useRoute(first?: Choice) {
  const named = first?.coin.toUpperCase() ?? '';
  const [{ coin, network }, setRoute] = useState<Choice>(
    TICKER.test(named) ? { coin: named, network: first?.network } : { coin: USUAL },
  );
  const coins = useCoins();
  const { data: networks = [] } = useNetworks(coin);
  const usual = (networks.find(({ status }) => status === 1) ?? networks[0])?.network;
  if (network === undefined && usual !== undefined) setRoute({ coin, network: usual });
  const listed = coins.find(({ currency }) => currency === coin)?.networks[0];
  const route: Route = { coin, network: network ?? usual ?? listed ?? '' };
  return { route, setRoute };
}

interface CoinChoiceProps {
  readonly coin: string;
  readonly onChange: (choice: Choice) => void;
  readonly look: OverlayLook;
}

/** Chooses a coin. */
export function CoinChoice({ coin, onChange, look }: CoinChoiceProps) {
  const t = useWords('transfer');
  const coins = useCoins();
  return (
    <CoinPicker
      label={t('coin')}
      look={look}
      coins={coins.map(({ currency }) => currency)}
      value={coin}
      onChange={(next) => onChange({ coin: next })}
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
