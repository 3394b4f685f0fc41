import { CAPITAL_ACCOUNTS } from '@exchange/core/capital.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf } from '../../platform/sequencer/input-fields.ts';
import { addressOf, houseAddress, userAddress, worldAddress, type Ledger } from '../ledger/index.ts';
import { cancelDebt, raiseDebt, requireFunds } from './debts.ts';
import { sweepOf } from '../../platform/signer/protocol.ts';
import { enqueueNotice } from './notices-repository.ts';
import { hotCommands } from './hot-commands.ts';
import { returnCommands } from './return-commands.ts';
import { sweepCommands } from './sweep-commands.ts';
import { addSweepFee } from './sweep-repository.ts';
import { remainingOf, splitDebit, type Arrival, type ArrivalState } from './domain.ts';
import {
  adoptArrival,
  arrivalOfPayment,
  decideArrival,
  endPause,
  findArrival,
  findDebt,
  insertArrival,
  insertCorrection,
  insertPause,
  insertPayment,
  updateArrival,
  updateDebt,
} from './repository.ts';

/**
 * States of arrivals (incoming transfers that are no users' deposits) whose amount the exchange lacks if the network
 * drops them afterwards: booked as capital, being sent back, or sent back to the sender.
 */
const MISSED_STATES: ReadonlySet<ArrivalState> = new Set(['assigned', 'returning', 'returned']);
const id = idOf<string>();
const owner = idOf<UserId>();
const account = z.enum(CAPITAL_ACCOUNTS);
const by = z.string();
const reason = z.string();
const payment = {
  network: z.string(),
  asset: z.string(),
  txid: z.string(),
  output: z.int(),
  amount: decimal,
};

const arrivalInput = z.object({
  ...payment,
  address: z.string(),
  sender: z.optional(z.string()),
  memo: z.optional(z.string()),
  remark: z.optional(z.string()),
  position: z.int(),
  block: z.int(),
  isGone: z.optional(z.boolean()),
  /** Whether the payment comes from another wallet of the exchange, so that operators need not decide about it. */
  isInternal: z.optional(z.boolean()),
});

/**
 * Returns the commands that book the exchange's own money. Each command takes effect only once for the same
 * arrival, payment, correction or debt, however often it is executed.
 */
export function treasuryCommands(ledger: Ledger) {
  return {
    ...arrivalCommands(ledger),
    ...paymentCommands(ledger),
    ...correctionCommands(ledger),
    ...debtCommands(ledger),
    ...pauseCommands(),
    ...hotCommands(),
    ...returnCommands(ledger),
    ...sweepCommands(),
  };
}

export type TreasuryCommands = ReturnType<typeof treasuryCommands>;

