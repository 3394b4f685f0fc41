import type { DataOf } from '@exchange/wire/endpoint.ts';
import { invitees, inviteInfo, inviteRewards, setInviteShare } from '@exchange/wire/invite.ts';
import { call } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { refetchActive, useRead } from '../api/query-client.ts';
import { userKeys } from '../session/user-keys.ts';
import { useSession } from '../session/session-store.ts';

export type InviteInfo = DataOf<typeof inviteInfo>;
export type Invitee = DataOf<typeof invitees>['list'][number];
export type Reward = DataOf<typeof inviteRewards>['list'][number];

const INVITE = userKeys('invite');

/**
 * The user's invitation data, such as the code, the rewards earned so far, and the share of the commission that invited
 * users receive. Not loaded for visitors.
 */
export function useInviteInfo() {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useRead({
    queryKey: INVITE.use('info'),
    queryFn: ({ signal }) => call(inviteInfo, {}, { signal }),
    enabled: isSignedIn,
  });
}

/**
 * Users who signed up with the current user's code, newest first, loaded page by page; not loaded for
 * visitors.
 */
export function useInvitees() {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useGrowingList<Invitee>(INVITE.use('invitees'), (page, signal) => call(invitees, page, { signal }), {
    enabled: isSignedIn,
  });
}

/** The user's invitation rewards, newest first, loaded page by page; not loaded for visitors. */
export function useRewards() {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useGrowingList<Reward>(
    INVITE.use('rewards'),
    (page, signal) => call(inviteRewards, page, { signal }),
    { enabled: isSignedIn },
  );
}

/**
 * Sets the percentage of their spot trading fees that invited users receive; the inviter receives the rest of
 * the reward.
 */
export async function saveShare(points: string): Promise<void> {
  await call(setInviteShare, { points });
  refetchActive(INVITE.forCurrentUser('info'));
}
