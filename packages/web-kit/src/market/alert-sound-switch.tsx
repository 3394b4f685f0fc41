import { useWords } from '../i18n/words.ts';
import { Switch } from '../ui/checkbox.tsx';
import { setAlertSound, useAlertSound } from './alert-sound.ts';

/** Switch that enables the sound of price alerts on this device. */
export function AlertSoundSwitch({ className }: { readonly className?: string | undefined }) {
  const t = useWords('alerts');
  const isOn = useAlertSound();
  return (
    <div className={className}>
      <Switch label={t('sound')} checked={isOn} onChange={setAlertSound} />
      <p>{t('soundHint')}</p>
    </div>
  );
}
