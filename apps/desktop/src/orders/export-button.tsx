import type { ExportKind } from '@exchange/web-kit/account/export.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { HistoryForm } from '@exchange/web-kit/spot/history-form.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

const ExportDialog = lazyPart(
  'export-dialog',
  async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog }),
  { whenMissing: 'dialog' },
);

interface ExportButtonProps {
  readonly kind: ExportKind;
  /**
   * Filters of the displayed records, which the export dialog takes over. If the first or the last day is not set, the
   * dialog uses the last thirty days.
   */
  readonly form: HistoryForm;
  /** Coin to which the account history and the ledger are restricted; undefined for all coins. */
  readonly coin?: string | undefined;
}

/** Button that opens the dialog to export the displayed records as a file. */
export function ExportButton({ kind, form, coin }: ExportButtonProps) {
  const tOrders = useWords('orders');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        look="quiet"
        size="s"
        icon={<Download size={14} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {tOrders('export')}
      </Button>
      {isOpen && <ExportDialog kind={kind} form={form} coin={coin} onClose={() => setOpen(false)} />}
    </>
  );
}
