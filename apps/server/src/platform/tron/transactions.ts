import { createHash } from 'node:crypto';
import { addressPayload, chainAddress } from '@exchange/core/chain-address.ts';

/**
 * Transactions of TRON in their binary format (protobuf, `protocol/core/Tron.proto` of `java-tron`). Only transfers of
 * a token (`TriggerSmartContract` with `transfer(address,uint256)`) and of TRX (`TransferContract`) are supported.
 * Amounts are in the token's smallest unit, or in sun (10^-6 TRX). Times are in milliseconds UTC.
 */

/**
 * The block to which a transaction refers. The transaction is valid only on a chain with this block, for about two
 * days.
 */
export interface TronReference {
  readonly number: number;
  /** Id of the block, 64 hex digits. */
  readonly hash: string;
}

/**
 * A transfer of a token, or of TRX if `contract` is undefined. Addresses are in base 58. `units` is the
 * amount in the token's smallest unit, or in sun.
 */
export interface TronTransfer {
  readonly owner: string;
  readonly contract: string | undefined;
  readonly address: string;
  readonly units: bigint;
  /** Maximum cost of the energy of a token transfer in sun; 0 for a transfer of TRX. */
  readonly feeLimit: bigint;
  /** The last two bytes, in hex, of the number of the block to which the transaction refers. */
  readonly refBytes: string;
  /** Bytes 8 to 15, in hex, of the id of the block to which the transaction refers. */
  readonly refHash: string;
  /** Time in milliseconds UTC after which no block can contain the transaction. */
  readonly expiration: number;
  /**
   * Time of the transaction's creation, in milliseconds UTC. It distinguishes transfers that are otherwise
   * equal.
   */
  readonly timestamp: number;
}

/** The value of a message's field: a number or bytes. */
type FieldValue = bigint | Uint8Array;

/** Numbers of fields of `Transaction`, `Transaction.raw`, `Transaction.Contract` and `google.protobuf.Any`. */
const FIELD = {
  transaction: { raw: 1, signature: 2 },
  raw: { refBytes: 1, refHash: 4, expiration: 8, contract: 11, timestamp: 14, feeLimit: 18 },
  contract: { type: 1, parameter: 2 },
  any: { typeUrl: 1, value: 2 },
  /** Field numbers of `TriggerSmartContract`, the contract of a token transfer. */
  token: { owner: 1, contract: 2, data: 4 },
  /** Field numbers of `TransferContract`, the contract of a transfer of TRX. */
  coin: { owner: 1, address: 2, amount: 3 },
} as const;
/** Numbers and names of the two kinds of contracts. */
const KIND = {
  token: { type: 31n, url: 'type.googleapis.com/protocol.TriggerSmartContract' },
  coin: { type: 1n, url: 'type.googleapis.com/protocol.TransferContract' },
} as const;
/**
 * First four bytes, in hex, of the hash of `transfer(address,uint256)`, with which the call data of a token
 * transfer begin.
 */
const TRANSFER = 'a9059cbb';
/** First byte of addresses of TRON. */
const VERSION = 0x41;
const WORD_BYTES = 32;
const ADDRESS_BYTES = 20;
const SIGNATURE_BYTES = 65;
/**
 * Lowest value of the last byte of a signature, which is 27 or 28 and selects one of two possible public
 * keys.
 */
const RECOVERY_START = 27;

/** Returns the fields of a transaction that refer to a block. */
export function referenceOf({ number, hash }: TronReference): Pick<TronTransfer, 'refBytes' | 'refHash'> {
  return { refBytes: (number % 0x1_0000).toString(16).padStart(4, '0'), refHash: hash.slice(16, 32) };
}

/** Returns an address as 42 hex digits, which begin with 41. Throws for a text that is no address of TRON. */
export function tronHex(address: string): string {
  return Buffer.from(addressBytes(address)).toString('hex');
}

/** Returns the call data, in hex, of `transfer(address,uint256)` of a token. */
export function tronTransferData(address: string, units: bigint): string {
  return `${TRANSFER}${tronHex(address).slice(2).padStart(64, '0')}${units.toString(16).padStart(64, '0')}`;
}

