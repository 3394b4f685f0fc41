import { Decimal } from '@exchange/core/decimal.ts';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { ASSET_DIGITS } from '@exchange/web-kit/format/format.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { SpotBalance } from '@exchange/web-kit/balance/balances.ts';
import css from './assets.module.css';

/** One coin: all of it, its worth, and how much of it is free. */
export function AssetRow({ balance, isVisible }: { balance: SpotBalance; isVisible: boolean }) {
  const t = useWords('assets');
  const held = Decimal.parse(balance.availableCurrency).plus(Decimal.parse(balance.frozenCurrency));
  return (
    <div className={css.row}>
      <CoinIcon coin={balance.currency} size={36} />
      <div className={css.coin}>
        <b>{balance.currency}</b>
        <span>{balance.currencyName}</span>
      </div>
      <dl className={css.amounts}>
        <div className={css.main}>
          <dt className="visually-hidden">{t('amount')}</dt>
          <dd>
            <Amount value={held.toString()} digits={ASSET_DIGITS} hidden={!isVisible} />
          </dd>
        </div>
        <div>
          <dt className="visually-hidden">{t('value')}</dt>
          <dd>
            ≈ <Amount value={balance.total} digits={2} coin="USDT" hidden={!isVisible} />
          </dd>
        </div>
        {Decimal.parse(balance.frozenCurrency).isZero() ? null : (
          <div>
            <dt>{t('frozen')}</dt>
            <dd>
              <Amount value={balance.frozenCurrency} digits={ASSET_DIGITS} hidden={!isVisible} />
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}
