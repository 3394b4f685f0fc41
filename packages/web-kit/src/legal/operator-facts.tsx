import { useWords } from '../i18n/words.ts';
import css from './legal.module.css';

/** Who runs this exchange; what is empty was not named. */
export interface OperatorFactsProps {
  readonly isDemo: boolean;
  readonly entity: string;
  readonly address: string;
  readonly governingLaw: string;
  readonly email: string;
}

/** Whom the reader deals with, or that nobody stands behind a demo or has named themselves. */
export function OperatorFacts({ isDemo, entity, address, governingLaw, email }: OperatorFactsProps) {
  const t = useWords('about');
  if (isDemo) return <p className={css.operator}>{t('operatorDemo')}</p>;
  const facts = [
    { word: 'operator', value: entity === '' ? t('operatorUnnamed') : entity },
    { word: 'address', value: address },
    { word: 'governingLaw', value: governingLaw },
    { word: 'supportEmail', value: email },
  ] as const;
  return (
    <dl className={css.operator}>
      {facts.map(({ word, value }) =>
        value === '' ? null : (
          <div key={word}>
            <dt>{t(word)}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
