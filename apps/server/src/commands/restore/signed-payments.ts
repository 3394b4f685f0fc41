import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isChainAddress } from '@exchange/core/chain-address.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { findCoinNetwork } from '@exchange/core/network.ts';
import { TRON } from '@exchange/core/tron-network.ts';
import { UTXO_DIGITS, UTXO_NETWORKS } from '@exchange/core/utxo-network.ts';
import { Transaction } from 'ethers';
import { XRP, XRP_DIGITS } from '../../modules/chains/index.ts';
import type { SignedPayment } from '../../modules/withdrawals/index.ts';
import { EVM_JOURNAL, readSigned } from '../../platform/signer/journal.ts';
import { coldTransferId, sweepOf } from '../../platform/signer/protocol.ts';
import { readTronEntries, TRON_JOURNAL } from '../../platform/signer/tron-journal.ts';
import { readUtxoEntries, UTXO_JOURNAL } from '../../platform/signer/utxo-journal.ts';
import type { BatchPayment } from '../../platform/signer/utxo-protocol.ts';
import { readXrpEntries, XRP_JOURNAL } from '../../platform/signer/xrp-journal.ts';
import type { SignerKind } from '../../platform/paying-networks.ts';
import { readTronTransfer } from '../../platform/tron/transactions.ts';
import { readTransaction } from '../../platform/utxo/transactions.ts';
import { readXrpTransaction } from '../../platform/xrp/transactions.ts';

interface JournalForm {
  readonly fileName: string;
  readonly payments: (folder: string) => AsyncGenerator<SignedPayment, void>;
}

const FORMS: Readonly<Record<SignerKind, JournalForm>> = {
  evm: { fileName: EVM_JOURNAL, payments: evmPayments },
  utxo: { fileName: UTXO_JOURNAL, payments: utxoPayments },
  xrp: { fileName: XRP_JOURNAL, payments: xrpPayments },
  tron: { fileName: TRON_JOURNAL, payments: tronPayments },
};
const KINDS: readonly SignerKind[] = ['evm', 'utxo', 'xrp', 'tron'];

/**
 * Start and end of the receiver's 40 hex digits in the call data of `transfer(address,uint256)`, after `0x`, the
 * selector and the padding.
 */
const RECEIVER_START = 34;
const RECEIVER_END = 74;

/**
 * Returns the kind of signer to which a folder belongs, determined by the name of the journal file in it.
 * Throws for a folder without a journal.
 */
export function signerKind(folder: string): SignerKind {
  const kind = KINDS.find((each) => existsSync(join(folder, FORMS[each].fileName)));
  if (kind === undefined) throw new Error(`${folder} has no journal of a signer`);
  return kind;
}

/**
 * Reads the signed transactions in the journals of signers, each journal oldest first, with receiver, chain and
 * transaction id. A payment can have several transactions: with higher fees, after an earlier one expired, or to void
 * it. Left out are entries without a signature (voids of unsigned payments, and intents), and transfers between the
 * exchange's own accounts, which change no balance in the database.
 */
export async function* paymentsIn(folders: readonly string[]): AsyncGenerator<SignedPayment, void> {
  for (const folder of folders) yield* FORMS[signerKind(folder)].payments(folder);
}

/** True for a transfer between the exchange's own accounts; false for a payment to any other address. */
function isOwnTransfer(origin: string): boolean {
  return coldTransferId(origin) !== undefined || sweepOf(origin) !== undefined;
}

async function* evmPayments(folder: string): AsyncGenerator<SignedPayment, void> {
  for await (const { origin, asset, amount, raw, kind } of readSigned(folder)) {
    if (raw === '' || kind === 'intent' || isOwnTransfer(origin)) continue;
    const { hash, to, data, chainId } = Transaction.from(raw);
    yield {
      origin,
      asset,
      amount,
      // The call data of a token transfer contain the receiver; `to` is then the contract of the token.
      address: data === '0x' ? to! : `0x${data.slice(RECEIVER_START, RECEIVER_END)}`,
      chain: evmChain(Number(chainId)),
      txid: hash!,
      isVoid: kind === 'void',
      lastValid: undefined,
    };
  }
}

