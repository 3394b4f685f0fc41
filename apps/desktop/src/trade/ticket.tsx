import { useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { useBalance } from '@exchange/web-kit/balance/balances.ts';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { usePauseText } from '@exchange/web-kit/market/pause-note.tsx';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import type { TicketKind } from '@exchange/web-kit/spot/order-kinds.ts';
import { useTicketMarket } from '@exchange/web-kit/spot/use-ticket.ts';
import { Banner } from '@exchange/web-kit/ui/parts.tsx';
import { CircleSlash } from 'lucide-react';
import { memo, useDeferredValue } from 'react';
import { Link } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { KindTabs } from './kind-tabs.tsx';
import type { PickedPrice } from './picked-price.ts';
import { TicketForm } from './ticket-form.tsx';
import classes from './ticket.module.css';

interface TicketProps {
  readonly pair: MarketPair;
  readonly kind: TicketKind;
  readonly onKindChange: (kind: TicketKind) => void;
  readonly taken: PickedPrice | undefined;
}

/**
 * The order ticket: a form for every order type, with buy and sell side by side. It renders market data with lower
 * priority than the order book, in a concurrent update that does not block input. The notice of a halt belongs to the
 * same update, so that it never stands above a button that still looks enabled.
 */
export const Ticket = memo(function Ticket({ pair, kind, onKindChange, taken }: TicketProps) {
  const tDesk = useWords('desktop-trade');
  const moment = useDeferredValue(useTicketMarket(pair));
  const haltPair = useDeferredValue(pair);
  return (
    <section className={classes.ticket} aria-label={tDesk('ticket.title')}>
      <div className={classes.head}>
        <KindTabs kind={kind} onChange={onKindChange} />
      </div>
      <PairHalt pair={haltPair} />
      <div className={classes.forms}>
        <TicketForm key={`buy ${kind}`} side="buy" kind={kind} moment={moment} taken={taken} />
        <TicketForm key={`sell ${kind}`} side="sell" kind={kind} moment={moment} taken={taken} />
      </div>
      <PairAssets pair={pair} />
    </section>
  );
});

/**
 * A warning that a pair accepts no new orders (status `cancelOnly`) and perhaps no cancellations either
 * (`closed`), with the reason if it is known; renders nothing while its status is `open`.
 */
export function PairHalt({ pair }: { readonly pair: MarketPair }) {
  const tDesk = useWords('desktop-trade');
  const pauseText = usePauseText();
  if (pair.status === 'open') return null;
  return (
    <Banner tone="warning" icon={<CircleSlash size={16} aria-hidden="true" />}>
      {tDesk(`halted.${pair.status}`, { pair: `${pair.base}/${pair.quote}` })} {pauseText(pair.pause)}
    </Banner>
  );
}

/** The user's balances of both coins of the pair, shown below the ticket. */
const PairAssets = memo(function PairAssets({ pair }: { readonly pair: MarketPair }) {
  const tAssets = useWords('assets');
  const tDesk = useWords('desktop-trade');
  const isSignedIn = useSession(({ session }) => session !== null);
  if (!isSignedIn) return null;
  return (
    <section className={classes.assets}>
      <header>
        <h2>{tDesk('ticket.assets', { base: pair.base, quote: pair.quote })}</h2>
        <Link to={paths.deposit}>{tAssets('deposit')}</Link>
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
        <Amount value={balance?.availableCurrency} kind="sum" figureCoin={coin} hidden={!isVisible} />
      </dd>
      <dt>{tAssets('frozen')}</dt>
      <dd>
        <Amount value={balance?.frozenCurrency} kind="sum" figureCoin={coin} hidden={!isVisible} />
      </dd>
    </dl>
  );
}
