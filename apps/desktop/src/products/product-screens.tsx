import { Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIndexPrice } from '@exchange/web-kit/market/live.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { paths } from '../paths.ts';
import { ProductPage } from './product-page.tsx';
import classes from './products.module.css';
import { RecordPage } from './record-page.tsx';
import { useProductText, type ProductName } from './use-product-text.ts';

const INDEX_SYMBOL = 'btcusdt';
const INDEX_DIGITS = 2;

function Product({ name, figure }: { readonly name: ProductName; readonly figure?: React.ReactNode }) {
  const t = useWords('products');
  return (
    <ProductPage
      text={useProductText(name)}
      figure={figure}
      actions={
        <>
          <ButtonLink to={paths.trade}>{t('toTrade')}</ButtonLink>
          <ButtonLink look="secondary" to={paths.market}>
            {t('toMarkets')}
          </ButtonLink>
        </>
      }
    />
  );
}

/** The seconds contract settles on the index, so the index is what its page shows, live. */
export function SecondsScreen() {
  const t = useWords('products');
  const index = useIndexPrice(INDEX_SYMBOL);
  return (
    <Product
      name="seconds"
      figure={
        <p className={classes.figure}>
          <span>{t('liveIndex')} · BTC/USDT</span>
          <Price value={index} digits={INDEX_DIGITS} />
        </p>
      }
    />
  );
}

export const SubscribeScreen = () => <Product name="subscribe" />;
export const FundScreen = () => <Product name="fund" />;

export const SubscribeRecordScreen = () => <RecordPage name="subscribe" list={paths.subscribe.list} />;
export const FundRecordScreen = () => <RecordPage name="fund" list={paths.fund.list} />;
