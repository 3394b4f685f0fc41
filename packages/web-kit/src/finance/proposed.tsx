import type { DataOf } from '@exchange/wire/endpoint.ts';
import type { financeDetail } from '@exchange/wire/finance.ts';
import type { miningDetail } from '@exchange/wire/mining.ts';
import { Amount, When } from '../format/numbers.tsx';
import { EarnContext, useEarnWords } from './earn.ts';
import { FINANCE_KIND } from './finance-kind.ts';
import css from './finance.module.css';
import { MINING_KIND, productOf } from './mining-kind.ts';
import { ProductCard } from './product-card.tsx';
import type { Product } from './shapes.ts';

interface Example {
  readonly amount: string;
  readonly perDay: string;
  readonly interest: string;
  readonly startTime: number;
  readonly endTime: number;
}

/**
 * Preview in the operator console of a fixed-term product that is not published yet, as users will see it.
 * `shown` has the form of the response of the product's detail endpoint.
 */
export function ProposedFinance({ shown }: { readonly shown: DataOf<typeof financeDetail> }) {
  const { schedule, ...product } = shown;
  const { amount, dailyProfit: perDay, totalProfit: interest, startTime, endTime } = schedule;
  return (
    <EarnContext value={FINANCE_KIND}>
      <Proposed product={product} example={{ amount, perDay, interest, startTime, endTime }} />
    </EarnContext>
  );
}

/** Preview in the operator console of a mining product that is not published yet, as users will see it. */
export function ProposedMining({ shown }: { readonly shown: DataOf<typeof miningDetail> }) {
  const { schedule, ...product } = shown;
  const { amount, dailyIncome: perDay, totalIncome: interest, startTime, endTime } = schedule;
  return (
    <EarnContext value={MINING_KIND}>
      <Proposed product={productOf(product)} example={{ amount, perDay, interest, startTime, endTime }} />
    </EarnContext>
  );
}

/**
 * The card of an earn product that is not published yet, with an example calculation and the explanation of its
 * figures.
 */
function Proposed({ product, example }: { readonly product: Product; readonly example: Example }) {
  const t = useEarnWords();
  const { currency } = product;
  const line = (name: 'amount' | 'perDay' | 'interest') => (
    <div className={css.line}>
      <dt>{t(name)}</dt>
      <dd>
        <Amount value={example[name]} coin={currency} />
      </dd>
    </div>
  );
  return (
    <>
      <ProductCard product={product} />
      <dl className={css.calculator}>
        {line('amount')}
        {line('perDay')}
        {line('interest')}
        <div className={css.line}>
          <dt>{t('scheduleStart')}</dt>
          <dd>
            <When at={example.startTime} />
          </dd>
        </div>
        <div className={css.line}>
          <dt>{t('scheduleEnd')}</dt>
          <dd>
            <When at={example.endTime} />
          </dd>
        </div>
        <div className={css.line}>
          <dt>{t('source')}</dt>
          <dd>{product.source}</dd>
        </div>
      </dl>
    </>
  );
}
