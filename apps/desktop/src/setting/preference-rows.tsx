import { LOCALE_NAMES, LOCALES, useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { useColourScheme, useUpDownColours } from '@exchange/web-kit/theme/theme.tsx';
import { Switch } from '@exchange/web-kit/ui/checkbox.tsx';
import { SegmentedControl } from '@exchange/web-kit/ui/choice.tsx';
import { chooseLocale } from '@exchange/web-kit/user/choose-locale.ts';
import { setShortcutsOn, useShortcutsOn } from '../keyboard/shortcuts-on.ts';
import { SettingRow } from './setting-row.tsx';

/** What this device shows: language, theme, price colours and shortcuts. */
export function PreferenceRows() {
  const t = useWords('settings');
  const tShell = useWords('shell');
  const locale = useLocale();
  const scheme = useColourScheme();
  const colours = useUpDownColours();
  const isShortcutsOn = useShortcutsOn();
  return (
    <>
      <SettingRow
        name={t('language')}
        action={
          <SegmentedControl
            label={t('language')}
            value={locale}
            onChange={(chosen) => void chooseLocale(chosen)}
            options={LOCALES.map((value) => ({ value, label: LOCALE_NAMES[value] }))}
          />
        }
      />
      <SettingRow
        name={t('theme')}
        action={
          <SegmentedControl
            label={t('theme')}
            value={scheme.choice}
            onChange={scheme.choose}
            options={[
              { value: 'system', label: tShell('themeSystem') },
              { value: 'light', label: tShell('themeLight') },
              { value: 'dark', label: tShell('themeDark') },
            ]}
          />
        }
      />
      <SettingRow
        name={t('colours')}
        action={
          <SegmentedControl
            label={t('colours')}
            value={colours.up}
            onChange={colours.choose}
            options={[
              { value: 'green', label: tShell('greenUp') },
              { value: 'red', label: tShell('redUp') },
            ]}
          />
        }
      />
      <SettingRow
        name={t('shortcuts')}
        action={
          <Switch
            label={<span className="visually-hidden">{t('shortcuts')}</span>}
            checked={isShortcutsOn}
            onChange={setShortcutsOn}
          />
        }
      />
    </>
  );
}
