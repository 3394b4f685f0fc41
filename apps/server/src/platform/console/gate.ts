import type { FieldNeighbours, OperatorWarning } from '@exchange/wire/operation.ts';
import type { FormFields } from '../http/form.ts';
import type { CeilingCheck, Operation, Operator, OperatorCall } from './operation.ts';

/** Credentials of an operator's sign-in; `code` is the current code of the operator's authenticator app. */
export interface OperatorSignIn {
  readonly name: string;
  readonly password: string;
  readonly code: string;
  readonly address: string;
  /** The `browserKey` that an earlier sign-in has returned to this browser; empty if there was none. */
  readonly browserKey: string;
}

export interface OpenedSession {
  readonly token: string;
  /**
   * Secret for a cookie. It proves at the next sign-in that the operator has signed in from this browser
   * before, and grants no access.
   */
  readonly browserKey: string;
}

/** The session token of a request, and the network address from which the request came. */
export interface SessionMark {
  readonly token: string;
  readonly address: string;
}

/**
 * A confirmation period of an operator's session: routine decisions need no authenticator code until a time,
 * a number of decisions or a total value in USDT is reached.
 */
export interface ConfirmationPeriod {
  /** End of the operator's confirmation period, in milliseconds UTC. */
  readonly until: number;
  readonly decisionsLeft: number;
  /** Maximum total value of further routine decisions in USDT. */
  readonly valueLeft: string;
}

/** Data that accompany an operator's call, in addition to the form fields. */
export interface CallMarks {
  /**
   * Idempotency key of an operator's call: a repeated call of the same operator with the same key receives the first
   * answer. Undefined if none was sent.
   */
  readonly key: string | undefined;
  /** The authenticator code with which the operator confirms the call; empty if none was sent. */
  readonly code: string;
  readonly session: SessionMark;
}

/** The current and next authenticator codes of a demo's predefined operator account. */
export interface DemoCodes {
  readonly name: string;
  readonly now: { readonly code: string; readonly isUsed: boolean };
  readonly next: { readonly code: string; readonly isUsed: boolean };
  /**
   * Seconds until the next authenticator code becomes the current one. The server accepts the next code already before
   * that.
   */
  readonly seconds: number;
}

/** Information that an operator sees before confirming a call. */
export interface CallPreview {
  readonly warnings: readonly OperatorWarning[];
  /** Notes beside form fields, such as market prices, ceilings and costs; undefined if the operation has none. */
  readonly neighbours: readonly FieldNeighbours[] | undefined;
  /** The value of the call and the operator's ceiling, in USDT; undefined for a call without a ceiling. */
  readonly ceiling: CeilingCheck | undefined;
  /**
   * Whether the operator must enter an authenticator code for the call. False if the operation needs none, or if the
   * session's confirmation period covers the call.
   */
  readonly needsCode: boolean;
}

/**
 * Result of an operator's call: `done` if it was executed, or scheduled for a later time; `proposed` if it waits for
 * the approval of a second operator.
 */
export type Performed =
  | { readonly state: 'done'; readonly result: unknown }
  | { readonly state: 'proposed'; readonly id: string; readonly expiresAt: number };

/** Authenticates and authorizes operators. Implemented by a module and used by the operators' port. */
export interface OperatorGate {
  /** Registers all operations of the console. It is called once. */
  use(operations: readonly Operation[]): void;
  /** Opens a session for an operator. Throws `Refused` for wrong credentials. */
  signIn(credentials: OperatorSignIn): Promise<OpenedSession>;
  signOut(token: string): Promise<void>;
  /**
   * Sets an operator's password and authenticator with a set-up code, which stays valid until it expires or the operator
   * first signs in. Returns the key of the new authenticator and new recovery codes. Throws `Refused`, e.g. for a wrong
   * code.
   */
  setUp(
    form: FormFields,
    address: string,
  ): Promise<{ name: string; secret: string; uri: string; recoveryCodes: readonly string[] }>;
  /**
   * Replaces an operator's authenticator after verifying name, password and a recovery code, which is used
   * up. The old authenticator becomes invalid, and all sessions of the operator end. Returns the operator's
   * name and the key of the new authenticator, also as a URI. Throws `Refused` for wrong credentials.
   */
  replaceAuthenticator(
    form: FormFields,
    origin: Pick<OperatorSignIn, 'address' | 'browserKey'>,
  ): Promise<{ name: string; secret: string; uri: string }>;
  /**
   * Returns the operator to whom a session token belongs; undefined if the session has ended. A page's
   * background request (`isBackground`) does not extend the session.
   */
  operatorOf(token: string, isBackground: boolean): Promise<Operator | undefined>;
  /**
   * Executes or schedules an operator's call, or proposes it if it needs a second operator. Verifies the authenticator
   * code if the operation needs one and no confirmation period covers the call. Records the call in the audit log,
   * unless it only reads a list. Throws `Refused` for calls that are not permitted. A repeated call of the same
   * operator with the same key receives the first answer.
   */
  perform(operation: Operation, call: OperatorCall, marks: CallMarks): Promise<Performed>;
  /**
   * Makes all checks of `perform` that come before the authenticator code is used, and returns the information for the
   * operator. Throws `Refused` like `perform`. Changes nothing.
   */
  preview(operation: Operation, call: OperatorCall, session: SessionMark): Promise<CallPreview>;
  /**
   * Opens a confirmation period of the session, in which routine decisions need no authenticator code. It replaces an
   * open one. Throws `Refused`, e.g. if `code` is not the operator's current authenticator code.
   */
  openPeriod(operator: Operator, session: SessionMark, code: string): Promise<ConfirmationPeriod>;
  endPeriod(operator: Operator, session: SessionMark): Promise<void>;
  /**
   * Returns the open confirmation period of a session, in which routine decisions need no authenticator code;
   * undefined if there is none.
   */
  periodOf(session: SessionMark): Promise<ConfirmationPeriod | undefined>;
  /** The authenticator codes of a demo's predefined operator accounts; undefined outside of a demo. */
  readonly demoCodes?: (() => Promise<readonly DemoCodes[]>) | undefined;
}

/**
 * Returns whether an operator has one of the roles that an operation names. The role `owner` permits every
 * operation.
 */
export function permits(operation: Pick<Operation, 'roles'>, { roles }: Pick<Operator, 'roles'>): boolean {
  return roles.includes('owner') || operation.roles.some((role) => roles.includes(role));
}

export { operationKey as nameOf } from '@exchange/wire/operation.ts';
