import type { ReactNode } from 'react';
import css from './steps.module.css';

/** What is done one after another, numbered and joined by a line. */
export function Steps({ children }: { readonly children: ReactNode }) {
  return (
    <ol className={css.steps} data-in-order>
      {children}
    </ol>
  );
}

interface StepProps {
  readonly title: ReactNode;
  /** At the end of the title's line. */
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

/** One of them, all of it open. */
export function Step({ title, end, children }: StepProps) {
  return (
    <li className={css.step}>
      <div className={css.head}>
        <h2>{title}</h2>
        {end}
      </div>
      {children}
    </li>
  );
}
