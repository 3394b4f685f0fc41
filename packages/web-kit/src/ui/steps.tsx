import type { ReactNode } from 'react';
import css from './steps.module.css';

/** A sequence of numbered steps joined by a line. */
export function Steps({ children }: { readonly children: ReactNode }) {
  return (
    <ol className={css.steps} data-in-order>
      {children}
    </ol>
  );
}

interface StepProps {
  readonly title: ReactNode;
  readonly end?: ReactNode;
  readonly children: ReactNode;
}

/** One step of `Steps`: its title, the element `end` beside the title, and below them the content. */
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
