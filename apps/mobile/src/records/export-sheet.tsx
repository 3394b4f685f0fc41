import { EXPORT_DAYS_MAX } from '@exchange/core/period.ts';
import {
  EXPORT_KINDS,
  type ExportFilters,
  type ExportKind,
  useExport,
} from '@exchange/web-kit/account/export.ts';
import { serverNow } from '@exchange/web-kit/clock.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { exportFiltersOf, isNarrowed } from '@exchange/web-kit/spot/export-filters.ts';
import { daysProblem, type HistoryForm } from '@exchange/web-kit/spot/history-form.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { SegmentedControl } from '@exchange/web-kit/ui/choice.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { Banner } from '@exchange/web-kit/ui/parts.tsx';
import { useState } from 'react';
import { type Days, lastDays, type Period, PeriodFields, periodOf, PERIODS } from './period-fields.tsx';
import css from './records.module.css';

interface ExportSheetProps {
  /** The kind of records that the sheet exports unless the user selects another kind. */
  first: ExportKind;
  /**
   * Filters of the displayed records. Those that apply to the exported kind of records also restrict the exported file;
   * the user can change the period. If the first or the last day is not set, the period is initially the last thirty
   * days.
   */
  form: HistoryForm;
  /** Coin to which the account history and the ledger are restricted; undefined for all coins. */
  coin?: string | undefined;
  onClose: () => void;
}

/**
 * Sheet that exports the orders, trades, account history or ledger entries of a period as a file. The export continues
 * when the sheet is closed.
 */
export default function ExportSheet({ first, form, coin, onClose }: ExportSheetProps) {
  const t = useWords('export');
  const tMobile = useWords('mobile-orders');
  const shell = useWords('shell');
  const [now] = useState(serverNow);
  const [kind, setKind] = useState<ExportKind>(first);
  const [days, setDays] = useState<Days>(
    form.from === '' || form.to === '' ? lastDays(PERIODS.last30, now) : { from: form.from, to: form.to },
  );
  const filters = exportFiltersOf({ kind, form: { ...form, ...days }, coin });
  return (
    <Sheet isOpen onClose={onClose} title={t('title')} closeLabel={shell('close')}>
      <div className={css.filters}>
        <SegmentedControl<ExportKind>
          label={t('what')}
          className={css.segments}
          value={kind}
          onChange={setKind}
          options={EXPORT_KINDS.map((value) => ({ value, label: t(value) }))}
        />
        <div className={css.chips} role="group" aria-label={t('period')}>
          {(Object.keys(PERIODS) as Period[]).map((period) => (
            <button
              key={period}
              type="button"
              className={css.chip}
              aria-pressed={periodOf(days, now) === period}
              onClick={() => setDays(lastDays(PERIODS[period], now))}
            >
              {t(period)}
            </button>
          ))}
        </div>
        <PeriodFields days={days} onChange={(part) => setDays({ ...days, ...part })} />
        <p className={css.hint}>
          {t('hint', { days: EXPORT_DAYS_MAX })}
          {isNarrowed({ kind, form }) ? ` ${tMobile('exportNarrowed')}` : ''}
        </p>
        <ExportProgress kind={kind} filters={daysProblem(days) === undefined ? filters : undefined} />
      </div>
    </Sheet>
  );
}

/** The button that starts the export or stops it while it is running, and its progress or outcome. */
function ExportProgress({ kind, filters }: { kind: ExportKind; filters: ExportFilters | undefined }) {
  const t = useWords('export');
  const { state, sentence, start, cancel } = useExport();
  return (
    <>
      <div role="status">
        {sentence === '' ? null : (
          <Banner tone={state.status === 'failed' ? 'bad' : state.status === 'saved' ? 'good' : 'neutral'}>
            {sentence}
          </Banner>
        )}
      </div>
      {state.status === 'running' ? (
        <Button look="secondary" size="l" wide onClick={cancel}>
          {t('stop')}
        </Button>
      ) : (
        <Button
          size="l"
          wide
          disabled={filters === undefined}
          onClick={() => filters !== undefined && void start({ kind, filters })}
        >
          {t('start')}
        </Button>
      )}
    </>
  );
}
