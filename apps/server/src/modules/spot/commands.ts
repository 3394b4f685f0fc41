import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import { command, type MemoryCommand } from '../../platform/sequencer/command.ts';
import type { Step } from '../../platform/sequencer/step.ts';
import {
  INPUTS,
  type AmendInput,
  type CancelAllInput,
  type CancelChaseInput,
  type CancelGridInput,
  type CancelIcebergInput,
  type CancelInput,
  type CancelLadderInput,
  type ChaseInput,
  type CountdownEndInput,
  type CountdownInput,
  type EndTwapInput,
  type ExpireInput,
  type GridInput,
  type IcebergInput,
  type Inputs,
  type LadderInput,
  type MarkInput,
  type MoveChaseInput,
  type OcoInput,
  type OtoInput,
  type PauseTwapInput,
  type PlaceInput,
  type SessionEndInput,
  type StatusInput,
  type TriggerInput,
  type TwapChildInput,
  type TwapInput,
} from './command-inputs.ts';
import { cancelChase, moveChase, startChase } from './chase.ts';
import { endCountdown, endSession, setCountdown } from './dead-man.ts';
import { cancelGrid, startGrid } from './grid.ts';
import { sellForEndedGrids } from './grid-sales.ts';
import { cancelIceberg, placeIceberg } from './iceberg.ts';
import { cancelLadder, placeLadder } from './ladder.ts';
import { endTwap, pauseTwap, placeTwapChild, startTwap } from './twap.ts';
import { postponements } from './portions.ts';
import type { SpotExchange } from './exchange.ts';

/**
 * The commands of spot, by which the service and a replay change the exchange. `afterwards` runs after each executed
 * command that may have made stops due. `onCountdownDue` runs, with the time of the command, when a command must wait
 * until the orders of a countdown that has run out are cancelled; it should have them cancelled.
 */
export function spotCommands(
  exchange: SpotExchange,
  afterwards: () => void = () => undefined,
  onCountdownDue: (now: Instant) => void = () => undefined,
) {
  const { ledger } = exchange;
  const prepare = (input: { owner: UserId }) =>
    ledger.isPrepared(input.owner) ? undefined : ledger.prepare(input.owner);
  const following = followedBy(exchange, afterwards);
  const waits = postponements(exchange, onCountdownDue);
  return {
    place: command({
      name: 'spot.place',
      input: INPUTS.place,
      prepare,
      postponed: waits.symbol,
      run: following((step, input: PlaceInput) => exchange.place(step, input)),
    }),
    oco: command({
      name: 'spot.oco',
      input: INPUTS.oco,
      prepare,
      postponed: waits.symbol,
      run: following((step, input: OcoInput) => exchange.placeOco(step, input)),
    }),
    oto: command({
      name: 'spot.oto',
      input: INPUTS.oto,
      prepare,
      postponed: waits.symbol,
      run: following((step, input: OtoInput) => exchange.placeOto(step, input)),
    }),
    ladder: command({
      name: 'spot.ladder',
      input: INPUTS.ladder,
      prepare,
      postponed: waits.symbol,
      run: following((step, input: LadderInput) => placeLadder(exchange, step, input)),
    }),
    cancelLadder: command({
      name: 'spot.cancelLadder',
      input: INPUTS.cancelLadder,
      prepare,
      postponed: waits.cancelledOn,
      run: following((step, input: CancelLadderInput) => cancelLadder(exchange, step, input)),
    }),
    iceberg: command({
      name: 'spot.iceberg',
      input: INPUTS.iceberg,
      prepare,
      postponed: waits.symbol,
      run: following((step, input: IcebergInput) => placeIceberg(exchange, step, input)),
    }),
    cancelIceberg: command({
      name: 'spot.cancelIceberg',
      input: INPUTS.cancelIceberg,
      prepare,
      postponed: waits.iceberg,
      run: following((step, input: CancelIcebergInput) => cancelIceberg(exchange, step, input)),
    }),
    twap: command({
      name: 'spot.twap',
      input: INPUTS.twap,
      prepare,
      postponed: waits.symbol,
      run: following((step, input: TwapInput) => startTwap(exchange, step, input)),
    }),
    amend: command({
      name: 'spot.amend',
      input: INPUTS.amend,
      prepare,
      postponed: waits.openOrder,
      run: following((step, input: AmendInput) => exchange.amend(step, input)),
    }),
    cancel: command({
      name: 'spot.cancel',
      input: INPUTS.cancel,
      prepare,
      postponed: waits.cancelledOrder,
      run: following((step, input: CancelInput) => exchange.cancel(step, input)),
    }),
    cancelAll: command({
      name: 'spot.cancelAll',
      input: INPUTS.cancelAll,
      prepare,
      postponed: waits.owner,
      run: following((step, input: CancelAllInput) => exchange.cancelAll(step, input)),
    }),
    countdown: command({
      name: 'spot.countdown',
      input: INPUTS.countdown,
      run: (step, input: CountdownInput) => setCountdown(exchange, step, input),
    }),
    ...chaseCommands(exchange, following, waits, prepare),
    ...gridCommands(exchange, following, waits, prepare),
    ...twapCommands(exchange, following, waits, prepare),
    ...systemCommands(exchange, following, waits),
  } satisfies { readonly [Kind in keyof Inputs]: MemoryCommand<Inputs[Kind], unknown> };
}

type Following = ReturnType<typeof followedBy>;

