import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { ApiCall } from '@exchange/wire/public-api/calls.ts';
import type { Parameters, ValuesOf } from '@exchange/wire/public-api/parameters.ts';

/** An answer in plain text instead of JSON. */
export class PlainText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A JSON answer with another status than 200. */
export class StatusAnswer {
  readonly status: number;
  readonly data: unknown;

  constructor(status: number, data: unknown) {
    this.status = status;
    this.data = data;
  }
}

/** A JSON answer in which every `Decimal` is a number with all its digits. */
export class ExactAnswer {
  readonly data: unknown;

  constructor(data: unknown) {
    this.data = data;
  }
}

/** The account and permissions of a program that sent a request with an API key. */
export interface ProgramCaller {
  readonly owner: UserId;
  readonly keyId: string;
  readonly keyName: string;
  /** The public part of the API key. */
  readonly key: string;
  readonly mayTrade: boolean;
  readonly mayTransfer: boolean;
  /** Value in USDT that the API key may withdraw in any 24 hours; undefined if it may not withdraw. */
  readonly withdrawalLimit: Decimal | undefined;
  readonly addresses: readonly string[];
  /** Creation time of the API key in milliseconds UTC. */
  readonly createdAt: number;
  /**
   * Text by which a repetition of the request is recognized: the API key together with the signature or, if the
   * connection is logged on, with the id and the parameters of the request.
   */
  readonly signature: string;
  /**
   * Id of the session under which the request's orders are placed, so that they are cancelled when its connection ends;
   * undefined for orders that stay.
   */
  readonly sessionId: string | undefined;
}

/**
 * A call and the function that serves it. The function returns JSON data or an instance of `PlainText`,
 * `StatusAnswer` or `ExactAnswer`, or throws `ApiError`.
 */
export interface Handler {
  readonly call: ApiCall;
  readonly serve: (values: never, pathPart: string, caller: ProgramCaller | undefined) => unknown;
}

/**
 * Connects a call with its function. `pathPart` is the last segment of the URL path if the path of the call ends with a
 * placeholder, otherwise empty; `caller` is present for calls that need an API key.
 */
export function handler<P extends Parameters>(
  call: ApiCall<P>,
  serve: (values: ValuesOf<P>, pathPart: string, caller: ProgramCaller | undefined) => unknown,
): Handler {
  return { call: call as unknown as ApiCall, serve };
}
