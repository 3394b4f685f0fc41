import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { paths } from '../paths.ts';
import { ProductPage } from './product-page.tsx';

type WalletName = 'deposit' | 'withdraw' | 'address';

const CLOSED = {
  deposit: 'notOpenText',
  withdraw: 'notOpenText',
  address: 'addressNotOpen',
} as const satisfies Record<WalletName, string>;

function WalletPage({ name }: { readonly name: WalletName }) {
  const t = useWords('wallet');
  const tAssets = useWords('assets');
  const isDemo = useIsDemo();
  const offersFaucet = isDemo && name === 'deposit';
  return (
    <ProductPage
      text={{
        title: t(`${name}Title`),
        headline: t(`${name}Lead`),
        lead: '',
        stepsTitle: t('howItWorks'),
        steps: ([1, 2, 3] as const).map((step) => ({
          title: t(`${name}Step${step}`),
          text: t(`${name}Step${step}Text`),
        })),
        points: [{ title: t('keyTerms'), list: [t(`${name}Term1`), t(`${name}Term2`)] }],
        closed: { title: t('notOpen'), text: t(offersFaucet ? 'notOpenDemo' : CLOSED[name]) },
      }}
      actions={
        offersFaucet ? (
          <ButtonLink to={paths.account.assets}>{tAssets('claim')}</ButtonLink>
        ) : (
          <ButtonLink to={paths.trade}>{t('toTrade')}</ButtonLink>
        )
      }
    />
  );
}

export const DepositScreen = () => <WalletPage name="deposit" />;
export const WithdrawScreen = () => <WalletPage name="withdraw" />;
export const AddressScreen = () => <WalletPage name="address" />;