/** Signs a transfer with the private key of its owner (hex with `0x`). Returns the transaction in lower-case hex. */
export async function signTronTransfer(transfer: TronTransfer, privateKey: string): Promise<string> {
  const { SigningKey } = await import('ethers');
  const raw = rawOf(transfer);
  const { r, s, yParity } = new SigningKey(privateKey).sign(digestOf(raw));
  const end = (RECOVERY_START + yParity).toString(16);
  return transactionOf(raw, Buffer.from(`${r.slice(2)}${s.slice(2)}${end}`, 'hex')).toString('hex');
}

/**
 * Decodes a signed transfer. Throws if the transaction has further fields, is of another kind, or was not signed by its
 * owner.
 */
export async function readTronTransfer(
  hex: string,
): Promise<TronTransfer & { readonly txid: string; readonly bytes: number }> {
  const { SigningKey, computeAddress } = await import('ethers');
  const whole = Buffer.from(hex, 'hex');
  const fields = fieldsOf(whole);
  const raw = bytesOf(fields, FIELD.transaction.raw);
  const signature = bytesOf(fields, FIELD.transaction.signature);
  const transfer = transferOf(raw);
  // A transaction with a further field is refused: encoding the decoded transfer again then results in other
  // bytes.
  if (!transactionOf(rawOf(transfer), signature).equals(whole))
    throw new Error('a transaction with further fields');
  if (signature.length !== SIGNATURE_BYTES) throw new Error('a signature of another length');
  const key = SigningKey.recoverPublicKey(digestOf(raw), `0x${Buffer.from(signature).toString('hex')}`);
  if (tronAddressOf(computeAddress(key)) !== transfer.owner)
    throw new Error(`a signature that is not that of ${transfer.owner}`);
  return { ...transfer, txid: digestOf(raw).slice(2), bytes: whole.length };
}

/**
 * Returns the TRON address in base 58 with the same public key hash as an Ethereum address, which begins with
 * `0x`.
 */
export function tronAddressOf(evmAddress: string): string {
  return chainAddress('tron', Buffer.from(evmAddress.slice(2), 'hex'));
}

/**
 * Returns the SHA-256 of the unsigned transaction, with `0x`. It is the transaction's id, and the digest that
 * is signed.
 */
function digestOf(raw: Uint8Array): string {
  return `0x${createHash('sha256').update(raw).digest('hex')}`;
}

function transactionOf(raw: Uint8Array, signature: Uint8Array): Buffer {
  return message([
    [FIELD.transaction.raw, raw],
    [FIELD.transaction.signature, signature],
  ]);
}

/** Returns the bytes of the unsigned transaction in protobuf format. */
function rawOf(transfer: TronTransfer): Buffer {
  const { contract, refBytes, refHash, expiration, timestamp, feeLimit } = transfer;
  const kind = contract === undefined ? KIND.coin : KIND.token;
  const parameter = message([
    [FIELD.any.typeUrl, Buffer.from(kind.url)],
    [FIELD.any.value, contract === undefined ? coinContract(transfer) : tokenContract(transfer, contract)],
  ]);
  return message([
    [FIELD.raw.refBytes, Buffer.from(refBytes, 'hex')],
    [FIELD.raw.refHash, Buffer.from(refHash, 'hex')],
    [FIELD.raw.expiration, BigInt(expiration)],
    [
      FIELD.raw.contract,
      message([
        [FIELD.contract.type, kind.type],
        [FIELD.contract.parameter, parameter],
      ]),
    ],
    [FIELD.raw.timestamp, BigInt(timestamp)],
    [FIELD.raw.feeLimit, feeLimit],
  ]);
}

function tokenContract({ owner, address, units }: TronTransfer, contract: string): Buffer {
  return message([
    [FIELD.token.owner, addressBytes(owner)],
    [FIELD.token.contract, addressBytes(contract)],
    [FIELD.token.data, Buffer.from(tronTransferData(address, units), 'hex')],
  ]);
}

function coinContract({ owner, address, units }: TronTransfer): Buffer {
  return message([
    [FIELD.coin.owner, addressBytes(owner)],
    [FIELD.coin.address, addressBytes(address)],
    [FIELD.coin.amount, units],
  ]);
}

