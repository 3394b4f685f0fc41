import type { PublishedEvent } from '../../platform/events.ts';
import type { RecordedStep } from './replay-steps.ts';

interface OrderChange {
  readonly order: { readonly id: string; readonly pair: { readonly symbol: string } };
  readonly state: Readonly<Record<string, unknown>>;
  readonly fills: readonly { readonly price: unknown; readonly amount: unknown; readonly role: string }[];
}

/**
 * Collects how a spot order changes while journal steps are passed to `listen`. Each change becomes a line with the
 * step, its time (UTC), the command with its input, the fills, and the order's state afterwards.
 */
export function orderStory(id: string): {
  readonly lines: string[];
  readonly listen: (step: RecordedStep, events: readonly PublishedEvent[]) => void;
} {
  const lines: string[] = [];
  return {
    lines,
    listen: (step, events) => {
      for (const { name, fact } of events) {
        if (name !== 'spot.orderChanged' || (fact as OrderChange).order.id !== id) continue;
        lines.push(lineOf(step, fact as OrderChange));
      }
    },
  };
}

function lineOf({ sequence, at, operation, input }: RecordedStep, { state, fills }: OrderChange): string {
  const filled = fills.map(({ price, amount, role }) => `${role} ${String(amount)} at ${String(price)}`);
  const commandText = `${operation} ${JSON.stringify(input)}`;
  const stateText = JSON.stringify(state);
  return [`step ${sequence}`, new Date(at).toISOString(), commandText, ...filled, `then ${stateText}`].join(
    '  ',
  );
}
