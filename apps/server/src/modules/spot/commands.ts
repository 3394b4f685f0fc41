import type { UserId } from '@exchange/core/ids.ts';
import { command, type MemoryCommand } from '../../platform/sequencer/command.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import {
  INPUTS,
  type AmendInput,
  type CancelAllInput,
  type ExpireInput,
  type Inputs,
  type OcoInput,
  type PlaceInput,
  type StatusInput,
  type TriggerInput,
} from './command-inputs.ts';
import type { SpotExchange } from './exchange.ts';

/**
 * Everything that a step may do to spot. The only way into the exchange for the service, a replay and tests
 * alike. `afterwards` is called within each step, which may have made stops due.
 */
export function spotCommands(exchange: SpotExchange, afterwards: () => void = () => undefined) {
  const { ledger } = exchange;
  const prepare = (input: { owner: UserId }) =>
    ledger.isPrepared(input.owner) ? undefined : ledger.prepare(input.owner);
  const following =
    <Input, Outcome>(run: (step: Step, input: Input) => Outcome) =>
    (step: Step, input: Input) => {
      const outcome = run(step, input);
      afterwards();
      return outcome;
    };
  return {
    place: command({
      name: 'spot.place',
      input: INPUTS.place,
      prepare,
      run: following((step, input: PlaceInput) => exchange.place(step, input)),
    }),
    oco: command({
      name: 'spot.oco',
      input: INPUTS.oco,
      prepare,
      run: following((step, input: OcoInput) => exchange.placeOco(step, input)),
    }),
    amend: command({
      name: 'spot.amend',
      input: INPUTS.amend,
      prepare,
      run: following((step, input: AmendInput) => exchange.amend(step, input)),
    }),
    cancel: command({
      name: 'spot.cancel',
      input: INPUTS.cancel,
      prepare,
      run: following((step, input: Inputs['cancel']) => exchange.cancel(step, input.owner, input.order)),
    }),
    cancelAll: command({
      name: 'spot.cancelAll',
      input: INPUTS.cancelAll,
      prepare,
      run: following((step, input: CancelAllInput) => exchange.cancelAll(step, input)),
    }),
    trigger: command({
      name: 'spot.trigger',
      input: INPUTS.trigger,
      run: following((step, input: TriggerInput) => exchange.trigger(step, input)),
    }),
    exits: command({
      name: 'spot.exits',
      input: INPUTS.exits,
      run: following((step, input: TriggerInput) => exchange.placeExits(step, input)),
    }),
    expire: command({
      name: 'spot.expire',
      input: INPUTS.expire,
      run: following((step, { most }: ExpireInput) => exchange.expire(step, most)),
    }),
    status: command({
      name: 'spot.status',
      input: INPUTS.status,
      run: following((step, input: StatusInput) => exchange.setStatus(step, input)),
    }),
  } satisfies { readonly [Kind in keyof Inputs]: MemoryCommand<Inputs[Kind], unknown> };
}

export type SpotCommands = ReturnType<typeof spotCommands>;
