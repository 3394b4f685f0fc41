import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { CandlestickChart, ChartPie, Pickaxe, PiggyBank, Rocket, Timer } from 'lucide-react';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import classes from './home.module.css';

const PRODUCTS = [
  { title: 'productSpot', text: 'productSpotText', to: paths.trade, icon: CandlestickChart },
  { title: 'productSeconds', text: 'productSecondsText', to: paths.seconds, icon: Timer },
  { title: 'productFinance', text: 'productFinanceText', to: paths.finance.list, icon: PiggyBank },
  { title: 'productSubscribe', text: 'productSubscribeText', to: paths.subscribe.list, icon: Rocket },
  { title: 'productMining', text: 'productMiningText', to: paths.mining.list, icon: Pickaxe },
  { title: 'productFund', text: 'productFundText', to: paths.fund.list, icon: ChartPie },
] as const;

/** Everything one can do here, each on its own card. */
export function Products() {
  const t = useWords('home');
  return (
    <section className={classes.section}>
      <h2>{t('products')}</h2>
      <div className={classes.products}>
        {PRODUCTS.map(({ title, text, to, icon: Icon }) => (
          <Link key={title} to={to} className={classes.product}>
            <Icon size={24} aria-hidden="true" />
            <h3>{t(title)}</h3>
            <p>{t(text)}</p>
          </Link>
        ))}
      </div>
    </section>
  );
}
