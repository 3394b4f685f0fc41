import { EXPORT_DAYS_MAX } from '@exchange/core/period.ts';
import { EXPORT_KINDS, type ExportKind, useExport } from '@exchange/web-kit/account/export.ts';
import { serverNow } from '@exchange/web-kit/clock.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { exportFiltersOf, isOfOrders } from '@exchange/web-kit/spot/export-filters.ts';
import type { HistoryForm } from '@exchange/web-kit/spot/history-form.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { SegmentedControl } from '@exchange/web-kit/ui/choice.tsx';
import { Dialog } from '@exchange/web-kit/ui/overlay.tsx';
import { useState } from 'react';
import classes from './export-dialog.module.css';
import { FilterBar } from './filter-bar.tsx';
import { exportFormOf } from './period.ts';

interface ExportDialogProps {
  readonly kind: ExportKind;
  readonly form: HistoryForm;
  readonly coin?: string | undefined;
  readonly onClose: () => void;
}

/**
 * Dialog that exports the orders, trades, account history or ledger entries of a period as a CSV file. Its filters are
 * initially those of the records from which the dialog was opened; if the first or the last day is not set, the period
 * is initially the last thirty days.
 */
export function ExportDialog({ kind: initialKind, form: listForm, coin, onClose }: ExportDialogProps) {
  const t = useWords('export');
  const tShell = useWords('shell');
  const { state, sentence, start, cancel } = useExport();
  const [kind, setKind] = useState<ExportKind>(initialKind);
  const [form, setForm] = useState(() => exportFormOf(listForm, serverNow()));
  const filters = exportFiltersOf({ kind, form, coin });
  const isRunning = state.status === 'running';

  const submit = (): void => {
    if (filters === undefined) return;
    void start({ kind, filters });
  };

  return (
    <Dialog isOpen onClose={onClose} title={t('title')} closeLabel={tShell('close')} width={600}>
      <div className={classes.form}>
        <SegmentedControl
          label={t('what')}
          value={kind}
          onChange={setKind}
          options={EXPORT_KINDS.map((value) => ({ value, label: t(value) }))}
        />
        <FilterBar
          form={form}
          onChange={setForm}
          hasPair
          hasOutcome={kind === 'orders'}
          hasOrderFields={isOfOrders(kind)}
          hasReset={false}
        />
        <p className={classes.hint}>{t('hint', { days: EXPORT_DAYS_MAX })}</p>
        <p className={classes.state} data-status={state.status} role="status">
          {sentence}
        </p>
        <div className={classes.answers}>
          {isRunning && (
            <Button look="secondary" onClick={cancel}>
              {t('stop')}
            </Button>
          )}
          <Button busy={isRunning} disabled={filters === undefined} onClick={submit}>
            {t('start')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
