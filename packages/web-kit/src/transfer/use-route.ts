import { useState } from 'react';
import { useCoins, useNetworks } from './queries.ts';

const FIRST = 'USDT';

/** A coin and one of its networks: at first one that is connected, and whatever becomes of it, until another is chosen. */
export function useRoute() {
  const [chosen, choose] = useState<{ coin: string; network?: string | undefined }>({ coin: FIRST });
  const { coin, network } = chosen;
  const coins = useCoins();
  const { data: networks = [] } = useNetworks(coin);
  const usual = (networks.find(({ status }) => status === 1) ?? networks[0])?.network;
  if (network === undefined && usual !== undefined) choose({ coin, network: usual });
  const listed = coins.find(({ currency }) => currency === coin)?.networks[0];
  return {
    route: { coin, network: network ?? usual ?? listed ?? '' },
    onChange: (next: string, on?: string) => choose({ coin: next, network: on }),
  };
}
