import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { useLocation } from 'react-router';
import { paths } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from './landing.module.css';
import { Notice, Points, Steps } from './parts.tsx';

const PRODUCTS = {
  [paths.fund]: 'fund',
} as const;

/** A product that is not open here: what it is, how it works, what its terms are. */
export default function ProductScreen() {
  const t = useWords('products');
  const { pathname } = useLocation();
  const product = PRODUCTS[pathname as keyof typeof PRODUCTS] ?? 'fund';
  return (
    <Screen title={t(`${product}Title`)}>
      <h2 className={css.headline}>{t(`${product}Headline`)}</h2>
      <p className={css.lead}>{t(`${product}Lead`)}</p>
      <Notice
        title={t('notOpen')}
        text={t('notOpenText')}
        action={
          <ButtonLink to={paths.trade} size="s">
            {t('toTrade')}
          </ButtonLink>
        }
      />
      <Steps
        heading={t('howItWorks')}
        steps={([1, 2, 3, 4] as const).map((step) => ({
          title: t(`${product}Step${step}`),
          text: t(`${product}Step${step}Text`),
        }))}
      />
      <Points heading={t('terms')} points={([1, 2, 3] as const).map((term) => t(`${product}Term${term}`))} />
      <Points heading={t('fairness')} points={([1, 2] as const).map((fair) => t(`${product}Fair${fair}`))} />
    </Screen>
  );
}
