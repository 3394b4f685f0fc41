import type { WithdrawalRow } from './queries.ts';

/** The way of a withdrawal, from its request to the network's last confirmation. */
export const STAGES = ['requested', 'checked', 'approved', 'sent', 'confirmed'] as const;
export type Stage = (typeof STAGES)[number];
/** `ended` is where a withdrawal stopped that did not go through. */
export type StageState = 'done' | 'now' | 'ended' | 'open';

/** Where on its way a withdrawal is. */
export function stagesOf({ status, txid }: Pick<WithdrawalRow, 'status' | 'txid'>): readonly StageState[] {
  const { at, isEnded } = standing(status, txid !== undefined);
  return STAGES.map((_, stage) => (stage < at ? 'done' : stage > at ? 'open' : isEnded ? 'ended' : 'now'));
}

function standing(status: WithdrawalRow['status'], isSent: boolean): { at: number; isEnded: boolean } {
  const of = (stage: Stage) => STAGES.indexOf(stage);
  switch (status) {
    case 0:
      return { at: of('checked'), isEnded: false };
    case 1:
      return { at: STAGES.length, isEnded: false };
    case 3:
      return { at: of(isSent ? 'confirmed' : 'sent'), isEnded: false };
    case 4:
      return { at: of('sent'), isEnded: true };
    default:
      return { at: of('checked'), isEnded: true };
  }
}
