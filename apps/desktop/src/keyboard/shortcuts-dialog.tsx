import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Switch } from '@exchange/web-kit/ui/checkbox.tsx';

import classes from './shortcuts-dialog.module.css';
import { setShortcutsOn, useShortcutsOn } from './use-shortcuts.ts';
import { LazyDialog } from '@exchange/web-kit/part/lazy-dialog.tsx';

const KEYS = [
  { keys: 'Ctrl K', what: 'shortcuts.palette' },
  { keys: '/', what: 'shortcuts.find' },
  { keys: 'B', what: 'shortcuts.buy' },
  { keys: 'S', what: 'shortcuts.sell' },
  { keys: 'K', what: 'shortcuts.compact' },
  { keys: '↑ ↓', what: 'shortcuts.step' },
  { keys: '⇧ ↑ ↓', what: 'shortcuts.leap' },
  { keys: '← →', what: 'shortcuts.resize' },
  { keys: '2 ×', what: 'shortcuts.restore' },
  { keys: '↑ ↓', what: 'shortcuts.ladderMove' },
  { keys: 'B S', what: 'shortcuts.ladderPlace' },
  { keys: 'Del', what: 'shortcuts.ladderCancel' },
  { keys: '⇧ Del', what: 'shortcuts.ladderCancelAll' },
  { keys: 'C', what: 'shortcuts.ladderCentre' },
  { keys: '?', what: 'shortcuts.list' },
  { keys: 'Esc', what: 'shortcuts.leave' },
] as const;

/** Dialog that lists keyboard shortcuts and has a switch that disables those with letters and symbols. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useWords('desktop-trade');
  const tShell = useWords('shell');
  const isOn = useShortcutsOn();
  return (
    <LazyDialog isOpen onClose={onClose} title={t('shortcuts.title')} closeLabel={tShell('close')}>
      <dl className={classes.keys}>
        {KEYS.map(({ keys, what }) => (
          <div key={what}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{t(what)}</dd>
          </div>
        ))}
      </dl>
      <Switch label={t('shortcuts.on')} checked={isOn} onChange={setShortcutsOn} />
      <p className={classes.note}>{t('shortcuts.note')}</p>
    </LazyDialog>
  );
}
