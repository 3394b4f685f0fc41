import { Amount, Price } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import css from './fund.module.css';
import { Fact, FundCard, FundValueAt, VALUE_DIGITS } from './parts.tsx';
import type { Fund, FundDetail } from './queries.ts';

/**
 * Terms of a fund that is not published yet, with an example purchase at the maximum leverage once the fund has a unit
 * value.
 */
interface ProposedTerms extends Fund {
  readonly documents: FundDetail['documents'];
  readonly example?: {
    readonly margin: string;
    readonly leverage: number;
    readonly quantity: string;
    readonly notional: string;
    /** Liquidation price of the example; absent without leverage. */
    readonly liqPrice?: string;
    readonly dailyCost: string;
  };
}

/** Preview for operators of a fund that is not published yet: card, example purchase and documents. */
export function ProposedFund({ shown }: { readonly shown: ProposedTerms }) {
  const t = useWords('fund');
  const { documents, example, ...fund } = shown;
  const coin = fund.currency;
  return (
    <>
      <FundCard fund={fund} value={<FundValueAt fund={fund} value={fund.nav} />} />
      {example === undefined ? null : (
        <dl className={css.facts}>
          <Fact name={t('margin')}>
            <Amount value={example.margin} coin={coin} />
          </Fact>
          <Fact name={t('leverage')}>{example.leverage}×</Fact>
          <Fact name={t('quantity')}>
            <Amount value={example.quantity} coin={t('unitName')} />
          </Fact>
          <Fact name={t('notional')}>
            <Amount value={example.notional} coin={coin} />
          </Fact>
          <Fact name={t('liqPrice')}>
            {example.liqPrice === undefined ? (
              t('never')
            ) : (
              <Price value={example.liqPrice} digits={VALUE_DIGITS} />
            )}
          </Fact>
          <Fact name={t('dailyCost')}>
            <Amount value={example.dailyCost} coin={coin} />
          </Fact>
        </dl>
      )}
      {documents.map(({ title, text }) => (
        <section key={title} className={css.panel}>
          <h2>{title}</h2>
          <p>{text}</p>
        </section>
      ))}
    </>
  );
}