function arrivalCommands(ledger: Ledger) {
  return {
    /**
     * Stores incoming transfers that are not deposits of users (see `Arrival`), and updates known ones that their
     * network has dropped or moved to another block. Returns the ids of dropped arrivals that were booked as capital,
     * or that are or were sent back.
     */
    see: sqlCommand({
      name: 'treasury.see',
      input: z.object({ arrivals: z.array(arrivalInput) }),
      run: async (step, { arrivals }) => {
        const alarming: string[] = [];
        for (const { isGone = false, isInternal = false, ...transfer } of arrivals) {
          const stored = await arrivalOfPayment(step.sql, transfer);
          if (stored !== undefined) {
            if (stored.position >= transfer.position) continue;
            const goneAt = isGone ? step.now : undefined;
            await updateArrival(step.sql, stored.id, {
              position: transfer.position,
              block: transfer.block,
              goneAt,
            });
            if (isGone && MISSED_STATES.has(stored.state)) alarming.push(stored.id);
          } else if (!isGone) {
            await insertArrival(step.sql, {
              ...transfer,
              sender: transfer.sender,
              memo: transfer.memo,
              remark: transfer.remark,
              id: step.newId(),
              registeredBy: undefined,
              state: isInternal ? 'internal' : 'open',
              createdAt: step.now,
              goneAt: undefined,
              owner: undefined,
              account: undefined,
            });
          }
        }
        return { alarming };
      },
    }),

    /**
     * Stores an undecided arrival of a formerly unlisted token under the coin as which the token is now
     * listed, with the given amount in units of the coin. Does nothing where `adoptArrival` does nothing.
     */
    adopt: sqlCommand({
      name: 'treasury.adopt',
      input: z.object({ id, asset: z.string(), amount: decimal }),
      run: (step, arrival) => adoptArrival(step.sql, arrival),
    }),

    /**
     * Stores an incoming payment that an operator has found and entered. Returns the id of the stored arrival. Refuses
     * a payment that is recorded already.
     */
    register: sqlCommand({
      name: 'treasury.register',
      input: z.object({ ...payment, address: z.string(), remark: z.string(), by }),
      run: async (step, { by: registeredBy, ...transfer }) => {
        const arrival: Arrival = {
          ...transfer,
          id: step.newId(),
          sender: undefined,
          memo: undefined,
          position: 0,
          block: 0,
          registeredBy,
          state: 'open',
          createdAt: step.now,
          goneAt: undefined,
          owner: undefined,
          account: undefined,
        };
        if (!(await insertArrival(step.sql, arrival)))
          throw new Refused(refusal('duplicate', 'l.arrival_known', { value: transfer.txid }));
        return { id: arrival.id };
      },
    }),

    /**
     * Books an arrival (an incoming transfer that is no user's deposit) to a house account, as the exchange's own
     * money. Refuses an unknown arrival and one that is decided already.
     */
    assign: sqlCommand({
      name: 'treasury.assign',
      input: z.object({ id, account, by, reason }),
      run: async (step, { id: arrivalId, account: houseAccount, ...decision }) => {
        const arrival = await findArrival(step.sql, arrivalId);
        if (arrival === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        const { asset, network, amount } = arrival;
        await requireDecided(
          decideArrival(step.sql, arrivalId, {
            ...decision,
            state: 'assigned',
            account: houseAccount,
            now: step.now,
          }),
        );
        ledger.post(step, 'treasury.funded', arrivalId, [
          {
            source: worldAddress(asset, network),
            destination: houseAddress(houseAccount),
            asset,
            amount,
          },
        ]);
      },
    }),

    /**
     * Records that an arrival (an incoming transfer that is no user's deposit) is not booked: with `returnTxid`,
     * because operators have sent it back to its sender; otherwise because it needs no booking. Sends nothing. Refuses
     * an arrival that is decided already.
     */
    close: sqlCommand({
      name: 'treasury.close',
      input: z.object({ id, returnTxid: z.optional(z.string()), by, reason }),
      run: async (step, { id: arrivalId, returnTxid, ...decision }) => {
        await requireDecided(
          decideArrival(step.sql, arrivalId, {
            ...decision,
            state: returnTxid === undefined ? 'dismissed' : 'returned',
            now: step.now,
            ...(returnTxid === undefined ? {} : { returnTxid }),
          }),
        );
      },
    }),
  };
}

function paymentCommands(ledger: Ledger) {
  return {
    /**
     * Books a payment of a house account to the outside. The kind `paid` is for capital and fees that leave the
     * exchange; `gas` is for the network fee of a transaction, and its `reason` names the payment that the transaction
     * makes. Network fees of a sweep are also added to the sweep. Returns false if the payment is booked already.
     * Refuses an amount above the balance of the account.
     */
    pay: sqlCommand({
      name: 'treasury.pay',
      input: z.object({ ...payment, kind: z.enum(['paid', 'gas']), account, by, reason }),
      run: async (step, { account: houseAccount, by: madeBy, ...paid }) => {
        const { kind, asset, network, amount } = paid;
        const source = houseAddress(houseAccount);
        const row = {
          ...paid,
          id: step.newId(),
          account: houseAccount,
          made_by: madeBy,
          at: step.now,
        };
        if (!(await insertPayment(step.sql, row))) return false;
        requireFunds(ledger, source, asset, amount);
        const sweep = kind === 'gas' ? sweepOf(paid.reason) : undefined;
        if (sweep !== undefined) await addSweepFee(step.sql, sweep, amount);
        ledger.post(step, kind === 'gas' ? 'treasury.gas' : 'treasury.withdrawn', row.id, [
          { source, destination: worldAddress(asset, network), asset, amount },
        ]);
        return true;
      },
    }),
  };
}

function correctionCommands(ledger: Ledger) {
  return {
    /**
     * Moves an amount between a user's spot balance and a house account. If a debit exceeds the user's
     * available balance, the user owes the rest as a debt. Refuses a second correction of the same case with
     * the same user, direction, coin and amount, and a credit above the balance of the house account. Queues
     * an inbox message to the user.
     */
    correct: sqlCommand({
      name: 'treasury.correct',
      input: z.object({
        caseRef: z.string(),
        owner,
        isCredit: z.boolean(),
        account,
        asset: z.string(),
        amount: decimal,
        by,
        reason,
      }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, correction) => {
        const { owner: user, isCredit, asset, amount, caseRef } = correction;
        const correctionId = step.newId();
        if (!(await insertCorrection(step.sql, { ...correction, id: correctionId, at: step.now })))
          throw new Refused(refusal('duplicate', 'l.correction_known', { value: caseRef }));
        const house = houseAddress(correction.account);
        const shown = { coin: asset, amount: amount.toString(), case: caseRef };
        const balance = userAddress(user, 'spot', 'available');
        if (isCredit) {
          requireFunds(ledger, house, asset, amount);
          ledger.post(step, 'correction.posted', correctionId, [
            { source: house, destination: balance, asset, amount },
          ]);
          await enqueueNotice(step, 'correctionCredited', user, shown);
          return;
        }
        const { owed } = splitDebit(ledger.balance(balance, asset), amount);
        if (owed.isPositive()) {
          await raiseDebt(step, ledger, {
            owner: user,
            asset,
            amount,
            account: house,
            cause: 'correction',
            reference: correctionId,
            reason: correction.reason,
          });
          return;
        }
        ledger.post(step, 'correction.posted', correctionId, [
          { source: balance, destination: house, asset, amount },
        ]);
        await enqueueNotice(step, 'correctionDebited', user, shown);
      },
    }),
  };
}

function debtCommands(ledger: Ledger) {
  return {
    /**
     * Writes off a user's debt. The house account `account` pays the unpaid part to the creditor of the debt,
     * unless the creditor is a house account itself. Refuses an unknown or ended debt, and an amount above
     * the balance of the paying account. Queues an inbox message to the user.
     */
    writeOff: sqlCommand({
      name: 'treasury.writeOff',
      input: z.object({ id, account, by, reason }),
      run: async (step, { id: debtId, account: houseAccount, by: closedBy }) => {
        const debt = await findDebt(step.sql, debtId);
        if (debt === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        if (debt.outcome !== undefined) throw new Refused(refusal('closed', 'l.debt_closed'));
        const { asset, paid } = debt;
        const destination = addressOf(debt.account);
        if (!destination.name.startsWith('house:')) {
          const source = houseAddress(houseAccount);
          const amount = remainingOf(debt);
          requireFunds(ledger, source, asset, amount);
          ledger.post(step, 'treasury.withdrawn', debtId, [{ source, destination, asset, amount }]);
        }
        await updateDebt(step.sql, debtId, { paid, outcome: 'writtenOff', by: closedBy, now: step.now });
        await enqueueNotice(step, 'debtWrittenOff', debt.owner, {
          coin: asset,
          remaining: remainingOf(debt).toString(),
        });
      },
    }),

    /**
     * Cancels a user's debt that was raised in error, and refunds the paid part to the user. Refuses an
     * unknown debt or one of another user, and what `cancelDebt` of `debts.ts` refuses.
     */
    cancelDebt: sqlCommand({
      name: 'treasury.cancelDebt',
      input: z.object({ id, owner, by, reason }),
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { id: debtId, owner: debtor, by: closedBy }) => {
        const debt = await findDebt(step.sql, debtId);
        if (debt?.owner !== debtor) throw new Refused(refusal('generic', 'l.not_found'));
        await cancelDebt(step, ledger, debt, closedBy);
      },
    }),
  };
}

function pauseCommands() {
  return {
    /**
     * Pauses a coin of which the exchange owns less than it owes: its withdrawals are not signed, and its
     * deposits worth more than 1,000 USDT, or without a price, are not credited. Returns false if the coin is
     * paused already.
     */
    pause: sqlCommand({
      name: 'treasury.pause',
      input: z.object({ asset: z.string(), missing: decimal }),
      run: (step, { asset, missing }) =>
        insertPause(step.sql, step.newId(), { asset, missing, since: step.now }),
    }),

    /**
     * Ends the pause of a coin of which the exchange owns less than it owes, and stores the shortage `accepted`. For a
     * day, only a shortage that exceeds it by at least `DUST_USDT` pauses the coin again. Refuses a coin that is not
     * paused.
     */
    lift: sqlCommand({
      name: 'treasury.lift',
      input: z.object({ asset: z.string(), accepted: decimal, by, reason }),
      run: async (step, { asset, ...lifting }) => {
        if (!(await endPause(step.sql, asset, { ...lifting, now: step.now })))
          throw new Refused(refusal('generic', 'l.not_found'));
      },
    }),
  };
}

async function requireDecided(isDecided: Promise<boolean>): Promise<void> {
  if (!(await isDecided)) throw new Refused(refusal('closed', 'l.arrival_decided'));
}

/**
 * Returns the commands of the treasury, and the queries of the tables that a replay compares with the
 * original.
 */
export function treasuryReplay({ ledger }: { readonly ledger: Ledger }) {
  return {
    commands: Object.values(treasuryCommands(ledger)),
    state: {
      treasuryArrivals: 'select a::text as row, a.id as turn from treasury_arrival a',
      treasuryPayments: 'select p::text as row, p.id as turn from treasury_payment p',
      treasuryCorrections: 'select c::text as row, c.id as turn from treasury_correction c',
      treasuryDebts: 'select d::text as row, d.id as turn from treasury_debt d',
      treasuryTransfers: 'select t::text as row, t.id as turn from treasury_transfer t',
      treasuryReturns: 'select r::text as row, r.id as turn from treasury_return r',
      treasurySweeps: 'select s::text as row, s.id as turn from treasury_sweep s',
      treasurySweepPauses: 'select p::text as row, p.id as turn from treasury_sweep_pause p',
      treasuryPauses: 'select p::text as row, p.id as turn from treasury_pause p',
    },
  };
}
