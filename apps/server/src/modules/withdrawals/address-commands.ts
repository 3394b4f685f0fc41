import type { UserId } from '@exchange/core/ids.ts';
import { addressProblem, ADDRESSES_MAX, ADDRESS_WAIT_MS, findCoinNetwork } from '@exchange/core/network.ts';
import { invalidChoice, refusal, Refused } from '@exchange/core/refusal.ts';
import { later, type Instant } from '@exchange/core/time.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { idOf, instantField } from '../../platform/sequencer/input-fields.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import {
  addressesOf,
  insertAddress,
  addressKnownAt,
  canonicalForm,
  removeAddress,
  renameAddress,
  saveWhitelist,
  storedWhitelist,
} from './addresses-repository.ts';
import { activeFrom, whitelistAt, type AddressEntry } from './domain.ts';

const owner = idOf<UserId>();
const id = idOf<string>();
const text = z.optional(z.string());

/**
 * Returns the commands for a user's address book and whitelist. They are commands of the sequencer because
 * withdrawals depend on their results.
 */
export function addressCommands() {
  return { ...bookCommands(), ...whitelistCommands() };
}

interface WrittenAddress {
  readonly address: string;
  readonly memo: string | undefined;
  readonly remark: string | undefined;
  readonly withoutMemo: boolean;
}

/** Returns the fields of an address book entry without the undefined ones, for validation. */
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
        /**
         * Instant from which withdrawals to the address are possible, if the exchange sets it, e.g. for demo data;
         * otherwise undefined.
         */
        activeAt: z.optional(instantField),
        /**
         * Whether the address can be used 24 hours after its owner first stored it or withdrew to it. If the field is
         * absent, as in old journal inputs, the address can be used 24 hours after it is stored now.
         */
        isAged: z.optional(z.boolean()),
        /** Whether the user confirmed that the receiving wallet needs no memo. */
        withoutMemo: z.optional(z.boolean()),
      }),
      run: async (step, input) => {
        const { owner, asset, network, address, memo, remark, activeAt, withoutMemo = false } = input;
        const coin = findCoinNetwork(asset, network);
        if (coin === undefined) throw invalidChoice('network', network);
        const problem = addressProblem(coin, writtenAddress({ address, memo, remark, withoutMemo }));
        if (problem !== undefined) throw new Refused(problem);
        const book = await addressesOf(step.sql, owner);
        if (book.some((entry) => isSameDestination(entry, { asset, network, address, memo })))
          throw new Refused(
            refusal('duplicate', 'l.address_duplicate', { field: 'address', value: address }),
          );
        if (book.length >= ADDRESSES_MAX) {
          const limit = { limit: String(ADDRESSES_MAX), value: String(book.length + 1) };
          throw new Refused(refusal('aboveMaximum', 'l.addresses_max', limit));
        }
        const entry: AddressEntry = {
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
        await insertAddress(step.sql, entry);
        return entry;
      },
    }),
    rename: sqlCommand({
      name: 'withdrawals.renameAddress',
      input: z.object({ owner, id, remark: text }),
      run: async (step, { owner, id, remark }) => {
        const entry = await require(step, owner, id);
        const { address, memo, asset, network } = entry;
        const fields = writtenAddress({ address, memo, remark, withoutMemo: memo === undefined });
        const problem = addressProblem(findCoinNetwork(asset, network)!, fields);
        if (problem !== undefined) throw new Refused(problem);
        await renameAddress(step.sql, id, remark);
        return { ...entry, remark };
      },
    }),
    remove: sqlCommand({
      name: 'withdrawals.removeAddress',
      input: z.object({ owner, id }),
      run: async (step, { owner, id }) => {
        const book = await addressesOf(step.sql, owner);
        if (book.some((entry) => entry.id === id)) await removeAddress(step.sql, id, step.now);
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
      run: async (step, { owner, isOn }) => {
        const whitelist = whitelistAt(await storedWhitelist(step.sql, owner), step.now);
        if (isOn) await saveWhitelist(step.sql, owner, undefined);
        else if (whitelist.isOn && whitelist.offAt === undefined)
          await saveWhitelist(step.sql, owner, later(step.now, ADDRESS_WAIT_MS));
        return whitelistAt(await storedWhitelist(step.sql, owner), step.now);
      },
    }),
  };
}

/** Returns whether an address book entry has this asset, network, canonical address and memo. */
export function isSameDestination(
  entry: AddressEntry,
  { asset, network, address, memo }: Pick<AddressEntry, 'asset' | 'network' | 'address' | 'memo'>,
): boolean {
  return (
    entry.asset === asset &&
    entry.network === network &&
    entry.memo === memo &&
    canonicalForm(network, entry.address) === canonicalForm(network, address)
  );
}

async function require(step: SqlStep, owner: UserId, id: string): Promise<AddressEntry> {
  const entry = (await addressesOf(step.sql, owner)).find((candidate) => candidate.id === id);
  if (entry === undefined) throw new Refused(refusal('generic', 'l.not_found'));
  return entry;
}

/**
 * Returns the instant from which withdrawals to an address that is stored now are possible: 24 hours after
 * its owner first stored it or withdrew to it if `isAged` is set, otherwise 24 hours from now.
 */
function activeAtOf(
  step: SqlStep,
  place: Parameters<typeof addressKnownAt>[1] & { readonly isAged?: boolean | undefined },
): Instant | Promise<Instant> {
  return place.isAged === true ? addressKnownAt(step.sql, place, step.now) : activeFrom(step.now);
}
