import { LOCALE_NAMES, LOCALES, useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { chooseLocale } from '@exchange/web-kit/user/choose-locale.ts';
import { Check, Globe } from 'lucide-react';
import { Dropdown } from './dropdown.tsx';
import classes from './dropdown.module.css';
import bar from './top-bar.module.css';

/** The languages, each in its own name; the choice is remembered on this device. */
export function LanguageMenu() {
  const t = useWords('shell');
  const locale = useLocale();
  return (
    <Dropdown label={t('language')} className={bar.icon} face={<Globe size={18} aria-hidden="true" />}>
      {LOCALES.map((name) => (
        <button
          key={name}
          type="button"
          className={classes.item}
          lang={name}
          aria-pressed={name === locale}
          onClick={() => void chooseLocale(name)}
        >
          {LOCALE_NAMES[name]}
          {name === locale && <Check size={16} aria-hidden="true" />}
        </button>
      ))}
    </Dropdown>
  );
}
