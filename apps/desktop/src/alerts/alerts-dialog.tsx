import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Dialog } from '@exchange/web-kit/ui/overlay.tsx';
import { AlertList } from './alert-list.tsx';
import { MemberGate } from './member-gate.tsx';

const WIDTH_PX = 520;

/** All alerts that watch, of every pair. */
export function AlertsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useWords('alerts');
  const tShell = useWords('shell');
  return (
    <Dialog isOpen onClose={onClose} width={WIDTH_PX} title={t('title')} closeLabel={tShell('close')}>
      <MemberGate text={t('signIn')}>
        <AlertList empty={t('none')} />
      </MemberGate>
    </Dialog>
  );
}
