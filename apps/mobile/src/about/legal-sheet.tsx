import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { LegalTextName } from '@exchange/web-kit/legal/legal-link.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { LegalText } from './legal-text.tsx';

interface LegalSheetProps {
  readonly page: LegalTextName;
  readonly onClose: () => void;
}

/** Bottom sheet that shows a legal text. */
export default function LegalSheet({ page, onClose }: LegalSheetProps) {
  const t = useWords('about');
  const tShell = useWords('shell');
  return (
    <Sheet isOpen onClose={onClose} title={t(page)} closeLabel={tShell('close')}>
      <LegalText page={page} isOver />
    </Sheet>
  );
}
