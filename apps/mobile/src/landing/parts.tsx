import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './landing.module.css';

export interface Step {
  readonly title: string;
  readonly text: string;
}

/** What to do, one after the other. */
export function Steps({ heading, steps }: { heading: string; steps: readonly Step[] }) {
  return (
    <section>
      <h2 className={css.heading}>{heading}</h2>
      <ol>
        {steps.map(({ title, text }, index) => (
          <li key={title} className={css.step}>
            <span className={css.number} aria-hidden="true">
              {index + 1}
            </span>
            <div>
              <b>{title}</b>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Sentences worth knowing. */
export function Points({ heading, points }: { heading: string; points: readonly string[] }) {
  return (
    <section>
      <h2 className={css.heading}>{heading}</h2>
      <ul className={css.points}>
        {points.map((point) => (
          <li key={point}>
            <Check size={18} aria-hidden="true" />
            {point}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Says that the product is closed here, and what one can do instead. */
export function Notice({ title, text, action }: { title: string; text: string; action: ReactNode }) {
  return (
    <section className={css.notice}>
      <h2>{title}</h2>
      <p>{text}</p>
      {action}
    </section>
  );
}
