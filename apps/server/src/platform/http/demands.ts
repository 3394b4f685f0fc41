import { Refused } from '@exchange/core/refusal.ts';
import type { Access, Demand, Endpoint } from '@exchange/wire/endpoint.ts';
import type * as z from 'zod/mini';
import type { Log } from '../log.ts';
import type { SignedInCaller } from './route.ts';

/** A call whose fields are well formed, by somebody who is signed in. */
export interface DemandedCall {
  readonly endpoint: Endpoint;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly caller: SignedInCaller;
}

/** Gives back what meeting a demand has used up. */
export type GiveBack = () => Promise<void>;

/**
 * Sees to one demand of access rows. A module hands it in; the edge asks it before the use case runs. The start
 * fails for a demand that nobody sees to.
 */
export interface DemandEnforcer {
  readonly demand: Demand;
  /** The fields that it reads: a call that makes the demand describes them. */
  readonly fields: readonly string[];
  /** Refuses a call that does not meet the demand. What it returns is called where the use case refuses. */
  enforce(call: DemandedCall): Promise<GiveBack | undefined>;
}

/** In this order: the cheapest first, and what is used up last. */
const ORDER: Readonly<Record<Demand, number>> = { ownAccount: 0, verified: 1, tradePassword: 2, mailCode: 3 };

/** What an access row says besides demands; anything else there is one. */
const OTHERS: ReadonlySet<string> = new Set([
  'who',
  'demoOnly',
  'mailCodeBinds',
  'takesRecoveryCode',
  'sessionAlone',
]);

/** What an access row demands beyond a session, whatever is written there. */
export function demandsOf(access: Access): readonly Demand[] {
  return Object.entries(access)
    .filter(([name, value]) => !OTHERS.has(name) && value !== undefined && value !== false)
    .map(([name]) => name as Demand)
    .toSorted((one, other) => ORDER[one] - ORDER[other]);
}

/** The fields of a call that prove who somebody is, for one request only: codes and passwords. */
export function proofFields(endpoint: Endpoint, enforcers: readonly DemandEnforcer[]): ReadonlySet<string> {
  const demanded = new Set(demandsOf(endpoint.access));
  return new Set(enforcers.flatMap(({ demand, fields }) => (demanded.has(demand) ? fields : [])));
}

/** Why a call may not be served as far as its demands go; one sentence each. */
export function demandProblems(endpoint: Endpoint, enforcers: readonly DemandEnforcer[]): string[] {
  const shape = (endpoint.fields as z.ZodMiniObject).shape;
  return demandsOf(endpoint.access).flatMap((demand) => {
    if (endpoint.access.who !== 'user') return [`demands ${demand} of visitors`];
    const sees = enforcers.filter((enforcer) => enforcer.demand === demand);
    if (sees.length !== 1) return [`demands ${demand}, to which ${sees.length} see`];
    return sees[0]!.fields
      .filter((field) => !(field in shape))
      .map((field) => `demands ${demand} and has no field ${field}`);
  });
}

/**
 * Runs a use case behind the demands of its call, each met in turn; undefined for a call without. Where the use case refuses, nothing has
 * happened, and what the demands used up is given back; after anything else it stays used.
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
    const used: GiveBack[] = [];
    try {
      for (const enforcer of enforcers) {
        const giveBack = await enforcer.enforce({ endpoint, ...call });
        if (giveBack !== undefined) used.push(giveBack);
      }
      return await serve();
    } catch (thrown) {
      if (thrown instanceof Refused) {
        for (const giveBack of used)
          await giveBack().catch((cause: unknown) => notGivenBack(log, endpoint, cause));
      }
      throw thrown;
    }
  };
}

/** The refusal stands; its caller asks for another code. */
function notGivenBack(log: Log, { path }: Endpoint, cause: unknown): void {
  log.warn('http.demand_not_given_back', { route: path, cause });
}
