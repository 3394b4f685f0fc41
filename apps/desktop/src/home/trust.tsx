import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Activity, BookOpenCheck, Receipt, Scale } from 'lucide-react';
import classes from './home.module.css';

const REASONS = [
  { title: 'trustLedger', text: 'trustLedgerText', icon: Scale },
  { title: 'trustBook', text: 'trustBookText', icon: BookOpenCheck },
  { title: 'trustFees', text: 'trustFeesText', icon: Receipt },
] as const;

/** What is true of this exchange today, and how one can tell. */
export function Trust() {
  const t = useWords('home');
  const tDesk = useWords('desktop-home');
  return (
    <section className={classes.band}>
      <div className={classes.section}>
        <h2>{t('trust')}</h2>
        <div className={classes.reasons}>
          {REASONS.map(({ title, text, icon: Icon }) => (
            <article key={title}>
              <Icon size={22} aria-hidden="true" />
              <h3>{t(title)}</h3>
              <p>{t(text)}</p>
            </article>
          ))}
          <article>
            <Activity size={22} aria-hidden="true" />
            <h3>{tDesk('index.title')}</h3>
            <p>{tDesk('index.text')}</p>
          </article>
        </div>
      </div>
    </section>
  );
}
