import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { ProductText } from './product-page.tsx';

export type ProductName = 'fund';

/** The words of one product's page. */
export function useProductText(name: ProductName): ProductText {
  const t = useWords('products');
  return {
    title: t(`${name}Title`),
    headline: t(`${name}Headline`),
    lead: t(`${name}Lead`),
    stepsTitle: t('howItWorks'),
    steps: ([1, 2, 3, 4] as const).map((step) => ({
      title: t(`${name}Step${step}`),
      text: t(`${name}Step${step}Text`),
    })),
    points: [
      { title: t('terms'), list: ([1, 2, 3] as const).map((term) => t(`${name}Term${term}`)) },
      { title: t('fairness'), list: ([1, 2] as const).map((point) => t(`${name}Fair${point}`)) },
    ],
    closed: { title: t('notOpen'), text: t('notOpenText') },
  };
}
