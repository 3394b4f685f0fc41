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
/** What is new about a sign-in: its device, its network, or both. */
export type SignInNews = 'newDevice' | 'newNetwork' | 'newDeviceAndNetwork';
/** Signed in on a device or from a network that the user has not used before; not published for the first session. */
export const newDeviceSignedIn = eventKind<
  AboutUser & { readonly device: string; readonly address: string; readonly news: SignInNews }
>('identity.newDeviceSignedIn');
/** Signed in to an account that is not known to have accepted the user agreement and privacy policy that are in force. */
export const signedInOnOldTerms = eventKind<AboutUser & AccountVersions>('identity.signedInOnOldTerms');
export const passwordChanged = eventKind<
  AboutUser & { readonly byReset: boolean; readonly holdUntil: Instant }
>('identity.passwordChanged');
export const tradePasswordChanged = eventKind<AboutUser & { readonly isFirst: boolean }>(
  'identity.tradePasswordChanged',
);
export type ProtectionChange =
  | 'accountFrozen'
  | 'authenticatorBound'
  | 'authenticatorRemoved'
  | 'emailChanged'
  | 'recoveryCodeUsed'
  | 'recoveryCodesRenewed';
/** Something else about how the account is protected has changed, besides its passwords. */
export const protectionChanged = eventKind<AboutUser & { readonly kind: ProtectionChange }>(
  'identity.protectionChanged',
);
export const tradePasswordLocked = eventKind<AboutUser>('identity.tradePasswordLocked');

/** Tells whoever follows of a change of protection, once it is committed. */
export function tellProtection(events: Events, kind: ProtectionChange, about: AboutUser): void {
  const { userId, at } = about;
  events.publish([{ name: protectionChanged.name, fact: { userId, at, kind } }]);
}
