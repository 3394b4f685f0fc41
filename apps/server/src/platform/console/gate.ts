import type { FieldNeighbours, OperatorWarning } from '@exchange/wire/operation.ts';
import type { FormFields } from '../http/form.ts';
import type { CeilingCheck, Operation, Operator, OperatorCall } from './operation.ts';

/** Credentials of an operator's sign-in; `code` is the authenticator's code. */
export interface OperatorSignIn {
  readonly name: string;
  readonly password: string;
  readonly code: string;
  readonly address: string;
  /**
   * Key that the browser received at an earlier sign-in of the operator; empty if there was none.
   */
  readonly browserKey: string;
}

export interface OpenedSession {
  readonly token: string;
  /** Proves at the next sign-in that the operator has signed in from this browser before; grants no access. */
  readonly browserKey: string;
}

/** The session of a request, and the network address from which it came. */
export interface SessionMark {
  readonly token: string;
  readonly address: string;
}

/**
 * Number and value of the routine decisions that a confirmation period can still confirm without
 * further codes.
 */
export interface ConfirmationPeriod {
  /** End of the confirmation period, in milliseconds UTC. */
  readonly until: number;
  readonly decisionsLeft: number;
  /** Total value in USDT that further routine decisions may have. */
  readonly valueLeft: string;
}

/** Data of a call besides its form. */
export interface CallMarks {
  /** Idempotency key: a repeated call with the same key receives the first answer. */
  readonly key: string | undefined;
  /** The authenticator code that confirms the operator's call; empty when none was sent. */
  readonly code: string;
  readonly session: SessionMark;
}

/** Authenticator codes of a demo's predefined operator account. */
export interface DemoCodes {
  readonly name: string;
  readonly now: { readonly code: string; readonly isUsed: boolean };
  readonly next: { readonly code: string; readonly isUsed: boolean };
  /** Seconds until the next authenticator code becomes current. */
  readonly seconds: number;
}

/** What an operator sees before a call is confirmed. */
export interface CallPreview {
  readonly warnings: readonly OperatorWarning[];
  /** What the preview shows beside form fields: the market, ceilings, costs; undefined if the operation has none. */
  readonly neighbours: readonly FieldNeighbours[] | undefined;
  /** The value of the call beside the operator's ceiling; undefined for a call without a ceiling. */
  readonly ceiling: CeilingCheck | undefined;
  /**
   * Whether the call needs an authenticator code; false if the operation takes none, or if an open
   * confirmation period covers the call.
   */
  readonly needsCode: boolean;
}

/** Result of an operator's call: it was executed or scheduled, or waits for a second operator. */
export type Performed =
  | { readonly state: 'done'; readonly result: unknown }
  | { readonly state: 'proposed'; readonly id: string; readonly expiresAt: number };

/** Authenticates and authorises operators. Implemented by a module and used by the operators' port. */
export interface OperatorGate {
  /** Registers all operations of the console; called once. */
  use(operations: readonly Operation[]): void;
  /** Opens a session for an operator; throws `Refused` for wrong credentials. */
  signIn(credentials: OperatorSignIn): Promise<OpenedSession>;
  signOut(token: string): Promise<void>;
  /**
   * Consumes a one-time set-up code and returns the key of a new authenticator with recovery codes; throws
   * `Refused`.
   */
  setUp(
    form: FormFields,
    address: string,
  ): Promise<{ name: string; secret: string; uri: string; recoveryCodes: readonly string[] }>;
  /**
   * Verifies name, password and a recovery code and returns the key of a new authenticator; throws `Refused`.
   */
  replaceAuthenticator(
    form: FormFields,
    origin: Pick<OperatorSignIn, 'address' | 'browserKey'>,
  ): Promise<{ name: string; secret: string; uri: string }>;
  /**
   * The operator to whom a session token belongs; undefined when the session has ended. Background
   * requests of a page do not extend the session.
   */
  operatorOf(token: string, isBackground: boolean): Promise<Operator | undefined>;
  /**
   * Executes or schedules an operator's call, or proposes it when it needs a second operator, and records it
   * in the audit log, unless it only reads a list. Verifies the authenticator code where the operation needs one.
   * Throws `Refused`. A repeated call of the same operator with the same key receives the first answer.
   */
  perform(operation: Operation, call: OperatorCall, marks: CallMarks): Promise<Performed>;
  /**
   * Performs all checks of `perform` that precede the use of a code, and returns the warnings for
   * the operator; throws `Refused`. Changes nothing.
   */
  preview(operation: Operation, call: OperatorCall, session: SessionMark): Promise<CallPreview>;
  /** Opens a period of confirmations with a code; throws `Refused`. An open one is replaced. */
  openPeriod(operator: Operator, session: SessionMark, code: string): Promise<ConfirmationPeriod>;
  endPeriod(operator: Operator, session: SessionMark): Promise<void>;
  /**
   * Number and value of the decisions that the session's confirmation period can still confirm;
   * undefined if none is open.
   */
  periodOf(session: SessionMark): Promise<ConfirmationPeriod | undefined>;
  /** The authenticator codes of a demo's predefined accounts; undefined outside of a demo. */
  readonly demoCodes?: (() => Promise<readonly DemoCodes[]>) | undefined;
}

/** Whether an operator's roles permit an operation. */
export function permits(operation: Pick<Operation, 'roles'>, { roles }: Pick<Operator, 'roles'>): boolean {
  return roles.includes('owner') || operation.roles.some((role) => roles.includes(role));
}

export { operationKey as nameOf } from '@exchange/wire/operation.ts';
