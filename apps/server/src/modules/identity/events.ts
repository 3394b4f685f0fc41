import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import { eventKind } from '../../platform/events.ts';

interface AboutUser {
  readonly userId: UserId;
  readonly at: Instant;
}

export const userRegistered = eventKind<AboutUser>('identity.userRegistered');
export const sessionEnded = eventKind<{ readonly sessionId: string; readonly userId: UserId }>(
  'identity.sessionEnded',
);
/** Signed in where the user has not been before; not told of the very first session. */
export const newDeviceSignedIn = eventKind<AboutUser & { readonly device: string; readonly address: string }>(
  'identity.newDeviceSignedIn',
);
export const passwordChanged = eventKind<
  AboutUser & { readonly byReset: boolean; readonly holdUntil: Instant }
>('identity.passwordChanged');
export const tradePasswordChanged = eventKind<AboutUser & { readonly isFirst: boolean }>(
  'identity.tradePasswordChanged',
);
/** Something else about how the account is protected has changed, besides its passwords. */
export const protectionChanged = eventKind<
  AboutUser & {
    readonly kind:
      | 'authenticatorBound'
      | 'authenticatorRemoved'
      | 'emailChanged'
      | 'recoveryCodeUsed'
      | 'recoveryCodesRenewed';
  }
>('identity.protectionChanged');
export const tradePasswordLocked = eventKind<AboutUser>('identity.tradePasswordLocked');
