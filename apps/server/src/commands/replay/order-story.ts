import type { PublishedEvent } from '../../platform/events.ts';
import type { RecordedStep } from './replay-steps.ts';

interface Told {
  readonly order: { readonly id: string; readonly pair: { readonly symbol: string } };
  readonly state: Readonly<Record<string, unknown>>;
  readonly fills: readonly { readonly price: unknown; readonly amount: unknown; readonly role: string }[];
}

/** Gathers what steps did to one order, a line for each: what was asked, by whom, and how the order stood after it. */
export function orderStory(id: string): {
  readonly lines: string[];
  readonly listen: (step: RecordedStep, events: readonly PublishedEvent[]) => void;
} {
  const lines: string[] = [];
  return {
    lines,
    listen: (step, events) => {
      for (const { name, fact } of events) {
        if (name !== 'spot.orderChanged' || (fact as Told).order.id !== id) continue;
        lines.push(lineOf(step, fact as Told));
      }
    },
  };
}

function lineOf({ sequence, at, operation, input }: RecordedStep, { state, fills }: Told): string {
  const filled = fills.map(({ price, amount, role }) => `${role} ${String(amount)} at ${String(price)}`);
  const asked = `${operation} ${JSON.stringify(input)}`;
  const stands = JSON.stringify(state);
  return [`step ${sequence}`, new Date(at).toISOString(), asked, ...filled, `then ${stands}`].join('  ');
}
