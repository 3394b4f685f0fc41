import { ListEnd } from '@exchange/web-kit/api/list-state.tsx';
import { When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { DataTable } from '@exchange/web-kit/ui/data-table.tsx';
import { Badge, type Tone } from '@exchange/web-kit/ui/parts.tsx';
import { useLoginRecords } from '@exchange/web-kit/user/queries.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';

const KINDS: Readonly<
  Record<string, { key: 'kind.registered' | 'kind.signedIn' | 'kind.signInFailed'; tone: Tone }>
> = {
  registered: { key: 'kind.registered', tone: 'accent' },
  signedIn: { key: 'kind.signedIn', tone: 'good' },
  signInFailed: { key: 'kind.signInFailed', tone: 'bad' },
};

/** Sign-ins and failed tries, newest first. */
export function LoginHistory() {
  const t = useWords('settings');
  const records = useLoginRecords();
  return (
    <ListBody
      isLoading={records.isLoading}
      error={records.error}
      onRetry={() => void records.reload()}
      isEmpty={records.rows.length === 0}
      empty={t('loginHistoryNone')}
    >
      <DataTable
        caption={t('loginHistory')}
        rows={records.rows}
        rowKey={({ id }) => id}
        columns={[
          { key: 'time', title: t('signedInAt'), cell: ({ createTime }) => <When at={createTime} /> },
          { key: 'device', title: t('device'), cell: ({ device }) => device },
          { key: 'address', title: t('address'), cell: ({ address }) => address },
          { key: 'kind', title: t('result'), align: 'end', cell: ({ kind }) => <Kind kind={kind} /> },
        ]}
      />
      <ListEnd list={records} />
    </ListBody>
  );
}

function Kind({ kind }: { readonly kind: string }) {
  const t = useWords('desktop-setting');
  const known = KINDS[kind];
  return <Badge tone={known?.tone ?? 'neutral'}>{t(known?.key ?? 'kind.other')}</Badge>;
}
