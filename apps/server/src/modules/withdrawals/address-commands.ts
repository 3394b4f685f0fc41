import type { UserId } from '@exchange/core/ids.ts';
import { addressProblem, ADDRESSES_MAX, ADDRESS_WAIT_MS, findCoinNetwork } from '@exchange/core/network.ts';
import { notAmong, refusal, Refused } from '@exchange/core/refusal.ts';
import { later, type Instant } from '@exchange/core/time.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { idOf, instantField } from '../../platform/sequencer/input-fields.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import {
  addressesOf,
  insertAddress,
  knownFrom,
  oneSpelling,
  removeAddress,
  renameAddress,
  saveWhitelist,
  storedWhitelist,
} from './addresses-repository.ts';
import { activeFrom, whitelistAt, type KeptAddress } from './domain.ts';

const owner = idOf<UserId>();
const id = idOf<string>();
const text = z.optional(z.string());

/** What somebody may do with the own address book: a withdrawal decides by what these steps made. */
export function addressCommands() {
  return { ...bookCommands(), ...whitelistCommands() };
}

interface WrittenAddress {
  readonly address: string;
  readonly memo: string | undefined;
  readonly remark: string | undefined;
  readonly withoutMemo: boolean;
}

/** What is checked of an address; what was left out is absent. */
function writtenAddress({ address, memo, remark, withoutMemo }: WrittenAddress) {
  return {
    address,
    ...(memo === undefined ? {} : { memo }),
    ...(remark === undefined ? {} : { remark }),
    withoutMemo,
  };
}

function bookCommands() {
  return {
    add: sqlCommand({
      name: 'withdrawals.addAddress',
      input: z.object({
        owner,
        asset: z.string(),
        network: z.string(),
        address: z.string(),
        memo: text,
        remark: text,
        /** The house alone: in force from an earlier moment. */
        activeAt: z.optional(instantField),
        /** Whether an address is known 24 hours after it was first seen; absent in inputs from before addresses had an age. */
        isAged: z.optional(z.boolean()),
        /** The recipient has said that the own wallet needs no memo. */
        withoutMemo: z.optional(z.boolean()),
      }),
      run: async (step, input) => {
        const { owner, asset, network, address, memo, remark, activeAt, withoutMemo = false } = input;
        const coin = findCoinNetwork(asset, network);
        if (coin === undefined) throw notAmong('network', network);
        const problem = addressProblem(coin, writtenAddress({ address, memo, remark, withoutMemo }));
        if (problem !== undefined) throw new Refused(problem);
        const kept = await addressesOf(step.sql, owner);
        if (kept.some((one) => isSame(one, { asset, network, address, memo })))
          throw new Refused(
            refusal('duplicate', 'l.address_duplicate', { field: 'address', value: address }),
          );
        if (kept.length >= ADDRESSES_MAX) {
          const limit = { limit: String(ADDRESSES_MAX), value: String(kept.length + 1) };
          throw new Refused(refusal('aboveMaximum', 'l.addresses_max', limit));
        }
        const added: KeptAddress = {
          id: step.newId(),
          owner,
          asset,
          network,
          address,
          memo,
          remark,
          activeAt: activeAt ?? (await activeAtOf(step, input)),
          createdAt: step.now,
        };
        await insertAddress(step.sql, added);
        return added;
      },
    }),
    rename: sqlCommand({
      name: 'withdrawals.renameAddress',
      input: z.object({ owner, id, remark: text }),
      run: async (step, { owner: of, id: which, remark }) => {
        const kept = await require(step, of, which);
        const { address, memo, asset, network } = kept;
        const written = writtenAddress({ address, memo, remark, withoutMemo: memo === undefined });
        const problem = addressProblem(findCoinNetwork(asset, network)!, written);
        if (problem !== undefined) throw new Refused(problem);
        await renameAddress(step.sql, which, remark);
        return { ...kept, remark };
      },
    }),
    remove: sqlCommand({
      name: 'withdrawals.removeAddress',
      input: z.object({ owner, id }),
      run: async (step, { owner: of, id: which }) => {
        const kept = await addressesOf(step.sql, of);
        if (kept.some((one) => one.id === which)) await removeAddress(step.sql, which, step.now);
        return {};
      },
    }),
  };
}

function whitelistCommands() {
  return {
    whitelist: sqlCommand({
      name: 'withdrawals.setWhitelist',
      input: z.object({ owner, isOn: z.boolean() }),
      run: async (step, { owner: of, isOn }) => {
        const present = whitelistAt(await storedWhitelist(step.sql, of), step.now);
        if (isOn) await saveWhitelist(step.sql, of, undefined);
        else if (present.isOn && present.offAt === undefined)
          await saveWhitelist(step.sql, of, later(step.now, ADDRESS_WAIT_MS));
        return whitelistAt(await storedWhitelist(step.sql, of), step.now);
      },
    }),
  };
}

/** Whether a kept address is this one. */
export function isSame(
  kept: KeptAddress,
  { asset, network, address, memo }: Pick<KeptAddress, 'asset' | 'network' | 'address' | 'memo'>,
): boolean {
  return (
    kept.asset === asset &&
    kept.network === network &&
    kept.memo === memo &&
    oneSpelling(network, kept.address) === oneSpelling(network, address)
  );
}

async function require(step: SqlStep, of: UserId, which: string): Promise<KeptAddress> {
  const kept = (await addressesOf(step.sql, of)).find((one) => one.id === which);
  if (kept === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  return kept;
}

/** When an address is known that is kept now. */
function activeAtOf(
  step: SqlStep,
  place: Parameters<typeof knownFrom>[1] & { readonly isAged?: boolean | undefined },
): Instant | Promise<Instant> {
  return place.isAged === true ? knownFrom(step.sql, place, step.now) : activeFrom(step.now);
}
