import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useColourScheme, useUpDownColours } from '@exchange/web-kit/theme/theme.tsx';
import { Check, SunMoon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dropdown } from './dropdown.tsx';
import classes from './dropdown.module.css';
import bar from './top-bar.module.css';

const SCHEMES = [
  { choice: 'system', key: 'themeSystem' },
  { choice: 'light', key: 'themeLight' },
  { choice: 'dark', key: 'themeDark' },
] as const;
const COLOURS = [
  { up: 'green', key: 'greenUp' },
  { up: 'red', key: 'redUp' },
] as const;

/** Dark or light, and which colour means up. */
export function PreferencesMenu() {
  const t = useWords('shell');
  const scheme = useColourScheme();
  const colours = useUpDownColours();
  return (
    <Dropdown label={t('preferences')} className={bar.icon} face={<SunMoon size={18} aria-hidden="true" />}>
      <p className={classes.heading} id="theme-choice">
        {t('theme')}
      </p>
      <div role="group" aria-labelledby="theme-choice">
        {SCHEMES.map(({ choice, key }) => (
          <Choice key={choice} isChosen={scheme.choice === choice} onChoose={() => scheme.choose(choice)}>
            {t(key)}
          </Choice>
        ))}
      </div>
      <p className={classes.heading} id="colour-choice" data-next>
        {t('upDownColours')}
      </p>
      <div role="group" aria-labelledby="colour-choice">
        {COLOURS.map(({ up, key }) => (
          <Choice key={up} isChosen={colours.up === up} onChoose={() => colours.choose(up)}>
            <span className={classes.swatches} data-up={up} aria-hidden="true" />
            {t(key)}
          </Choice>
        ))}
      </div>
    </Dropdown>
  );
}

interface ChoiceProps {
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly children: ReactNode;
}

function Choice({ isChosen, onChoose, children }: ChoiceProps) {
  return (
    <button type="button" className={classes.item} aria-pressed={isChosen} onClick={onChoose}>
      <span className={classes.label}>{children}</span>
      {isChosen && <Check size={16} aria-hidden="true" />}
    </button>
  );
}