/** Returns the name of an EVM chain as in `SignedPayment`: `eip155:` followed by the chain's numeric id. */
export function evmChain(chainId: number): string {
  return `eip155:${chainId}`;
}

/**
 * Reads the payments in the batches of a signer of the Bitcoin family. A batch that replaces another makes the same
 * payments with a higher fee, except for the payments in `without`, which it voids. Throws if the replaced batch is not
 * before its replacement in the signer's journal.
 */
async function* utxoPayments(folder: string): AsyncGenerator<SignedPayment, void> {
  const replaced = new Set<string>();
  for await (const each of readUtxoEntries(folder)) if (each.kind === 'replace') replaced.add(each.batch);
  /** The payments of batches that later entries of the journal replace, by id of the batch. */
  const batches = new Map<string, { readonly chain: string; readonly payments: readonly BatchPayment[] }>();
  for await (const each of readUtxoEntries(folder)) {
    if (each.kind === 'forbid') continue;
    const first =
      each.kind === 'batch'
        ? { chain: utxoChain(each.inputs), payments: each.payments }
        : batches.get(each.batch);
    if (first === undefined)
      throw new Error(`${folder}: the batch ${each.batch} is replaced before it was signed`);
    if (each.kind === 'batch' && replaced.has(each.batch)) batches.set(each.batch, first);
    const { txid, inputs } = await readTransaction(each.raw);
    const canBeRenamed = UTXO_NETWORKS.get(first.chain)!.script === 'pkh';
    const without = new Set(each.kind === 'replace' ? each.without : []);
    for (const { kind, origin, address, units } of first.payments) {
      if (kind === 'cold') continue;
      yield {
        origin,
        asset: first.chain,
        amount: Decimal.ofScaled(BigInt(units), UTXO_DIGITS).toString(),
        address,
        chain: first.chain,
        txid,
        isVoid: without.has(origin),
        lastValid: undefined,
        spends: canBeRenamed ? inputs[0] : undefined,
      };
    }
  }
}

/**
 * Returns the code of the network of a batch, determined by the address of its first input: own addresses
 * with a witness have a prefix that no other network has, and those without one have a version that no other
 * network has. Throws for any other address, and for a batch without inputs.
 */
function utxoChain(inputs: readonly { readonly address: string }[]): string {
  const [{ address } = { address: '' }] = inputs;
  const network = [...UTXO_NETWORKS.values()].find(({ code, script, versions }) =>
    script === 'wpkh'
      ? address.startsWith(`${versions.bech32}1`)
      : isChainAddress(findCoinNetwork(code, code)!.network.addressKind, address),
  );
  if (network === undefined) throw new Error(`"${address}" is no own address of a network with a signer`);
  return network.code;
}

async function* xrpPayments(folder: string): AsyncGenerator<SignedPayment, void> {
  for await (const { origin, drops, raw, kind, lastLedger } of readXrpEntries(folder)) {
    if (raw === '' || isOwnTransfer(origin)) continue;
    const { txid, payment } = await readXrpTransaction(raw);
    const tag = payment?.tag === undefined ? '' : ` (tag ${payment.tag})`;
    yield {
      origin,
      asset: XRP,
      amount: Decimal.ofScaled(BigInt(drops), XRP_DIGITS).toString(),
      address: `${payment?.address ?? ''}${tag}`,
      chain: XRP,
      txid,
      isVoid: kind === 'void',
      lastValid: lastLedger,
    };
  }
}

async function* tronPayments(folder: string): AsyncGenerator<SignedPayment, void> {
  for await (const { origin, asset, amount, raw, expiration } of readTronEntries(folder)) {
    if (raw === '' || isOwnTransfer(origin)) continue;
    const { txid, address } = await readTronTransfer(raw);
    yield { origin, asset, amount, address, chain: TRON, txid, isVoid: false, lastValid: expiration };
  }
}
