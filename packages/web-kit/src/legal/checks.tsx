import { ArrowRight } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'react-router';
import { useWords } from '../i18n/words.ts';
import css from './legal.module.css';
import { CHECKS, type Check, type LegalTexts } from './pages.ts';

interface ChecksProps {
  readonly texts: LegalTexts['checks'];
  /** The page of each. */
  readonly paths: Readonly<Record<Check, string>>;
}

/** What anybody can check, with the way there. */
export function Checks({ texts, paths }: ChecksProps) {
  const t = useWords('about');
  const title = useId();
  return (
    <section className={css.checks} aria-labelledby={title}>
      <h2 id={title}>{t('checks')}</h2>
      <ul>
        {CHECKS.map((check) => (
          <li key={check}>
            <Link to={paths[check]}>
              <b>
                {texts[check].title} <ArrowRight size={14} aria-hidden="true" />
              </b>
              <span>{texts[check].text}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
