import * as described from '@exchange/wire/console/screening.ts';
import { idOf, serveAction, serveList, whyOf, type Operation } from '../../platform/console/operation.ts';
import { mapBounded } from '../../platform/database/bounded-rows.ts';
import type { Identity } from '../identity/index.ts';
import type { Hit } from './domain.ts';
import type { Screening } from './service.ts';

interface Parts {
  readonly screening: Screening;
  readonly identity: Pick<Identity, 'findUser'>;
}

/** Operations on sanctions lists and matches. Every decision needs a second operator. */
export function screeningOperations({ screening, identity }: Parts): Operation[] {
  const evidence = async (id: string, state: 'cleared' | 'confirmed') => {
    const hit = await screening.requireDecidable(id, state);
    const user = await identity.findUser(hit.owner);
    return {
      facts: {
        ...hitRow(hit),
        uid: user?.uid,
        email: user?.email,
      },
    };
  };
  return [
    serveList(described.sanctionHits, async () => mapBounded(await screening.open(), hitRow)),
    serveList(described.decidedHits, async () =>
      mapBounded(await screening.decided(), (hit) => ({
        ...hitRow(hit),
        decidedAt: hit.decidedAt,
        by: hit.decidedBy,
        reason: hit.reason,
      })),
    ),
    serveList(described.sanctionLists, () =>
      Promise.resolve({
        list: screening.imported().map(({ name, addresses, names, importedAt, problem }) => ({
          name,
          addresses,
          names,
          importedAt,
          problem,
        })),
      }),
    ),
    serveAction(described.clearHit, {
      check: (call) => screening.requireDecidable(idOf(call), 'cleared'),
      secondPerson: { evidence: (call) => evidence(idOf(call), 'cleared') },
      run: async (call) => {
        await screening.decide(idOf(call), { state: 'cleared', ...whyOf(call) });
        return {};
      },
    }),
    serveAction(described.confirmHit, {
      check: (call) => screening.requireDecidable(idOf(call), 'confirmed'),
      secondPerson: { evidence: (call) => evidence(idOf(call), 'confirmed') },
      run: async (call) => {
        await screening.decide(idOf(call), { state: 'confirmed', ...whyOf(call) });
        return {};
      },
    }),
  ];
}

function hitRow(hit: Hit) {
  return {
    id: hit.id,
    subjectKind: hit.subjectKind,
    subject: hit.subject,
    owner: hit.owner,
    screened: hit.screened,
    list: hit.list,
    reference: hit.reference,
    entry: hit.entry,
    state: hit.state,
    createdAt: hit.createdAt,
  };
}
