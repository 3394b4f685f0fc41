import { useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { ASSET_DIGITS } from '@exchange/web-kit/format/format.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { useBalance } from '@exchange/web-kit/balance/balances.ts';
import { memo } from 'react';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import classes from './ticket.module.css';

/** Under the ticket: what one has of both coins of the pair. */
export const PairAssets = memo(function PairAssets({ pair }: { readonly pair: MarketPair }) {
  const tAssets = useWords('assets');
  const tDesk = useWords('desktop-trade');
  const isSignedIn = useSession(({ session }) => session !== null);
  if (!isSignedIn) return null;
  return (
    <section className={classes.assets}>
      <header>
        <h2>{tDesk('ticket.assets', { base: pair.base, quote: pair.quote })}</h2>
        <Link to={paths.account.deposit}>{tAssets('deposit')}</Link>
      </header>
      <CoinBalance coin={pair.base} />
      <CoinBalance coin={pair.quote} />
    </section>
  );
});

function CoinBalance({ coin }: { readonly coin: string }) {
  const tAssets = useWords('assets');
  const balance = useBalance(coin);
  const isVisible = useBalancesVisible((state) => state.isVisible);
  return (
    <dl className={classes.balance}>
      <dt>
        <CoinIcon coin={coin} size={18} /> {coin}
      </dt>
      <dd>
        <Amount value={balance?.availableCurrency} digits={ASSET_DIGITS} hidden={!isVisible} />
      </dd>
      <dt>{tAssets('frozen')}</dt>
      <dd>
        <Amount value={balance?.frozenCurrency} digits={ASSET_DIGITS} hidden={!isVisible} />
      </dd>
    </dl>
  );
}
