import { TriangleAlert } from 'lucide-react';
import { Link } from 'react-router';
import { Remaining } from '../format/remaining.tsx';
import { useWords } from '../i18n/words.ts';
import css from './bars.module.css';

/** Something that stands in the way of withdrawing. */
export interface Bar {
  readonly key: string;
  readonly text: string;
  /** When it ends by itself, in milliseconds UTC. */
  readonly until?: number;
  /** Where the person takes it away. */
  readonly way?: { readonly to: string; readonly label: string };
}

/** All that stands in the way, each counted down or with the way past it. */
export function BarList({ bars }: { readonly bars: readonly Bar[] }) {
  const t = useWords('transfer');
  if (bars.length === 0) return null;
  return (
    <section className={css.bars} aria-label={t('bars')}>
      <h2>
        <TriangleAlert size={16} aria-hidden="true" />
        {t('bars')}
      </h2>
      <ul>
        {bars.map(({ key, text, until, way }) => (
          <li key={key}>
            <span>{text}</span>
            {until === undefined ? null : <Remaining until={until} className={css.left} />}
            {way === undefined ? null : <Link to={way.to}>{way.label}</Link>}
          </li>
        ))}
      </ul>
    </section>
  );
}
