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
  /**
   * Codes of the coins in the list. Coins of which the user has an available balance are listed first, the others in
   * the sequence of `coins`.
   */
  readonly coins: readonly string[];
  readonly value: string;
  readonly onChange: (coin: string) => void;
  /**
   * `wide` fills the available width and shows the coin's name. `small` shows only the code and fits beside an amount
   * field.
   */
  readonly size?: 'wide' | 'small';
}

/** Selects a coin from a list that shows each coin's icon, name and the user's available balance. */
export function CoinPicker({ coins, value, onChange, size = 'wide', ...rest }: CoinPickerProps) {
  const t = useWords('assets');
  const shell = useWords('shell');
  const trade = useWords('trade');
  const names = useCoinNames(true);
  const balances = useBalances().data?.list ?? [];
  const balanceOf = (coin: string) => balances.find(({ currency }) => currency === coin);
  const name = balanceOf(value)?.currencyName ?? '';
  return (
    <Picker
      {...rest}
      value={value}
      onChange={onChange}
      closeLabel={shell('close')}
      searchLabel={t('search')}
      emptyText={t('noMatch')}
      faceText={`${value} ${name}`.trim()}
      face={
        <span className={css.face}>
          <CoinIcon coin={value} size={24} />
          <b>{value}</b>
          {size === 'small' ? null : <span className={css.name}>{name}</span>}
        </span>
      }
      choices={sortByValue(coins, balances).map((coin) => ({
        key: coin,
        text: [coin, balanceOf(coin)?.currencyName ?? '', ...names.namesOf(coin)].join(' '),
        row: <CoinRow coin={coin} balance={balanceOf(coin)} available={trade('available')} />,
      }))}
    />
  );
}

interface CoinRowProps {
  readonly coin: string;
  /** The user's balance of the coin; undefined for visitors and until the balances have loaded. */
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
          <Amount
            value={balance.availableCurrency}
            kind="sum"
            figureCoin={balance.currency}
            hidden={!isVisible}
          />
        </span>
      )}
    </span>
  );
}

/**
 * Sorts coins of which the user has an available balance first, by descending value of the whole balance, frozen
 * amounts included. The others follow in their given order.
 */
export function sortByValue(coins: readonly string[], balances: readonly SpotBalance[]): readonly string[] {
  const worth = new Map(
    balances
      .filter(({ availableCurrency }) => Decimal.parse(availableCurrency).isPositive())
      .map(({ currency, total }) => [currency, Decimal.parse(total)]),
  );
  return coins.toSorted((left, right) => {
    const [leftWorth, rightWorth] = [worth.get(left), worth.get(right)];
    if (leftWorth === undefined || rightWorth === undefined)
      return Number(leftWorth === undefined) - Number(rightWorth === undefined);
    return rightWorth.isMore(leftWorth) ? 1 : leftWorth.isMore(rightWorth) ? -1 : 0;
  });
}
