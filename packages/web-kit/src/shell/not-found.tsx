import type { LucideIcon } from 'lucide-react';
import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { useWords } from '../i18n/words.ts';
import { ButtonLink } from '../ui/button.tsx';
import css from './not-found.module.css';

interface NotFoundProps {
  readonly home: string;
  /** True when the frame around this screen already shows the title; the screen then shows none. */
  readonly isTitled?: boolean;
  readonly ways: readonly { readonly to: string; readonly name: string; readonly icon: LucideIcon }[];
}

/** Screen shown for unknown URLs. It does not display the URL, because a link could contain any text as a URL. */
export function NotFound({ home, isTitled = false, ways }: NotFoundProps) {
  const t = useWords('shell');
  return (
    <section className={css.screen}>
      <p className={css.code} aria-hidden="true">
        404
      </p>
      {isTitled ? null : <h1>{t('notFound')}</h1>}
      <p className={css.about}>{t('notFoundAbout')}</p>
      <ButtonLink size="l" to={home}>
        {t('toHome')}
      </ButtonLink>
      <nav aria-label={t('notFoundWays')} className={css.ways}>
        <h2>{t('notFoundWays')}</h2>
        <ul>
          {ways.map(({ to, name, icon: Icon }) => (
            <li key={to}>
              <Link to={to}>
                <Icon size={20} aria-hidden="true" />
                <span>{name}</span>
                <ChevronRight size={16} aria-hidden="true" />
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </section>
  );
}
