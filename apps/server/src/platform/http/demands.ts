import { Refused } from '@exchange/core/refusal.ts';
import type { Access, Requirement, Endpoint } from '@exchange/wire/endpoint.ts';
import type * as z from 'zod/mini';
import type { Log } from '../log.ts';
import type { SignedInCaller } from './route.ts';

/** A signed-in user's request with valid fields, before the endpoint's access requirements are checked. */
export interface DemandedCall {
  readonly endpoint: Endpoint;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly caller: SignedInCaller;
}

/** Makes a proof that was used for an access requirement, such as a mailed code, valid again. */
export type Refund = () => Promise<void>;

/**
 * Enforces one kind of access requirement, e.g. a mailed code. Modules provide enforcers, and the HTTP layer runs them
 * before the use case. The server does not start if a requirement has no enforcer.
 */
export interface DemandEnforcer {
  readonly demand: Requirement;
  /** The form fields that the enforcer reads. Every endpoint with this requirement must describe them. */
  readonly fields: readonly string[];
  /**
   * Throws `Refused` if the request does not fulfill the access requirement. Resolves to undefined if the
   * check consumes nothing, otherwise to a function that e.g. makes a used code valid again. It is called if
   * a later requirement or the use case refuses the request.
   */
  enforce(call: DemandedCall): Promise<Refund | undefined>;
}

/** Order in which access requirements are enforced: the cheapest check first, checks that use up a code last. */
const ORDER: Readonly<Record<Requirement, number>> = {
  ownAccount: 0,
  verified: 1,
  tradePassword: 2,
  mailCode: 3,
};

/** Properties of an endpoint's access description that are not access requirements. All other properties are. */
const NOT_DEMANDS: ReadonlySet<string> = new Set([
  'who',
  'demoOnly',
  'mailCodeBinds',
  'takesRecoveryCode',
  'sessionAlone',
]);

/** Returns the access requirements of an endpoint, in the order in which they are enforced. */
export function demandsOf(access: Access): readonly Requirement[] {
  return Object.entries(access)
    .filter(([name, value]) => !NOT_DEMANDS.has(name) && value !== undefined && value !== false)
    .map(([name]) => name as Requirement)
    .toSorted((left, right) => ORDER[left] - ORDER[right]);
}

/**
 * Returns the names of an endpoint's form fields with codes and passwords, as its access requirements read
 * them.
 */
export function proofFields(endpoint: Endpoint, enforcers: readonly DemandEnforcer[]): ReadonlySet<string> {
  const demanded = new Set(demandsOf(endpoint.access));
  return new Set(enforcers.flatMap(({ demand, fields }) => (demanded.has(demand) ? fields : [])));
}

/** Describes why an endpoint's access requirements cannot be enforced, one text per problem; empty if they can. */
export function demandProblems(endpoint: Endpoint, enforcers: readonly DemandEnforcer[]): string[] {
  const shape = (endpoint.fields as z.ZodMiniObject).shape;
  return demandsOf(endpoint.access).flatMap((demand) => {
    if (endpoint.access.who !== 'user') return [`demands ${demand} of visitors`];
    const demandEnforcers = enforcers.filter((enforcer) => enforcer.demand === demand);
    if (demandEnforcers.length !== 1)
      return [`demands ${demand}, which has ${demandEnforcers.length} enforcers instead of one`];
    return demandEnforcers[0]!.fields
      .filter((field) => !(field in shape))
      .map((field) => `demands ${demand} and has no field ${field}`);
  });
}

/**
 * Returns a function that enforces an endpoint's access requirements in order and then runs the use case; undefined for
 * an endpoint without requirements. If a later requirement or the use case refuses, a used code becomes valid again.
 * After any other error it stays used.
 */
export function behindDemands(
  endpoint: Endpoint,
  { demands, log }: { readonly demands: readonly DemandEnforcer[]; readonly log: Log },
): ((call: Omit<DemandedCall, 'endpoint'>, serve: () => unknown) => Promise<unknown>) | undefined {
  const enforcers = demandsOf(endpoint.access).flatMap((demand) =>
    demands.filter((enforcer) => enforcer.demand === demand),
  );
  if (enforcers.length === 0) return undefined;
  return async (call, serve) => {
    const refunds: Refund[] = [];
    try {
      for (const enforcer of enforcers) {
        const refund = await enforcer.enforce({ endpoint, ...call });
        if (refund !== undefined) refunds.push(refund);
      }
      return await serve();
    } catch (thrown) {
      if (thrown instanceof Refused) {
        for (const refund of refunds)
          await refund().catch((cause: unknown) => logFailedRefund(log, endpoint, cause));
      }
      throw thrown;
    }
  };
}

/** Logs that a used code could not be made valid again. The user receives the refusal and must request a new code. */
function logFailedRefund(log: Log, { path }: Endpoint, cause: unknown): void {
  log.warn('http.demand_not_given_back', { route: path, cause });
}