/**
 * Wraps a command's function so that, after the function has returned, the coins of the grids that it has ended are
 * sold in the same step, and then `afterwards` runs.
 */
function followedBy(exchange: SpotExchange, afterwards: () => void) {
  return <Input extends object, Outcome>(run: (step: Step, input: Input) => Outcome) =>
    (step: Step, input: Input) => {
      const outcome = run(step, input);
      if (exchange.gridSales.length > 0) sellForEndedGrids(exchange, step, input);
      afterwards();
      return outcome;
    };
}

/** Commands that start chase orders, move the price of their orders after the market, and cancel them. */
function chaseCommands(
  exchange: SpotExchange,
  following: Following,
  waits: ReturnType<typeof postponements>,
  prepare: (input: { owner: UserId }) => Promise<void> | undefined,
) {
  return {
    chase: command({
      name: 'spot.chase',
      input: INPUTS.chase,
      prepare,
      postponed: waits.symbol,
      run: following((step, input: ChaseInput) => startChase(exchange, step, input)),
    }),
    moveChase: command({
      name: 'spot.moveChase',
      input: INPUTS.moveChase,
      prepare,
      postponed: waits.symbol,
      run: following((step, input: MoveChaseInput) => moveChase(exchange, step, input)),
    }),
    cancelChase: command({
      name: 'spot.cancelChase',
      input: INPUTS.cancelChase,
      prepare,
      postponed: waits.chase,
      run: following((step, input: CancelChaseInput) => cancelChase(exchange, step, input)),
    }),
  };
}

/** Commands that start and cancel grids. */
function gridCommands(
  exchange: SpotExchange,
  following: Following,
  waits: ReturnType<typeof postponements>,
  prepare: (input: { owner: UserId }) => Promise<void> | undefined,
) {
  return {
    grid: command({
      name: 'spot.grid',
      input: INPUTS.grid,
      prepare,
      postponed: waits.symbol,
      run: following((step, input: GridInput) => startGrid(exchange, step, input)),
    }),
    cancelGrid: command({
      name: 'spot.cancelGrid',
      input: INPUTS.cancelGrid,
      prepare,
      postponed: waits.grid,
      run: following((step, input: CancelGridInput) => cancelGrid(exchange, step, input)),
    }),
  };
}

/**
 * Commands that place the next child order of a TWAP order, pause a TWAP order, and end one. Pausing and
 * ending place and cancel no order, so, unlike the placement of a child order, they never wait until the
 * orders of a countdown that has run out are cancelled.
 */
function twapCommands(
  exchange: SpotExchange,
  following: Following,
  waits: ReturnType<typeof postponements>,
  prepare: (input: { owner: UserId }) => Promise<void> | undefined,
) {
  return {
    twapChild: command({
      name: 'spot.twapChild',
      input: INPUTS.twapChild,
      prepare,
      postponed: waits.symbol,
      run: following((step, input: TwapChildInput) => placeTwapChild(exchange, step, input)),
    }),
    pauseTwap: command({
      name: 'spot.pauseTwap',
      input: INPUTS.pauseTwap,
      run: (step, input: PauseTwapInput) => pauseTwap(exchange, step, input),
    }),
    endTwap: command({
      name: 'spot.endTwap',
      input: INPUTS.endTwap,
      run: (step, input: EndTwapInput) => endTwap(exchange, step, input),
    }),
  };
}

/**
 * Commands that no user requests. They execute due stops, place the take-profit and stop-loss orders of ended
 * orders and the pending orders of OTOs, expire orders, mark triggered stops as due, cancel orders of
 * programs that no longer respond, and set a pair's status.
 */
function systemCommands(
  exchange: SpotExchange,
  following: Following,
  waits: ReturnType<typeof postponements>,
) {
  return {
    trigger: command({
      name: 'spot.trigger',
      input: INPUTS.trigger,
      postponed: waits.dueOrder,
      run: following((step, input: TriggerInput) => exchange.trigger(step, input)),
    }),
    exits: command({
      name: 'spot.exits',
      input: INPUTS.exits,
      postponed: waits.owedOrder,
      run: following((step, input: TriggerInput) => exchange.placeExits(step, input)),
    }),
    release: command({
      name: 'spot.release',
      input: INPUTS.release,
      postponed: waits.owedOto,
      run: following((step, input: TriggerInput) => exchange.releaseOto(step, input)),
    }),
    expire: command({
      name: 'spot.expire',
      input: INPUTS.expire,
      run: following((step, { most }: ExpireInput) => exchange.expire(step, most)),
    }),
    countdownEnd: command({
      name: 'spot.countdownEnd',
      input: INPUTS.countdownEnd,
      run: following((step, input: CountdownEndInput) => endCountdown(exchange, step, input)),
    }),
    sessionEnd: command({
      name: 'spot.sessionEnd',
      input: INPUTS.sessionEnd,
      run: following((step, input: SessionEndInput) => endSession(exchange, step, input)),
    }),
    mark: command({
      name: 'spot.mark',
      input: INPUTS.mark,
      run: following((step, input: MarkInput) => exchange.mark(step, input)),
    }),
    status: command({
      name: 'spot.status',
      input: INPUTS.status,
      postponed: waits.pairStatus,
      run: following((step, input: StatusInput) => exchange.setStatus(step, input)),
    }),
  };
}

export type SpotCommands = ReturnType<typeof spotCommands>;
