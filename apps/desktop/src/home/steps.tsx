import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import classes from './home.module.css';

/** The three steps from visitor to first order. */
export function Steps() {
  const t = useWords('home');
  const isDemo = useIsDemo();
  const steps = [
    { title: t('step1'), text: t('step1Text') },
    { title: t('step2'), text: t(isDemo ? 'step2Text' : 'step2TextLive') },
    { title: t('step3'), text: t('step3Text') },
  ];
  return (
    <section className={classes.section}>
      <h2>{t('steps')}</h2>
      <ol className={classes.steps}>
        {steps.map(({ title, text }, index) => (
          <li key={title}>
            <span aria-hidden="true">{index + 1}</span>
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
