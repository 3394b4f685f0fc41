import { CoinIcon } from '../format/coin-icon.tsx';
import { Amount } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { Select } from '../ui/choice.tsx';
import { useCoins, useNetworks } from './queries.ts';
import css from './transfer.module.css';

/** What the screens around know of the person. */
export interface Person {
  readonly email: string;
  /** What the shared account of a demo signs with. */
  readonly demoPassword: string | undefined;
}

interface RouteProps {
  readonly coin: string;
  readonly network: string;
  /** Without a network where only the coin was chosen. */
  readonly onChange: (coin: string, network?: string) => void;
}

/** Chooses a coin, then one of its networks, each with its terms. */
export function RouteChoice({ coin, network, onChange }: RouteProps) {
  const t = useWords('transfer');
  const coins = useCoins();
  const { data: networks = [] } = useNetworks(coin);
  return (
    <>
      <div>
        <p className={css.label}>{t('coin')}</p>
        <Select
          label={t('coin')}
          className={css.select}
          value={coin}
          onChange={(next) => onChange(next)}
          options={coins.map(({ currency, name }) => ({ value: currency, label: `${currency} · ${name}` }))}
        />
      </div>
      <div>
        <p className={css.label}>{t('network')}</p>
        <div className={css.networks} role="group" aria-label={t('network')}>
          {networks.map((one) => (
            <button
              key={one.network}
              type="button"
              className={css.network}
              aria-pressed={one.network === network}
              onClick={() => onChange(coin, one.network)}
            >
              {one.name}
              <small>{t('networkTerms', { minutes: one.minutes, confirmations: one.confirmations })}</small>
            </button>
          ))}
        </div>
      </div>
    </>
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
