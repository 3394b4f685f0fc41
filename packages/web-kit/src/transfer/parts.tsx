import { networksOf } from '@exchange/core/network.ts';
import { useState } from 'react';
import { CoinPicker } from '../balance/coin-picker.tsx';
import { CoinIcon } from '../format/coin-icon.tsx';
import { Amount } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import type { OverlayLook } from '../ui/overlay.tsx';
import { useCoins } from './queries.ts';

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

const USUAL: Route = { coin: 'USDT', network: 'TRC20' };

/** A coin and a network on screen, at first those of an address that names a coin. */
export function useRoute(first: string | undefined) {
  const [route, setRoute] = useState(() => {
    const network = networksOf(first ?? '')[0]?.network.code;
    return first === undefined || network === undefined ? USUAL : { coin: first, network };
  });
  return { route, setRoute };
}

interface CoinChoiceProps {
  readonly coin: string;
  readonly onChange: (route: Route) => void;
  readonly look: OverlayLook;
}

/** Chooses a coin, and with it the network that most people mean. */
export function CoinChoice({ coin, onChange, look }: CoinChoiceProps) {
  const t = useWords('transfer');
  const coins = useCoins();
  return (
    <CoinPicker
      label={t('coin')}
      look={look}
      coins={coins.map(({ currency }) => currency)}
      value={coin}
      onChange={(next) =>
        onChange({
          coin: next,
          network: coins.find(({ currency }) => currency === next)?.networks[0] ?? '',
        })
      }
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
