import { Decimal } from '@exchange/core/decimal.ts';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { ASSET_DIGITS } from '@exchange/web-kit/format/format.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ProfitFigure } from '@exchange/web-kit/account/coin-profit.tsx';
import type { CoinProfit } from '@exchange/web-kit/account/portfolio.ts';
import type { SpotBalance } from '@exchange/web-kit/balance/balances.ts';
import css from './assets.module.css';

interface AssetRowProps {
  balance: SpotBalance;
  profit: CoinProfit | undefined;
  isVisible: boolean;
}

/** One coin: all of it, its worth, and what those earn that were bought, and how much is on hold. */
export function AssetRow({ balance, profit, isVisible }: AssetRowProps) {
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
        {profit === undefined || (profit.open === undefined && profit.realized.isZero()) ? null : (
          <div>
            <dt>{t('profit')}</dt>
            <dd>
              <ProfitFigure of={profit} hidden={!isVisible} />
            </dd>
          </div>
        )}
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
