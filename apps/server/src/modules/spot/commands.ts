import { Decimal } from '@exchange/core/decimal.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import type {
  AmendInput,
  CancelAllInput,
  CancelInput,
  OcoInput,
  PlaceInput,
  StatusInput,
  TriggerInput,
} from './command-inputs.ts';
import type { SpotExchange } from './exchange.ts';
import type { StatusSet } from './listing-domain.ts';
import type { SpotOrder } from './order-domain.ts';

/** Everything that a step of spot may do, with all that its outcome depends on besides the steps before it. */
export type SpotCommand =
  | { readonly operation: 'spot.place'; readonly input: PlaceInput }
  | { readonly operation: 'spot.oco'; readonly input: OcoInput }
  | { readonly operation: 'spot.amend'; readonly input: AmendInput }
  | { readonly operation: 'spot.cancel'; readonly input: CancelInput }
  | { readonly operation: 'spot.cancelAll'; readonly input: CancelAllInput }
  | { readonly operation: 'spot.trigger'; readonly input: TriggerInput }
  | { readonly operation: 'spot.expire'; readonly input: Readonly<Record<string, never>> }
  | { readonly operation: 'spot.status'; readonly input: StatusInput };

interface Outcomes {
  'spot.place': SpotOrder;
  'spot.oco': { readonly groupId: string; readonly limit: SpotOrder; readonly stop: SpotOrder };
  'spot.amend': SpotOrder;
  'spot.cancel': SpotOrder;
  'spot.cancelAll': { readonly count: number };
  'spot.trigger': SpotOrder | undefined;
  'spot.expire': { readonly count: number };
  'spot.status': StatusSet;
}

/** What a command gives. */
export type OutcomeOf<Command extends SpotCommand> = Outcomes[Command['operation']];

/**
 * Carries a command out in a step and keeps it in the journal. The only way into the exchange for the
 * service, a replay and tests alike, so that what is kept is what was done. Throws `Refused`.
 */
export function runCommand<Command extends SpotCommand>(
  exchange: SpotExchange,
  step: Step,
  command: Command,
): OutcomeOf<Command> {
  const outcome = carryOut(exchange, step, command);
  // A refused step is not kept, so it need not be written down first.
  step.record(command.operation, command.input);
  return outcome as OutcomeOf<Command>;
}

function carryOut(
  exchange: SpotExchange,
  step: Step,
  { operation, input }: SpotCommand,
): Outcomes[SpotCommand['operation']] {
  switch (operation) {
    case 'spot.place':
      return exchange.place(step, input);
    case 'spot.oco':
      return exchange.placeOco(step, input);
    case 'spot.amend':
      return exchange.amend(step, input);
    case 'spot.cancel':
      return exchange.cancel(step, input.owner, input.order);
    case 'spot.cancelAll':
      return exchange.cancelAll(step, input);
    case 'spot.trigger':
      return exchange.trigger(step, input);
    case 'spot.expire':
      return exchange.expire(step);
    default:
      return exchange.setStatus(step, input);
  }
}

/** Names of decimal fields, wherever in an input they stand: the journal has them as text. */
const DECIMAL_FIELDS: ReadonlySet<string> = new Set([
  ...['price', 'amount', 'total', 'stopPrice', 'trail', 'limitPrice', 'stopLimitPrice'],
  ...['maker', 'taker', 'reference', 'quoteValue'],
]);

/** A command as the journal keeps it, its input parsed from JSON. Throws for an operation that is not spot's. */
export function readCommand(operation: string, input: unknown): SpotCommand {
  if (!isOperation(operation)) throw new RangeError(`no operation of spot: ${operation}`);
  return { operation, input: withDecimals(input) } as SpotCommand;
}

const OPERATIONS: ReadonlySet<string> = new Set<SpotCommand['operation']>([
  ...(['spot.place', 'spot.oco', 'spot.amend', 'spot.cancel', 'spot.cancelAll'] as const),
  ...(['spot.trigger', 'spot.expire', 'spot.status'] as const),
]);

function isOperation(name: string): name is SpotCommand['operation'] {
  return OPERATIONS.has(name);
}

function withDecimals(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      DECIMAL_FIELDS.has(name) && typeof value === 'string' ? Decimal.parse(value) : withDecimals(value),
    ]),
  );
}
