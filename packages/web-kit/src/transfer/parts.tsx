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

/**
 * A coin and one of its networks on screen. Until a network is chosen it is one that is connected, and it stays the
 * same whatever becomes of it.
 */
export function useRoute(first?: Choice) {
  const isKnown = first !== undefined && networksOf(first.coin).length > 0;
  const [{ coin, network }, setRoute] = useState<Choice>(isKnown ? first : { coin: USUAL });
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
