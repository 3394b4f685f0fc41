import type { AccountVersions } from '@exchange/core/agreements.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import { eventKind, type Events } from '../../platform/events.ts';

interface AboutUser {
  readonly userId: UserId;
  readonly at: Instant;
}

export const userRegistered = eventKind<AboutUser>('identity.userRegistered');
export const sessionEnded = eventKind<{ readonly sessionId: string; readonly userId: UserId }>(
  'identity.sessionEnded',
);
/** What is unfamiliar about a login: the device, the network, or both. */
export type SignInNews = 'newDevice' | 'newNetwork' | 'newDeviceAndNetwork';
/** Published at a login from an unfamiliar device or network, but neither at a registration nor for the demo trader. */
export const newDeviceSignedIn = eventKind<
  AboutUser & { readonly device: string; readonly address: string; readonly news: SignInNews }
>('identity.newDeviceSignedIn');
/**
 * Published at a login to an account for which no acceptance of the current user agreement and privacy policy is
 * recorded, except that of the demo trader.
 */
export const signedInOnOldTerms = eventKind<AboutUser & AccountVersions>('identity.signedInOnOldTerms');
export const passwordChanged = eventKind<
  AboutUser & {
    readonly byReset: boolean;
    readonly holdUntil: Instant;
    /**
     * Passkeys that still sign in after a reset, one a line, with name and time of creation; undefined if there are
     * none, and after a change that is no reset.
     */
    readonly passkeys?: string | undefined;
  }
>('identity.passwordChanged');
export const tradePasswordChanged = eventKind<AboutUser & { readonly isFirst: boolean }>(
  'identity.tradePasswordChanged',
);
export type ProtectionChange =
  | 'accountFrozen'
  | 'authenticatorBound'
  | 'authenticatorRemoved'
  | 'emailChanged'
  | 'passkeyAdded'
  | 'passkeyCounter'
  | 'passkeyRemoved'
  | 'recoveryCodeUsed'
  | 'recoveryCodesRenewed';
/** Published when the protection of an account other than its passwords changes, such as its authenticator. */
export const protectionChanged = eventKind<
  AboutUser & {
    readonly kind: ProtectionChange;
    /** Name of the passkey; undefined if the change does not concern a passkey. */
    readonly name?: string | undefined;
  }
>('identity.protectionChanged');
export const tradePasswordLocked = eventKind<AboutUser>('identity.tradePasswordLocked');

/** Publishes an event about a change of an account's protection; the caller calls it after the commit. */
export function publishProtectionChange(
  events: Events,
  kind: ProtectionChange,
  { userId, at, name }: AboutUser & { readonly name?: string | undefined },
): void {
  events.publish([{ name: protectionChanged.name, fact: { userId, at, kind, name } }]);
}
