import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { paths } from '../paths.ts';
import { ProductPage } from './product-page.tsx';
import { RecordPage } from './record-page.tsx';
import { useProductText, type ProductName } from './use-product-text.ts';

function Product({ name }: { readonly name: ProductName }) {
  const t = useWords('products');
  return (
    <ProductPage
      text={useProductText(name)}
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

export const FundScreen = () => <Product name="fund" />;

export const FundRecordScreen = () => <RecordPage name="fund" list={paths.fund.list} />;
