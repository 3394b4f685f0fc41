import type { ReactNode } from 'react';
import css from './info-view.module.css';

/** A part of the page with its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.section}>
      <h2 className={css.heading}>{title}</h2>
      {children}
    </section>
  );
}

/** A name and a value. */
export function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={css.line}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
