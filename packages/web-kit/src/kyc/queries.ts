import type { KycField } from '@exchange/core/kyc.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { getVerify, submitVerify } from '@exchange/wire/kyc.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../api/client.ts';
import { refetchActive, queryClient, useRead } from '../api/query-client.ts';
import { feed } from '../feed/feed.ts';
import { userKeys } from '../session/user-keys.ts';

/** Query keys of the user's identity verification; the responses are cached in memory only, not on the device. */
const KYC = userKeys('kyc');
/** Query keys of other user data that depends on the identity verification, such as level and limits. */
const USER = userKeys('user');

export type Verification = DataOf<typeof getVerify>;
export type VerificationFields = Partial<Record<KycField, string>>;

const UNDER_REVIEW = 1;
const POLL_MS = { pretended: 2_000, human: 20_000 } as const;

/**
 * The user's identity verification status. It is polled while a submission is under review, and refetched with every
 * message of the feed topic `notice`. Each new status also refetches the user's account data.
 */
export function useVerification() {
  const read = useRead({
    queryKey: KYC.use('standing'),
    queryFn: ({ signal }): Promise<Verification> => call(getVerify, {}, { signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data?.status !== UNDER_REVIEW) return false;
      return data.pretended === 1 ? POLL_MS.pretended : POLL_MS.human;
    },
  });
  const status = read.data?.status;
  useEffect(() => feed.subscribe('notice', () => refetchActive(KYC.forCurrentUser())), []);
  useEffect(() => {
    if (status !== undefined) void queryClient.invalidateQueries({ queryKey: USER.forCurrentUser('info') });
  }, [status]);
  return read;
}

/** Submits the identity verification. Repeated calls with the same idempotency key create a single submission. */
export function useSubmitVerification() {
  return useMutation({
    mutationFn: ({ fields, key }: { fields: VerificationFields; key: string }) =>
      call(submitVerify, fields, { clientId: key }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: KYC.forCurrentUser() }),
  });
}
