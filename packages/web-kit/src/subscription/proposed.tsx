import { Amount, When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { Fact, ProjectCard } from './parts.tsx';
import type { ProjectDetail } from './queries.ts';
import css from './subscription.module.css';

const TEXTS = ['about', 'tokenomics', 'whitepaper'] as const;

/**
 * Preview of a token sale that is not published yet: card, limits with an example of a sale with a single participant,
 * and texts.
 */
export function ProposedProject({ shown }: { readonly shown: ProjectDetail }) {
  const t = useWords('subscription');
  const { quoteCoin, symbol } = shown;
  return (
    <>
      <ProjectCard project={shown} />
      <dl className={css.facts}>
        <Fact name={t('purchaseLimit')}>
          <Amount value={shown.minAmount} /> – <Amount value={shown.maxAmount} coin={quoteCoin} />
        </Fact>
        <Fact name={t('hardCap')}>
          <Amount value={shown.hardCapUser} coin={symbol} />
        </Fact>
        <Fact name={t('softCap')}>
          {shown.softCap === undefined ? t('none') : <Amount value={shown.softCap} coin={quoteCoin} />}
        </Fact>
        <Fact name={t('listing')}>
          <When at={shown.listTime} look="dated" />
        </Fact>
        <Fact name={t('lock')}>{t('lockDays', { count: shown.lockDays })}</Fact>
        <Fact name={t('mine')}>
          <Amount value={shown.myCommitted} coin={quoteCoin} />
        </Fact>
        <Fact name={t('estimate')}>
          <Amount value={shown.estimate} coin={symbol} />
        </Fact>
      </dl>
      {TEXTS.map((name) => (
        <section key={name} className={css.panel}>
          <h2>{t(name)}</h2>
          <p>{shown[name]}</p>
        </section>
      ))}
    </>
  );
}
