import { apiKeyRequests } from '@exchange/wire/api-key.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { useState } from 'react';
import { call } from '../api/client.ts';
import { ListEnd, useGrowingList } from '../api/list-state.tsx';
import { useRead } from '../api/query-client.ts';
import { When } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import { Button } from '../ui/button.tsx';
import { Badge, EmptyState } from '../ui/parts.tsx';
import { ownerFields, type KeyOwner } from './api-key-actions.ts';
import css from './api-key-requests.module.css';
import { USER } from './queries.ts';

type Request = DataOf<typeof apiKeyRequests>['list'][number];

/**
 * Maximum number of proven requests that the server stores per API key. A request is proven if it is signed with the
 * key, or was received on a connection that has logged on with the key.
 */
const REQUESTS_STORED = 1_000;
/**
 * Maximum number of unproven requests that the server stores per API key. Anyone who knows the public part of the key
 * can send such requests.
 */
const UNPROVEN_STORED = 100;
const PAGE_SIZE = 20;
const WEIGHT_READ_EVERY_MS = 15_000;

interface ApiKeyRequestsProps {
  readonly id: string;
  /** The sub-account to which the API key belongs; undefined for the main account. */
  readonly owner: KeyOwner | undefined;
}

/**
 * The latest requests of an API key, newest first, in two lists: proven ones, and unproven ones, which
 * contained the key but no valid signature. Also shows the weight of the requests in the last minute.
 */
export default function ApiKeyRequests({ id, owner }: ApiKeyRequestsProps) {
  const t = useWords('security');
  const key = Object.assign({ id }, ownerFields(owner));
  const [isUnproven, setUnproven] = useState(false);
  const ring = isUnproven ? { unproven: '1' as const } : {};
  const list = useGrowingList<Request>(
    USER.use('apiKeyRequests', id, isUnproven),
    (page, signal) => call(apiKeyRequests, Object.assign({}, key, ring, page), { signal }),
    { pageSize: PAGE_SIZE },
  );
  const weight = useUsedWeight(key);
  const unprovenCount = weight.data?.unprovenCount ?? 0;
  const refresh = (): void => {
    void list.reload();
    void weight.refetch();
  };
  return (
    <div className={css.log}>
      <p>
        {isUnproven
          ? t('keyLogUnprovenText', { limit: UNPROVEN_STORED })
          : t('keyLogText', { limit: REQUESTS_STORED })}
      </p>
      {weight.data === undefined ? null : (
        <p>{t('keyLogWeight', { used: weight.data.usedWeight, limit: weight.data.weightLimit })}</p>
      )}
      {unprovenCount > 0 || isUnproven ? (
        <Button look="secondary" size="s" onClick={() => setUnproven(!isUnproven)}>
          {isUnproven ? t('keyLogProven') : t('keyLogUnproven', { count: unprovenCount })}
        </Button>
      ) : null}
      <ListBody
        look="cards"
        skeletonRows={3}
        isLoading={list.isLoading}
        error={list.error}
        onRetry={() => void list.reload()}
      >
        {list.rows.length === 0 ? <EmptyState text={t('keyLogNone')} /> : null}
        <ol>
          {list.rows.map((request) => (
            <RequestRow key={request.id} request={request} />
          ))}
        </ol>
        <ListEnd list={list} />
      </ListBody>
      <Button look="secondary" size="s" onClick={refresh}>
        {t('keyLogRefresh')}
      </Button>
    </div>
  );
}

function RequestRow({ request }: { readonly request: Request }) {
  const t = useWords('security');
  const { method, path, status, code, weight, durationUs, time, address } = request;
  return (
    <li>
      <code>
        {method} {path}
      </code>
      <Badge tone={status < 400 ? 'good' : 'bad'}>{status}</Badge>
      <p>
        <When at={time} /> · {t('keyLogCost', { weight, duration: (durationUs / 1_000).toFixed(1) })} ·{' '}
        {address}
        {code === 0 ? null : <> · {t('keyLogCode', { code })}</>}
      </p>
    </li>
  );
}

/**
 * Query for the total weight of an API key's requests in the last minute (`usedWeight`) and the number of its
 * unproven requests (`unprovenCount`), refetched every 15 seconds.
 */
function useUsedWeight(key: { readonly id: string; readonly subAccount?: string }) {
  return useRead({
    queryKey: USER.use('apiKeyWeight', key.id),
    queryFn: ({ signal }) => call(apiKeyRequests, Object.assign({ pageSize: '1' }, key), { signal }),
    refetchInterval: WEIGHT_READ_EVERY_MS,
  });
}