function transferOf(raw: Uint8Array): TronTransfer {
  const fields = fieldsOf(raw);
  const contract = fieldsOf(bytesOf(fields, FIELD.raw.contract));
  const parameter = fieldsOf(bytesOf(contract, FIELD.contract.parameter));
  const value = fieldsOf(bytesOf(parameter, FIELD.any.value));
  const type = numberOf(contract, FIELD.contract.type);
  const terms = {
    feeLimit: numberOf(fields, FIELD.raw.feeLimit),
    refBytes: Buffer.from(bytesOf(fields, FIELD.raw.refBytes)).toString('hex'),
    refHash: Buffer.from(bytesOf(fields, FIELD.raw.refHash)).toString('hex'),
    expiration: Number(numberOf(fields, FIELD.raw.expiration)),
    timestamp: Number(numberOf(fields, FIELD.raw.timestamp)),
  };
  if (type === KIND.coin.type)
    return {
      owner: addressOf(bytesOf(value, FIELD.coin.owner)),
      contract: undefined,
      address: addressOf(bytesOf(value, FIELD.coin.address)),
      units: numberOf(value, FIELD.coin.amount),
      ...terms,
    };
  if (type !== KIND.token.type) throw new Error(`a transaction of the kind ${type}`);
  const data = Buffer.from(bytesOf(value, FIELD.token.data));
  const isTransfer = data.length === 4 + 2 * WORD_BYTES && data.subarray(0, 4).toString('hex') === TRANSFER;
  if (!isTransfer) throw new Error('a call of another function than transfer');
  return {
    owner: addressOf(bytesOf(value, FIELD.token.owner)),
    contract: addressOf(bytesOf(value, FIELD.token.contract)),
    address: chainAddress('tron', data.subarray(4 + WORD_BYTES - ADDRESS_BYTES, 4 + WORD_BYTES)),
    units: BigInt(`0x${data.subarray(4 + WORD_BYTES).toString('hex')}`),
    ...terms,
  };
}

function addressBytes(address: string): Uint8Array {
  const payload = addressPayload('tron', address);
  if (payload === undefined) throw new Error(`${address} is no address of TRON`);
  return Uint8Array.of(VERSION, ...payload);
}

function addressOf(bytes: Uint8Array): string {
  if (bytes.length !== ADDRESS_BYTES + 1 || bytes[0] !== VERSION)
    throw new Error('an address of another form');
  return chainAddress('tron', bytes.subarray(1));
}

/** Encodes fields in their order. Numbers that are zero are omitted, as other encoders of this format do. */
function message(fields: readonly (readonly [number: number, value: FieldValue])[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value !== 'bigint')
        return [varint(BigInt(number * 8 + 2)), varint(BigInt(value.length)), value];
      return value === 0n ? [] : [varint(BigInt(number * 8)), varint(value)];
    }),
  );
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80n) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

/**
 * Decodes the fields of a protobuf message, by field number. Throws if the message is incomplete, or a field
 * is repeated or neither a number nor bytes.
 */
function fieldsOf(bytes: Uint8Array): ReadonlyMap<number, FieldValue> {
  const fields = new Map<number, FieldValue>();
  let at = 0;
  const number = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) throw new Error('an incomplete transaction');
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new Error('a number of more than 64 bits');
  };
  while (at < bytes.length) {
    const key = Number(number());
    const [field, type] = [Math.floor(key / 8), key % 8];
    if (fields.has(field) || (type !== 0 && type !== 2)) throw new Error('a transaction of another form');
    if (type === 0) {
      fields.set(field, number());
      continue;
    }
    const length = Number(number());
    if (at + length > bytes.length) throw new Error('an incomplete transaction');
    fields.set(field, bytes.subarray(at, at + length));
    at += length;
  }
  return fields;
}

function bytesOf(fields: ReadonlyMap<number, FieldValue>, field: number): Uint8Array {
  const value = fields.get(field);
  if (value === undefined || typeof value === 'bigint') throw new Error('a transaction of another form');
  return value;
}

function numberOf(fields: ReadonlyMap<number, FieldValue>, field: number): bigint {
  const value = fields.get(field) ?? 0n;
  if (typeof value !== 'bigint') throw new Error('a transaction of another form');
  return value;
}
