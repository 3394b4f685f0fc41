import { Download } from 'lucide-react';
import { ListEnd } from '../api/list-state.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { formatCount } from '../format/format.ts';
import { ListBody } from '../list/list-body.tsx';
import { notify } from '../notify.ts';
import { saveFile } from '../save-file.ts';
import { IconButton } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import css from './proofs.module.css';
import { loadStampFile, useStamps, type Stamp } from './queries.ts';

/**
 * File name of the program that verifies a downloaded time stamp; the build bundles the program from
 * `tools/verify` and adds it to the site at `/verify`.
 */
const TOOL = 'stamp.mjs';
const SECONDS_OF_HOUR = ':00';

/**
 * List of the external time stamps, newest first; each shows the earliest Bitcoin block that attests it, or
 * what it waits for, and can be downloaded as a file.
 */
export function StampsCard() {
  const t = useWords('proofs');
  const list = useStamps();
  return (
    <section className={`${css.card} ${css.stamps}`}>
      <h2>{t('stamps')}</h2>
      <p className={css.note}>{t('stampsLead')}</p>
      <ListBody
        isLoading={list.isLoading}
        error={list.error}
        onRetry={() => void list.reload()}
        isEmpty={list.rows.length === 0}
        empty={t('stampsNone')}
        skeletonRows={3}
      >
        <StampTable rows={list.rows} />
        <ListEnd list={list} />
      </ListBody>
      <p className={css.note}>
        {t('tool', { tool: TOOL })}{' '}
        <a href={`/verify/${TOOL}`} download>
          {t('toolDownload', { tool: TOOL })}
        </a>
      </p>
    </section>
  );
}

function StampTable({ rows }: { readonly rows: readonly Stamp[] }) {
  const t = useWords('proofs');
  return (
    <div className={css.table} tabIndex={0} role="group" aria-label={t('stamps')}>
      <DataTable
        dense
        caption={t('stamps')}
        rows={rows}
        rowKey={({ hour }) => String(hour)}
        columns={[
          {
            key: 'hour',
            title: t('stampHour'),
            cell: ({ hour }) => <span className={css.day}>{hourText(hour)}</span>,
          },
          { key: 'state', title: t('stampState'), cell: (stamp) => <StampState stamp={stamp} /> },
          {
            key: 'file',
            title: <span className="visually-hidden">{t('download')}</span>,
            align: 'end',
            cell: ({ hour }) => (
              <IconButton
                label={t('stampDownload', { hour: hourText(hour) })}
                onClick={() => void saveStamp(hour).catch(notify.failure)}
              >
                <Download size={16} aria-hidden="true" />
              </IconButton>
            ),
          },
        ]}
      />
    </div>
  );
}

/**
 * The earliest Bitcoin block that attests a time stamp; without a block, a text that says what the time stamp waits
 * for.
 */
function StampState({ stamp: { calendars } }: { readonly stamp: Stamp }) {
  const t = useWords('proofs');
  const locale = useLocale();
  const blocks = calendars.flatMap(({ block }) => (block === undefined ? [] : [block]));
  if (blocks.length > 0) return t('stampBlock', { block: formatCount(Math.min(...blocks), locale) });
  return t(calendars.length > 0 ? 'stampWaiting' : 'stampUnanswered');
}

/**
 * Formats the hour of a time stamp (its beginning in milliseconds UTC) in UTC, such as `2026-11-27 20:00`.
 */
function hourText(hour: number): string {
  return `${new Date(hour).toISOString().slice(0, 13).replace('T', ' ')}${SECONDS_OF_HOUR}`;
}

/** Saves a time stamp as a file that the program `tools/verify/stamp.mjs` verifies. */
async function saveStamp(hour: number): Promise<void> {
  const stamp = await loadStampFile(hour);
  const name = hourText(hour).slice(0, 13).replace(' ', 'T');
  saveFile(new Blob([JSON.stringify(stamp)], { type: 'application/json' }), `stamp-${name}.json`);
}
