import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './products.module.css';

export interface ProductText {
  readonly title: string;
  readonly headline: string;
  readonly lead: string;
  readonly stepsTitle: string;
  readonly steps: readonly { readonly title: string; readonly text: string }[];
  /** What holds, under one heading each. */
  readonly points: readonly { readonly title: string; readonly list: readonly string[] }[];
  readonly closed: { readonly title: string; readonly text: string };
}

interface ProductPageProps {
  readonly text: ProductText;
  /** What one can do instead. */
  readonly actions: ReactNode;
  /** Beside the headline, such as a live figure. */
  readonly figure?: ReactNode;
}

/** A product's first screen on an exchange that has not opened it: what it is, how it works, and what holds. */
export function ProductPage({ text, actions, figure }: ProductPageProps) {
  useTitle(text.title);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <div>
          <p className={classes.kicker}>{text.title}</p>
          <h1>{text.headline}</h1>
          <p className={classes.lead}>{text.lead}</p>
        </div>
        {figure}
      </header>
      <section className={classes.closed}>
        <Info size={20} aria-hidden="true" />
        <div>
          <h2>{text.closed.title}</h2>
          <p>{text.closed.text}</p>
        </div>
        <div className={classes.actions}>{actions}</div>
      </section>
      <section className={classes.part}>
        <h2>{text.stepsTitle}</h2>
        <ol className={classes.steps}>
          {text.steps.map((step, index) => (
            <li key={step.title}>
              <span aria-hidden="true">{index + 1}</span>
              <h3>{step.title}</h3>
              <p>{step.text}</p>
            </li>
          ))}
        </ol>
      </section>
      <div className={classes.points}>
        {text.points.map(({ title, list }) => (
          <section key={title}>
            <h2>{title}</h2>
            <ul>
              {list.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}
