import { Decimal } from '@exchange/core/decimal.ts';
import { CoinIcon } from '../format/coin-icon.tsx';
import { Amount } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { useCoinNames } from './use-coin-names.ts';
import { Picker, type PickerProps } from '../ui/picker.tsx';
import { useBalances, type SpotBalance } from './balances.ts';
import { useBalancesVisible } from './balances-visible.ts';
import css from './coin-picker.module.css';

interface CoinPickerProps extends Pick<PickerProps, 'label' | 'look' | 'className'> {
  /** The tickers to choose from, those that most people mean first. */
  readonly coins: readonly string[];
  readonly value: string;
  readonly onChange: (coin: string) => void;
  /** The whole width with the coin's name, or beside an amount. */
  readonly size?: 'wide' | 'small';
}

/** One coin of several, each with its sign, its name and what the person has of it. */
export function CoinPicker({ coins, value, onChange, size = 'wide', ...rest }: CoinPickerProps) {
  const t = useWords('assets');
  const shell = useWords('shell');
  const trade = useWords('trade');
  const names = useCoinNames(true);
  const balances = useBalances().data?.list ?? [];
  const of = (coin: string) => balances.find(({ currency }) => currency === coin);
  const name = of(value)?.currencyName ?? '';
  return (
    <Picker
      {...rest}
      value={value}
      onChange={onChange}
      closeLabel={shell('close')}
      searchLabel={t('search')}
      none={t('noMatch')}
      faceText={`${value} ${name}`.trim()}
      face={
        <span className={css.face}>
          <CoinIcon coin={value} size={24} />
          <b>{value}</b>
          {size === 'small' ? null : <span className={css.name}>{name}</span>}
        </span>
      }
      choices={ordered(coins, balances).map((coin) => ({
        key: coin,
        text: [coin, of(coin)?.currencyName ?? '', ...names.of(coin)].join(' '),
        row: <CoinRow coin={coin} balance={of(coin)} available={trade('available')} />,
      }))}
    />
  );
}

interface CoinRowProps {
  readonly coin: string;
  /** Undefined for visitors, and until it is known. */
  readonly balance: SpotBalance | undefined;
  readonly available: string;
}

function CoinRow({ coin, balance, available }: CoinRowProps) {
  const { isVisible } = useBalancesVisible();
  return (
    <span className={css.row}>
      <CoinIcon coin={coin} size={28} />
      <span className={css.names}>
        <b>{coin}</b>
        <small>{balance?.currencyName}</small>
      </span>
      {balance === undefined ? null : (
        <span className={css.amount}>
          <span className="visually-hidden">{available}</span>
          <Amount value={balance.availableCurrency} kind="sum" of={balance.currency} hidden={!isVisible} />
        </span>
      )}
    </span>
  );
}

/** Those first of which the person has most, by their worth; the others as they were. */
export function ordered(coins: readonly string[], balances: readonly SpotBalance[]): readonly string[] {
  const worth = new Map(
    balances
      .filter(({ availableCurrency }) => Decimal.parse(availableCurrency).isPositive())
      .map(({ currency, total }) => [currency, Decimal.parse(total)]),
  );
  return coins.toSorted((one, other) => {
    const [mine, others] = [worth.get(one), worth.get(other)];
    if (mine === undefined || others === undefined)
      return Number(mine === undefined) - Number(others === undefined);
    return others.isMore(mine) ? 1 : mine.isMore(others) ? -1 : 0;
  });
}
