import { LOCALE_NAMES, LOCALES, useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import {
  useColourScheme,
  UP_COLOUR_WORDS,
  UP_COLOURS,
  useUpDownColours,
  type ColourSchemeChoice,
} from '@exchange/web-kit/theme/theme.tsx';
import { SegmentedControl } from '@exchange/web-kit/ui/choice.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { chooseLocale } from '@exchange/web-kit/user/choose-locale.ts';
import { Check } from 'lucide-react';
import css from './shell.module.css';

/** Bottom sheet in which the user selects language, theme and price colours. */
export default function PreferencesSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useWords('shell');
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t('preferences')} closeLabel={t('close')}>
      <LanguageChoice />
      <ThemeChoice />
      <ColourChoice />
    </Sheet>
  );
}

function LanguageChoice() {
  const t = useWords('shell');
  const currentLocale = useLocale();
  return (
    <div className={css.sheetGroup}>
      <h3>{t('language')}</h3>
      <div className={css.options} role="radiogroup" aria-label={t('language')}>
        {LOCALES.map((locale) => (
          <button
            key={locale}
            type="button"
            role="radio"
            aria-checked={locale === currentLocale}
            className={css.option}
            lang={locale}
            onClick={() => void chooseLocale(locale)}
          >
            {LOCALE_NAMES[locale]}
            {locale === currentLocale ? <Check size={18} aria-hidden="true" /> : null}
          </button>
        ))}
      </div>
    </div>
  );
}

function ThemeChoice() {
  const t = useWords('shell');
  const { choice, choose } = useColourScheme();
  return (
    <div className={css.sheetGroup}>
      <h3>{t('theme')}</h3>
      <SegmentedControl<ColourSchemeChoice>
        label={t('theme')}
        value={choice}
        onChange={choose}
        options={[
          { value: 'system', label: t('themeSystem') },
          { value: 'dark', label: t('themeDark') },
          { value: 'light', label: t('themeLight') },
        ]}
      />
    </div>
  );
}

function ColourChoice() {
  const t = useWords('shell');
  const { up, choose } = useUpDownColours();
  return (
    <div className={css.sheetGroup}>
      <h3>{t('upDownColours')}</h3>
      <div className={css.options} role="radiogroup" aria-label={t('upDownColours')}>
        {UP_COLOURS.map((colour) => (
          <button
            key={colour}
            type="button"
            role="radio"
            aria-checked={colour === up}
            className={css.option}
            onClick={() => choose(colour)}
          >
            {t(UP_COLOUR_WORDS[colour])}
            {colour === up ? <Check size={18} aria-hidden="true" /> : null}
          </button>
        ))}
      </div>
    </div>
  );
}
