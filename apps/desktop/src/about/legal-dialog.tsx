import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { LegalTextName } from '@exchange/web-kit/legal/legal-link.tsx';
import { Dialog } from '@exchange/web-kit/ui/overlay.tsx';
import { LegalText } from './legal-text.tsx';

const WIDTH_PX = 640;

interface LegalDialogProps {
  readonly page: LegalTextName;
  readonly onClose: () => void;
}

/** Dialog that shows a legal text. */
export default function LegalDialog({ page, onClose }: LegalDialogProps) {
  const t = useWords('about');
  const tShell = useWords('shell');
  return (
    <Dialog isOpen onClose={onClose} title={t(page)} closeLabel={tShell('close')} width={WIDTH_PX}>
      <LegalText page={page} isOver />
    </Dialog>
  );
}
