import type { OperatorWarning } from '@exchange/wire/operation.ts';
import type { FormFields } from '../http/form.ts';
import type { Operation, Operator, OperatorCall } from './operation.ts';

/** What somebody signs in with; `code` is the authenticator's. */
export interface OperatorSignIn {
  readonly name: string;
  readonly password: string;
  readonly code: string;
  readonly address: string;
  /** The key of the browser, issued when its operator signed in from it before; empty where it has none. */
  readonly browserKey: string;
}

/** A session that was opened. */
export interface OpenedSession {
  readonly token: string;
  /** Shows at the next sign-in that its operator has signed in from this browser; permits nothing. */
  readonly browserKey: string;
}

/** What comes with a call beside its form. */
export interface CallMarks {
  /** A call of the same key again is answered what the first one was. */
  readonly key: string | undefined;
  /** The code of the authenticator that confirms it; empty where none was sent. */
  readonly code: string;
}

/** What an authenticator of a demo's ready account shows, since nobody has it in their hands. */
export interface DemoCodes {
  readonly name: string;
  readonly now: { readonly code: string; readonly isUsed: boolean };
  readonly next: { readonly code: string; readonly isUsed: boolean };
  /** Until the next one is shown. */
  readonly seconds: number;
}

/** What became of a call: it ran, or it waits for a second person. */
export type Performed =
  | { readonly state: 'done'; readonly result: unknown }
  | { readonly state: 'proposed'; readonly id: string; readonly expiresAt: number };

/** Who may do what on the operator's port; kept by a module, asked by the port. */
export interface OperatorGate {
  /** Tells it once everything that operators may do. */
  use(operations: readonly Operation[]): void;
  /** Opens a session; throws `Refused`. */
  signIn(given: OperatorSignIn): Promise<OpenedSession>;
  signOut(token: string): Promise<void>;
  /** Takes a one-time code and gives the key of a new authenticator, with recovery codes; throws `Refused`. */
  setUp(
    given: FormFields,
    address: string,
  ): Promise<{ name: string; secret: string; uri: string; recoveryCodes: readonly string[] }>;
  /** Takes name, password and a recovery code, and gives the key of a new authenticator; throws `Refused`. */
  replaceAuthenticator(
    given: FormFields,
    origin: Pick<OperatorSignIn, 'address' | 'browserKey'>,
  ): Promise<{ name: string; secret: string; uri: string }>;
  /** Who is behind a session's token; undefined when it has ended. What a page asks by itself keeps none alive. */
  operatorOf(token: string, isBackground: boolean): Promise<Operator | undefined>;
  /**
   * Runs what one person may do, proposes what needs two, and writes either down, once its code has confirmed it where it
   * takes one; throws `Refused`. The same operator's call of the same key is answered what the first one was.
   */
  perform(operation: Operation, call: OperatorCall, marks: CallMarks): Promise<Performed>;
  /**
   * Looks at everything that `perform` looks at before it uses a code, and gives what is unusual about the call; throws
   * `Refused`. Nothing is changed.
   */
  preview(
    operation: Operation,
    call: OperatorCall,
  ): Promise<{ readonly warnings: readonly OperatorWarning[] }>;
  /** What the authenticators of a demo's ready accounts show; undefined outside of a demo. */
  readonly demoCodes?: (() => Promise<readonly DemoCodes[]>) | undefined;
}

/** Whether an operator's roles permit an operation. */
export function permits(operation: Pick<Operation, 'roles'>, { roles }: Pick<Operator, 'roles'>): boolean {
  return roles.includes('owner') || operation.roles.some((role) => roles.includes(role));
}

/** How an operation is named in proposals and in the audit log. */
export function nameOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}
