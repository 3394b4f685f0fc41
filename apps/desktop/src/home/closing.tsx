import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Logo } from '../shell/logo.tsx';
import { CallToAction } from './call-to-action.tsx';
import classes from './home.module.css';

/** The last word of the page, and the way in once more. */
export function Closing() {
  const t = useWords('desktop-home');
  return (
    <section className={classes.section}>
      <div className={classes.closing}>
        <Logo size={40} />
        <h2>{t('closing')}</h2>
        <p>{t('closingText')}</p>
        <CallToAction />
      </div>
    </section>
  );
}
